"""Repository of rooms: event sourcing, since each room is loaded by a fold over its event log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sqlalchemy import Connection, select

from pleasance.server.base.errors import NotFoundError
from pleasance.server.live.log_append import table_columns
from pleasance.server.live.table_configs import GameCache, decode_table_config, encode_table_config
from pleasance.server.store.appends import Append
from pleasance.server.store.meta import insert_if_absent
from pleasance.server.store.schema.rooms import entries, tables
from pleasance.table.entries import Entry, from_json
from pleasance.table.room import Room
from pleasance.table.table_config import TableConfig

if TYPE_CHECKING:
    from pleasance.server.store.log_tailer import LogRows
    from pleasance.server.store.store import Store


class LoadedRoom(NamedTuple):
    """A room as the database has it."""

    room: Room
    keys: dict[str, int]
    """Idempotency keys of executed requests, each with the seq of its first entry."""


class LogStore(Protocol):
    """Storage of event logs."""

    is_shared: bool
    """Whether other servers append to the same logs."""

    async def load(self, table: str) -> LoadedRoom:
        """Load a room from its log."""

    async def load_more(self, table: str, after_seq: int) -> tuple[list[Entry], dict[str, int]]:
        """Read the entries after *after_seq*, and their keys."""

    def append(self, append: Append) -> asyncio.Future[object]:
        """Append entries, all or none, even if the caller stops waiting."""

    async def finish(self) -> None:
        """Wait until all earlier appends are written or refused."""


class RoomRepository:
    """Loads rooms from their logs in the database, and appends new entries."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.is_shared = store.is_shared
        self._store = store
        self._clock = clock
        self.games = GameCache()

    async def load(self, table: str) -> LoadedRoom:
        """Load a room from its log."""
        config, log = await self._store.read(lambda connection: _read_all(connection, table))
        return self.fold(config, log)

    def fold(self, config: TableConfig, log: LogRows) -> LoadedRoom:
        """Fold a log into a room."""
        game = self.games.get(config.game, config.options, config.data)
        room = Room(game, config, clock=self._clock)
        room.apply([from_json(body) for _, body, _ in log])
        return LoadedRoom(room, _find_keys(log))

    async def load_more(self, table: str, after_seq: int) -> tuple[list[Entry], dict[str, int]]:
        """Read the entries after *after_seq*, and their keys."""
        log = await self._store.read_entries(table, after_seq)
        return [from_json(body) for _, body, _ in log], _find_keys(log)

    def append(self, append: Append) -> asyncio.Future[object]:
        """Append entries, all or none."""
        return self._store.append(append)

    async def finish(self) -> None:
        """Wait until all earlier appends are written or refused."""
        await self._store.write(lambda _: None)

    async def create(self, table: str, config: TableConfig, archive_after: float) -> LoadedRoom:
        """Create a table with an empty log, or load the table that has this id already."""
        loaded = self.fold(config, [])
        columns = table_columns(loaded.room, archive_after)
        row = {
            "id": table,
            "config": encode_table_config(config),
            "game": config.game,
            "seats": config.seats,
            "is_public": config.is_public,
            "is_rated": config.is_rated,
            "owner": config.owner,
            "seq": 0,
            "created_at": columns["changed_at"],
            **columns,
        }

        def work(connection: Connection) -> bool:
            unless = insert_if_absent(connection, tables, row, ["id"])
            return connection.scalar(unless.returning(tables.c.id)) is not None

        return loaded if await self._store.write(work) else await self.load(table)


def _read_all(connection: Connection, table: str) -> tuple[TableConfig, LogRows]:
    config = connection.scalar(select(tables.c.config).where(tables.c.id == table))
    if config is None:
        raise NotFoundError("no_table")
    wanted = (
        select(entries.c.seq, entries.c.body, entries.c.idempotency_key)
        .where(entries.c.table_id == table)
        .order_by(entries.c.seq)
    )
    rows = connection.execute(wanted)
    return decode_table_config(config), [(row.seq, row.body, row.idempotency_key) for row in rows]


def _find_keys(log: LogRows) -> dict[str, int]:
    return {key: seq for seq, _, key in log if key is not None}
