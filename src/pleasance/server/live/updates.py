"""What is told about a table after a change, and to a newcomer: made once, cut for each seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from pleasance.core.game import Seat
from pleasance.server.base.messages import Line, SeatView, Snapshot, TableInfo, Update
from pleasance.server.base.view_codec import Showing, encode_box
from pleasance.server.live.log_entries import show_line
from pleasance.server.live.serializers import (
    show_chose,
    show_clocks,
    show_info,
    show_view,
)
from pleasance.server.live.services import Watcher
from pleasance.table.entries import ChooseEntry, DrawEntry, SayEntry, UndoEntry
from pleasance.table.room import Room

_NEWEST = 100
"""How many lines of the log a newcomer is shown."""

_MOVES = frozenset((ChooseEntry, DrawEntry, UndoEntry, SayEntry))
"""Entries that change nothing in what everybody may know besides the position."""

_encode = msgspec.json.Encoder().encode

_END = b'],"lines":[]}'
"""How an update ends that shows nothing and has no lines."""


class Position(NamedTuple):
    """By what one tells that a position is another one."""

    ply: int
    undone: int
    status: str
    asks_back: Seat | None
    """Not the position, but it changes with it, and everybody must be told."""


def find_position(room: Room) -> Position:
    """Tell where a room is."""
    table = room.table
    ply, undone = (0, 0) if table is None else (table.ply, table.undone)
    return Position(ply, undone, room.status, room.asks_back)


class Bulletin:
    """The news of a table since so many lines."""

    def __init__(self, table: str, room: Room, since: int, before: Bulletin | None) -> None:
        """Gather what all are told; *before* is what those who are told have been told last."""
        self._id = table
        self.room = room
        self.position = now = find_position(room)
        then = None if before is None else before.position
        self._has_moved = now != then
        self._has_answer = then is not None and then.asks_back != now.asks_back
        self._happenings = room.happenings[since:]
        self._views: dict[Seat | None, bytes] = {}
        self.showing = self._show(before)
        lines = enumerate(self._happenings, start=since + 1)
        self._public = tuple([show_line(n, happening, ()) for n, happening in lines])
        self._secret_to = {happening.sight.only for happening in self._happenings}
        self._info = self._news()
        self._chose, self._clocks = show_chose(room), show_clocks(room)
        self._scores = () if room.table is None else room.table.scores
        self._common: tuple[bytes, bytes] | None = None

    def _show(self, before: Bulletin | None) -> Showing | None:
        """Prepare to show the position; a secret choice leaves it as it was shown *before*."""
        table = self.room.table
        if table is None:
            return None
        if before is None or before.showing is None or before.room is not self.room:
            return Showing(self.room.game, table.view)
        was, now = before.position, self.position
        if (was.ply, was.undone) == (now.ply, now.undone):
            return before.showing
        return Showing(self.room.game, table.view, before.showing)

    def write_letters(self, watchers: Iterable[Watcher]) -> list[tuple[Watcher, bytes]]:
        """Write the news for each watcher; who sees the same gets the same."""
        made: dict[tuple[tuple[Seat, ...], frozenset[str]], bytes] = {}
        letters: list[tuple[Watcher, bytes]] = []
        held = self.room.holders
        for watcher in watchers:
            look = seats, muted = held.get(watcher.player or "", ()), watcher.muted
            if look not in made:
                made[look] = self.update(seats, muted)
            letters.append((watcher, made[look]))
        return letters

    def update(self, seats: tuple[Seat, ...], muted: frozenset[str]) -> bytes:
        """Tell who holds *seats* what has happened; what all are told alike is written once."""
        if self._common is None:
            self._common = self._write_head(), _encode(self._public)
        head, public = self._common
        lines = self.lines(seats, muted)
        written = public if lines is self._public else _encode(lines)
        views = b",".join([self._view(seat) for seat in self._seers(seats)])
        return b'%b%b],"lines":%b}' % (head, views, written)

    def _write_head(self) -> bytes:
        """Write an update up to where the views begin."""
        room = self.room
        written = _encode(
            Update(
                table=self._id,
                seq=len(room.happenings),
                info=self._info,
                ply=self.position.ply,
                undone=self.position.undone,
                waiting=room.waiting,
                chose=self._chose,
                clocks=self._clocks,
                scores=self._scores,
                views=(),
                lines=(),
            )
        )
        assert written.endswith(_END), written[-20:]
        return written[: -len(_END)]

    def _news(self) -> TableInfo | None:
        """Show what everybody may know, if it has changed."""
        are_moves = _MOVES.issuperset([type(happening.entry) for happening in self._happenings])
        if are_moves and self.room.status == "running" and not self._has_answer:
            return None
        return show_info(self._id, self.room)

    def views(self, seats: tuple[Seat, ...]) -> tuple[SeatView, ...]:
        """Show the position to whom it looks another; what did not change need not be sent."""
        return tuple([show_view(self.room, seat, self.showing) for seat in self._seers(seats)])

    def _seers(self, seats: tuple[Seat, ...]) -> Sequence[Seat | None]:
        """Name those of *seats* to which the position looks another; a spectator has none."""
        if self.room.table is None:
            return ()
        if self._has_moved:
            return seats or (None,)
        named = {getattr(happening.entry, "seat", None) for happening in self._happenings}
        return [seat for seat in seats if seat in named]

    def _view(self, seat: Seat | None) -> bytes:
        """Write what *seat* sees."""
        if seat not in self._views:
            self._views[seat] = _encode(show_view(self.room, seat, self.showing))
        return self._views[seat]

    def lines(self, seats: tuple[Seat, ...], muted: frozenset[str]) -> tuple[Line, ...]:
        """Write the lines as who holds *seats* may read them."""
        if not muted and self._secret_to.isdisjoint(seats):
            return self._public
        return tuple(
            show_line(line.n, happening, seats) if happening.sight.only in seats else line
            for line, happening in zip(self._public, self._happenings, strict=True)
            if not (isinstance(happening.entry, SayEntry) and happening.entry.player in muted)
        )


def make_snapshot(
    table: str,
    room: Room,
    *,
    player: str | None,
    muted: frozenset[str],
    since: int | None,
    present: tuple[Sequence[bool], int],
) -> bytes:
    """Show all of a table to *player*, who has seen the lines up to *since*."""
    count, seats = len(room.happenings), room.seats_of(player)
    first = max(0, count - _NEWEST) if since is None or since > count else since
    news = Bulletin(table, room, first, None)
    now = find_position(room)
    return _encode(
        Snapshot(
            table=table,
            seq=count,
            info=show_info(table, room),
            ply=now.ply,
            undone=now.undone,
            waiting=room.waiting,
            chose=show_chose(room),
            clocks=show_clocks(room),
            scores=() if room.table is None else room.table.scores,
            views=news.views(seats),
            box=msgspec.Raw(encode_box(room.game, room.plan.seats)),
            here=tuple(present[0]),
            watching=present[1],
            lines=news.lines(seats, muted),
        )
    )
