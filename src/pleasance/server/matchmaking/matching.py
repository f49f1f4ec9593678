"""One round of matchmaking as a single transaction, which waits for no lock.

Rows that another transaction holds at this moment are left for the next round.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import TypeAlias

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, select, update

from pleasance.core.fair_draws import SECRET_BYTES, FairDraws
from pleasance.games import find_game
from pleasance.server.base.messages import Clock
from pleasance.server.matchmaking.bot_opponents import choose_bots
from pleasance.server.matchmaking.pairing import Candidate, Pairing, pair
from pleasance.server.matchmaking.queue import SEEK_TIMEOUT_S
from pleasance.server.matchmaking.seek import MatchRequest, MatchSeat, Seek
from pleasance.server.store.meta import new_id
from pleasance.server.store.schema.ratings import matches, seeks
from pleasance.server.store.store import Store
from pleasance.server.store.topics import QUEUE_PREFIX

LEASE_S = 30.0
"""How long a server may take to open a table before another one tries."""

NONCE_TIMEOUT_S = 15.0
"""How long matched players may take to give a nonce before they are removed from the queue."""

_ADVISORY_LOCK = 0x706C7A02
"""The PostgreSQL lock that a server holds until commit while it matches."""

_MAX_SEEKS_PER_ROUND = 500
"""The number of seeks that one round looks at, oldest first."""

_MATCH_RETENTION_S = 600.0
"""How long a match is kept, so that its players hear of the table."""

_Seeks: TypeAlias = dict[str, Row[*tuple[object, ...]]]
"""Locked rows of `seeks` by player."""


def run_matching(connection: Connection, store: Store, now: float) -> list[MatchRequest]:
    """Run one round; return the tables that this server has to open."""
    if connection.dialect.name == "postgresql" and not connection.scalar(
        select(func.pg_try_advisory_xact_lock(_ADVISORY_LOCK))
    ):
        return []
    _delete_old_matches(connection, now)
    rows = _lock_seeks(connection)
    _remove(connection, rows, [player for player, row in rows.items() if _has_expired(row, now)])
    requests = _lease_overdue(connection, now) + _collect_ready(connection, store, rows, now=now)
    _offer_bots(connection, store, rows, now=now)
    free = [_make_candidate(row) for row in rows.values() if row.match_id is None]
    for pairing in pair(free, now):
        _create_match(connection, store, pairing, now=now)
    return requests


def _delete_old_matches(connection: Connection, now: float) -> None:
    """Delete matches whose players have had time to hear of them."""
    old = select(matches.c.id).where(matches.c.opened_at < now - _MATCH_RETENTION_S)
    row = select(seeks.c.player_id).where(seeks.c.match_id.in_(old))
    notified = list(connection.scalars(row.with_for_update(skip_locked=True)))
    connection.execute(delete(seeks).where(seeks.c.player_id.in_(notified)))
    in_use = select(seeks.c.match_id).where(seeks.c.match_id.is_not(None))
    connection.execute(delete(matches).where(matches.c.id.in_(old), matches.c.id.not_in(in_use)))


def _lock_seeks(connection: Connection) -> _Seeks:
    """Read the seeks that wait for opponents or nonces, and lock their rows until commit."""
    wanted = select(seeks).where(seeks.c.is_ready.is_(False))
    # Players who owe a nonce come before all who wait.
    wanted = wanted.order_by(seeks.c.match_id.is_(None), seeks.c.joined_at)
    rows = connection.execute(wanted.limit(_MAX_SEEKS_PER_ROUND).with_for_update(skip_locked=True))
    return {row.player_id: row for row in rows}


def _has_expired(row: Row[*tuple[object, ...]], now: float) -> bool:
    """Return whether an unmatched player has stopped polling."""
    return row.match_id is None and row.seen_at < now - SEEK_TIMEOUT_S


def _remove(connection: Connection, rows: _Seeks, players: Iterable[str]) -> None:
    """Remove players from the queue."""
    removed = list(players)
    connection.execute(delete(seeks).where(seeks.c.player_id.in_(removed)))
    for player in removed:
        del rows[player]


def _lease_overdue(connection: Connection, now: float) -> list[MatchRequest]:
    """Lease complete matches whose server should have opened the table by now."""
    overdue = select(matches.c.id, matches.c.request).where(
        matches.c.ready_at.is_not(None), matches.c.opened_at.is_(None), matches.c.leased_until < now
    )
    leased = connection.execute(overdue.with_for_update(skip_locked=True)).all()
    lease = {"leased_until": now + LEASE_S, "tries": matches.c.tries + 1}
    ids = [row.id for row in leased]
    connection.execute(update(matches).where(matches.c.id.in_(ids)).values(**lease))
    return [msgspec.json.decode(row.request, type=MatchRequest) for row in leased]


def _collect_ready(
    connection: Connection, store: Store, rows: _Seeks, *, now: float
) -> list[MatchRequest]:
    """Complete matches whose players have all given nonces; dissolve those that are overdue."""
    ready: list[MatchRequest] = []
    for match in connection.execute(select(matches).where(matches.c.ready_at.is_(None))).all():
        request = msgspec.json.decode(match.request, type=MatchRequest)
        own = select(seeks.c.player_id).where(seeks.c.match_id == match.id)
        players = set(connection.scalars(own))
        if not players <= rows.keys():
            continue  # a player answers or leaves at this moment
        nonces = {who: str(rows[who].nonce) for who in players if rows[who].nonce is not None}
        is_late = match.made_at < now - NONCE_TIMEOUT_S
        if nonces.keys() == set(request.players):
            ready.append(_complete_match(connection, request, nonces, now=now))
        elif is_late or len(players) < len(request.players):
            _remove(connection, rows, players - nonces.keys() if is_late else ())
            dissolve_match(connection, store, request, now=now)
    return ready


def _complete_match(
    connection: Connection, request: MatchRequest, nonces: Mapping[str, str], *, now: float
) -> MatchRequest:
    """Store the nonces and lease the match; from now on its players cannot leave."""
    places = tuple(
        msgspec.structs.replace(place, nonce=nonces.get(place.player or ""))
        for place in request.places
    )
    complete = msgspec.structs.replace(request, places=places)
    text = msgspec.json.encode(complete).decode()
    changes = {"request": text, "ready_at": now, "leased_until": now + LEASE_S, "tries": 1}
    connection.execute(update(matches).where(matches.c.id == request.table).values(**changes))
    own = seeks.c.match_id == request.table
    connection.execute(update(seeks).where(own).values(is_ready=True))
    return complete


def dissolve_match(
    connection: Connection, store: Store, request: MatchRequest, *, now: float
) -> None:
    """Send the players of a match back to their places; its secret is never used."""
    own = seeks.c.match_id == request.table
    unmatched = {"match_id": None, "nonce": None, "is_ready": False, "seen_at": now}
    connection.execute(update(seeks).where(own).values(**unmatched))
    connection.execute(delete(matches).where(matches.c.id == request.table))
    notify_players(connection, store, request)


def notify_players(connection: Connection, store: Store, request: MatchRequest) -> None:
    """Notify the players of a match that their state in the queue has changed."""
    for player in request.players:
        store.publish(connection, f"{QUEUE_PREFIX}{player}")


def _offer_bots(connection: Connection, store: Store, rows: _Seeks, *, now: float) -> None:
    """Offer bots to players who have waited long enough."""
    due = [
        player
        for player, row in rows.items()
        if row.match_id is None and row.offer_at <= now and not (row.has_offer or row.accepts_bots)
    ]
    connection.execute(update(seeks).where(seeks.c.player_id.in_(due)).values(has_offer=True))
    for player in due:
        store.publish(connection, f"{QUEUE_PREFIX}{player}")


def _make_candidate(row: Row[*tuple[object, ...]]) -> Candidate:
    return Candidate(
        player=row.player_id,
        name=row.name,
        owner=row.owner,
        mu=row.mu,
        joined_at=row.joined_at,
        accepts_bots=row.accepts_bots,
        seek=Seek(row.game, row.seats, row.options, row.clock),
    )


def _create_match(connection: Connection, store: Store, pairing: Pairing, *, now: float) -> None:
    """Store a match with the commitment to its draws; the seats are drawn by lot."""
    seek = pairing.people[0].seek
    mu = sum(person.mu for person in pairing.people) / len(pairing.people)
    game, bots = find_game(seek.game), pairing.bots
    places = [MatchSeat(player=one.player, name=one.name) for one in pairing.people]
    chosen = choose_bots(connection, game, seek.seats, mu=mu, count=bots)
    places += [MatchSeat(bot=bot) for bot in chosen]
    secrets.SystemRandom().shuffle(places)
    request = MatchRequest(
        table=new_id(),
        game=seek.game,
        options=tuple(msgspec.json.decode(seek.options)),
        clock=None if seek.clock is None else msgspec.json.decode(seek.clock, type=Clock),
        secret=secrets.token_hex(SECRET_BYTES),
        places=tuple(places),
    )
    connection.execute(
        insert(matches).values(
            id=request.table,
            game=seek.game,
            seats=seek.seats,
            request=msgspec.json.encode(request).decode(),
            commitment=FairDraws(bytes.fromhex(request.secret), ()).commitment,
            has_bot=bots > 0,
            made_at=now,
            leased_until=0.0,
            tries=0,
        )
    )
    matched = seeks.c.player_id.in_(request.players)
    connection.execute(update(seeks).where(matched).values(match_id=request.table, nonce=None))
    notify_players(connection, store, request)
