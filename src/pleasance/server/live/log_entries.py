"""The log of a table in lines, as one seat may read it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from pleasance.core.game import Seat
from pleasance.core.record import HIDDEN
from pleasance.server.base.messages import Line
from pleasance.table.entries import (
    AnswerEntry,
    ChooseEntry,
    CloseEntry,
    DrawEntry,
    Entry,
    KickEntry,
    RematchEntry,
    SayEntry,
    SitEntry,
    TakeOverEntry,
    name_entry,
)
from pleasance.table.room import Happening, Room


def show_lines(
    room: Room, since: int, seats: Collection[Seat], muted: Collection[str] = ()
) -> Iterator[Line]:
    """Write the lines after the first *since*, as who holds *seats* may read them."""
    for n, happening in enumerate(room.happenings[since:], start=since + 1):
        entry = happening.entry
        if isinstance(entry, SayEntry) and entry.player in muted:
            continue
        yield show_line(n, happening, seats)


def show_line(n: int, happening: Happening, seats: Collection[Seat]) -> Line:
    """Write one line of the log."""
    entry, sight = happening
    what, at = name_entry(entry), entry.at
    is_seen = sight.only is None or sight.only in seats
    match entry:
        case ChooseEntry(seat, _, token):
            shown = token if is_seen else None
            return Line(n, what, at, seat=seat, token=shown, tokens=sight.revealed)
        case DrawEntry(_, token):
            return Line(n, what, at, seat=sight.only, token=token if is_seen else HIDDEN)
        case SayEntry(player, name, text):
            return Line(n, what, at, name=name, player=player, text=text)
        case SitEntry(seat, player, name):
            return Line(n, what, at, seat=seat, name=name, player=player)
        case _:
            return Line(n, what, at, **_details(entry))


def _details(entry: Entry) -> dict[str, Any]:
    """Find what else a line must tell."""
    match entry:
        case TakeOverEntry(seat, bot, why):
            return {"seat": seat, "name": bot, "text": why}
        case AnswerEntry(seat, agrees):
            return {"seat": seat, "text": "yes" if agrees else "no"}
        case KickEntry(player):
            return {"player": player}
        case RematchEntry(table):
            return {"text": table}
        case CloseEntry(why):
            return {"text": why}
        case _:
            return {"seat": getattr(entry, "seat", None)}
