"""What is to be sent, kept in the database: a restart loses nothing and no two servers send it.

A server takes a delivery for a minute, sends it and writes down how it went. If it dies on the
way, another one sends it again when the minute is over.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Subquery, case, delete, func, or_, select, update

from pleasance.server.store.meta import insert_unless_there, new_id
from pleasance.server.store.schema.identity import players
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.schema.webhooks import deliveries, hooks

DELAY = 10.0
"""Seconds before a turn is announced: who chooses or comes back meanwhile need not be told."""

WAITS = (60.0, 300.0, 900.0, 2400.0)
"""Seconds until it is tried again, about an hour in all; then it is given up."""

AGAIN = 15.0
"""Seconds until it is tried again when we did not even get to it."""

LEASE = 60.0
MOST_FAILURES = 15
"""A webhook that fails so often on end is switched off."""

GONE = frozenset({404, 410})
"""Answers that say there is no such webhook, now or ever."""

BATCH = 20
"""How much is taken in hand at once."""

SHARE = 4
"""How many turns of one player are announced at the same time: a slow webhook is others' too."""

HOST_SHARE = 10
"""How many webhooks of one host are called at the same time: it may be slow for all its players."""

_LONGEST_WAIT = 3600.0
_KEPT = 7 * 86_400.0
"""Seconds that it is remembered what was announced."""


class Delivery(NamedTuple):
    """A turn to be announced, taken by this server."""

    id: str
    player: str
    table: str
    game: str
    lines: int
    at: float
    tries: int
    leased_until: float
    url: str
    is_discord: bool
    secret: str
    language: str


class Failure(NamedTuple):
    """Why a webhook was not reached."""

    code: str
    """Names the message `error.<code>` of the catalogue."""

    status: int | None = None
    """What it answered."""

    retry_after: float | None = None


def queue_turn(
    connection: Connection, player_id: str, table_id: str, *, lines: int, at: float
) -> bool:
    """Have a player told of a turn that came with the line number *lines*; tell if it is news.

    What was to be told about earlier turns at the same table is told no more.
    """
    has_hook = select(hooks.c.player_id).where(
        hooks.c.player_id == player_id, hooks.c.off_at.is_(None)
    )
    if connection.scalar(has_hook) is None:
        return False
    row: dict[str, object] = {
        "id": new_id(),
        "player_id": player_id,
        "table_id": table_id,
        "lines": lines,
        "at": at,
        "due_at": at + DELAY,
        "tries": 0,
        "leased_until": 0.0,
    }
    unless = insert_unless_there(connection, deliveries, row, ["player_id", "table_id", "lines"])
    added = connection.scalar(unless.returning(deliveries.c.id))
    same = (deliveries.c.player_id == player_id, deliveries.c.table_id == table_id)
    earlier = (deliveries.c.lines < lines, deliveries.c.done_at.is_(None))
    # One that is being sent this moment is left to whoever sends it.
    idle = deliveries.c.leased_until <= at
    connection.execute(
        update(deliveries).where(*same, *earlier, idle).values(done_at=at, outcome="passed")
    )
    return added is not None


def has_due(connection: Connection, now: float) -> bool:
    """Tell whether something is to be sent."""
    due = select(deliveries.c.id).where(*_is_idle(now), deliveries.c.due_at <= now)
    return connection.execute(due.limit(1)).first() is not None


def take(connection: Connection, now: float, most: int = BATCH) -> list[Delivery]:
    """Take at most so much of what is due, so that nobody else sends it for a while."""
    connection.execute(delete(deliveries).where(deliveries.c.done_at < now - _KEPT))
    ours = select(deliveries.c.id).where(
        deliveries.c.id.in_(_pick(connection, now, min(most, BATCH))), *_is_idle(now)
    )
    taken = list(connection.scalars(ours.with_for_update(skip_locked=True)))
    if not taken:
        return []
    connection.execute(
        update(deliveries)
        .where(deliveries.c.id.in_(taken))
        .values(leased_until=now + LEASE, tries=deliveries.c.tries + 1)
    )
    found = _read(connection, taken)
    left = set(taken) - {delivery.id for delivery in found}
    if left:  # nobody is there any more to be told
        over = {"done_at": now, "outcome": "off"}
        connection.execute(update(deliveries).where(deliveries.c.id.in_(left)).values(**over))
    return found


def _is_idle(now: float) -> tuple[ColumnElement[bool], ...]:
    """Tell of a delivery that it is not done and in nobody's hands."""
    return deliveries.c.done_at.is_(None), deliveries.c.leased_until <= now


def _pick(connection: Connection, now: float, most: int) -> list[str]:
    """Pick what is due, of each player and each host no more than the share that is left.

    What is first in line at its host goes before what is second elsewhere. Another server may pick
    the same: only who locks it has it. In one statement with the lock, PostgreSQL would count anew
    for every line.
    """
    ranked = _rank_by_player(now)
    one = ranked.c
    order = (_leased_first(one.leased_until, now), one.place, one.due_at, one.id)
    place = func.row_number().over(partition_by=_host(connection), order_by=order)
    hosted = (
        select(one.id, one.due_at, one.leased_until, place.label("place"))
        # What belongs to no webhook any more is picked too, and written off.
        .join_from(ranked, hooks, hooks.c.player_id == one.player_id, isouter=True)
        .where(one.place <= SHARE)
        .subquery()
        .c
    )
    picked = select(hosted.id).where(hosted.place <= HOST_SHARE, hosted.leased_until <= now)
    return list(connection.scalars(picked.order_by(hosted.place, hosted.due_at).limit(most)))


def _rank_by_player(now: float) -> Subquery:
    """Line up for each player what is being sent, then what is due."""
    one = deliveries.c
    order = (_leased_first(one.leased_until, now), one.due_at, one.id)
    place = func.row_number().over(partition_by=one.player_id, order_by=order)
    return (
        select(one.id, one.player_id, one.due_at, one.leased_until, place.label("place"))
        .where(one.done_at.is_(None), or_(one.due_at <= now, one.leased_until > now))
        .subquery()
    )


def _leased_first(leased_until: ColumnElement[float], now: float) -> ColumnElement[int]:
    return case((leased_until > now, 0), else_=1)


def _host(connection: Connection) -> ColumnElement[str]:
    """Take the host and port out of the link of a webhook."""
    link = func.replace(hooks.c.url, "?", "/")
    if connection.dialect.name == "postgresql":
        return func.split_part(link, "/", 3)
    rest = func.substr(link, func.instr(link, "//") + 2)
    return func.substr(rest, 1, func.instr(rest.concat("/"), "/") - 1)


def _read(connection: Connection, taken: list[str]) -> list[Delivery]:
    """Read all that is needed to send what was *taken*."""
    joined = (
        deliveries.join(hooks, hooks.c.player_id == deliveries.c.player_id)
        .join(players, players.c.id == deliveries.c.player_id)
        .join(tables, tables.c.id == deliveries.c.table_id)
    )
    found = select(deliveries, hooks, players.c.language, tables.c.game).select_from(joined)
    return [
        Delivery(
            id=row.id,
            player=row.player_id,
            table=row.table_id,
            game=row.game,
            lines=row.lines,
            at=row.at,
            tries=row.tries,
            leased_until=row.leased_until,
            url=row.url,
            is_discord=row.is_discord,
            secret=row.secret,
            language=row.language,
        )
        for row in connection.execute(found.where(deliveries.c.id.in_(taken)))
    ]


def finish(connection: Connection, delivery: Delivery, outcome: str, *, now: float) -> bool:
    """Write down that a delivery was `sent`, or that its turn has `passed`."""
    is_ours = _write(connection, delivery, {"done_at": now, "outcome": outcome})
    if is_ours and outcome == "sent":
        good = {"failures": 0, "sent_at": now, "trouble": None, "status": None}
        own = hooks.c.player_id == delivery.player
        connection.execute(update(hooks).where(own).values(**good))
    return is_ours


def fail(connection: Connection, delivery: Delivery, failure: Failure, *, now: float) -> bool:
    """Write down a failure; try again later, give up, or switch the webhook off."""
    if delivery.tries > len(WAITS):
        changes: dict[str, object] = {"done_at": now, "outcome": "failed"}
    else:
        wait = max(WAITS[delivery.tries - 1], min(failure.retry_after or 0.0, _LONGEST_WAIT))
        changes = {"due_at": now + wait, "leased_until": 0.0}
    if not _write(connection, delivery, changes):
        return False
    trouble = {"trouble": failure.code, "status": failure.status}
    failures = connection.scalar(
        update(hooks)
        .where(hooks.c.player_id == delivery.player)
        .values(failures=hooks.c.failures + 1, **trouble)
        .returning(hooks.c.failures)
    )
    if (failures or 0) >= MOST_FAILURES or failure.status in GONE:
        _switch_off(connection, delivery.player, now)
    return True


def postpone(connection: Connection, delivery: Delivery, *, now: float) -> bool:
    """Try again later what could not be begun: that is no failure of the webhook."""
    again = {"due_at": now + AGAIN, "leased_until": 0.0, "tries": delivery.tries - 1}
    return _write(connection, delivery, dict[str, object](again))


def _write(connection: Connection, delivery: Delivery, changes: dict[str, object]) -> bool:
    """Change a delivery that is still ours; tell whether it was."""
    done = connection.execute(
        update(deliveries)
        .where(deliveries.c.id == delivery.id, deliveries.c.done_at.is_(None))
        .where(deliveries.c.leased_until == delivery.leased_until)
        .values(**changes)
    )
    return bool(done.rowcount)


def _switch_off(connection: Connection, player: str, now: float) -> None:
    """Call a webhook no more until the player sets it anew."""
    connection.execute(update(hooks).where(hooks.c.player_id == player).values(off_at=now))
    left = (deliveries.c.player_id == player, deliveries.c.done_at.is_(None))
    connection.execute(update(deliveries).where(*left).values(done_at=now, outcome="off"))
