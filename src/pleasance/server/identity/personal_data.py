"""Personal data of players: export and erasure (GDPR).

Each feature with personal data offers a `PersonalDataSource`; the app hands all of them over.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Column, Connection, delete, or_, select

from pleasance.server.identity.access_tokens import list_access_tokens
from pleasance.server.identity.accounts import count_sign_in_methods
from pleasance.server.identity.names import deleted_player_name
from pleasance.server.identity.passkeys import list_passkeys
from pleasance.server.identity.players import change_player, find_bots, find_player
from pleasance.server.identity.sessions import end_sessions
from pleasance.server.store.schema.admin import invitations
from pleasance.server.store.schema.identity import (
    access_tokens,
    accounts,
    challenges,
    passkeys,
    players,
    recovery_codes,
    sessions,
)

LeaveGames: TypeAlias = Callable[[str], Awaitable[None]]
"""Gives up the seats of a player in running games, before the erasure."""

FindReferenced: TypeAlias = Callable[[Connection, Collection[str]], set[str]]

ErasureStep: TypeAlias = Callable[[Connection], None]
"""Erases a small batch, so that no other write waits long."""

PlanErasure: TypeAlias = Callable[[Connection, str], Sequence[ErasureStep]]
"""Searches large tables; returns the steps that erase the player from them."""


def referenced_in(*columns: Column[Any]) -> FindReferenced:
    """Make a function that finds the ids that occur in one of *columns*."""

    def find_known(connection: Connection, ids: Collection[str]) -> set[str]:
        queries = (select(column).where(column.in_(ids)).distinct() for column in columns)
        return {player for query in queries for player in connection.scalars(query)}

    return find_known


@dataclass(frozen=True, slots=True)
class PersonalDataSource:
    """The personal data of one feature: how to export and erase them."""

    name: str
    """Its key in the export."""

    export: Callable[[Connection, str], object]
    """Returns the data of a player as plain JSON, without secrets or names of others."""

    erase: Callable[[Connection, str], None]
    """Deletes or anonymizes the data; it blocks other writes, so it must be quick."""

    find_known: FindReferenced
    """Returns those of some players that have data."""

    plan_erasure: PlanErasure = lambda _connection, _player: ()
    """Plans what is too slow for `erase`; it blocks no write."""


@dataclass(frozen=True, slots=True)
class PersonalDataSources:
    """The registry of all features with personal data, and of those with seats to give up."""

    sources: Sequence[PersonalDataSource] = ()
    leave_games: Sequence[LeaveGames] = ()

    def export(self, connection: Connection, player: str) -> dict[str, object]:
        """Export all data of *player*."""
        return {
            source.name: source.export(connection, player)
            for source in (IDENTITY_DATA, *self.sources)
        }

    def find_known(self, connection: Connection, ids: Collection[str]) -> set[str]:
        """Return those of some players that have more data than a name."""
        known: set[str] = set()
        for source in (IDENTITY_DATA, *self.sources):
            known |= source.find_known(connection, set(ids) - known)
        return known

    def plan_erasure(self, connection: Connection, players: Collection[str]) -> list[ErasureStep]:
        """Plan the erasure of *players* from large tables."""
        plans = (one.plan_erasure(connection, each) for one in self.sources for each in players)
        return [step for plan in plans for step in plan]

    def erase(self, connection: Connection, player: str) -> list[str]:
        """Erase *player* and the player's bots; return their ids."""
        erased = [player, *(bot.id for bot in find_bots(connection, player))]
        for each in erased:
            for source in (*self.sources, IDENTITY_DATA):
                source.erase(connection, each)
        return erased


def export_identity(connection: Connection, player: str) -> dict[str, object]:
    """Export the identity of a player; of secrets only that they exist."""
    row = find_player(connection, player)
    assert row is not None, f"no player {player}"
    columns = [sessions.c.created_at, sessions.c.seen_at, sessions.c.expires_at]
    open_now = connection.execute(select(*columns).where(sessions.c.player_id == player))
    keys = list_passkeys(connection, player)
    shown = ("id", "label", "domain", "created_at", "used_at")
    return {
        "player": row._asdict(),
        "account": count_sign_in_methods(connection, player)._asdict()
        if row.kind == "account"
        else None,
        "sessions": [dict(session._mapping) for session in open_now],  # noqa: SLF001 (SQLAlchemy's public name)
        "passkeys": [{name: getattr(key, name) for name in shown} for key in keys],
        "tokens": [token._asdict() for token in list_access_tokens(connection, player)],
        "bots": [bot._asdict() for bot in find_bots(connection, player)],
    }


def erase_identity(connection: Connection, player: str) -> None:
    """Erase all credentials and the name of a player; records of games keep the id."""
    row = find_player(connection, player)
    assert row is not None, f"no player {player}"
    end_sessions(connection, player)
    for table in (accounts, passkeys, challenges, recovery_codes):
        connection.execute(delete(table).where(table.c.player_id == player))
    is_theirs = or_(access_tokens.c.player_id == player, access_tokens.c.owner == player)
    connection.execute(delete(access_tokens).where(is_theirs))
    change_player(
        connection,
        player,
        name=deleted_player_name(row.language),
        kind="gone",
        owner=None,
        created_at=0.0,
        seen_at=0.0,
    )


IDENTITY_DATA = PersonalDataSource(
    "identity",
    export_identity,
    erase_identity,
    # Sessions and challenges expire. An invited guest is kept, who could not come a second time.
    referenced_in(
        accounts.c.player_id,
        passkeys.c.player_id,
        recovery_codes.c.player_id,
        access_tokens.c.player_id,
        access_tokens.c.owner,
        players.c.owner,
        invitations.c.used_by,
    ),
)
