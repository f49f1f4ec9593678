"""The logs of tables in the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select

from pleasance.server.base.errors import UnknownError
from pleasance.server.live.log_append import find_facts
from pleasance.server.live.services import Loaded
from pleasance.server.live.table_configs import GameShelf, read_plan, write_plan
from pleasance.server.store.appends import Append
from pleasance.server.store.meta import insert_unless_there
from pleasance.server.store.schema.rooms import entries, tables
from pleasance.table.entries import Entry, from_json
from pleasance.table.room import Room
from pleasance.table.table_config import Plan

if TYPE_CHECKING:
    from pleasance.server.store.store import Store


class StoreKeeper:
    """Makes rooms from their logs, and writes what is new."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.is_shared = store.is_shared
        self._store = store
        self._clock = clock
        self.shelf = GameShelf()

    async def load(self, table: str) -> Loaded:
        """Make a room from its log."""
        plan, log = await self._store.read(lambda connection: _read_all(connection, table))
        return self.fold(plan, log)

    def fold(self, plan: Plan, log: list[tuple[int, str, str | None]]) -> Loaded:
        """Carry out a log from the start."""
        game = self.shelf.find(plan.game, plan.options, plan.data)
        room = Room(game, plan, clock=self._clock)
        room.follow([from_json(body) for _, body, _ in log])
        return Loaded(room, _keys(log))

    async def load_more(self, table: str, known: int) -> tuple[list[Entry], dict[str, int]]:
        """Read the lines after the first *known*."""
        log = await self._store.read_more(table, known)
        return [from_json(body) for _, body, _ in log], _keys(log)

    def append(self, append: Append) -> asyncio.Future[object]:
        """Write new lines, whole and for good."""
        return self._store.append(append)

    async def finish(self) -> None:
        """Wait until all that was given before is written, or refused."""
        await self._store.write(lambda _: None)

    async def create(self, table: str, plan: Plan, archive_after: float) -> Loaded:
        """Begin the log of a new table; if there is one by that name already, give that."""
        loaded = self.fold(plan, [])
        facts = find_facts(loaded.room, archive_after)
        row = {
            "id": table,
            "plan": write_plan(plan),
            "game": plan.game,
            "seats": plan.seats,
            "is_public": plan.is_public,
            "is_rated": plan.is_rated,
            "owner": plan.owner,
            "lines": 0,
            "created_at": facts["changed_at"],
            **facts,
        }

        def work(connection: Connection) -> bool:
            unless = insert_unless_there(connection, tables, row, ["id"])
            is_new = connection.scalar(unless.returning(tables.c.id)) is not None
            if is_new and plan.is_public:
                self._store.publish(connection, "lobby")
            return is_new

        return loaded if await self._store.write(work) else await self.load(table)


def _read_all(connection: Connection, table: str) -> tuple[Plan, list[tuple[int, str, str | None]]]:
    plan = connection.scalar(select(tables.c.plan).where(tables.c.id == table))
    if plan is None:
        raise UnknownError("no_table")
    wanted = (
        select(entries.c.n, entries.c.body, entries.c.key)
        .where(entries.c.table_id == table)
        .order_by(entries.c.n)
    )
    return read_plan(plan), [(row.n, row.body, row.key) for row in connection.execute(wanted)]


def _keys(log: list[tuple[int, str, str | None]]) -> dict[str, int]:
    """Find the requests that were carried out."""
    return {key: n for n, _, key in log if key is not None}
