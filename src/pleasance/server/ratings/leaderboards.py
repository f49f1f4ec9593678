"""Leaderboards, player profiles and results, read from the ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Row, and_, func, or_, select

from pleasance.server.base.cursors import decode_cursor, encode_cursor
from pleasance.server.base.errors import NotFoundError
from pleasance.server.base.messages import SeatNumber
from pleasance.server.store.schema.identity import players
from pleasance.server.store.schema.ratings import ratings, results
from pleasance.server.store.schema.rooms import tables

MIN_GAMES = 5
"""The number of rated games after which a player appears on a leaderboard."""

_Row: TypeAlias = Row[*tuple[object, ...]]


class Leader(Struct, frozen=True):
    """One row of a leaderboard."""

    rank: int
    id: str
    """A player's id, or `bot:` and the bot's name."""

    name: str
    kind: str
    """`guest`, `account` or `bot`."""

    rating: float
    """`mu` less three times `sigma`: a lower bound of the strength that almost surely holds."""

    mu: float
    sigma: float
    games: int
    wins: int


class Leaders(Struct, frozen=True):
    """A page of a leaderboard."""

    items: tuple[Leader, ...]
    next: str | None


class RatingInfo(Struct, frozen=True):
    """The rating of a player at one game with one number of seats."""

    game: str
    seats: int
    rank: int | None
    """The rank on the leaderboard; `None` after too few games."""

    rating: float
    mu: float
    sigma: float
    games: int
    wins: int


class Profile(Struct, frozen=True):
    """The public profile of a player."""

    id: str
    name: str
    kind: str
    ratings: tuple[RatingInfo, ...]


class Result(Struct, frozen=True):
    """The result of one rated game for one seat."""

    table: str | None
    """`None` where the table is not public."""

    game: str
    seats: int
    seat: int
    rank: int
    score: int | None
    has_left: bool
    mu_before: float | None
    """All four are `None` until the ratings have been updated."""

    sigma_before: float | None
    mu_after: float | None
    sigma_after: float | None
    at: float


class Results(Struct, frozen=True):
    """A page of results, newest first."""

    items: tuple[Result, ...]
    next: str | None


def list_leaders(
    connection: Connection, game: str, seats: int, *, after: str | None, limit: int
) -> Leaders:
    """List players by rating; erased accounts and beginners are left out."""
    listed = _is_listed(game, seats)
    found = (
        select(ratings, players.c.name, players.c.kind)
        .select_from(ratings.outerjoin(players, players.c.id == ratings.c.subject))
        .where(*listed)
        .order_by(ratings.c.ordinal.desc(), ratings.c.subject)
        .limit(limit + 1)
    )
    if after is not None:
        ordinal, subject = decode_cursor(after, float, str)
        later = and_(ratings.c.ordinal == ordinal, ratings.c.subject > subject)
        found = found.where(or_(ratings.c.ordinal < ordinal, later))
    rows = connection.execute(found).all()
    items = _make_leaders(connection, listed, rows[:limit])
    last = rows[limit - 1] if len(rows) > limit else None
    return Leaders(items, None if last is None else encode_cursor(last.ordinal, last.subject))


def _is_listed(game: str, seats: int) -> tuple[ColumnElement[bool], ...]:
    """Build the conditions under which a rating appears on a leaderboard."""
    gone = select(players.c.id).where(players.c.kind == "gone")
    return (
        ratings.c.game == game,
        ratings.c.seats == seats,
        ratings.c.games >= MIN_GAMES,
        ratings.c.subject.not_in(gone),
    )


def _make_leaders(
    connection: Connection, listed: Sequence[ColumnElement[bool]], rows: Sequence[_Row]
) -> tuple[Leader, ...]:
    """Rank the rows of a page; equal ratings share the better rank."""
    if not rows:
        return ()
    before = _count_better(connection, listed, rows[0].ordinal)
    equals = select(func.count()).select_from(ratings)
    equals = equals.where(*listed, ratings.c.ordinal == rows[0].ordinal)
    equals = equals.where(ratings.c.subject < rows[0].subject)
    place = before + (connection.scalar(equals) or 0)
    leaders: list[Leader] = []
    for number, row in enumerate(rows, start=place + 1):
        is_equal = leaders and leaders[-1].rating == row.ordinal
        rank = leaders[-1].rank if is_equal else number if leaders else before + 1
        leaders.append(_make_leader(row, rank))
    return tuple(leaders)


def _make_leader(row: _Row, rank: int) -> Leader:
    return Leader(
        rank=rank,
        id=row.subject,
        name=row.name or row.subject.removeprefix("bot:"),
        kind=row.kind or "bot",
        rating=row.ordinal,
        mu=row.mu,
        sigma=row.sigma,
        games=row.games,
        wins=row.wins,
    )


def _count_better(
    connection: Connection, listed: Sequence[ColumnElement[bool]], ordinal: float
) -> int:
    """Count the ratings above *ordinal* on a leaderboard."""
    better = select(func.count()).select_from(ratings).where(*listed, ratings.c.ordinal > ordinal)
    return connection.scalar(better) or 0


def show_profile(connection: Connection, subject: str) -> Profile:
    """Return the public profile of a player or a bot."""
    person = connection.execute(select(players).where(players.c.id == subject)).first()
    own = select(ratings).where(ratings.c.subject == subject)
    rows = connection.execute(own.order_by(ratings.c.game, ratings.c.seats)).all()
    is_bot = subject.startswith("bot:") and bool(rows)
    if not is_bot and (person is None or person.kind == "gone"):
        raise NotFoundError("player_not_found")
    return Profile(
        id=subject,
        name=subject.removeprefix("bot:") if person is None else person.name,
        kind="bot" if person is None else person.kind,
        ratings=tuple(_make_info(connection, row) for row in rows),
    )


def _make_info(connection: Connection, row: _Row) -> RatingInfo:
    """Return one rating with its rank on the leaderboard."""
    listed = _is_listed(row.game, row.seats)
    has_rank = row.games >= MIN_GAMES
    return RatingInfo(
        game=row.game,
        seats=row.seats,
        rank=1 + _count_better(connection, listed, row.ordinal) if has_rank else None,
        rating=row.ordinal,
        mu=row.mu,
        sigma=row.sigma,
        games=row.games,
        wins=row.wins,
    )


def list_results(
    connection: Connection, subject: str, *, visitor: str | None, after: str | None, limit: int
) -> Results:
    """List the results of *subject*; other visitors see no links to private tables."""
    show_profile(connection, subject)
    found = (
        select(results, tables.c.is_public)
        .select_from(results.outerjoin(tables, tables.c.id == results.c.table_id))
        .where(results.c.subject == subject)
        .order_by(results.c.at.desc(), results.c.table_id, results.c.seat)
        .limit(limit + 1)
    )
    if after is not None:
        at, table, seat = decode_cursor(after, float, str, SeatNumber)
        later = and_(results.c.table_id == table, results.c.seat > seat)
        same = and_(results.c.at == at, or_(results.c.table_id > table, later))
        found = found.where(or_(results.c.at < at, same))
    rows = connection.execute(found).all()
    items = tuple(_make_result(row, is_own=visitor == subject) for row in rows[:limit])
    last = rows[limit - 1] if len(rows) > limit else None
    cursor = None if last is None else encode_cursor(last.at, last.table_id, last.seat)
    return Results(items, cursor)


def _make_result(row: _Row, *, is_own: bool) -> Result:
    return Result(
        table=row.table_id if is_own or row.is_public else None,
        **{name: getattr(row, name) for name in Result.__struct_fields__ if name != "table"},
    )
