"""Data retention: deletes guests without personal data some time after their last visit.

Guests who sat at a table, spoke, reported, were rated or left any other data are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Select, delete, func, select, tuple_

from pleasance.server.base.logs import get_logger
from pleasance.server.identity.personal_data import PersonalDataSources
from pleasance.server.store.schema.identity import challenges, players, sessions
from pleasance.server.store.store import Store

GUESTS_PER_PAGE = 500
"""Guests examined per tick."""

_log = get_logger("retention")


class GuestPosition(NamedTuple):
    """The position of the scan over all guests, in the order of their last visit."""

    seen_at: float
    id: str


class GuestCount(NamedTuple):
    """The number of guests, and of those to be deleted."""

    guests: int
    idle: int


class RetentionJob:
    """Deletes idle guests, a page at a time."""

    def __init__(
        self,
        store: Store,
        sources: PersonalDataSources,
        clock: Callable[[], float],
        *,
        retention_s: float,
    ) -> None:
        """Delete guests not seen for *retention_s* seconds; 0 keeps all."""
        self._store = store
        self._sources = sources
        self._clock = clock
        self._retention_s = retention_s
        self._position: GuestPosition | None = None

    async def tick(self) -> int:
        """Examine the next page of guests; return how many were deleted."""
        if self._retention_s <= 0:
            return 0
        before, position = self._clock() - self._retention_s, self._position
        page = await self._store.read(lambda connection: _find_page(connection, before, position))
        self._position = page[-1] if page else None
        if not page:
            return 0
        idle = await self._store.read(
            lambda connection: _find_idle(connection, page, self._sources)
        )
        if not idle:
            return 0
        deleted = await self._store.write(lambda connection: _delete(connection, idle, before))
        _log.info("guests_deleted", count=deleted)
        return deleted


def count_guests(connection: Connection, sources: PersonalDataSources, before: float) -> GuestCount:
    """Count all guests, and those without data last seen *before* a time."""
    all_guests = select(func.count()).select_from(players).where(players.c.kind == "guest")
    pages = _iterate_pages(connection, before)
    idle = sum(len(_find_idle(connection, page, sources)) for page in pages)
    return GuestCount(connection.scalar(all_guests) or 0, idle)


def _iterate_pages(connection: Connection, before: float) -> Iterator[Sequence[GuestPosition]]:
    page = _find_page(connection, before, None)
    while page:
        yield page
        page = _find_page(connection, before, page[-1])


def _find_page(
    connection: Connection, before: float, position: GuestPosition | None
) -> list[GuestPosition]:
    """List the next guests not seen since *before*."""
    query: Select[tuple[float, str]] = (
        select(players.c.seen_at, players.c.id)
        .where(players.c.kind == "guest", players.c.seen_at < before)
        .order_by(players.c.seen_at, players.c.id)
        .limit(GUESTS_PER_PAGE)
    )
    if position is not None:
        query = query.where(tuple_(players.c.seen_at, players.c.id) > tuple_(*position))
    return [GuestPosition(row.seen_at, row.id) for row in connection.execute(query)]


def _find_idle(
    connection: Connection, page: Sequence[GuestPosition], sources: PersonalDataSources
) -> list[str]:
    known = sources.find_known(connection, {guest.id for guest in page})
    return [guest.id for guest in page if guest.id not in known]


def _delete(connection: Connection, idle: Sequence[str], before: float) -> int:
    """Delete guests, except those who have come back meanwhile."""
    still_idle = select(players.c.id).where(players.c.id.in_(idle), players.c.seen_at < before)
    ids = list(connection.scalars(still_idle))
    for table in (sessions, challenges):
        connection.execute(delete(table).where(table.c.player_id.in_(ids)))
    connection.execute(delete(players).where(players.c.id.in_(ids)))
    return len(ids)
