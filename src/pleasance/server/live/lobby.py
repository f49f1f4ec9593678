"""The lobby: paged lists of public tables and of a player's own."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from sqlalchemy import Connection, Select, and_, exists, or_, select

from pleasance.server.base.errors import BadRequestError
from pleasance.server.base.messages import Clock
from pleasance.server.live.table_configs import decode_table_config
from pleasance.server.store.schema.identity import players
from pleasance.server.store.schema.rooms import seatings, tables


class ListedSeat(Struct, frozen=True):
    """A taken seat."""

    seat: int
    name: str
    player: str | None
    bot: str | None


class ListedResult(Struct, frozen=True):
    """The result of one seat."""

    points: int
    place: int
    """The rank: 1 is best; equals share the better number."""


class ListedTable(Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    options: tuple[str, ...]
    seats: int
    taken: tuple[ListedSeat, ...]
    status: str
    waiting: tuple[int, ...]
    """The seats of people who must choose now."""

    results: tuple[ListedResult, ...]
    """One for each seat, once the game is over."""

    is_rated: bool
    is_public: bool
    clock: Clock | None
    created_at: float
    changed_at: float


class Listed(Struct, frozen=True):
    """A page of the list."""

    items: tuple[ListedTable, ...]
    next: str | None


def list_public(
    *, status: str, game: str | None, after: str | None, limit: int
) -> Callable[[Connection], Listed]:
    """List public tables, the latest changed first."""
    wanted = select(tables).where(tables.c.status == status, tables.c.is_public.is_(True))
    if game is not None:
        wanted = wanted.where(tables.c.game == game)
    return _list(wanted, after, limit)


def list_mine(player: str, *, after: str | None, limit: int) -> Callable[[Connection], Listed]:
    """List the tables where a player has a seat, and those the player owns."""
    sits = exists().where(seatings.c.table_id == tables.c.id, seatings.c.player_id == player)
    wanted = select(tables).where(or_(sits, tables.c.owner == player))
    return _list(wanted, after, limit)


def _list(
    wanted: Select[*tuple[object, ...]], after: str | None, limit: int
) -> Callable[[Connection], Listed]:
    if after is not None:
        at, table = _read_cursor(after)
        older = or_(tables.c.changed_at < at, and_(tables.c.changed_at == at, tables.c.id > table))
        wanted = wanted.where(older)
    page = wanted.order_by(tables.c.changed_at.desc(), tables.c.id).limit(limit + 1)

    def work(connection: Connection) -> Listed:
        rows = connection.execute(page).mappings().all()
        shown = rows[:limit]
        seated = _find_seats(connection, [row["id"] for row in shown])
        items = tuple(_row_to_wire(dict(row), tuple(seated.get(row["id"], ()))) for row in shown)
        last = shown[-1] if len(rows) > limit else None
        return Listed(items, None if last is None else f"{last['changed_at']!r}:{last['id']}")

    return work


def _read_cursor(text: str) -> tuple[float, str]:
    at, _, table = text.partition(":")
    try:
        return float(at), table
    except ValueError as error:
        raise BadRequestError("cursor_unknown") from error


def _find_seats(connection: Connection, ids: list[str]) -> dict[str, list[ListedSeat]]:
    """Find the taken seats of some tables."""
    wanted = (
        select(seatings, players.c.name)
        .join(players, players.c.id == seatings.c.player_id, isouter=True)
        .where(seatings.c.table_id.in_(ids))
        .order_by(seatings.c.table_id, seatings.c.seat)
    )
    found: dict[str, list[ListedSeat]] = {}
    for row in connection.execute(wanted):
        name = row.name or row.bot or ""
        seat = ListedSeat(row.seat, name, row.player_id, row.bot)
        found.setdefault(row.table_id, []).append(seat)
    return found


def _row_to_wire(row: dict[str, object], taken: tuple[ListedSeat, ...]) -> ListedTable:
    config = decode_table_config(str(row["config"]))
    clock = config.time_control
    return ListedTable(
        id=str(row["id"]),
        game=config.game,
        options=config.options,
        seats=config.seats,
        taken=taken,
        status=str(row["status"]),
        waiting=tuple(map(int, str(row["waits_for"]))),
        results=tuple(map(_read_result, str(row["result"]).split())),
        is_rated=config.is_rated,
        is_public=config.is_public,
        clock=None if clock is None else Clock(clock.move, clock.bank),
        created_at=float(str(row["created_at"])),
        changed_at=float(str(row["changed_at"])),
    )


def _read_result(text: str) -> ListedResult:
    """Decode the score and rank of one seat: `98:1`."""
    points, _, place = text.partition(":")
    return ListedResult(int(points), int(place))
