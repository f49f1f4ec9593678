"""The history of one game as a fold over its log: the steps so far and the hidden choices."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Generic, NamedTuple, assert_never

from pleasance.core.errors import BadRecordError, IllegalActionError, StaleChoiceError
from pleasance.core.fair_draws import FairDraws
from pleasance.core.game import A, Choose, Draw, Game, O, Over, S, Seat, Turn, V
from pleasance.core.steps import Chose, Drew, Step, check_choice, count_tokens, read_choice
from pleasance.table.entries import ChooseEntry, DrawEntry, GameEntry, TakebackEntry, UndoEntry
from pleasance.table.opening_tokens import replay_opening


class Visibility(NamedTuple):
    """Visibility of an entry's token, and the choices that the entry revealed."""

    only: Seat | None = None
    """The only seat that may read the token; `None`: everybody."""

    revealed: tuple[str, ...] = ()
    """The choices of a simultaneous turn, in the order of its seats, with the last of them."""

    def visible_to(self, seats: Collection[Seat]) -> bool:
        """Return whether the holder of *seats* may read the token."""
        return self.only is None or self.only in seats


class GameHistory(Generic[S, A, O, V]):
    """The steps, position and pending choices of a game; changed by entries, it decides nothing.

    The steps of an *opening* are given: they have no entries and cannot be taken back.
    """

    def __init__(
        self, game: Game[S, A, O, V], fair: FairDraws, opening: Sequence[str] = ()
    ) -> None:
        seats = len(fair.nonces)
        self._game = game
        self._fair = fair
        self._start = game.start(seats)
        self.steps: list[Step[S, A, O]] = list(replay_opening(game, seats, opening))
        self.given = len(self.steps)
        """The number of steps given by the opening."""

        self.state = self.steps[-1].after if self.steps else self._start
        self.turn: Turn = game.turn(self.state)

        self.pending: dict[Seat, A] = {}
        self.log: list[GameEntry] = []
        self.visibilities: list[Visibility] = []
        """The visibility of each entry of the log."""

        self.ply = count_tokens(self.steps)
        self.drawn: list[int] = []
        """The numbers of the draws that stand in the record."""

        self.last_draw = 0
        """The highest number a draw has had; none is used twice."""

        self.revision = 0
        self._open: dict[Seat, int] | None = None
        """Cache of `open_choices` for this position."""

    def check_turn(self, seat: Seat, ply: int) -> None:
        """Refuse a stale choice, and one of a seat that need not choose."""
        turn = self.turn
        if isinstance(turn, Over):
            raise IllegalActionError("game_over")
        if ply != self.ply:
            raise StaleChoiceError("stale", ply=ply, now=self.ply, reverted="no")
        if seat in self.pending:
            raise IllegalActionError("already_chosen")
        if not isinstance(turn, Choose) or seat not in turn.seats:
            raise IllegalActionError("not_your_turn")

    def take(self, entry: ChooseEntry, choice: A) -> None:
        """Record a choice; play the turn once all its seats have chosen."""
        turn, state = self.turn, self.state
        assert isinstance(turn, Choose), f"seat {entry.seat + 1} chooses in {turn}"
        chosen = {**self.pending, entry.seat: choice}
        is_secret = len(turn.seats) > 1
        visibility = Visibility(entry.seat) if is_secret else Visibility()
        if len(chosen) == len(turn.seats):
            choices = tuple(chosen[seat] for seat in turn.seats)
            self._step(Chose(state, turn.seats, choices, self._game.play(state, choices)))
            self.ply += len(choices)
            chosen = {}
            if is_secret:
                write = self._game.space.write
                visibility = Visibility(entry.seat, tuple([write(choice) for choice in choices]))
        self.pending = chosen
        self._write(entry, visibility)

    def draw(self, entry: DrawEntry, to: Seat | None, outcome: O) -> None:
        """Record a draw and apply it."""
        state = self.state
        self._step(Drew(state, to, outcome, self._game.reveal(state, outcome)))
        self.ply += 1
        self.drawn.append(entry.index)
        self.last_draw = entry.index
        self._write(entry, Visibility(to))

    def roll_back(self, entries: Sequence[ChooseEntry | DrawEntry]) -> None:
        """Remove the last *entries*, which were never published."""
        for entry in reversed(entries):
            assert self.log[-1] is entry, f"{entry} is not the last"
            del self.log[-1], self.visibilities[-1]
            if isinstance(entry, DrawEntry):
                self._step_back()
                self.last_draw = entry.index - 1
            elif entry.seat in self.pending:
                del self.pending[entry.seat]
            else:
                step = self._step_back()
                assert isinstance(step, Chose), f"{entry} came to {step}"
                self.pending = dict(zip(step.seats, step.choices, strict=True))
                del self.pending[entry.seat]

    def open_choices(self) -> Mapping[Seat, int]:
        """Count the steps before each seat's last choice, if nothing hidden was revealed since.

        Draws, simultaneous choices and the end of the game reveal hidden facts.
        """
        if self._open is None:
            self._open = {}
            place = 0 if isinstance(self.turn, Over) else len(self.steps)
            while place > self.given:
                step = self.steps[place - 1]
                if isinstance(step, Drew) or len(step.seats) > 1:
                    break
                place -= 1
                self._open.setdefault(step.seats[0], place)
        return self._open

    def undo(self, entry: UndoEntry) -> None:
        """Undo the last choice of one seat."""
        seat = entry.seat
        if seat in self.pending:
            del self.pending[seat]
        elif seat in (places := self.open_choices()):
            self._cut(places[seat])
        else:
            own = self.steps[self.given :]
            has_chosen = any(isinstance(step, Chose) and seat in step.seats for step in own)
            raise IllegalActionError("cannot_undo" if has_chosen else "nothing_to_undo")
        self._write(entry, Visibility())

    def last_choice(self, seats: Collection[Seat]) -> int | None:
        """Find how many tokens the record had when one of *seats* chose last."""
        ply = self.ply
        for step in reversed(self.steps[self.given :]):
            ply -= count_tokens([step])
            if isinstance(step, Chose) and not set(seats).isdisjoint(step.seats):
                return ply
        return None

    def apply_takeback(self, entry: TakebackEntry) -> None:
        """Take back a choice and all that followed; later draws get new numbers."""
        ply, place = self.ply, len(self.steps)
        while place > self.given and ply > entry.ply:
            place -= 1
            ply -= count_tokens([self.steps[place]])
        if ply != entry.ply or not any(isinstance(s, Chose) for s in self.steps[place : place + 1]):
            raise BadRecordError("log_entry")
        self._cut(place)
        self._write(entry, Visibility())

    def apply_entry(self, entry: GameEntry) -> None:
        """Apply an entry of the log again."""
        match entry:
            case ChooseEntry(seat, ply, token):
                self.check_turn(seat, ply)
                choice = read_choice(self._game, token)
                check_choice(self._game, self.state, seat, choice)
                self.take(entry, choice)
            case DrawEntry():
                self._redraw(entry)
            case UndoEntry():
                self.undo(entry)
            case TakebackEntry():
                self.apply_takeback(entry)
            case _:
                assert_never(entry)

    def _step(self, step: Step[S, A, O]) -> None:
        """Add a step."""
        self.steps.append(step)
        self._stand_at(step.after)

    def _stand_at(self, state: S) -> None:
        """Set the position and what follows from it."""
        self.state, self.turn, self._open = state, self._game.turn(state), None

    def _step_back(self) -> Step[S, A, O]:
        """Remove the last step and return it."""
        step = self.steps.pop()
        self._stand_at(step.before)
        self.ply -= count_tokens([step])
        if isinstance(step, Drew):
            self.drawn.pop()
        return step

    def _write(self, entry: GameEntry, visibility: Visibility) -> None:
        """Append an applied entry to the log."""
        self.log.append(entry)
        self.visibilities.append(visibility)

    def _cut(self, place: int) -> None:
        """Remove all steps from *place* on, and the pending choices."""
        dropped = self.steps[place:]
        del self.steps[place:]
        self._stand_at(self.steps[-1].after if self.steps else self._start)
        self.ply -= count_tokens(dropped)
        if draws := sum(isinstance(step, Drew) for step in dropped):
            del self.drawn[-draws:]
        self.pending = {}
        self.revision += 1

    def _redraw(self, entry: DrawEntry) -> None:
        """Repeat a draw of the log; refuse one that differs from the committed secret."""
        turn = self.turn
        if not isinstance(turn, Draw) or entry.index <= self.last_draw:
            raise BadRecordError("log_draw", index=entry.index)
        outcome = self._fair.draw(entry.index, self._game.chances(self.state))
        if str(outcome) != entry.token:
            # The right outcome may be hidden from the reader of this error.
            raise BadRecordError("log_draw", index=entry.index)
        self.draw(entry, turn.to, outcome)
