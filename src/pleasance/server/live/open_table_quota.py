"""How many tables may wait for players: one can open tables faster than anybody can sit down."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from math import ceil
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, select

from pleasance.server.base.errors import ConflictError
from pleasance.server.store.schema.rooms import tables

if TYPE_CHECKING:
    from pleasance.server.base.settings import Settings
    from pleasance.server.live.live_room import LiveRoom
    from pleasance.server.store.store import Store

MOST_ADDRESSES = 10_000
"""Of how many addresses it is remembered which tables were opened from there."""


class Openings:
    """Lets people open tables, as long as not too many of theirs are without a game.

    Which address a table was opened from is known in memory alone: no address is kept on disk.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._most = ceil(settings.open_tables * settings.limits_factor)
        self._most_here = ceil(settings.open_tables_address * settings.limits_factor)
        self._here: OrderedDict[str, list[str]] = OrderedDict()
        self._lock = asyncio.Lock()

    async def open(
        self, player: str, address: str, make: Callable[[], Awaitable[LiveRoom]]
    ) -> LiveRoom:
        """Let a player at an address open a table, or refuse it."""
        async with self._lock:  # else two at once would both find room for one
            here = self._here.pop(address, [])
            mine, here = await self._store.read(lambda c: _find_open(c, player, here))
            self._here[address] = here
            if len(self._here) > MOST_ADDRESSES:
                self._here.popitem(last=False)
            if 0 < self._most <= mine:
                raise ConflictError("tables_open", most=self._most)
            if 0 < self._most_here <= len(here):
                raise ConflictError("tables_open_here", most=self._most_here)
            live = await make()
            here.append(live.id)
            return live


def _find_open(connection: Connection, player: str, here: list[str]) -> tuple[int, list[str]]:
    """Count a player's tables where no game has begun, and find those among some tables."""
    is_open = tables.c.status == "open"
    mine = select(func.count()).select_from(tables).where(is_open, tables.c.owner == player)
    still = select(tables.c.id).where(is_open, tables.c.id.in_(here))
    return connection.scalar(mine) or 0, list(connection.scalars(still))
