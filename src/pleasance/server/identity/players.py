"""Players in the database."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update

from pleasance.server.store.meta import new_id
from pleasance.server.store.schema.identity import players


class PlayerRow(NamedTuple):
    """A stored player."""

    id: str
    name: str
    kind: str
    """`guest`, `account` or `bot`; `gone` after erasure."""

    language: str
    owner: str | None
    created_at: float
    seen_at: float


_COLUMNS = [players.c[name] for name in PlayerRow._fields]


def add_player(
    connection: Connection,
    name: str,
    now: float,
    *,
    kind: str = "guest",
    language: str = "en",
    owner: str | None = None,
) -> PlayerRow:
    """Create a player; a bot has an *owner*."""
    row = PlayerRow(new_id(), name, kind, language, owner, now, now)
    connection.execute(insert(players).values(**row._asdict()))
    return row


def find_player(connection: Connection, player: str) -> PlayerRow | None:
    """Find a player."""
    row = connection.execute(select(*_COLUMNS).where(players.c.id == player)).one_or_none()
    return None if row is None else PlayerRow(*row)


def find_bots(connection: Connection, owner: str) -> list[PlayerRow]:
    """List the bots (outside programs) of *owner*, the oldest first."""
    wanted = (players.c.owner == owner) & (players.c.kind == "bot")
    found = connection.execute(select(*_COLUMNS).where(wanted).order_by(players.c.created_at))
    return [PlayerRow(*row) for row in found]


def change_player(connection: Connection, player: str, **values: str | float | None) -> None:
    """Change columns of a player."""
    connection.execute(update(players).where(players.c.id == player).values(**values))
