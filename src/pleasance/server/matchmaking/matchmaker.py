"""Matchmaker: every server runs matchmaking rounds and opens the tables of complete matches.

A match is stored first, under the id that its table will have and with the commitment to its
draws; then its players add their nonces. When all have, a server leases the match and opens the
table. Any server may retry that, since it happens once for each id. The players are notified once
the table is open; if it cannot be opened, they go back to their places in the queue.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.logs import get_logger
from pleasance.server.base.metrics import QUEUE_LENGTHS
from pleasance.server.base.periodic import run_periodically
from pleasance.server.matchmaking.matching import dissolve_match, notify_players, run_matching
from pleasance.server.matchmaking.seek import Match, MatchRequest, TableOpener
from pleasance.server.ratings.rate_game import apply_pending, has_pending
from pleasance.server.store.schema.ratings import matches, seeks
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.store import Store
from pleasance.server.store.topics import QUEUE_TOPIC

_OPEN_TIMEOUT_S = 10.0
"""The time limit for opening a table, well below the lease, so that no two servers try at once."""

_MAX_TRIES = 5

_log = get_logger("queue")


async def run_matchmaker(
    store: Store,
    clock: Callable[[], float],
    stop: asyncio.Event,
    *,
    open_table: TableOpener,
    interval_s: float = 1.0,
) -> None:
    """Run matchmaking rounds and apply pending ratings until *stop* is set."""
    wake = asyncio.Event()

    def on_notification(topic: str) -> None:
        if topic == QUEUE_TOPIC:
            wake.set()

    async def tick() -> None:
        await run_round(store, open_table, clock())
        if await store.read(has_pending):
            await store.write(apply_pending)

    unsubscribe = store.subscribe(on_notification)
    try:
        await run_periodically(tick, stop, interval_s=interval_s, wake=wake)
    finally:
        unsubscribe()


async def run_round(store: Store, open_table: TableOpener, now: float) -> list[Match]:
    """Run one matchmaking round; return the tables that were opened."""
    people, to_open = await store.read(_count_work)
    QUEUE_LENGTHS.labels("opponent").set(people)
    if not people and not to_open:
        return []
    requests = await store.write(lambda connection: run_matching(connection, store, now))
    opened = await asyncio.gather(*(_open(store, open_table, one, now) for one in requests))
    return [match for match in opened if match is not None]


def _count_work(connection: Connection) -> tuple[int, int]:
    """Count the seeks, and the matches whose table is not open."""
    people = select(func.count()).select_from(seeks)
    to_open = select(func.count()).select_from(matches).where(matches.c.opened_at.is_(None))
    return connection.scalar(people) or 0, connection.scalar(to_open) or 0


async def _open(
    store: Store, open_table: TableOpener, request: MatchRequest, now: float
) -> Match | None:
    """Open a table and notify its players."""
    try:
        async with asyncio.timeout(_OPEN_TIMEOUT_S):
            await open_table(request)
            await store.write(lambda connection: _mark_open(connection, store, request, now=now))
    except (PleasanceError, SQLAlchemyError, TimeoutError) as error:
        _log.warning("match_not_opened", error=error)
        # Where the database is away, the lease expires and another server retries.
        with suppress(UnavailableError):
            await store.write(lambda connection: _retry_later(connection, store, request, now=now))
        return None
    return Match(request.table, request.players, any(place.bot for place in request.places))


def _mark_open(connection: Connection, store: Store, request: MatchRequest, *, now: float) -> None:
    connection.execute(update(matches).where(matches.c.id == request.table).values(opened_at=now))
    notify_players(connection, store, request)


def _retry_later(
    connection: Connection, store: Store, request: MatchRequest, *, now: float
) -> None:
    """Shorten the lease for a retry; after several tries send the players back to the queue."""
    own = matches.c.id == request.table
    tries = connection.scalar(select(matches.c.tries).where(own)) or 0
    if tries < _MAX_TRIES:
        connection.execute(update(matches).where(own).values(leased_until=now + 2.0**tries))
    elif connection.scalar(select(tables.c.id).where(tables.c.id == request.table)) is not None:
        _mark_open(connection, store, request, now=now)
    else:
        dissolve_match(connection, store, request, now=now)
