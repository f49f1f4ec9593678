"""What is decided in the queue, in one transaction that waits for nobody.

Lines that somebody else changes this moment are left for the next time.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import TypeAlias

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, select, update

from pleasance.core.fair import SECRET_BYTES, Fair
from pleasance.games import find_game
from pleasance.server.base.messages import Clock
from pleasance.server.matchmaking.bot_opponents import choose_bots
from pleasance.server.matchmaking.pairing import Group, Waiter, pair
from pleasance.server.matchmaking.queue import GONE_AFTER
from pleasance.server.matchmaking.seek import MatchRequest, MatchSeat, Wish
from pleasance.server.store.meta import new_id
from pleasance.server.store.schema.ratings import matches, waiting
from pleasance.server.store.store import Store

LEASE = 30.0
"""Seconds that a server has to open a table before another one tries."""

ANSWER_WITHIN = 15.0
"""Seconds that who was found has to give a nonce; who does not is taken out."""

_MATCHING = 0x706C7A02
"""The advisory lock of PostgreSQL that whoever matches holds until the commit."""

_MOST = 500
"""So many lines are looked at in one go, who came first first."""

_KEPT = 600.0
"""Seconds that the news of a table is kept for who was found."""

_Lines: TypeAlias = dict[str, Row[*tuple[object, ...]]]


def decide(connection: Connection, store: Store, now: float) -> list[MatchRequest]:
    """Do all that is due in the queue; give the tables that this server is to open."""
    if connection.dialect.name == "postgresql":
        is_alone = connection.scalar(select(func.pg_try_advisory_xact_lock(_MATCHING)))
        if not is_alone:
            return []
    _drop_old_news(connection, now)
    lines = _hold_lines(connection)
    _drop(connection, lines, [who for who, line in lines.items() if _is_gone(line, now)])
    requests = _take_over(connection, now) + _gather_ready(connection, store, lines, now=now)
    _offer(connection, store, lines, now=now)
    free = [_make_waiter(line) for line in lines.values() if line.match_id is None]
    for group in pair(free, now):
        _make_match(connection, store, group, now=now)
    return requests


def _drop_old_news(connection: Connection, now: float) -> None:
    """Forget matches whose players had time enough to hear of them."""
    old = select(matches.c.id).where(matches.c.opened_at < now - _KEPT)
    line = select(waiting.c.player_id).where(waiting.c.match_id.in_(old))
    heard = list(connection.scalars(line.with_for_update(skip_locked=True)))
    connection.execute(delete(waiting).where(waiting.c.player_id.in_(heard)))
    in_use = select(waiting.c.match_id).where(waiting.c.match_id.is_not(None))
    connection.execute(delete(matches).where(matches.c.id.in_(old), matches.c.id.not_in(in_use)))


def _hold_lines(connection: Connection) -> _Lines:
    """Read who waits or is asked for a nonce, and hold the lines until the commit."""
    wanted = select(waiting).where(waiting.c.is_ready.is_(False))
    # Who is asked for a nonce comes before all who wait.
    wanted = wanted.order_by(waiting.c.match_id.is_(None), waiting.c.joined_at).limit(_MOST)
    rows = connection.execute(wanted.with_for_update(skip_locked=True))
    return {row.player_id: row for row in rows}


def _is_gone(line: Row[*tuple[object, ...]], now: float) -> bool:
    """Tell whether somebody waits no more without having said so."""
    return line.match_id is None and line.seen_at < now - GONE_AFTER


def _drop(connection: Connection, lines: _Lines, players: Iterable[str]) -> None:
    """Take players out of the queue."""
    gone = list(players)
    connection.execute(delete(waiting).where(waiting.c.player_id.in_(gone)))
    for player in gone:
        del lines[player]


def _take_over(connection: Connection, now: float) -> list[MatchRequest]:
    """Take matches whose table is not there though somebody should have opened it by now."""
    late = select(matches.c.id, matches.c.request).where(
        matches.c.ready_at.is_not(None),
        matches.c.opened_at.is_(None),
        matches.c.leased_until < now,
    )
    taken = connection.execute(late.with_for_update(skip_locked=True)).all()
    more = {"leased_until": now + LEASE, "tries": matches.c.tries + 1}
    ids = [row.id for row in taken]
    connection.execute(update(matches).where(matches.c.id.in_(ids)).values(**more))
    return [msgspec.json.decode(row.request, type=MatchRequest) for row in taken]


def _gather_ready(
    connection: Connection, store: Store, lines: _Lines, *, now: float
) -> list[MatchRequest]:
    """Close matches whose players have all given nonces; break up those that wait in vain."""
    ready: list[MatchRequest] = []
    for match in connection.execute(select(matches).where(matches.c.ready_at.is_(None))).all():
        request = msgspec.json.decode(match.request, type=MatchRequest)
        own = select(waiting.c.player_id).where(waiting.c.match_id == match.id)
        players = set(connection.scalars(own))
        if not players <= lines.keys():
            continue  # somebody answers or leaves this very moment
        given = {who: str(lines[who].nonce) for who in players if lines[who].nonce is not None}
        is_late = match.made_at < now - ANSWER_WITHIN
        if given.keys() == set(request.players):
            ready.append(_close(connection, request, given, now=now))
        elif is_late or len(players) < len(request.players):
            _drop(connection, lines, players - given.keys() if is_late else ())
            break_up(connection, store, request, now=now)
    return ready


def _close(
    connection: Connection, request: MatchRequest, nonces: Mapping[str, str], *, now: float
) -> MatchRequest:
    """Write down that all is there to open the table; from now on nobody can leave."""
    places = tuple(
        MatchSeat(place.player, place.name, nonces.get(place.player or ""), place.bot)
        for place in request.places
    )
    whole = msgspec.structs.replace(request, places=places)
    text = msgspec.json.encode(whole).decode()
    facts = {"request": text, "ready_at": now, "leased_until": now + LEASE, "tries": 1}
    connection.execute(update(matches).where(matches.c.id == request.table).values(**facts))
    own = waiting.c.match_id == request.table
    connection.execute(update(waiting).where(own).values(is_ready=True))
    return whole


def break_up(connection: Connection, store: Store, request: MatchRequest, *, now: float) -> None:
    """Send who is left of a match back to their places; its secret is never used."""
    own = waiting.c.match_id == request.table
    back = {"match_id": None, "nonce": None, "is_ready": False, "seen_at": now}
    connection.execute(update(waiting).where(own).values(**back))
    connection.execute(delete(matches).where(matches.c.id == request.table))
    tell_players(connection, store, request)


def tell_players(connection: Connection, store: Store, request: MatchRequest) -> None:
    """Let those of a match look at the queue."""
    for player in request.players:
        store.publish(connection, f"queue:{player}")


def _offer(connection: Connection, store: Store, lines: _Lines, *, now: float) -> None:
    """Offer bots to who has waited long enough."""
    due = [
        who
        for who, line in lines.items()
        if line.match_id is None
        and line.offer_at <= now
        and not (line.has_offer or line.accepts_bots)
    ]
    connection.execute(update(waiting).where(waiting.c.player_id.in_(due)).values(has_offer=True))
    for player in due:
        store.publish(connection, f"queue:{player}")


def _make_waiter(line: Row[*tuple[object, ...]]) -> Waiter:
    """Read what pairing needs to know."""
    return Waiter(
        player=line.player_id,
        name=line.name,
        owner=line.owner,
        mu=line.mu,
        joined_at=line.joined_at,
        accepts_bots=line.accepts_bots,
        wish=Wish(line.game, line.seats, line.options, line.clock),
    )


def _make_match(connection: Connection, store: Store, group: Group, *, now: float) -> None:
    """Write down who plays together and promise the draws; the lot decides who sits where."""
    wish = group.people[0].wish
    places = [MatchSeat(player=one.player, name=one.name) for one in group.people]
    places += _seat_bots(connection, group)
    secrets.SystemRandom().shuffle(places)
    request = MatchRequest(
        table=new_id(),
        game=wish.game,
        options=tuple(msgspec.json.decode(wish.options)),
        clock=None if wish.clock is None else msgspec.json.decode(wish.clock, type=Clock),
        secret=secrets.token_hex(SECRET_BYTES),
        places=tuple(places),
    )
    connection.execute(
        insert(matches).values(
            id=request.table,
            game=wish.game,
            seats=wish.seats,
            request=msgspec.json.encode(request).decode(),
            commitment=Fair(bytes.fromhex(request.secret), ()).commitment,
            has_bot=group.bots > 0,
            made_at=now,
            leased_until=0.0,
            tries=0,
        )
    )
    found = waiting.c.player_id.in_(request.players)
    connection.execute(update(waiting).where(found).values(match_id=request.table, nonce=None))
    tell_players(connection, store, request)


def _seat_bots(connection: Connection, group: Group) -> list[MatchSeat]:
    """Make the places of bots near the people in rating."""
    wish = group.people[0].wish
    mu = sum(person.mu for person in group.people) / len(group.people)
    bots = choose_bots(connection, find_game(wish.game), wish.seats, mu=mu, count=group.bots)
    return [MatchSeat(bot=bot) for bot in bots]
