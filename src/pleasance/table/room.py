"""Event sourcing: a room is a fold over its event log, from the first seat taken to the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias, assert_never

from pleasance.core.errors import BadRecordError, BadSetupError
from pleasance.core.game import AnyGame, Seat, check_seats
from pleasance.table import entries as log
from pleasance.table.entries import Entry, GameEntry, RoomEntry
from pleasance.table.history import Visibility
from pleasance.table.table import Table
from pleasance.table.table_config import FREE, SeatAssignment, TableConfig
from pleasance.table.time_control import Clocks

AnyTable: TypeAlias = Table[Any, Any, Any, Any]

EVERYBODY = Visibility()

_NO_SEATS: frozenset[Seat] = frozenset()


class LogEntry(NamedTuple):
    """One entry of the event log with the visibility of its token; its `seq` counts from 1."""

    entry: Entry
    visibility: Visibility


class Room:
    """One table with its players: a fold over its event log.

    A room applies entries and answers questions about its state. Whether a command is allowed is
    decided in `pleasance.table.commands`.
    """

    def __init__(self, game: AnyGame, config: TableConfig, *, clock: Callable[[], float]) -> None:
        check_seats(game, config.seats)
        if game.spec.rules_version != config.rules:
            raise BadSetupError("save_rules", rules=config.rules, ours=game.spec.rules_version)
        self.game = game
        self.config = config
        self.places = [FREE] * config.seats
        self.table: AnyTable | None = None
        self.log: list[LogEntry] = []
        self.clocks = Clocks(config.time_control, config.seats) if config.time_control else None
        self.takeback_by: Seat | None = None
        """The seat that requests a takeback."""

        self.takeback_ply = 0
        """How many tokens the record will have if all agree."""

        self.takeback_agreed: frozenset[Seat] = frozenset()
        self.banned: frozenset[str] = frozenset()
        self.rematch: str | None = None
        self.closed: str | None = None
        """The reason why the table was closed, once it was."""

        self.status = "open"
        """The phase of the table: `open`, `running`, `over` or `closed`."""

        self.ending: str | None = None
        """The way the game ended: `finished` or `resigned`; `None` while it goes on."""

        self.waiting: tuple[Seat, ...] = ()
        """The seats that must choose now."""

        self._holders: dict[str, tuple[Seat, ...]] | None = None
        self._clock = clock
        self._last = 0.0

    @property
    def people(self) -> tuple[Seat, ...]:
        """List the seats that a person plays now."""
        return tuple(Seat(n) for n, place in enumerate(self.places) if place.is_played_by_person)

    def seats_of(self, player: str | None) -> tuple[Seat, ...]:
        """List the seats of *player*."""
        return () if player is None else self.holders.get(player, ())

    @property
    def holders(self) -> Mapping[str, tuple[Seat, ...]]:
        """The seats of each player."""
        held = self._holders
        if held is None:
            held = self._holders = {}
            for n, place in enumerate(self.places):
                if place.player is not None:
                    held[place.player] = (*held.get(place.player, ()), Seat(n))
        return held

    def now(self) -> float:
        """Read the clock; the result never goes back, even if the clock of the machine does."""
        return max(self._last, float(self._clock()))

    @property
    def changed_at(self) -> float:
        """The time of the newest entry; 0 for an empty log."""
        return self._last

    def due(self) -> float | None:
        """Compute when the next seat's time is up."""
        if self.clocks is None:
            return None
        dues = [due for seat in self.waiting if (due := self.clocks.due(seat)) is not None]
        return min(dues, default=None)

    def apply(self, entries: Sequence[Entry]) -> None:
        """Apply the next entries of the log."""
        for entry in entries:
            if not isinstance(entry, GameEntry):
                self._check(entry)
                self._change(entry)
                self._holders = None  # the seats may have changed hands
                self._append(entry, EVERYBODY)
            elif self.table is None:
                raise BadRecordError("log_entry")
            else:
                self.table.apply([entry])
                self._append(entry, self.table.visibilities[-1])
            self._run_clocks(entry.at)

    def record(self, entries: Sequence[GameEntry]) -> tuple[Entry, ...]:
        """Append entries that the game's own table has applied already; return them."""
        assert self.table is not None, "a game is on"
        for entry, visibility in zip(
            entries, self.table.visibilities[-len(entries) :], strict=True
        ):
            self._append(entry, visibility)
        self._run_clocks(self._last)
        return tuple(entries)

    def roll_back(self, entries: Sequence[Entry]) -> bool:
        """Remove the last *entries*, which were never published; return whether that was possible.

        Only choices and draws can be removed, and only in a game without clocks.
        """
        moves = [entry for entry in entries if isinstance(entry, log.ChooseEntry | log.DrawEntry)]
        if self.table is None or self.clocks is not None or len(moves) < len(entries):
            return False
        self.table.roll_back(moves)
        del self.log[len(self.log) - len(moves) :]
        self._last = self.log[-1].entry.at
        self._sum_up()
        return True

    def begin(self, entry: log.StartEntry) -> tuple[Entry, ...]:
        """Start the game and make its first draws; return all new entries."""
        self.table = self._open_table(is_replica=False)
        self._append(entry, EVERYBODY)
        return entry, *self.record(self.table.log)

    def _open_table(self, *, is_replica: bool) -> AnyTable:
        """Set up the game with the nonces of all seats."""
        return Table(
            self.game,
            self.config.fair(tuple(place.nonce for place in self.places)),
            opening=self.config.opening,
            players=[place.name for place in self.places],
            clock=self.now,
            is_replica=is_replica,
        )

    def _append(self, entry: Entry, visibility: Visibility) -> None:
        """Append an entry to the log, and stop the clocks that it stops."""
        self.log.append(LogEntry(entry, visibility))
        self._last = max(self._last, entry.at)
        if isinstance(entry, GameEntry) and _ends_takeback(entry):
            self.takeback_by, self.takeback_agreed = None, _NO_SEATS
        if self.clocks is not None:
            self._stop_clocks(self.clocks, entry)

    def _stop_clocks(self, clocks: Clocks, entry: Entry) -> None:  # noqa: C901  (a closed match)
        match entry:
            case log.ChooseEntry(seat):
                clocks.stop(seat, entry.at)
            case log.UndoEntry(seat):
                clocks.undo(seat)
            case log.TakeOverEntry(seat):
                clocks.hold(seat, entry.at)
            case log.DrawEntry() | log.TakebackEntry():
                clocks.forget_choices()
            case log.ClockResetEntry(at):
                clocks.reset(at)
            case log.SitEntry() | log.LeaveEntry() | log.StartEntry() | log.SayEntry():
                pass
            case log.ResignEntry() | log.SeatReturnedEntry() | log.KickEntry():
                pass
            case log.TakebackRequestEntry() | log.TakebackAnswerEntry():
                pass
            case log.RematchEntry() | log.CloseEntry():
                pass
            case _:
                assert_never(entry)

    def _run_clocks(self, at: float) -> None:
        """Update the summary, and run the clocks of the people who must choose."""
        self._sum_up()
        if self.clocks is not None:
            self.clocks.run(sorted(set(self.people).intersection(self.waiting)), at)

    def _check(self, entry: RoomEntry) -> None:
        """Refuse an entry for a seat that is not there, or a second start."""
        is_second = isinstance(entry, log.StartEntry) and self.table is not None
        if is_second or getattr(entry, "seat", 0) not in range(self.config.seats):
            raise BadRecordError("log_entry")

    def _sum_up(self) -> None:
        """Update the ending, the status and the seats to choose; stored, being read often."""
        self.ending = None if self.table is None else self._find_ending(self.table)
        if self.ending is not None:
            self.status = "over"
        elif self.closed is not None:
            self.status = "closed"
        else:
            self.status = "open" if self.table is None else "running"
        is_running = self.table is not None and self.status == "running"
        self.waiting = self.table.waiting if self.table is not None and is_running else ()

    def _find_ending(self, table: AnyTable) -> str | None:
        if table.is_over:
            return "finished"
        playing = [place for place in self.places if not place.has_resigned]
        if len(playing) == len(self.places):
            return None
        has_rivals = len(playing) > 1
        has_people = any(place.player is not None for place in playing)
        return None if has_rivals and has_people else "resigned"

    def _change(self, entry: RoomEntry) -> None:  # noqa: C901, PLR0912  (a closed match)
        """Apply an entry that leaves the position as it is."""
        match entry:
            case log.SitEntry(seat, player, name, bot, nonce):
                self.places[seat] = SeatAssignment(player=player, name=name, bot=bot, nonce=nonce)
            case log.LeaveEntry(seat):
                self.places[seat] = FREE
            case log.StartEntry():
                self.table = self._open_table(is_replica=True)
            case log.ResignEntry(seat):
                self._change_place(seat, has_resigned=True, why="resigned", left=self._left(seat))
            case log.TakeOverEntry(seat, bot, why):
                self._change_place(seat, stand_in=bot, why=why, left=self._left(seat))
            case log.SeatReturnedEntry(seat):
                self._change_place(seat, stand_in=None, why="", left=0)
            case log.TakebackRequestEntry(seat, ply):
                self.takeback_by, self.takeback_ply = seat, ply
                self.takeback_agreed = frozenset({seat})
            case log.TakebackAnswerEntry(seat, agrees):
                self.takeback_by = self.takeback_by if agrees else None
                self.takeback_agreed = self.takeback_agreed | {seat} if agrees else _NO_SEATS
            case log.KickEntry(player, is_ban):
                self.banned |= {player} if is_ban else set()
                if self.table is None:
                    self.places = [FREE if p.player == player else p for p in self.places]
            case log.RematchEntry(table):
                self.rematch = table
            case log.CloseEntry(why):
                self.closed = why
            case log.ClockResetEntry() | log.SayEntry():
                pass
            case _:
                assert_never(entry)

    def _left(self, seat: Seat) -> int:
        """Find the seq at which a player left: an earlier one, or that of the current entry."""
        return self.places[seat].left or len(self.log) + 1

    def _change_place(self, seat: Seat, **facts: Any) -> None:
        self.places[seat] = replace(self.places[seat], **facts)


def _ends_takeback(entry: GameEntry) -> bool:
    """Return whether an entry ends a pending takeback request."""
    match entry:
        case log.ChooseEntry() | log.UndoEntry() | log.TakebackEntry():
            return True
        case log.DrawEntry():
            return False
        case _:
            assert_never(entry)
