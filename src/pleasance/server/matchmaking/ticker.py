"""The work of the queue and the ratings, done by every server while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from pleasance.server.base.periodic import run_ticks
from pleasance.server.matchmaking.matching import match_once
from pleasance.server.matchmaking.seek import MakeTable
from pleasance.server.ratings.rate_game import has_unsettled, settle
from pleasance.server.store.store import Store

WAKE = "queue"
"""The topic that tells servers to look at the queue at once."""


class QueueSite(Protocol):
    """What the queue needs of the site."""

    @property
    def store(self) -> Store:
        """Give the database."""

    @property
    def clock(self) -> Callable[[], float]:
        """Give the clock."""


async def run_queue(
    site: QueueSite, stop: asyncio.Event, *, make_table: MakeTable, pause: float = 1.0
) -> None:
    """Bring together who waits and settle ratings that were left over, until *stop* is set."""
    wake = asyncio.Event()

    def listen(topic: str) -> None:
        if topic == WAKE:
            wake.set()

    async def tick() -> None:
        await match_once(site.store, make_table, site.clock())
        if await site.store.read(has_unsettled):
            await site.store.write(settle)

    silence = site.store.subscribe(listen)
    try:
        await run_ticks(tick, stop, pause=pause, wake=wake)
    finally:
        silence()
