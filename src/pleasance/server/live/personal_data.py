"""Personal data of tables: export and erasure (GDPR) of seats, chat messages, mutes and reports."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from sqlalchemy import Connection, bindparam, delete, func, or_, select, update

from pleasance.core.errors import PleasanceError
from pleasance.players.registry import fallback_player
from pleasance.server.identity.personal_data import ErasureStep, PersonalDataSource, referenced_in
from pleasance.server.store.schema.rooms import entries, mutes, reports, seatings, tables
from pleasance.table import commands
from pleasance.table import entries as log
from pleasance.table.entries import Entry, from_json, to_json
from pleasance.table.room import Room

if TYPE_CHECKING:
    from pleasance.server.live.hub import Hub

ERASED_NAME = "Somebody"
"""The name of an erased player in the logs of tables."""

_ROWS_PER_STEP = 200


def export(connection: Connection, player: str) -> object:
    """Export a player's seats, tables, chat messages, mutes and reports."""
    mine = select(seatings.c.table_id, seatings.c.seat).where(seatings.c.player_id == player)
    owned = select(tables.c.id).where(tables.c.owner == player)
    muted = select(mutes.c.muted_id).where(mutes.c.player_id == player)
    told = select(reports.c.table_id, reports.c.seq, reports.c.reason, reports.c.at)
    seats = [{"table": row.table_id, "seat": row.seat} for row in connection.execute(mine)]
    return {
        "seats": seats,
        "owns": list(connection.scalars(owned)),
        "said": [
            {"table": table, "text": entry.text, "at": entry.at}
            for table, _, entry in _find_entries(connection, player)
            if isinstance(entry, log.SayEntry)
        ],
        "muted": list(connection.scalars(muted)),
        "reports": [
            dict(row)
            for row in connection.execute(told.where(reports.c.reporter_id == player)).mappings()
        ],
    }


def plan_erasure(connection: Connection, player: str) -> list[ErasureStep]:
    """Find the log entries that hold a player's name or messages, and the steps that erase them."""
    rows = [
        {"of": table, "at": n, "said": to_json(changed)}
        for table, n, entry in _find_entries(connection, player)
        if (changed := _redact(entry)) != entry
    ]
    return [
        _rewrite(rows[start : start + _ROWS_PER_STEP])
        for start in range(0, len(rows), _ROWS_PER_STEP)
    ]


def _redact(entry: Entry) -> Entry:
    """Copy an entry without the name and the words of a player."""
    match entry:
        case log.SayEntry():
            return replace(entry, name=ERASED_NAME, text="…")
        case log.SitEntry():
            return replace(entry, name=ERASED_NAME)
        case log.ChooseEntry() | log.DrawEntry() | log.UndoEntry() | log.TakebackEntry():
            return entry
        case log.LeaveEntry() | log.StartEntry() | log.ResignEntry() | log.RematchEntry():
            return entry
        case log.TakebackRequestEntry() | log.TakebackAnswerEntry() | log.ClockResetEntry():
            return entry
        case log.TakeOverEntry() | log.SeatReturnedEntry() | log.KickEntry() | log.CloseEntry():
            return entry
        case _:
            assert_never(entry)


def _rewrite(rows: list[dict[str, object]]) -> ErasureStep:
    here = (entries.c.table_id == bindparam("of"), entries.c.seq == bindparam("at"))
    statement = update(entries).where(*here).values(body=bindparam("said"))

    def change(connection: Connection) -> None:
        connection.execute(statement, rows)

    return change


def erase(connection: Connection, player: str) -> None:
    """Delete a player's mutes and reports."""
    connection.execute(
        delete(mutes).where(or_(mutes.c.player_id == player, mutes.c.muted_id == player))
    )
    connection.execute(delete(reports).where(reports.c.reporter_id == player))


_find_listed = referenced_in(
    seatings.c.player_id, tables.c.owner, mutes.c.player_id, mutes.c.muted_id, reports.c.reporter_id
)


def find_known(connection: Connection, ids: Collection[str]) -> set[str]:
    """Find which of some players own a table, have a seat, or have sent a command to one."""
    known = _find_listed(connection, ids)
    # Players who left again, or only chatted, are found by the idempotency keys of their requests.
    heads = {f"{player}:" for player in ids if player not in known}
    for length in {len(head) for head in heads}:
        head = func.substr(entries.c.idempotency_key, 1, length)
        found = connection.scalars(select(head).where(head.in_(heads)).distinct())
        known |= {text.removesuffix(":") for text in found}
    return known


def _find_entries(connection: Connection, player: str) -> list[tuple[str, int, Entry]]:
    """Find the entries that name a player, such as a seat taken or a message sent."""
    # A message without a seat is found by the JSON of its entry, which names the player.
    named = entries.c.body.contains(f'"player": "{player}"', autoescape=True)
    wanted = select(entries.c.table_id, entries.c.seq, entries.c.body).where(named)
    found = []
    for row in connection.execute(wanted):
        entry = from_json(row.body)
        if getattr(entry, "player", None) == player:
            found.append((row.table_id, row.seq, entry))
    return found


def make_seat_vacater(hub: Hub) -> Callable[[str], Awaitable[None]]:
    """Make the function that vacates the seats of a player at all live tables."""

    async def leave(player: str) -> None:
        live_now = ("open", "running")
        wanted = (
            select(seatings.c.table_id)
            .join(tables, tables.c.id == seatings.c.table_id)
            .where(seatings.c.player_id == player, tables.c.status.in_(live_now))
            .distinct()
        )
        for table in await hub.read(lambda connection: list(connection.scalars(wanted))):
            with suppress(PleasanceError):  # the game has just ended
                await (await hub.find(table)).execute(lambda room: _leave_all(room, player))

    return leave


def _leave_all(room: Room, player: str) -> tuple[Entry, ...]:
    done: tuple[Entry, ...] = ()
    for seat in room.seats_of(player):
        if room.status == "open":
            done += commands.leave(room, player, seat, stand_in="")
        elif room.status == "running" and not room.places[seat].has_resigned:
            done += commands.resign(room, player, seat, stand_in=fallback_player(room.game))
    return done


TABLE_DATA = PersonalDataSource("tables", export, erase, find_known, plan_erasure)
