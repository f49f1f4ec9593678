"""What goes to the database with new lines of a log: facts to find tables by, and consequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from sqlalchemy import Connection, delete, insert

from pleasance.core.game import Seat
from pleasance.server.store.appends import Append, LogLine
from pleasance.server.store.schema.rooms import sitters
from pleasance.table.entries import (
    ChooseEntry,
    Entry,
    HandBackEntry,
    KickEntry,
    LeaveEntry,
    SitEntry,
    StartEntry,
    TakeOverEntry,
    to_json,
)
from pleasance.table.room import Room
from pleasance.table.standings import Holder, Standing, counts, make_standings, rank_seats

Work: TypeAlias = Callable[[Connection], None]
Consequence: TypeAlias = Callable[[str, Room, Sequence[Entry]], Work | None]
"""Tells what else the database must learn from new entries, in the same transaction."""

_SEATING = frozenset((SitEntry, LeaveEntry, KickEntry, TakeOverEntry, HandBackEntry, StartEntry))


def make_append(
    table: str,
    room: Room,
    entries: Sequence[Entry],
    *,
    keys: Sequence[str | None],
    archive_after: float,
    consequences: Sequence[Consequence],
) -> Append:
    """Lay out what new *entries* of a room, already carried out there, mean to the database."""
    lines = tuple([LogLine(to_json(entry), key) for entry, key in zip(entries, keys, strict=True)])
    works = [work for find in consequences if (work := find(table, room, entries))]
    known = len(room.happenings) - len(entries)
    facts = find_facts(room, archive_after)
    return Append(table, known, lines, facts, _join(works) if works else None)


def _join(works: Sequence[Work]) -> Work:
    def work(connection: Connection) -> None:
        for each in works:
            each(connection)

    return work


def find_facts(room: Room, archive_after: float) -> dict[str, object]:
    """Tell by what a table is found: whether it is over, when to look after it again."""
    status, now, people = room.status, room.now(), people_to_choose(room)
    due = None
    if status in {"open", "running"}:
        flag = room.due()
        due = now + archive_after if flag is None else flag
    facts = {
        "status": status,
        "changed_at": now,
        "due_at": due,
        "waits_for_bot": len(people) < len(room.waiting),
        "waits_for": "".join(map(str, people)),
    }
    return facts if room.ending is None else {**facts, "result": write_result(room)}


def write_result(room: Room) -> str:
    """Write what each seat has in the end and which place that is: `98:1 81:2`.

    Where a game was given up, all who did not give up are first.
    """
    table = room.table
    assert table is not None, room.ending
    is_finished = room.ending == "finished"
    gone = [Seat(n) for n, place in enumerate(room.places) if place.has_resigned]
    ranks = rank_seats(
        table.game.winners(table.final_state()) if is_finished else (),
        table.scores if is_finished else None,
        () if is_finished else gone,
        len(room.places),
    )
    return " ".join(f"{points}:{rank}" for points, rank in zip(table.scores, ranks, strict=True))


def people_to_choose(room: Room) -> tuple[Seat, ...]:
    """Name the seats where a person must choose now."""
    return tuple([seat for seat in room.waiting if room.places[seat].plays is None])


def bots_to_choose(room: Room) -> tuple[Seat, ...]:
    """Name the seats where a bot must choose now."""
    return tuple([seat for seat in room.waiting if room.places[seat].plays is not None])


def note_sitters(table: str, room: Room, entries: Sequence[Entry]) -> Work | None:
    """Note who sits where, when that has changed."""
    if _SEATING.isdisjoint(map(type, entries)):
        return None
    rows = [
        {"table_id": table, "seat": n, "player_id": place.player, "bot": place.bot}
        for n, place in enumerate(room.places)
        if not place.is_free
    ]

    def work(connection: Connection) -> None:
        connection.execute(delete(sitters).where(sitters.c.table_id == table))
        if rows:
            connection.execute(insert(sitters), rows)

    return work


def find_standings(room: Room) -> tuple[Standing, ...] | None:
    """Rank the seats of a rated game that has ended and counts; `None` where there is none."""
    table = room.table
    if table is None or room.ending is None or not room.plan.is_rated:
        return None
    is_finished = room.ending == "finished"
    gone = sorted((place.left, Seat(n)) for n, place in enumerate(room.places) if place.left)
    standings = make_standings(
        [Holder(place.player, place.bot) for place in room.places],
        winners=table.game.winners(table.final_state()) if is_finished else (),
        scores=table.scores if is_finished else None,
        left=[seat for _, seat in gone],
    )
    chose = {entry.seat for entry, _ in room.happenings if isinstance(entry, ChooseEntry)}
    return standings if counts(standings, chose) else None
