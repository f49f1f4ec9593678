"""Accounts: reserved names with a password, passkeys or recovery codes."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from pleasance.server.base.errors import ConflictError
from pleasance.server.identity.keys import hash_secret, new_recovery_code, normalize_recovery_code
from pleasance.server.identity.names import skeleton
from pleasance.server.identity.players import change_player
from pleasance.server.store.schema.identity import accounts, passkeys, players, recovery_codes

RECOVERY_CODES_PER_ACCOUNT = 8


class AccountRow(NamedTuple):
    """A stored account."""

    player: str
    name: str
    password: str | None


class SignInMethods(NamedTuple):
    """The sign-in methods of an account."""

    has_password: bool
    passkeys: int
    recovery_codes: int


def check_name_free(connection: Connection, name: str, player: str) -> None:
    """Refuse a name that belongs to another account."""
    taken = select(accounts.c.player_id).where(accounts.c.skeleton == skeleton(name))
    if connection.execute(taken.where(accounts.c.player_id != player)).first() is not None:
        raise ConflictError("name_taken", name=name)


def create_account(
    connection: Connection, player: str, name: str, *, password: str | None, now: float
) -> None:
    """Turn the guest *player* into an account; *password* is a hash."""
    check_name_free(connection, name, player)
    if find_account(connection, player=player) is not None:
        raise ConflictError("has_account")
    facts = {"player_id": player, "skeleton": skeleton(name), "password": password}
    try:
        connection.execute(insert(accounts).values(**facts, created_at=now))
    except IntegrityError as error:  # another process was faster
        raise ConflictError("name_taken", name=name) from error
    change_player(connection, player, name=name, kind="account")


def rename_account(connection: Connection, player: str, name: str) -> None:
    """Rename an account."""
    check_name_free(connection, name, player)
    change = update(accounts).where(accounts.c.player_id == player)
    try:
        connection.execute(change.values(skeleton=skeleton(name)))
    except IntegrityError as error:  # another process was faster
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
    """Store a hashed password."""
    change = update(accounts).where(accounts.c.player_id == player)
    connection.execute(change.values(password=password))


def create_recovery_codes(connection: Connection, player: str) -> list[str]:
    """Create recovery codes, which replace the old ones."""
    connection.execute(delete(recovery_codes).where(recovery_codes.c.player_id == player))
    codes = [new_recovery_code() for _ in range(RECOVERY_CODES_PER_ACCOUNT)]
    connection.execute(
        insert(recovery_codes),
        [{"player_id": player, "digest": hash_secret(code)} for code in codes],
    )
    return codes


def use_recovery_code(connection: Connection, player: str, code: str) -> bool:
    """Consume a recovery code; return whether it was valid."""
    used = delete(recovery_codes).where(
        recovery_codes.c.player_id == player,
        recovery_codes.c.digest == hash_secret(normalize_recovery_code(code)),
    )
    return connection.execute(used).rowcount == 1


def count_sign_in_methods(connection: Connection, player: str) -> SignInMethods:
    """Count the sign-in methods of an account."""
    account = find_account(connection, player=player)
    keys = select(func.count()).select_from(passkeys).where(passkeys.c.player_id == player)
    codes = select(func.count()).select_from(recovery_codes)
    return SignInMethods(
        account is not None and account.password is not None,
        connection.execute(keys).scalar_one(),
        connection.execute(codes.where(recovery_codes.c.player_id == player)).scalar_one(),
    )
