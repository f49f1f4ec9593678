"""Webhook deliveries: a transactional outbox, so that a restart loses none.

The transaction that logs a turn queues its delivery. A server leases it for a minute, sends it and
records the outcome. If it dies on the way, the lease expires and another server sends it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Subquery, case, delete, func, or_, select, update

from pleasance.server.store.appends import TransactionWork
from pleasance.server.store.meta import insert_if_absent, new_id
from pleasance.server.store.schema.identity import players
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.schema.webhooks import deliveries, webhooks
from pleasance.table.entries import Entry
from pleasance.table.room import Room

ANNOUNCE_DELAY_S = 10.0
"""How long a turn waits before it is announced, since the player may choose or return meanwhile."""

RETRY_DELAYS_S = (60.0, 300.0, 900.0, 2400.0)
"""Backoff after each failure, about an hour in all; then the delivery is given up."""

POSTPONE_DELAY_S = 15.0
"""When to retry a delivery that was postponed because no resolver thread was free."""

LEASE_S = 60.0
MAX_FAILURES = 15
"""A webhook is disabled after this many failures in a row."""

_GONE_STATUSES = frozenset({404, 410})
"""The HTTP statuses after which a webhook is disabled at once."""

_BATCH_SIZE = 20
"""The number of deliveries leased at a time."""

MAX_LEASED_PER_PLAYER = 4
"""The number of concurrent deliveries to one player, since a slow webhook delays others."""

MAX_LEASED_PER_HOST = 10
"""The number of concurrent calls to one host, which may be slow for all its players."""

_MAX_RETRY_AFTER_S = 3600.0
_RETENTION_S = 7 * 86_400.0
"""How long finished deliveries are kept."""


class Delivery(NamedTuple):
    """A turn to announce, leased by this server."""

    id: str
    player: str
    table: str
    game: str
    ply: int
    at: float
    tries: int
    leased_until: float
    url: str
    is_discord: bool
    secret: str
    language: str


class Failure(NamedTuple):
    """The reason why a call of a webhook failed."""

    code: str
    """Names the message `error.<code>` of the catalog."""

    status: int | None = None
    """The HTTP status of the response."""

    retry_after: float | None = None


def make_turn_notifier(
    is_here: Callable[[str | None], bool],
) -> Callable[[str, Room, Sequence[Entry]], TransactionWork | None]:
    """Make the commit callback that queues a notice of their turn for disconnected players."""

    def notify_absent(table: str, room: Room, entries: Sequence[Entry]) -> TransactionWork | None:
        due = [room.places[seat] for seat in room.waiting]
        absent = [p.player for p in due if p.player and p.plays is None and not is_here(p.player)]
        if not absent:
            return None
        # Keyed by the position: chat and secret choices of others must not announce a turn again.
        ply, at = 0 if room.table is None else room.table.ply, entries[-1].at

        def work(connection: Connection) -> None:
            for player in absent:
                enqueue_turn(connection, player, table, ply=ply, at=at)

        return work

    return notify_absent


def enqueue_turn(
    connection: Connection, player_id: str, table_id: str, *, ply: int, at: float
) -> bool:
    """Enqueue the announcement of a turn at *ply*, once; return whether it is new.

    Announcements of earlier turns at the same table are dropped.
    """
    has_webhook = select(webhooks.c.player_id).where(
        webhooks.c.player_id == player_id, webhooks.c.off_at.is_(None)
    )
    if connection.scalar(has_webhook) is None:
        return False
    row: dict[str, object] = {
        "id": new_id(),
        "player_id": player_id,
        "table_id": table_id,
        "ply": ply,
        "at": at,
        "due_at": at + ANNOUNCE_DELAY_S,
        "tries": 0,
        "leased_until": 0.0,
    }
    unless = insert_if_absent(connection, deliveries, row, ["player_id", "table_id", "ply"])
    added = connection.scalar(unless.returning(deliveries.c.id))
    same = (deliveries.c.player_id == player_id, deliveries.c.table_id == table_id)
    earlier = (deliveries.c.ply < ply, deliveries.c.done_at.is_(None))
    # A delivery that is being sent keeps its lease.
    idle = deliveries.c.leased_until <= at
    connection.execute(
        update(deliveries).where(*same, *earlier, idle).values(done_at=at, outcome="passed")
    )
    return added is not None


def has_due(connection: Connection, now: float) -> bool:
    """Return whether a delivery is due."""
    due = select(deliveries.c.id).where(*_is_idle(now), deliveries.c.due_at <= now)
    return connection.execute(due.limit(1)).first() is not None


def lease_due(connection: Connection, now: float, limit: int = _BATCH_SIZE) -> list[Delivery]:
    """Lease at most *limit* due deliveries, so that no other server sends them."""
    connection.execute(delete(deliveries).where(deliveries.c.done_at < now - _RETENTION_S))
    ours = select(deliveries.c.id).where(
        deliveries.c.id.in_(_select_due(connection, now, min(limit, _BATCH_SIZE))), *_is_idle(now)
    )
    leased = list(connection.scalars(ours.with_for_update(skip_locked=True)))
    if not leased:
        return []
    connection.execute(
        update(deliveries)
        .where(deliveries.c.id.in_(leased))
        .values(leased_until=now + LEASE_S, tries=deliveries.c.tries + 1)
    )
    found = _read(connection, leased)
    orphans = set(leased) - {delivery.id for delivery in found}
    if orphans:  # their webhook was deleted
        over = {"done_at": now, "outcome": "off"}
        connection.execute(update(deliveries).where(deliveries.c.id.in_(orphans)).values(**over))
    return found


def _is_idle(now: float) -> tuple[ColumnElement[bool], ...]:
    """Build the conditions of a delivery that is neither done nor leased."""
    return deliveries.c.done_at.is_(None), deliveries.c.leased_until <= now


def _select_due(connection: Connection, now: float, limit: int) -> list[str]:
    """Select due deliveries, for each player and each host at most as many as are left to it.

    The first delivery of each host goes before the second of any. Another server may select the
    same ones; the lock decides. In one statement with the lock, PostgreSQL would rank all of them
    again for every row.
    """
    ranked = _rank_by_player(now)
    one = ranked.c
    order = (_leased_first(one.leased_until, now), one.rank, one.due_at, one.id)
    rank = func.row_number().over(partition_by=_host(connection), order_by=order)
    hosted = (
        select(one.id, one.due_at, one.leased_until, rank.label("rank"))
        # Deliveries whose webhook was deleted are selected too, and closed.
        .join_from(ranked, webhooks, webhooks.c.player_id == one.player_id, isouter=True)
        .where(one.rank <= MAX_LEASED_PER_PLAYER)
        .subquery()
        .c
    )
    due = select(hosted.id).where(hosted.rank <= MAX_LEASED_PER_HOST, hosted.leased_until <= now)
    return list(connection.scalars(due.order_by(hosted.rank, hosted.due_at).limit(limit)))


def _rank_by_player(now: float) -> Subquery:
    """Rank the deliveries of each player: those being sent, then those due."""
    one = deliveries.c
    order = (_leased_first(one.leased_until, now), one.due_at, one.id)
    rank = func.row_number().over(partition_by=one.player_id, order_by=order)
    return (
        select(one.id, one.player_id, one.due_at, one.leased_until, rank.label("rank"))
        .where(one.done_at.is_(None), or_(one.due_at <= now, one.leased_until > now))
        .subquery()
    )


def _leased_first(leased_until: ColumnElement[float], now: float) -> ColumnElement[int]:
    return case((leased_until > now, 0), else_=1)


def _host(connection: Connection) -> ColumnElement[str]:
    """Extract host and port from the URL of a webhook."""
    url = func.replace(webhooks.c.url, "?", "/")
    if connection.dialect.name == "postgresql":
        return func.split_part(url, "/", 3)
    rest = func.substr(url, func.instr(url, "//") + 2)
    return func.substr(rest, 1, func.instr(rest.concat("/"), "/") - 1)


def _read(connection: Connection, ids: list[str]) -> list[Delivery]:
    """Read deliveries with all that is needed to send them."""
    joined = (
        deliveries.join(webhooks, webhooks.c.player_id == deliveries.c.player_id)
        .join(players, players.c.id == deliveries.c.player_id)
        .join(tables, tables.c.id == deliveries.c.table_id)
    )
    found = select(deliveries, webhooks, players.c.language, tables.c.game).select_from(joined)
    return [
        Delivery(
            id=row.id,
            player=row.player_id,
            table=row.table_id,
            game=row.game,
            ply=row.ply,
            at=row.at,
            tries=row.tries,
            leased_until=row.leased_until,
            url=row.url,
            is_discord=row.is_discord,
            secret=row.secret,
            language=row.language,
        )
        for row in connection.execute(found.where(deliveries.c.id.in_(ids)))
    ]


def complete(connection: Connection, delivery: Delivery, outcome: str, *, now: float) -> bool:
    """Record that a delivery was `sent`, or that its turn has `passed`."""
    is_leased = _write(connection, delivery, {"done_at": now, "outcome": outcome})
    if is_leased and outcome == "sent":
        success = {"failures": 0, "sent_at": now, "trouble": None, "status": None}
        own = webhooks.c.player_id == delivery.player
        connection.execute(update(webhooks).where(own).values(**success))
    return is_leased


def record_failure(
    connection: Connection, delivery: Delivery, failure: Failure, *, now: float
) -> bool:
    """Record a failure; retry later, give up, or disable the webhook."""
    if delivery.tries > len(RETRY_DELAYS_S):
        changes: dict[str, object] = {"done_at": now, "outcome": "failed"}
    else:
        retry_after = min(failure.retry_after or 0.0, _MAX_RETRY_AFTER_S)
        delay = max(RETRY_DELAYS_S[delivery.tries - 1], retry_after)
        changes = {"due_at": now + delay, "leased_until": 0.0}
    if not _write(connection, delivery, changes):
        return False
    trouble = {"trouble": failure.code, "status": failure.status}
    failures = connection.scalar(
        update(webhooks)
        .where(webhooks.c.player_id == delivery.player)
        .values(failures=webhooks.c.failures + 1, **trouble)
        .returning(webhooks.c.failures)
    )
    if (failures or 0) >= MAX_FAILURES or failure.status in _GONE_STATUSES:
        _disable(connection, delivery.player, now)
    return True


def postpone(connection: Connection, delivery: Delivery, *, now: float) -> bool:
    """Retry a delivery that could not be started, without counting a failure."""
    due_at, tries = now + POSTPONE_DELAY_S, delivery.tries - 1
    return _write(connection, delivery, {"due_at": due_at, "leased_until": 0.0, "tries": tries})


def _write(connection: Connection, delivery: Delivery, changes: dict[str, object]) -> bool:
    """Change a delivery if this server still leases it; return whether it does."""
    done = connection.execute(
        update(deliveries)
        .where(deliveries.c.id == delivery.id, deliveries.c.done_at.is_(None))
        .where(deliveries.c.leased_until == delivery.leased_until)
        .values(**changes)
    )
    return bool(done.rowcount)


def _disable(connection: Connection, player: str, now: float) -> None:
    """Disable a webhook until the player sets it again."""
    connection.execute(update(webhooks).where(webhooks.c.player_id == player).values(off_at=now))
    left = (deliveries.c.player_id == player, deliveries.c.done_at.is_(None))
    connection.execute(update(deliveries).where(*left).values(done_at=now, outcome="off"))
