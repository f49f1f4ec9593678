"""Matchmaking queue: the seeks of waiting players, in the database that all servers share."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from pleasance.server.base.errors import ConflictError
from pleasance.server.base.messages import Clock, MatchOffer
from pleasance.server.matchmaking.seek import Seek
from pleasance.server.ratings.model import default_rating
from pleasance.server.store.schema.ratings import matches, ratings, seeks
from pleasance.server.store.store import Store

SEEK_TIMEOUT_S = 30.0
"""A player who has not polled for this long is removed from the queue."""

_TOUCH_INTERVAL_S = 5.0
"""A client that polls every second is not written to the database every second."""

_NEXT_OFFER_FACTOR = 3.0
"""The wait before a bot offer is multiplied by this after a declined one."""


class Seeker(NamedTuple):
    """A player who joins the queue."""

    player: str
    name: str
    owner: str
    """The owner of a bot account; a person is its own."""


class QueueState(Struct, frozen=True):
    """The state of one player in the matchmaking queue."""

    state: Literal["idle", "waiting", "found", "opening", "matched"]
    """`found`: give your nonce now, at `/api/queue/nonce`; `opening`: you did, and the table opens
    once all have; `matched`: it is open."""

    game: str | None = None
    seats: int | None = None
    options: tuple[str, ...] = ()
    clock: Clock | None = None
    position: int | None = None
    """The number of players with the same seek who joined no later, oneself included."""

    waiting: int = 0
    """The number of players with the same seek, oneself included."""

    waited: float = 0.0
    """Seconds."""

    has_offer: bool = False
    """Whether bots are offered; answer at `/api/queue/bot`."""

    commitment: str | None = None
    """The commitment to the secret of the draws, once opponents are found; docs/fairness.md."""

    table: str | None = None
    """The table, once it is open."""

    has_bot: bool = False
    """Whether bots sit at that table."""


def join(
    connection: Connection, seeker: Seeker, seek: Seek, *, now: float, bot_after: float
) -> None:
    """Add a player to the queue; joining again with the same seek keeps the place."""
    own = seeks.c.player_id == seeker.player
    found = connection.execute(select(seeks).where(own).with_for_update()).first()
    if found is not None and not found.is_ready and _read_seek(found) == seek:
        values = {"seen_at": now, "name": seeker.name}
        connection.execute(update(seeks).where(own).values(**values))
        return
    if found is not None:
        leave(connection, seeker.player)
    connection.execute(
        insert(seeks).values(
            player_id=seeker.player,
            name=seeker.name,
            owner=seeker.owner,
            **seek._asdict(),
            mu=_find_mu(connection, seek, seeker.player),
            joined_at=now,
            seen_at=now,
            offer_at=now + bot_after,
            has_offer=False,
            accepts_bots=False,
            is_ready=False,
        )
    )


def leave(connection: Connection, player: str) -> None:
    """Remove a player from the queue; refuse it while the table of a match is being opened."""
    own = seeks.c.player_id == player
    if connection.execute(delete(seeks).where(own, seeks.c.is_ready.is_(False))).rowcount:
        return
    found = _find(connection, player)
    if found is not None and found.opened_at is None:
        raise ConflictError("queue_opening")
    connection.execute(delete(seeks).where(own))


def give_nonce(connection: Connection, player: str, *, commitment: str, nonce: str) -> None:
    """Store the nonce that a player adds to the draws, once, after the secret was committed to."""
    committed = select(matches.c.id).where(matches.c.commitment == commitment)
    own = (seeks.c.player_id == player, seeks.c.match_id.in_(committed))
    given = update(seeks).where(*own, seeks.c.nonce.is_(None)).values(nonce=nonce)
    if connection.execute(given).rowcount:
        return
    if connection.scalar(select(seeks.c.nonce).where(*own)) != nonce:
        raise ConflictError("queue_no_match")


def answer_offer(
    connection: Connection, player: str, *, accepts: bool, now: float, bot_after: float
) -> None:
    """Accept bots as opponents, or keep waiting for people; refuse an answer without an offer."""
    values = {"accepts_bots": accepts, "has_offer": False, "seen_at": now}
    if not accepts:
        values["offer_at"] = now + _NEXT_OFFER_FACTOR * max(bot_after, 1.0)
    own = (seeks.c.player_id == player, seeks.c.match_id.is_(None))
    done = connection.execute(
        update(seeks).where(*own, seeks.c.has_offer.is_(True)).values(**values)
    )
    if not done.rowcount:
        raise ConflictError("queue_no_offer")


def needs_touch(connection: Connection, player: str, now: float) -> bool:
    """Return whether `touch` is due for a player."""
    own = (seeks.c.player_id == player, seeks.c.match_id.is_(None))
    seen = connection.scalar(select(seeks.c.seen_at).where(*own))
    return seen is not None and seen < now - _TOUCH_INTERVAL_S


def touch(connection: Connection, player: str, now: float) -> None:
    """Record that a player still polls, unless its seek is being matched at this moment."""
    own = (seeks.c.player_id == player, seeks.c.match_id.is_(None))
    row = select(seeks.c.player_id).where(*own).with_for_update(skip_locked=True)
    if connection.execute(row).first() is not None:
        connection.execute(update(seeks).where(*own).values(seen_at=now))


def read_state(connection: Connection, player: str, now: float) -> QueueState:
    """Read the state of a player."""
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
        return _add_match(state, found)
    same = (*_is_same(_read_seek(found)), seeks.c.match_id.is_(None))
    others = select(func.count()).select_from(seeks).where(*same)
    return replace(
        state,
        position=connection.scalar(others.where(seeks.c.joined_at <= found.joined_at)),
        waiting=connection.scalar(others) or 0,
        has_offer=found.has_offer,
    )


async def find_offer(store: Store, player: str, now: float) -> MatchOffer | None:
    """Read what the topic `queue:<player>` announces: an open table, or a question.

    Without a table, the player is asked whether bots will do, or, if none are offered, for the
    nonce; `GET /api/queue` has the details.
    """
    state = await store.read(lambda connection: read_state(connection, player, now))
    if state.state == "matched":
        return MatchOffer(table=state.table, has_bot=state.has_bot)
    if state.has_offer or state.state == "found":
        return MatchOffer(table=None, has_bot=state.has_offer)
    return None


def _add_match(state: QueueState, found: Row[*tuple[object, ...]]) -> QueueState:
    """Add to the state how far the match has got."""
    if found.opened_at is not None:
        is_with_bots = bool(found.has_bot)
        return replace(state, state="matched", table=found.match_id, has_bot=is_with_bots)
    now: Literal["found", "opening"] = "found" if found.nonce is None else "opening"
    return replace(state, state=now, commitment=found.commitment)


def _find(connection: Connection, player: str) -> Row[*tuple[object, ...]] | None:
    """Find the seek of a player, with its match if there is one."""
    joined = seeks.outerjoin(matches, matches.c.id == seeks.c.match_id)
    columns = (seeks, matches.c.opened_at, matches.c.has_bot, matches.c.commitment)
    return connection.execute(
        select(*columns).select_from(joined).where(seeks.c.player_id == player)
    ).first()


def _read_seek(row: Row[*tuple[object, ...]]) -> Seek:
    return Seek(row.game, row.seats, row.options, row.clock)


def _is_same(seek: Seek) -> tuple[ColumnElement[bool], ...]:
    """Build the conditions that select equal seeks."""
    return tuple(
        seeks.c[name].is_not_distinct_from(value) for name, value in seek._asdict().items()
    )


def _find_mu(connection: Connection, seek: Seek, player: str) -> float:
    """Find the rating by which a player is paired."""
    found = connection.scalar(
        select(ratings.c.mu)
        .where(ratings.c.game == seek.game, ratings.c.seats == seek.seats)
        .where(ratings.c.subject == player)
    )
    return default_rating().mu if found is None else float(found)
