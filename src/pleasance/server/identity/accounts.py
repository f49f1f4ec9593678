"""Accounts: a name that is one's own, and the ways to come back to it."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from pleasance.server.base.errors import ConflictError
from pleasance.server.identity.keys import digest, new_code, plain_code
from pleasance.server.identity.names import skeleton
from pleasance.server.identity.players import change_player
from pleasance.server.store.schema.identity import accounts, passkeys, players, recovery_codes

CODES = 8
"""How many recovery codes there are."""


class AccountRow(NamedTuple):
    """An account, found by its name."""

    player: str
    name: str
    password: str | None


class Locks(NamedTuple):
    """What opens an account."""

    has_password: bool
    passkeys: int
    recovery_codes: int


def check_name_free(connection: Connection, name: str, player: str) -> None:
    """Refuse a name that another account has."""
    taken = select(accounts.c.player_id).where(accounts.c.skeleton == skeleton(name))
    if connection.execute(taken.where(accounts.c.player_id != player)).first() is not None:
        raise ConflictError("name_taken", name=name)


def claim(
    connection: Connection, player: str, name: str, *, password: str | None, now: float
) -> None:
    """Turn the guest *player* into an account; *password* is hashed already."""
    check_name_free(connection, name, player)
    if find_account(connection, player=player) is not None:
        raise ConflictError("has_account")
    facts = {"player_id": player, "skeleton": skeleton(name), "password": password}
    try:
        connection.execute(insert(accounts).values(**facts, created_at=now))
    except IntegrityError as error:  # another process was quicker
        raise ConflictError("name_taken", name=name) from error
    change_player(connection, player, name=name, kind="account")


def rename(connection: Connection, player: str, name: str) -> None:
    """Give an account another name, under which it is found from now on."""
    check_name_free(connection, name, player)
    change = update(accounts).where(accounts.c.player_id == player)
    try:
        connection.execute(change.values(skeleton=skeleton(name)))
    except IntegrityError as error:  # another process was quicker
        raise ConflictError("name_taken", name=name) from error
    change_player(connection, player, name=name)


def find_account(
    connection: Connection, *, name: str | None = None, player: str | None = None
) -> AccountRow | None:
    """Find an account by the *name* as typed, or by its *player*."""
    found = accounts.c.player_id == player
    if name is not None:
        found = accounts.c.skeleton == skeleton(name)
    row = connection.execute(
        select(accounts.c.player_id, players.c.name, accounts.c.password)
        .join(players, players.c.id == accounts.c.player_id)
        .where(found)
    ).one_or_none()
    return None if row is None else AccountRow(*row)


def set_password(connection: Connection, player: str, password: str) -> None:
    """Set a password that is hashed already."""
    change = update(accounts).where(accounts.c.player_id == player)
    connection.execute(change.values(password=password))


def make_codes(connection: Connection, player: str) -> list[str]:
    """Make new recovery codes; the old ones open nothing any more."""
    connection.execute(delete(recovery_codes).where(recovery_codes.c.player_id == player))
    codes = [new_code() for _ in range(CODES)]
    connection.execute(
        insert(recovery_codes), [{"player_id": player, "digest": digest(code)} for code in codes]
    )
    return codes


def use_code(connection: Connection, player: str, code: str) -> bool:
    """Use up a recovery code; tell whether it was one."""
    used = delete(recovery_codes).where(
        recovery_codes.c.player_id == player, recovery_codes.c.digest == digest(plain_code(code))
    )
    return connection.execute(used).rowcount == 1


def count_locks(connection: Connection, player: str) -> Locks:
    """Count what opens an account."""
    account = find_account(connection, player=player)
    keys = select(func.count()).select_from(passkeys).where(passkeys.c.player_id == player)
    codes = select(func.count()).select_from(recovery_codes)
    return Locks(
        account is not None and account.password is not None,
        connection.execute(keys).scalar_one(),
        connection.execute(codes.where(recovery_codes.c.player_id == player)).scalar_one(),
    )
