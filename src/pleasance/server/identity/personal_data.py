"""My data: everything that is kept about a player, to take along or to have deleted.

Each feature that keeps something about players offers a `Keeper`; the app gathers them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Column, Connection, delete, or_, select

from pleasance.server.identity.access_tokens import list_tokens
from pleasance.server.identity.accounts import count_locks
from pleasance.server.identity.names import gone_name
from pleasance.server.identity.passkeys import list_passkeys
from pleasance.server.identity.players import change_player, find_bots, find_player
from pleasance.server.identity.sessions import end_sessions
from pleasance.server.store.schema.admin import invitations
from pleasance.server.store.schema.identity import (
    accounts,
    api_tokens,
    challenges,
    passkeys,
    players,
    recovery_codes,
    sessions,
)

Leave: TypeAlias = Callable[[str], Awaitable[None]]
"""Gives up the seats of a player in running games, before the player is forgotten."""


FindKnown: TypeAlias = Callable[[Connection, Collection[str]], set[str]]

Change: TypeAlias = Callable[[Connection], None]
"""Changes a little of what is kept, so that no other write waits for it long."""

Search: TypeAlias = Callable[[Connection, str], Sequence[Change]]
"""Looks through what is large; gives what takes the player out of it."""


def named_in(*columns: Column[Any]) -> FindKnown:
    """Make what finds those of some players whose id stands in one of *columns*."""

    def find_known(connection: Connection, ids: Collection[str]) -> set[str]:
        wanted = (select(column).where(column.in_(ids)).distinct() for column in columns)
        return {player for query in wanted for player in connection.scalars(query)}

    return find_known


@dataclass(frozen=True, slots=True)
class Keeper:
    """What one feature keeps about players: how to show it, how to forget it."""

    name: str
    """The part of the exported data it fills."""

    export: Callable[[Connection, str], object]
    """Lists what is kept about a player, as plain JSON, without secrets or names of others."""

    forget: Callable[[Connection, str], None]
    """Removes it, or takes the player's name out of it; others wait, so it must be quick."""

    find_known: FindKnown
    """Names those of some players about whom something is kept."""

    search: Search = lambda _connection, _player: ()
    """Finds what cannot be forgotten that quickly; nobody waits for it."""


@dataclass(frozen=True, slots=True)
class Keepers:
    """All features that keep something, and those that have seats to give up."""

    keepers: Sequence[Keeper] = ()
    leave: Sequence[Leave] = ()

    def export(self, connection: Connection, player: str) -> dict[str, object]:
        """Collect everything that is kept about *player*."""
        return {keeper.name: keeper.export(connection, player) for keeper in (OWN, *self.keepers)}

    def find_known(self, connection: Connection, ids: Collection[str]) -> set[str]:
        """Name those of some players about whom more is kept than that they were here once."""
        known: set[str] = set()
        for keeper in (OWN, *self.keepers):
            known |= keeper.find_known(connection, set(ids) - known)
        return known

    def search(self, connection: Connection, players: Collection[str]) -> list[Change]:
        """Look through what is large for *players*; give what takes them out of it."""
        found = (keeper.search(connection, each) for keeper in self.keepers for each in players)
        return [change for changes in found for change in changes]

    def forget(self, connection: Connection, player: str) -> list[str]:
        """Forget *player* and the player's bots; tell who they were."""
        gone = [player, *(bot.id for bot in find_bots(connection, player))]
        for each in gone:
            for keeper in (*self.keepers, OWN):
                keeper.forget(connection, each)
        return gone


def export_identity(connection: Connection, player: str) -> dict[str, object]:
    """List what identity keeps about a player; of secrets, only that they are there."""
    row = find_player(connection, player)
    assert row is not None, f"no player {player}"
    facts = [sessions.c.created_at, sessions.c.seen_at, sessions.c.expires_at]
    open_now = connection.execute(select(*facts).where(sessions.c.player_id == player))
    keys = list_passkeys(connection, player)
    told = ("id", "label", "domain", "created_at", "used_at")
    return {
        "player": row._asdict(),
        "account": count_locks(connection, player)._asdict() if row.kind == "account" else None,
        "sessions": [dict(session._mapping) for session in open_now],  # noqa: SLF001 (SQLAlchemy's public name)
        "passkeys": [{name: getattr(key, name) for name in told} for key in keys],
        "tokens": [token._asdict() for token in list_tokens(connection, player)],
        "bots": [bot._asdict() for bot in find_bots(connection, player)],
    }


def forget_identity(connection: Connection, player: str) -> None:
    """Remove all that opens a player, and the name; records of games go on without it."""
    row = find_player(connection, player)
    assert row is not None, f"no player {player}"
    end_sessions(connection, player)
    for table in (accounts, passkeys, challenges, recovery_codes):
        connection.execute(delete(table).where(table.c.player_id == player))
    theirs = or_(api_tokens.c.player_id == player, api_tokens.c.owner == player)
    connection.execute(delete(api_tokens).where(theirs))
    change_player(
        connection,
        player,
        name=gone_name(row.language),
        kind="gone",
        owner=None,
        created_at=0.0,
        seen_at=0.0,
    )


OWN = Keeper(
    "identity",
    export_identity,
    forget_identity,
    # Sessions and challenges pass by themselves; whoever was invited could not come a second time.
    named_in(
        accounts.c.player_id,
        passkeys.c.player_id,
        recovery_codes.c.player_id,
        api_tokens.c.player_id,
        api_tokens.c.owner,
        players.c.owner,
        invitations.c.used_by,
    ),
)
