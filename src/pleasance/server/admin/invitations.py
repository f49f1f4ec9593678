"""Invitations: codes that each admit one new guest to an invitation-only server."""

from __future__ import annotations

import hashlib
import secrets

from sqlalchemy import Connection, insert, select, update

from pleasance.server.base.errors import ForbiddenError
from pleasance.server.store.schema.admin import invitations

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are hard to confuse."""

_GROUPS_PER_CODE = 4
_LETTERS_PER_GROUP = 5


def make_invitation(connection: Connection, now: float) -> str:
    """Create an invitation code: 99 random bits, four groups of five letters."""
    groups = (
        "".join(secrets.choice(_LETTERS) for _ in range(_LETTERS_PER_GROUP))
        for _ in range(_GROUPS_PER_CODE)
    )
    code = "-".join(groups)
    connection.execute(insert(invitations).values(code_hash=_hash_code(code), made_at=now))
    return code


def check_invitation(connection: Connection, code: str | None) -> None:
    """Refuse a code that is unknown or used."""
    if not code:
        raise ForbiddenError("invitation_needed")
    query = select(invitations.c.used_by).where(invitations.c.code_hash == _hash_code(code))
    row = connection.execute(query).one_or_none()
    if row is None:
        raise ForbiddenError("invitation_unknown")
    if row.used_by is not None:
        raise ForbiddenError("invitation_used")


def use_invitation(connection: Connection, code: str | None, player: str, now: float) -> None:
    """Consume a code for *player*; of two concurrent uses only the first succeeds."""
    check_invitation(connection, code)
    used = connection.execute(
        update(invitations)
        .where(invitations.c.code_hash == _hash_code(code or ""), invitations.c.used_by.is_(None))
        .values(used_by=player, used_at=now)
    )
    if used.rowcount != 1:
        raise ForbiddenError("invitation_used")


def _hash_code(code: str) -> str:
    """Hash a code, ignoring case and separators."""
    plain = "".join(char for char in code.lower() if char.isalnum())
    return hashlib.sha256(f"pleasance:invitation:{plain}".encode()).hexdigest()
