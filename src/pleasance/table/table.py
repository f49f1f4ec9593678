"""A table: seats, secret choices, draws, undo and the log of one live game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import time
from typing import Generic, TypeAlias, assert_never

from pleasance.core.errors import (
    BadRecordError,
    IllegalActionError,
    PleasanceError,
    StaleChoiceError,
)
from pleasance.core.fair import Fair, make_tag
from pleasance.core.game import A, Choose, Draw, Game, O, Over, S, Seat, Seen, V, check_seats
from pleasance.core.record import Record, Token
from pleasance.core.steps import (
    Chose,
    Drew,
    Step,
    check_choice,
    count_tokens,
    full_tokens,
    read_choice,
    seat_events,
    seat_tokens,
    see_step,
)
from pleasance.core.tags import make_tags
from pleasance.table.entries import ChooseEntry, DrawEntry, Entry, UndoEntry

Clock: TypeAlias = Callable[[], float]
"""Tells the time in seconds since 1970."""


class Table(Generic[S, A, O, V]):
    """One live game; whoever sits at it sees views and records, never the state.

    A table follows from its game, its source of draws and its log: give the *log* of an earlier
    one to go on with it. Draws that are due are made at once, so that a table at rest waits for
    choices or is over.
    """

    def __init__(
        self,
        game: Game[S, A, O, V],
        fair: Fair,
        *,
        log: Sequence[Entry] = (),
        players: Sequence[str] = (),
        clock: Clock = time,
    ) -> None:
        self.game = game
        self.fair = fair
        self.players = tuple(players)
        self._clock = clock
        check_seats(game, self.seats)
        self._start = game.start(self.seats)
        self._steps: list[Step[S, A, O]] = []
        self._pending: dict[Seat, A] = {}
        self._log: list[Entry] = []
        self._drawn: list[int] = []
        self._undone = 0
        for place, entry in enumerate(log, start=1):
            try:
                self._redo(entry)
            except PleasanceError as refusal:
                raise BadRecordError("log_broken", place=place) from refusal
        self._make_draws()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]  # a table changes

    @property
    def seats(self) -> int:
        """Count the seats."""
        return len(self.fair.nonces)

    @property
    def log(self) -> tuple[Entry, ...]:
        """Give all entries so far; they tell secrets."""
        return tuple(self._log)

    @property
    def ply(self) -> int:
        """Count the tokens of the record; secret choices are not among them yet."""
        return count_tokens(self._steps)

    @property
    def is_over(self) -> bool:
        """Tell whether the game has ended."""
        return isinstance(self.game.turn(self._state), Over)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """Name the seats that must choose now."""
        turn = self.game.turn(self._state)
        if not isinstance(turn, Choose):
            return ()
        return tuple(seat for seat in turn.seats if seat not in self._pending)

    def view(self, seat: Seat | None) -> V:
        """Show what *seat* knows; `None` is a spectator."""
        return self.game.view(self._state, seat)

    def choice(self, seat: Seat) -> A | None:
        """Remind *seat* of its own secret choice, while it is one."""
        return self._pending.get(seat)

    def events(self, seat: Seat | None) -> tuple[Seen, ...]:
        """Tell what *seat* has seen happen, one event for each token of its record."""
        return tuple(seat_events(self._steps, seat))

    def story(self, seat: Seat | None, since: int = 0) -> Iterator[tuple[V, tuple[Seen, ...], V]]:
        """Go through the steps *since* so many: the view before, what was seen, the view after."""
        for step in self._steps[since:]:
            before, after = self.game.view(step.before, seat), self.game.view(step.after, seat)
            yield before, see_step(step, seat), after

    @property
    def steps(self) -> int:
        """Count the steps: a draw is one, and so are choices made at the same time."""
        return len(self._steps)

    def final_state(self) -> S:
        """Show the whole truth, once the game is over and nothing is hidden any more."""
        if not self.is_over:
            raise IllegalActionError("record_not_over")
        return self._state

    @property
    def undone(self) -> int:
        """Count how often tokens of the record were taken back."""
        return self._undone

    def choose(
        self, seat: Seat, choice: A | str, ply: int, *, undone: int | None = None
    ) -> tuple[Entry, ...]:
        """Take a choice that *seat* made when the record had *ply* tokens; give the new entries.

        After an undo the record may have as many tokens as before and be another one: who chooses
        from afar tells also how often it had seen tokens *undone*.
        """
        known = len(self._log)
        if undone is not None and undone != self._undone:
            raise StaleChoiceError("stale", ply=ply, now=self.ply)
        self._check_turn(seat, ply)
        action = read_choice(self.game, choice) if isinstance(choice, str) else choice
        check_choice(self.game, self._state, seat, action)
        self._take(ChooseEntry(seat, ply, str(action), self._now()), action)
        self._make_draws()
        return tuple(self._log[known:])

    def can_undo(self, seat: Seat) -> bool:
        """Tell whether *seat* may take back its last choice: nothing hidden has come out since."""
        return seat in self._pending or seat in self._open_choices()

    def undo(self, seat: Seat) -> tuple[Entry, ...]:
        """Take back the last choice of *seat*, and what others chose after it; give the entry."""
        entry = UndoEntry(seat, self._now())
        self._take_back(entry)
        return (entry,)

    def record_for(self, seat: Seat | None) -> Record:
        """Write down what *seat* has seen; `None` is a spectator."""
        return self._record(seat_tokens(self.game, self._steps, seat), is_revealed=self.is_over)

    def full_record(self, *, is_owner: bool = False) -> Record:
        """Write down all, with the secret of the draws: at the end, or for who owns it anyway."""
        if not is_owner and not self.is_over:
            raise IllegalActionError("record_not_over")
        return self._record(full_tokens(self.game, self._steps), is_revealed=True)

    @property
    def _state(self) -> S:
        return self._steps[-1].after if self._steps else self._start

    def _now(self) -> float:
        return float(self._clock())

    def _facts(self) -> tuple[object, ...]:
        game = self.game
        box = (game.spec.name, game.options, game.data)
        return (*box, self.fair, self.players, self._log, self._steps, self._pending)

    def _check_turn(self, seat: Seat, ply: int) -> None:
        """Refuse a choice that is not due."""
        if self.is_over:
            raise IllegalActionError("game_over")
        if ply != self.ply:
            raise StaleChoiceError("stale", ply=ply, now=self.ply)
        if seat in self._pending:
            raise IllegalActionError("already_chosen")
        if seat not in self.waiting:
            raise IllegalActionError("not_your_turn")

    def _take(self, entry: ChooseEntry, choice: A) -> None:
        """Note a choice; carry the turn out when it was the last one."""
        turn, state = self.game.turn(self._state), self._state
        assert isinstance(turn, Choose), f"seat {entry.seat + 1} chooses in {turn}"
        chosen = {**self._pending, entry.seat: choice}
        if len(chosen) == len(turn.seats):
            choices = tuple(chosen[seat] for seat in turn.seats)
            self._steps.append(Chose(state, turn.seats, choices, self.game.play(state, choices)))
            chosen = {}
        self._pending = chosen
        self._log.append(entry)

    def _make_draws(self) -> None:
        """Make the draws that are due, each with a new index."""
        while isinstance(turn := self.game.turn(self._state), Draw):
            index = self._drawn[-1] + 1 if self._drawn else 1
            outcome = self.fair.draw(index, self.game.chances(self._state))
            self._draw(DrawEntry(index, str(outcome), self._now()), turn.to, outcome)

    def _draw(self, entry: DrawEntry, to: Seat | None, outcome: O) -> None:
        """Note a draw and carry it out."""
        state = self._state
        self._steps.append(Drew(state, to, outcome, self.game.reveal(state, outcome)))
        self._drawn.append(entry.index)
        self._log.append(entry)

    def _open_choices(self) -> dict[Seat, int]:
        """Find each seat's last choice with nothing hidden come out since: how many steps precede.

        Draws, simultaneous choices and the end of the game bring hidden facts to light.
        """
        found: dict[Seat, int] = {}
        place = 0 if self.is_over else len(self._steps)
        while place:
            step = self._steps[place - 1]
            if isinstance(step, Drew) or len(step.seats) > 1:
                break
            place -= 1
            found.setdefault(step.seats[0], place)
        return found

    def _take_back(self, entry: UndoEntry) -> None:
        """Go back to where the seat chose last."""
        seat = entry.seat
        if seat in self._pending:
            del self._pending[seat]
        elif seat in (places := self._open_choices()):
            del self._steps[places[seat] :]
            self._pending = {}
            self._undone += 1
        else:
            has_chosen = any(isinstance(s, Chose) and seat in s.seats for s in self._steps)
            raise IllegalActionError("cannot_undo" if has_chosen else "nothing_to_undo")
        self._log.append(entry)

    def _redo(self, entry: Entry) -> None:
        """Do again what the log tells."""
        match entry:
            case ChooseEntry(seat, ply, token):
                self._check_turn(seat, ply)
                choice = read_choice(self.game, token)
                check_choice(self.game, self._state, seat, choice)
                self._take(entry, choice)
            case DrawEntry():
                self._redraw(entry)
            case UndoEntry():
                self._take_back(entry)
            case _:
                assert_never(entry)

    def _redraw(self, entry: DrawEntry) -> None:
        """Make a draw of the log again; refuse one that should have been another."""
        turn = self.game.turn(self._state)
        if not isinstance(turn, Draw) or entry.index <= (self._drawn[-1] if self._drawn else 0):
            raise BadRecordError("log_draw", index=entry.index)
        outcome = self.fair.draw(entry.index, self.game.chances(self._state))
        if str(outcome) != entry.token:
            # What it should have been may be hidden from whoever reads this.
            raise BadRecordError("log_draw", index=entry.index)
        self._draw(entry, turn.to, outcome)

    def _record(self, tokens: tuple[Token, ...], *, is_revealed: bool) -> Record:
        scores = self.game.scores(self._state) if self.is_over else None
        tag = str(make_tag(self.fair, self._drawn, is_revealed=is_revealed))
        tags = make_tags(self.game, self.seats, players=self.players, scores=scores, fair=tag)
        return Record(tags, tokens)
