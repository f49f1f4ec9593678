"""Invitations: a code lets one new guest in, where the server is for invited people only."""

from __future__ import annotations

import hashlib
import secrets

from sqlalchemy import Connection, insert, select, update

from pleasance.server.base.errors import ForbiddenError
from pleasance.server.store.schema.admin import invitations

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that is easily taken for another."""

_GROUPS = 4
_GROUP = 5


def make_invitation(connection: Connection, now: float) -> str:
    """Make a code that lets one guest in: 99 random bits, four groups of five letters."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))
    code = "-".join(groups)
    connection.execute(insert(invitations).values(code_hash=_digest(code), made_at=now))
    return code


def check_invitation(connection: Connection, code: str | None) -> None:
    """Refuse a code that was never given out or has been used."""
    if not code:
        raise ForbiddenError("invitation_needed")
    found = select(invitations.c.used_by).where(invitations.c.code_hash == _digest(code))
    row = connection.execute(found).one_or_none()
    if row is None:
        raise ForbiddenError("invitation_unknown")
    if row.used_by is not None:
        raise ForbiddenError("invitation_used")


def use_invitation(connection: Connection, code: str | None, player: str, now: float) -> None:
    """Let *player* in with a code; of two who come with the same one, only the first gets in."""
    check_invitation(connection, code)
    used = connection.execute(
        update(invitations)
        .where(invitations.c.code_hash == _digest(code or ""), invitations.c.used_by.is_(None))
        .values(used_by=player, used_at=now)
    )
    if used.rowcount != 1:
        raise ForbiddenError("invitation_used")


def _digest(code: str) -> str:
    """Hash a code, however it was typed."""
    plain = "".join(char for char in code.lower() if char.isalnum())
    return hashlib.sha256(f"pleasance:invitation:{plain}".encode()).hexdigest()
