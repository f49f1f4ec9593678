"""Quota of open tables, for each player and each address."""

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
    from pleasance.server.base.settings import ServerSettings
    from pleasance.server.live.live_room import LiveRoom
    from pleasance.server.store.store import Store

MAX_REMEMBERED_ADDRESSES = 10_000
"""Addresses whose open tables are remembered."""


class OpenTableQuota:
    """Limits the tables of a player, and of an address, that wait for a game to start.

    Addresses are kept in memory only, never on disk.
    """

    def __init__(self, store: Store, settings: ServerSettings) -> None:
        self._store = store
        self._max_per_player = ceil(settings.open_tables * settings.limits_factor)
        self._max_per_address = ceil(settings.open_tables_address * settings.limits_factor)
        self._by_address: OrderedDict[str, list[str]] = OrderedDict()
        self._lock = asyncio.Lock()

    async def open(
        self, player: str, address: str, make: Callable[[], Awaitable[LiveRoom]]
    ) -> LiveRoom:
        """Create a table with *make*, unless the player or the address has too many."""
        async with self._lock:  # otherwise two requests could share the last place
            here = self._by_address.pop(address, [])
            mine, here = await self._store.read(lambda c: _find_open(c, player, here))
            self._by_address[address] = here
            if len(self._by_address) > MAX_REMEMBERED_ADDRESSES:
                self._by_address.popitem(last=False)
            if 0 < self._max_per_player <= mine:
                raise ConflictError("tables_open", most=self._max_per_player)
            if 0 < self._max_per_address <= len(here):
                raise ConflictError("tables_open_here", most=self._max_per_address)
            live = await make()
            here.append(live.id)
            return live


def _find_open(connection: Connection, player: str, here: list[str]) -> tuple[int, list[str]]:
    """Count a player's open tables, and find which of the tables *here* are still open."""
    is_open = tables.c.status == "open"
    mine = select(func.count()).select_from(tables).where(is_open, tables.c.owner == player)
    still = select(tables.c.id).where(is_open, tables.c.id.in_(here))
    return connection.scalar(mine) or 0, list(connection.scalars(still))
