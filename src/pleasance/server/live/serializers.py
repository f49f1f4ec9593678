"""Serializers: rooms, clocks, views and log entries as messages on the wire."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import assert_never

import msgspec

from pleasance.core.game import Seat
from pleasance.core.record import HIDDEN_DRAW
from pleasance.server.base.messages import (
    Clock,
    LogEntryView,
    SeatClock,
    SeatInfo,
    SeatView,
    TableInfo,
)
from pleasance.server.base.view_codec import ViewCache
from pleasance.table import entries as log
from pleasance.table.room import LogEntry, Room
from pleasance.table.table_config import SeatAssignment


def table_info_to_wire(table: str, room: Room) -> TableInfo:
    """Make the public info of a table: everything but the position."""
    config = room.config
    time_control = config.time_control
    return TableInfo(
        id=table,
        game=config.game,
        rules=config.rules,
        options=config.options,
        data=room.game.data.name,
        is_rated=config.is_rated,
        is_public=config.is_public,
        clock=None if time_control is None else Clock(time_control.move, time_control.bank),
        owner=config.owner,
        status=room.status,
        ending=room.ending,
        commitment=config.commitment,
        places=tuple(map(_seat_to_wire, room.places)),
        takeback_by=room.takeback_by,
        takeback_agreed=tuple(sorted(room.takeback_agreed)),
        rematch=room.rematch,
        opening=len(config.opening),
    )


def _seat_to_wire(place: SeatAssignment) -> SeatInfo:
    return SeatInfo(
        player=place.player,
        name=place.name,
        bot=place.plays,
        has_left=place.left > 0,
        has_resigned=place.has_resigned,
    )


def clocks_to_wire(room: Room) -> tuple[SeatClock, ...]:
    """Make the clocks of all seats; nothing in a game without clocks."""
    clocks = room.clocks
    if clocks is None:
        return ()
    return tuple(SeatClock(bank, clocks.due(Seat(n))) for n, bank in enumerate(clocks.banks))


def hidden_choices_to_wire(room: Room) -> tuple[int, ...]:
    """List the seats whose choice is still secret."""
    return () if room.table is None else tuple(sorted(room.table.chose))


def seat_view_to_wire(
    room: Room, seat: Seat | None, view_cache: ViewCache | None = None
) -> SeatView:
    """Make the view of one seat; `None` is a spectator.

    A *view_cache* of this position holds the parts that all seats share.
    """
    table = room.table
    assert table is not None, "a game is on"
    view_cache = view_cache or ViewCache(room.game, table.view)
    position = msgspec.Raw(view_cache.encode(seat))
    if seat is None:
        return SeatView(None, position, (), None, can_undo=False)
    choice, write = table.choice(seat), room.game.space.write
    is_played = room.status == "running" and room.places[seat].plays is None
    may_choose = is_played and seat in room.waiting
    return SeatView(
        seat=seat,
        position=position,
        legal=tuple(map(write, view_cache.view(seat).legal)) if may_choose else (),
        chosen=None if choice is None else write(choice),
        can_undo=is_played and table.can_undo(seat),
    )


def log_to_wire(
    room: Room, after_seq: int, seats: Collection[Seat], muted: Collection[str] = ()
) -> Iterator[LogEntryView]:
    """Make the entries after *after_seq*, as the holder of *seats* may read them."""
    for seq, entry in enumerate(room.log[after_seq:], start=after_seq + 1):
        if not (isinstance(entry.entry, log.SayEntry) and entry.entry.player in muted):
            yield entry_to_wire(seq, entry, seats)


def entry_to_wire(  # noqa: C901  (a closed match)
    seq: int, logged: LogEntry, seats: Collection[Seat]
) -> LogEntryView:
    """Make one entry of the log, as the holder of *seats* may read it."""
    entry, visibility = logged
    kind, at = entry.kind, entry.at
    match entry:
        case log.ChooseEntry(seat, _, token):
            shown = token if visibility.visible_to(seats) else None
            return LogEntryView(seq, kind, at, seat=seat, token=shown, tokens=visibility.revealed)
        case log.DrawEntry(_, token):
            shown = token if visibility.visible_to(seats) else HIDDEN_DRAW
            return LogEntryView(seq, kind, at, seat=visibility.only, token=shown)
        case log.SayEntry(player, name, text):
            return LogEntryView(seq, kind, at, name=name, player=player, text=text)
        case log.SitEntry(seat, player, name):
            return LogEntryView(seq, kind, at, seat=seat, name=name, player=player)
        case log.TakeOverEntry(seat, bot, why):
            return LogEntryView(seq, kind, at, seat=seat, name=bot, text=why)
        case log.TakebackAnswerEntry(seat, agrees):
            return LogEntryView(seq, kind, at, seat=seat, text="yes" if agrees else "no")
        case log.KickEntry(player):
            return LogEntryView(seq, kind, at, player=player)
        case log.RematchEntry(text) | log.CloseEntry(text):
            return LogEntryView(seq, kind, at, text=text)
        case log.UndoEntry(seat) | log.LeaveEntry(seat) | log.TakebackRequestEntry(seat):
            return LogEntryView(seq, kind, at, seat=seat)
        case log.ResignEntry(seat) | log.SeatReturnedEntry(seat):
            return LogEntryView(seq, kind, at, seat=seat)
        case log.StartEntry() | log.ClockResetEntry() | log.TakebackEntry():
            return LogEntryView(seq, kind, at)
        case _:
            assert_never(entry)
