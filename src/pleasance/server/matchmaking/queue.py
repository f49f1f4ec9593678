"""The queue: who waits for opponents, in the database, so that every server sees the same."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from pleasance.server.base.errors import ConflictError
from pleasance.server.base.messages import Clock
from pleasance.server.matchmaking.seek import Wish
from pleasance.server.ratings.model import start
from pleasance.server.store.schema.ratings import matches, ratings, waiting

GONE_AFTER = 30.0
"""Seconds after which who has not asked is taken out of the queue."""

_TOUCH_AFTER = 5.0
"""A client that asks every second need not be written down every second."""

_AGAIN = 3.0
"""Who declines bots is offered them again after so many times the first wait."""


class Guest(NamedTuple):
    """Who comes to the queue."""

    player: str
    name: str
    owner: str
    """Whose program it is; a person is its own."""


class QueueState(Struct, frozen=True):
    """How it stands with one player and the queue."""

    state: Literal["idle", "waiting", "found", "opening", "matched"]
    """`found`: give your nonce now, at `/api/queue/nonce`; `opening`: you did, and the table will
    be there once all have; `matched`: it is there."""

    game: str | None = None
    seats: int | None = None
    options: tuple[str, ...] = ()
    clock: Clock | None = None
    position: int | None = None
    """How many wait for the same and came no later, oneself included."""

    waiting: int = 0
    """How many wait for the same, oneself included."""

    waited: float = 0.0
    """Seconds."""

    has_offer: bool = False
    """Whether bots are offered; the answer goes to `/api/queue/bot`."""

    commitment: str | None = None
    """What promises the secret of the draws, from when opponents are found; docs/fairness.md."""

    table: str | None = None
    """The table, once it is there."""

    has_bot: bool = False
    """Whether bots sit at that table."""


def join(connection: Connection, guest: Guest, wish: Wish, *, now: float, bot_after: float) -> None:
    """Let a player wait; the same wish again keeps the place, another one begins anew."""
    own = waiting.c.player_id == guest.player
    found = connection.execute(select(waiting).where(own).with_for_update()).first()
    if found is not None and not found.is_ready and _wish(found) == wish:
        values = {"seen_at": now, "name": guest.name}
        connection.execute(update(waiting).where(own).values(**values))
        return
    if found is not None:
        leave(connection, guest.player)
    connection.execute(
        insert(waiting).values(
            player_id=guest.player,
            name=guest.name,
            owner=guest.owner,
            **wish._asdict(),
            mu=_find_mu(connection, wish, guest.player),
            joined_at=now,
            seen_at=now,
            offer_at=now + bot_after,
            has_offer=False,
            accepts_bots=False,
            is_ready=False,
        )
    )


def leave(connection: Connection, player: str) -> None:
    """Let a player go; refuse it while a table is being opened for all who were found."""
    own = waiting.c.player_id == player
    if connection.execute(delete(waiting).where(own, waiting.c.is_ready.is_(False))).rowcount:
        return
    found = _find(connection, player)
    if found is not None and found.opened_at is None:
        raise ConflictError("queue_opening")
    connection.execute(delete(waiting).where(own))


def give_nonce(connection: Connection, player: str, *, commitment: str, nonce: str) -> None:
    """Take what a player adds to the draws, once, after the secret was promised."""
    promised = select(matches.c.id).where(matches.c.commitment == commitment)
    own = (waiting.c.player_id == player, waiting.c.match_id.in_(promised))
    given = update(waiting).where(*own, waiting.c.nonce.is_(None)).values(nonce=nonce)
    if connection.execute(given).rowcount:
        return
    if connection.scalar(select(waiting.c.nonce).where(*own)) != nonce:
        raise ConflictError("queue_no_match")


def answer(
    connection: Connection, player: str, *, accepts: bool, now: float, bot_after: float
) -> None:
    """Take bots instead of people, or go on waiting; refuse an answer that nobody asked for."""
    values = {"accepts_bots": accepts, "has_offer": False, "seen_at": now}
    if not accepts:
        values["offer_at"] = now + _AGAIN * max(bot_after, 1.0)
    own = (waiting.c.player_id == player, waiting.c.match_id.is_(None))
    done = connection.execute(
        update(waiting).where(*own, waiting.c.has_offer.is_(True)).values(**values)
    )
    if not done.rowcount:
        raise ConflictError("queue_no_offer")


def needs_touch(connection: Connection, player: str, now: float) -> bool:
    """Tell whether it should be written down that a player is still there."""
    own = (waiting.c.player_id == player, waiting.c.match_id.is_(None))
    seen = connection.scalar(select(waiting.c.seen_at).where(*own))
    return seen is not None and seen < now - _TOUCH_AFTER


def touch(connection: Connection, player: str, now: float) -> None:
    """Write down that a player is still there, unless its line is being matched this moment."""
    own = (waiting.c.player_id == player, waiting.c.match_id.is_(None))
    line = select(waiting.c.player_id).where(*own).with_for_update(skip_locked=True)
    if connection.execute(line).first() is not None:
        connection.execute(update(waiting).where(*own).values(seen_at=now))


def tell(connection: Connection, player: str, now: float) -> QueueState:
    """Tell a player how it stands."""
    found = _find(connection, player)
    if found is None:
        return QueueState(state="idle")
    state = QueueState(
        state="waiting",
        game=found.game,
        seats=found.seats,
        options=tuple(msgspec.json.decode(found.options)),
        clock=None if found.clock is None else msgspec.json.decode(found.clock, type=Clock),
        waited=max(0.0, now - found.joined_at),
    )
    if found.match_id is not None:
        return _tell_match(state, found)
    same = (*_is_same(_wish(found)), waiting.c.match_id.is_(None))
    others = select(func.count()).select_from(waiting).where(*same)
    return replace(
        state,
        position=connection.scalar(others.where(waiting.c.joined_at <= found.joined_at)),
        waiting=connection.scalar(others) or 0,
        has_offer=found.has_offer,
    )


def _tell_match(state: QueueState, found: Row[*tuple[object, ...]]) -> QueueState:
    """Tell a player how it stands with those who were found."""
    if found.opened_at is not None:
        is_with_bots = bool(found.has_bot)
        return replace(state, state="matched", table=found.match_id, has_bot=is_with_bots)
    now: Literal["found", "opening"] = "found" if found.nonce is None else "opening"
    return replace(state, state=now, commitment=found.commitment)


def _find(connection: Connection, player: str) -> Row[*tuple[object, ...]] | None:
    """Find a player's line, with the match if there is one."""
    joined = waiting.outerjoin(matches, matches.c.id == waiting.c.match_id)
    columns = (waiting, matches.c.opened_at, matches.c.has_bot, matches.c.commitment)
    return connection.execute(
        select(*columns).select_from(joined).where(waiting.c.player_id == player)
    ).first()


def _wish(row: Row[*tuple[object, ...]]) -> Wish:
    """Read what somebody waits for."""
    return Wish(row.game, row.seats, row.options, row.clock)


def _is_same(wish: Wish) -> tuple[ColumnElement[bool], ...]:
    """Say that somebody waits for the same."""
    return tuple(
        waiting.c[name].is_not_distinct_from(value) for name, value in wish._asdict().items()
    )


def _find_mu(connection: Connection, wish: Wish, player: str) -> float:
    """Find the rating that opponents should be near."""
    found = connection.scalar(
        select(ratings.c.mu)
        .where(ratings.c.game == wish.game, ratings.c.seats == wish.seats)
        .where(ratings.c.subject == player)
    )
    return start().mu if found is None else float(found)
