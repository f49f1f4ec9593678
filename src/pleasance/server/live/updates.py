"""Snapshots and deltas of a room, encoded once and cut to what each watcher may see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, assert_never

import msgspec

from pleasance.core.game import Seat
from pleasance.server.base.messages import LogEntryView, SeatView, Snapshot, TableInfo, Update
from pleasance.server.base.view_codec import ViewCache, encode_box
from pleasance.server.live.serializers import (
    clocks_to_wire,
    entry_to_wire,
    hidden_choices_to_wire,
    seat_view_to_wire,
    table_info_to_wire,
)
from pleasance.table import entries as log
from pleasance.table.entries import Entry
from pleasance.table.room import Room

_MAX_SNAPSHOT_ENTRIES = 100

_encode = msgspec.json.Encoder().encode

_EMPTY_END = b'],"entries":[]}'
"""The end of an encoded update without views and entries."""


class Watcher(Protocol):
    """A subscriber to the updates of a room."""

    @property
    def player(self) -> str | None:
        """The player, or `None` for a stranger."""

    @property
    def muted(self) -> frozenset[str]:
        """The players whose chat messages are left out."""

    def enqueue_update(self, table: str, message: bytes, *, is_held: bool = False) -> None:
        """Queue a message about a table without waiting.

        A held message may leave together with the response that comes next.
        """


class PositionKey(NamedTuple):
    """Values that differ whenever two positions of a room differ."""

    ply: int
    revision: int
    status: str
    takeback_by: Seat | None
    """Not part of the position, but published whenever it changes."""


def position_key(room: Room) -> PositionKey:
    """Make the key of the room's position."""
    table = room.table
    ply, revision = (0, 0) if table is None else (table.ply, table.revision)
    return PositionKey(ply, revision, room.status, room.takeback_by)


class UpdateBatch:
    """The delta of a room after entry *since*, for all watchers."""

    def __init__(self, table: str, room: Room, since: int, before: UpdateBatch | None) -> None:
        """Collect what is public; *before* is the update published last."""
        self._id = table
        self.room = room
        self.position = now = position_key(room)
        then = None if before is None else before.position
        self._has_moved = now != then
        self._has_takeback = then is not None and then.takeback_by != now.takeback_by
        self._entries = room.log[since:]
        self._views: dict[Seat | None, bytes] = {}
        self.view_cache = self._make_view_cache(before)
        numbered = enumerate(self._entries, start=since + 1)
        self._public = tuple([entry_to_wire(seq, entry, ()) for seq, entry in numbered])
        self._secret_to = {entry.visibility.only for entry in self._entries}
        self._info = self._changed_info()
        self._chose, self._clocks = hidden_choices_to_wire(room), clocks_to_wire(room)
        self._scores = () if room.table is None else room.table.scores
        self._common: tuple[bytes, bytes] | None = None

    def _make_view_cache(self, before: UpdateBatch | None) -> ViewCache | None:
        """Make the cache of encoded views; a hidden choice leaves that of *before* valid."""
        table = self.room.table
        if table is None:
            return None
        if before is None or before.view_cache is None or before.room is not self.room:
            return ViewCache(self.room.game, table.view)
        was, now = before.position, self.position
        if (was.ply, was.revision) == (now.ply, now.revision):
            return before.view_cache
        return ViewCache(self.room.game, table.view, before.view_cache)

    def encode_for_watchers(self, watchers: Iterable[Watcher]) -> list[tuple[Watcher, bytes]]:
        """Encode the update for each watcher; equal audiences share one message."""
        encoded: dict[tuple[tuple[Seat, ...], frozenset[str]], bytes] = {}
        messages: list[tuple[Watcher, bytes]] = []
        held = self.room.holders
        for watcher in watchers:
            audience = seats, muted = held.get(watcher.player or "", ()), watcher.muted
            if audience not in encoded:
                encoded[audience] = self.update(seats, muted)
            messages.append((watcher, encoded[audience]))
        return messages

    def update(self, seats: tuple[Seat, ...], muted: frozenset[str]) -> bytes:
        """Encode the update for the holder of *seats*; common parts are encoded once."""
        if self._common is None:
            self._common = self._encode_head(), _encode(self._public)
        head, public = self._common
        entries = self.entries(seats, muted)
        encoded = public if entries is self._public else _encode(entries)
        views = b",".join([self._encode_view(seat) for seat in self._changed_seats(seats)])
        return b'%b%b],"entries":%b}' % (head, views, encoded)

    def _encode_head(self) -> bytes:
        """Encode an update up to its views."""
        room = self.room
        encoded = _encode(
            Update(
                table=self._id,
                seq=len(room.log),
                info=self._info,
                ply=self.position.ply,
                revision=self.position.revision,
                waiting=room.waiting,
                chose=self._chose,
                clocks=self._clocks,
                scores=self._scores,
                views=(),
                entries=(),
            )
        )
        assert encoded.endswith(_EMPTY_END), encoded[-20:]
        return encoded[: -len(_EMPTY_END)]

    def _changed_info(self) -> TableInfo | None:
        """Make the public table info, if it has changed."""
        has_changed = any(_changes_info(logged.entry) for logged in self._entries)
        if not has_changed and self.room.status == "running" and not self._has_takeback:
            return None
        return table_info_to_wire(self._id, self.room)

    def views(self, seats: tuple[Seat, ...]) -> tuple[SeatView, ...]:
        """Make the views of those seats for which the position has changed."""
        return tuple(
            [
                seat_view_to_wire(self.room, seat, self.view_cache)
                for seat in self._changed_seats(seats)
            ]
        )

    def _changed_seats(self, seats: tuple[Seat, ...]) -> Sequence[Seat | None]:
        """List those of *seats* whose view has changed; `None` stands for a spectator."""
        if self.room.table is None:
            return ()
        if self._has_moved:
            return seats or (None,)
        named = {getattr(entry.entry, "seat", None) for entry in self._entries}
        return [seat for seat in seats if seat in named]

    def _encode_view(self, seat: Seat | None) -> bytes:
        if seat not in self._views:
            self._views[seat] = _encode(seat_view_to_wire(self.room, seat, self.view_cache))
        return self._views[seat]

    def entries(self, seats: tuple[Seat, ...], muted: frozenset[str]) -> tuple[LogEntryView, ...]:
        """Make the entries as the holder of *seats* may read them."""
        if not muted and self._secret_to.isdisjoint(seats):
            return self._public
        return tuple(
            entry_to_wire(shown.seq, entry, seats) if entry.visibility.only in seats else shown
            for shown, entry in zip(self._public, self._entries, strict=True)
            if not (isinstance(entry.entry, log.SayEntry) and entry.entry.player in muted)
        )


def _changes_info(entry: Entry) -> bool:
    """Return whether an entry may change the public table info while the game runs."""
    match entry:
        case log.ChooseEntry() | log.DrawEntry() | log.UndoEntry() | log.SayEntry():
            return False
        case log.TakebackEntry() | log.SitEntry() | log.LeaveEntry() | log.StartEntry():
            return True
        case log.TakebackRequestEntry() | log.TakebackAnswerEntry() | log.ClockResetEntry():
            return True
        case log.ResignEntry() | log.TakeOverEntry() | log.SeatReturnedEntry() | log.KickEntry():
            return True
        case log.RematchEntry() | log.CloseEntry():
            return True
        case _:
            assert_never(entry)


def make_snapshot(
    table: str,
    room: Room,
    watcher: Watcher,
    *,
    since: int | None,
    presence: tuple[Sequence[bool], int],
) -> bytes:
    """Encode a snapshot of a room for a watcher that knows the entries up to *since*."""
    seq, seats = len(room.log), room.seats_of(watcher.player)
    first = max(0, seq - _MAX_SNAPSHOT_ENTRIES) if since is None or since > seq else since
    batch = UpdateBatch(table, room, first, None)
    return _encode(
        Snapshot(
            table=table,
            seq=seq,
            info=table_info_to_wire(table, room),
            ply=batch.position.ply,
            revision=batch.position.revision,
            waiting=room.waiting,
            chose=hidden_choices_to_wire(room),
            clocks=clocks_to_wire(room),
            scores=() if room.table is None else room.table.scores,
            views=batch.views(seats),
            box=msgspec.Raw(encode_box(room.game, room.config.seats)),
            here=tuple(presence[0]),
            watching=presence[1],
            entries=batch.entries(seats, watcher.muted),
        )
    )
