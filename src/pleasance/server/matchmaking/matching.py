"""Bringing together who waits: decided in one transaction, carried out by whoever lives.

A match is written down first, under the id that its table will have and with the promise of its
draws; then its players add their nonces. When all have, the table is opened, which may be tried
again by any server since it is done once for each id. Only when it is there do the players hear of
it; where it cannot be opened, they go back to their places in the queue.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress

from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.logs import get_log
from pleasance.server.base.metrics import QUEUES
from pleasance.server.matchmaking.decisions import break_up, decide, tell_players
from pleasance.server.matchmaking.seek import MakeTable, Match, MatchRequest
from pleasance.server.store.schema.ratings import matches, waiting
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.store import Store

counts: Counter[str] = Counter()
"""What this process has done: tables opened for `people` alone, and for people with `bots`."""

_OPENING = 10.0
"""Seconds that opening a table may take, well below the lease, so that no two try at once."""

_TRIES = 5

_log = get_log("queue")


async def match_once(store: Store, make_table: MakeTable, now: float) -> list[Match]:
    """Do what is due in the queue; give the tables that were opened."""
    people, to_open = await store.read(_count_work)
    QUEUES.set("opponent", people)
    if not people and not to_open:
        return []
    requests = await store.write(lambda connection: decide(connection, store, now))
    opened = await asyncio.gather(*(_open(store, make_table, one, now) for one in requests))
    return [match for match in opened if match is not None]


def _count_work(connection: Connection) -> tuple[int, int]:
    """Count who is in the queue, and the matches whose table is not there."""
    people = select(func.count()).select_from(waiting)
    to_open = select(func.count()).select_from(matches).where(matches.c.opened_at.is_(None))
    return connection.scalar(people) or 0, connection.scalar(to_open) or 0


async def _open(
    store: Store, make_table: MakeTable, request: MatchRequest, now: float
) -> Match | None:
    """Open a table and let its players know."""
    try:
        async with asyncio.timeout(_OPENING):
            await make_table(request)
            await store.write(lambda connection: _mark_open(connection, store, request, now=now))
    except (PleasanceError, SQLAlchemyError, TimeoutError) as trouble:
        _log.warning("match_not_opened", error=trouble)
        # Where the database is away, the lease runs out and somebody tries again.
        with suppress(UnavailableError):
            await store.write(lambda connection: _put_off(connection, store, request, now=now))
        return None
    has_bot = any(place.bot is not None for place in request.places)
    counts["bots" if has_bot else "people"] += 1
    return Match(request.table, request.players, has_bot)


def _mark_open(connection: Connection, store: Store, request: MatchRequest, *, now: float) -> None:
    """Write down that the table is there."""
    connection.execute(update(matches).where(matches.c.id == request.table).values(opened_at=now))
    tell_players(connection, store, request)


def _put_off(connection: Connection, store: Store, request: MatchRequest, *, now: float) -> None:
    """Try again later; after several tries send everybody back to the queue."""
    own = matches.c.id == request.table
    tries = connection.scalar(select(matches.c.tries).where(own)) or 0
    if tries < _TRIES:
        soon = {"leased_until": now + 2.0**tries}
        connection.execute(update(matches).where(own).values(**soon))
    elif connection.scalar(select(tables.c.id).where(tables.c.id == request.table)) is not None:
        _mark_open(connection, store, request, now=now)
    else:
        break_up(connection, store, request, now=now)
