"""Append requests: new entries with the columns of their table and the commit callbacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from sqlalchemy import Connection, delete, insert

from pleasance.core.game import Seat
from pleasance.server.store.appends import Append, NewEntry, TransactionWork
from pleasance.server.store.schema.rooms import seatings
from pleasance.table import entries as log
from pleasance.table.entries import Entry, GameEntry, to_json
from pleasance.table.room import Room
from pleasance.table.standings import rank_seats

CommitCallback: TypeAlias = Callable[[str, Room, Sequence[Entry]], TransactionWork | None]
"""Finds further writes for new entries, to be made in the same transaction."""


def make_append(
    table: str,
    room: Room,
    entries: Sequence[Entry],
    *,
    keys: Sequence[str | None],
    archive_after: float,
    commit_callbacks: Sequence[CommitCallback],
) -> Append:
    """Make the append request for *entries* that the room has applied already."""
    rows = tuple([NewEntry(to_json(entry), key) for entry, key in zip(entries, keys, strict=True)])
    works = [work for find in commit_callbacks if (work := find(table, room, entries))]
    seq = len(room.log) - len(entries)
    columns = table_columns(room, archive_after)
    return Append(table, seq, rows, columns, _join(works) if works else None)


def _join(works: Sequence[TransactionWork]) -> TransactionWork:
    def work(connection: Connection) -> None:
        for each in works:
            each(connection)

    return work


def table_columns(room: Room, archive_after: float) -> dict[str, object]:
    """Compute the columns of a table: its status, and when it is due for housekeeping."""
    status, now, people = room.status, room.now(), people_to_move(room)
    due = None
    if status in {"open", "running"}:
        flag = room.due()
        due = now + archive_after if flag is None else flag
    columns = {
        "status": status,
        "changed_at": now,
        "due_at": due,
        "waits_for_bot": len(people) < len(room.waiting),
        "waits_for": "".join(map(str, people)),
    }
    return columns if room.ending is None else {**columns, "result": encode_result(room)}


def encode_result(room: Room) -> str:
    """Encode score and rank of each seat: `98:1 81:2`.

    After a resignation all seats that did not resign share rank 1.
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


def people_to_move(room: Room) -> tuple[Seat, ...]:
    """List the seats where a person must choose now."""
    return tuple([seat for seat in room.waiting if room.places[seat].plays is None])


def bots_to_move(room: Room) -> tuple[Seat, ...]:
    """List the seats where a bot must choose now."""
    return tuple([seat for seat in room.waiting if room.places[seat].plays is not None])


def update_seatings(table: str, room: Room, entries: Sequence[Entry]) -> TransactionWork | None:
    """Update the table of seatings, if seats have changed hands."""
    if not any(map(_changes_seats, entries)):
        return None
    rows = [
        {"table_id": table, "seat": n, "player_id": place.player, "bot": place.bot}
        for n, place in enumerate(room.places)
        if not place.is_free
    ]

    def work(connection: Connection) -> None:
        connection.execute(delete(seatings).where(seatings.c.table_id == table))
        if rows:
            connection.execute(insert(seatings), rows)

    return work


def _changes_seats(entry: Entry) -> bool:
    """Return whether seats may have changed hands with an entry."""
    if isinstance(entry, GameEntry):
        return False
    match entry:
        case log.SitEntry() | log.LeaveEntry() | log.KickEntry() | log.StartEntry():
            return True
        case log.TakeOverEntry() | log.SeatReturnedEntry():
            return True
        case log.TakebackRequestEntry() | log.TakebackAnswerEntry() | log.ClockResetEntry():
            return False
        case log.ResignEntry() | log.SayEntry() | log.RematchEntry() | log.CloseEntry():
            return False
        case _:
            assert_never(entry)
