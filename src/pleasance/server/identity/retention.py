"""Guests who came once and never again: what nobody misses is removed after a while.

Whoever sat at a table, spoke, reported, was rated or left anything else behind stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Select, delete, func, select, tuple_

from pleasance.server.base.logs import get_log
from pleasance.server.identity.personal_data import Keepers
from pleasance.server.store.schema.identity import challenges, players, sessions
from pleasance.server.store.store import Store

PAGE = 500
"""How many guests are looked at in one go."""

_log = get_log("cleaning")


class Place(NamedTuple):
    """How far all guests were looked through, from who was not seen for longest."""

    seen_at: float
    id: str


class GuestCount(NamedTuple):
    """How many guests there are, and how many of them nobody would miss."""

    guests: int
    forgotten: int


class Cleaner:
    """Removes guests, a page at a time."""

    def __init__(
        self, store: Store, keepers: Keepers, clock: Callable[[], float], *, after: float
    ) -> None:
        """Look for guests who have not been seen for *after* seconds; 0 removes nobody."""
        self._store = store
        self._keepers = keepers
        self._clock = clock
        self._after = after
        self._place: Place | None = None

    async def tick(self) -> int:
        """Look at the next page of guests; tell how many were removed."""
        if self._after <= 0:
            return 0
        before, place = self._clock() - self._after, self._place
        page = await self._store.read(lambda connection: _find(connection, before, place))
        self._place = page[-1] if page else None
        if not page:
            return 0
        idle = await self._store.read(
            lambda connection: _find_idle(connection, page, self._keepers)
        )
        if not idle:
            return 0
        removed = await self._store.write(lambda connection: _remove(connection, idle, before))
        _log.info("guests_removed", count=removed)
        return removed


def count_guests(connection: Connection, keepers: Keepers, before: float) -> GuestCount:
    """Count all guests, and those last seen *before* a time of whom nothing is kept."""
    everyone = select(func.count()).select_from(players).where(players.c.kind == "guest")
    pages = _turn_pages(connection, before)
    forgotten = sum(len(_find_idle(connection, page, keepers)) for page in pages)
    return GuestCount(connection.scalar(everyone) or 0, forgotten)


def _turn_pages(connection: Connection, before: float) -> Iterator[Sequence[Place]]:
    page = _find(connection, before, None)
    while page:
        yield page
        page = _find(connection, before, page[-1])


def _find(connection: Connection, before: float, place: Place | None) -> list[Place]:
    """List the next guests who have not been seen since *before*."""
    wanted: Select[tuple[float, str]] = (
        select(players.c.seen_at, players.c.id)
        .where(players.c.kind == "guest", players.c.seen_at < before)
        .order_by(players.c.seen_at, players.c.id)
        .limit(PAGE)
    )
    if place is not None:
        wanted = wanted.where(tuple_(players.c.seen_at, players.c.id) > tuple_(*place))
    return [Place(row.seen_at, row.id) for row in connection.execute(wanted)]


def _find_idle(connection: Connection, page: Sequence[Place], keepers: Keepers) -> list[str]:
    known = keepers.find_known(connection, {guest.id for guest in page})
    return [guest.id for guest in page if guest.id not in known]


def _remove(connection: Connection, idle: Sequence[str], before: float) -> int:
    """Remove guests, but none who has come back in the meantime: they may do something now."""
    still = select(players.c.id).where(players.c.id.in_(idle), players.c.seen_at < before)
    gone = list(connection.scalars(still))
    for table in (sessions, challenges):
        connection.execute(delete(table).where(table.c.player_id.in_(gone)))
    connection.execute(delete(players).where(players.c.id.in_(gone)))
    return len(gone)
