"""A room: everything about one table, from who sits down to the last word, from its log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from pleasance.core.errors import BadRecordError, BadSetupError
from pleasance.core.game import AnyGame, Seat, check_seats
from pleasance.table.entries import (
    AnewEntry,
    AnswerEntry,
    AskEntry,
    BackEntry,
    ChooseEntry,
    CloseEntry,
    DrawEntry,
    Entry,
    GameEntry,
    HandBackEntry,
    KickEntry,
    LeaveEntry,
    RematchEntry,
    ResignEntry,
    SayEntry,
    SitEntry,
    StartEntry,
    TakeOverEntry,
    UndoEntry,
)
from pleasance.table.history import Sight
from pleasance.table.table import Table
from pleasance.table.table_config import FREE, Place, Plan
from pleasance.table.time_control import Clocks

AnyTable: TypeAlias = Table[Any, Any, Any, Any]

EVERYBODY = Sight()

_NOBODY: frozenset[Seat] = frozenset()
_STEPS = frozenset((ChooseEntry, UndoEntry, BackEntry))
"""Entries after which a question whether to go back is none any more."""


class Happening(NamedTuple):
    """One line of the log, and who may read its token."""

    entry: Entry
    sight: Sight


class Room:
    """One table with its people; a fold over its log.

    Nothing here decides whether something may be done (`pleasance.table.commands` does): a room
    carries out what the log tells, and answers what is the case.
    """

    def __init__(self, game: AnyGame, plan: Plan, *, clock: Callable[[], float]) -> None:
        check_seats(game, plan.seats)
        if game.spec.rules_version != plan.rules:
            raise BadSetupError("save_rules", rules=plan.rules, ours=game.spec.rules_version)
        self.game = game
        self.plan = plan
        self.places = [FREE] * plan.seats
        self.table: AnyTable | None = None
        self.happenings: list[Happening] = []
        self.clocks = Clocks(plan.timing, plan.seats) if plan.timing else None
        self.asks_back: Seat | None = None
        self.back_to = 0
        """How many tokens the record would have, if all agree with who asks."""

        self.agreed: frozenset[Seat] = frozenset()
        self.banned: frozenset[str] = frozenset()
        self.rematch: str | None = None
        self.closed: str | None = None
        """Why the table was put away, once it was."""

        self.status = "open"
        """How far the table is: `open`, `running`, `over` or `closed`."""

        self.ending: str | None = None
        """How the game has ended: `finished` or `resigned`; `None` while it goes on."""

        self.waiting: tuple[Seat, ...] = ()
        """The seats that must choose now."""

        self._holders: dict[str, tuple[Seat, ...]] | None = None
        self._clock = clock
        self._last = 0.0

    @property
    def people(self) -> tuple[Seat, ...]:
        """Name the seats that a person plays now."""
        return tuple(Seat(n) for n, place in enumerate(self.places) if place.is_played_by_person)

    def seats_of(self, player: str | None) -> tuple[Seat, ...]:
        """Name the seats of *player*."""
        return () if player is None else self.holders.get(player, ())

    @property
    def holders(self) -> Mapping[str, tuple[Seat, ...]]:
        """Name the seats of each player."""
        held = self._holders
        if held is None:
            held = self._holders = {}
            for n, place in enumerate(self.places):
                if place.player is not None:
                    held[place.player] = (*held.get(place.player, ()), Seat(n))
        return held

    def now(self) -> float:
        """Tell the time; it never goes back, whatever the clock of the machine does."""
        return max(self._last, float(self._clock()))

    @property
    def changed_at(self) -> float:
        """Tell when something happened last; 0 before anything did."""
        return self._last

    def due(self) -> float | None:
        """Tell when the next seat's time is up."""
        if self.clocks is None:
            return None
        dues = [due for seat in self.waiting if (due := self.clocks.due(seat)) is not None]
        return min(dues, default=None)

    def follow(self, entries: Sequence[Entry]) -> None:
        """Carry out what the log tells next."""
        for entry in entries:
            if not isinstance(entry, ChooseEntry | DrawEntry | UndoEntry | BackEntry):
                self._check(entry)
                self._change(entry)
                self._holders = None  # perhaps others sit here now
                self._note(entry, EVERYBODY)
            elif self.table is None:
                raise BadRecordError("log_entry")
            else:
                self.table.follow([entry])
                self._note(entry, self.table.sights[-1])
            self._run_clocks(entry.at)

    def note(self, entries: Sequence[GameEntry]) -> tuple[Entry, ...]:
        """Take in what the game's own table has done already; give the entries."""
        assert self.table is not None, "a game is on"
        for entry, sight in zip(entries, self.table.sights[-len(entries) :], strict=True):
            self._note(entry, sight)
        self._run_clocks(self._last)
        return tuple(entries)

    def forget(self, entries: Sequence[Entry]) -> bool:
        """Be as before the last *entries*, which nobody has heard of; tell whether that is done.

        Only choices and draws can be forgotten, and only where no clock stands because of them.
        """
        moves = [entry for entry in entries if isinstance(entry, ChooseEntry | DrawEntry)]
        if self.table is None or self.clocks is not None or len(moves) < len(entries):
            return False
        self.table.forget(moves)
        del self.happenings[len(self.happenings) - len(moves) :]
        self._last = self.happenings[-1].entry.at
        self._sum_up()
        return True

    def begin(self, entry: StartEntry) -> tuple[Entry, ...]:
        """Begin the game and make its first draws; give all new entries."""
        self.table = self._open_table(is_following=False)
        self._note(entry, EVERYBODY)
        return entry, *self.note(self.table.log)

    def _open_table(self, *, is_following: bool) -> AnyTable:
        """Lay out the game with the nonces of all who sit here."""
        return Table(
            self.game,
            self.plan.fair(tuple(place.nonce for place in self.places)),
            opening=self.plan.opening,
            players=[place.name for place in self.places],
            clock=self.now,
            is_following=is_following,
        )

    def _note(self, entry: Entry, sight: Sight) -> None:
        """Add a line to the log, and stop the clocks that should stand."""
        self.happenings.append(Happening(entry, sight))
        self._last = max(self._last, entry.at)
        if type(entry) in _STEPS:
            self.asks_back, self.agreed = None, _NOBODY
        if self.clocks is None:
            return
        match entry:
            case ChooseEntry(seat):
                self.clocks.stop(seat, entry.at)
            case UndoEntry(seat):
                self.clocks.take_back(seat)
            case TakeOverEntry(seat):
                self.clocks.hold(seat, entry.at)
            case DrawEntry() | BackEntry():
                self.clocks.settle()
            case _:
                pass

    def _run_clocks(self, at: float) -> None:
        """Find out who must choose now, and let the clocks of the people among them run."""
        self._sum_up()
        if self.clocks is not None:
            self.clocks.run(sorted(set(self.people).intersection(self.waiting)), at)

    def _check(self, entry: Entry) -> None:
        """Refuse a line for a seat that is not there, or a game that begins twice."""
        is_second = isinstance(entry, StartEntry) and self.table is not None
        if is_second or getattr(entry, "seat", 0) not in range(self.plan.seats):
            raise BadRecordError("log_entry")

    def _sum_up(self) -> None:
        """Find out how far the table is now; it is asked for often."""
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

    def _change(self, entry: Entry) -> None:
        """Carry out what is not a move of the game."""
        match entry:
            case SitEntry(seat, player, name, bot, nonce):
                self.places[seat] = Place(player=player, name=name, bot=bot, nonce=nonce)
            case LeaveEntry(seat):
                self.places[seat] = FREE
            case StartEntry():
                self.table = self._open_table(is_following=True)
            case ResignEntry() | TakeOverEntry() | HandBackEntry():
                self.places[entry.seat] = self._change_place(self.places[entry.seat], entry)
            case AskEntry(seat, ply):
                self.asks_back, self.back_to, self.agreed = seat, ply, frozenset({seat})
            case AnswerEntry(seat, agrees):
                self.asks_back = self.asks_back if agrees else None
                self.agreed = self.agreed | {seat} if agrees else frozenset()
            case _:
                self._change_around(entry)

    def _change_place(
        self, place: Place, entry: ResignEntry | TakeOverEntry | HandBackEntry
    ) -> Place:
        """Let a bot stand in, or the player come back."""
        left = place.left or len(self.happenings) + 1
        match entry:
            case ResignEntry():
                return replace(place, has_resigned=True, why="resigned", left=left)
            case TakeOverEntry():
                return replace(place, stand_in=entry.bot, why=entry.why, left=left)
            case HandBackEntry():
                return replace(place, stand_in=None, why="", left=0)

    def _change_around(self, entry: Entry) -> None:
        """Carry out what concerns neither the game nor the seats."""
        match entry:
            case AnewEntry(at) if self.clocks is not None:
                self.clocks.start_anew(at)
            case KickEntry(player, is_ban):
                self.banned |= {player} if is_ban else set()
                if self.table is None:
                    self.places = [FREE if p.player == player else p for p in self.places]
            case RematchEntry(table):
                self.rematch = table
            case CloseEntry(why):
                self.closed = why
            case _:
                assert isinstance(entry, SayEntry), f"{entry} is forgotten"
