"""The course of a game: the steps carried out so far and the choices that wait, from its log."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Generic, NamedTuple

from pleasance.core.errors import BadRecordError, IllegalActionError, StaleChoiceError
from pleasance.core.fair import Fair
from pleasance.core.game import A, Choose, Draw, Game, O, Over, S, Seat, Turn, V
from pleasance.core.steps import Chose, Drew, Step, check_choice, count_tokens, read_choice
from pleasance.table.entries import (
    BackEntry,
    ChooseEntry,
    DrawEntry,
    Entry,
    GameEntry,
    UndoEntry,
)
from pleasance.table.opening_tokens import carry_out


class Sight(NamedTuple):
    """Who may read the token of an entry, and what it brought to light."""

    only: Seat | None = None
    """The one seat that may; `None`: everybody."""

    revealed: tuple[str, ...] = ()
    """The choices of a simultaneous turn, in the order of its seats, with the last of them."""


class Course(Generic[S, A, O, V]):
    """What has become of a game; entries change it, and it never decides anything itself.

    The steps of an *opening* are given: no entry tells of them, and nobody takes them back.
    """

    def __init__(self, game: Game[S, A, O, V], fair: Fair, opening: Sequence[str] = ()) -> None:
        seats = len(fair.nonces)
        self._game = game
        self._fair = fair
        self._start = game.start(seats)
        self.steps: list[Step[S, A, O]] = list(carry_out(game, seats, opening))
        self.given = len(self.steps)
        """How many steps were given."""

        self.state = self.steps[-1].after if self.steps else self._start
        """The position."""

        self.turn: Turn = game.turn(self.state)
        """What happens next."""

        self.pending: dict[Seat, A] = {}
        self.log: list[GameEntry] = []
        self.sights: list[Sight] = []
        """For each entry of the log, who may read it."""

        self.ply = count_tokens(self.steps)
        self.drawn: list[int] = []
        """The numbers of the draws that stand in the record."""

        self.last_draw = 0
        """The highest number a draw has had; none is used twice."""

        self.undone = 0
        self._open: dict[Seat, int] | None = None
        """What `open_choices` has found at this position; all seats ask."""

    def check_turn(self, seat: Seat, ply: int) -> None:
        """Refuse a choice that is not due."""
        turn = self.turn
        if isinstance(turn, Over):
            raise IllegalActionError("game_over")
        if ply != self.ply:
            raise StaleChoiceError("stale", ply=ply, now=self.ply)
        if seat in self.pending:
            raise IllegalActionError("already_chosen")
        if not isinstance(turn, Choose) or seat not in turn.seats:
            raise IllegalActionError("not_your_turn")

    def take(self, entry: ChooseEntry, choice: A) -> None:
        """Note a choice; carry the turn out when it was the last one."""
        turn, state = self.turn, self.state
        assert isinstance(turn, Choose), f"seat {entry.seat + 1} chooses in {turn}"
        chosen = {**self.pending, entry.seat: choice}
        is_secret = len(turn.seats) > 1
        sight = Sight(entry.seat) if is_secret else Sight()
        if len(chosen) == len(turn.seats):
            choices = tuple(chosen[seat] for seat in turn.seats)
            self._step(Chose(state, turn.seats, choices, self._game.play(state, choices)))
            self.ply += len(choices)
            chosen = {}
            if is_secret:
                write = self._game.space.write
                sight = Sight(entry.seat, tuple([write(choice) for choice in choices]))
        self.pending = chosen
        self._write(entry, sight)

    def draw(self, entry: DrawEntry, to: Seat | None, outcome: O) -> None:
        """Note a draw and carry it out."""
        state = self.state
        self._step(Drew(state, to, outcome, self._game.reveal(state, outcome)))
        self.ply += 1
        self.drawn.append(entry.index)
        self.last_draw = entry.index
        self._write(entry, Sight(to))

    def forget(self, entries: Sequence[ChooseEntry | DrawEntry]) -> None:
        """Be as before the last *entries*, which nobody has heard of, as if they had never been."""
        for entry in reversed(entries):
            assert self.log[-1] is entry, f"{entry} is not the last"
            del self.log[-1], self.sights[-1]
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
        """Find each seat's last choice with nothing hidden come out since: how many steps precede.

        Draws, simultaneous choices and the end of the game bring hidden facts to light.
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

    def take_back(self, entry: UndoEntry) -> None:
        """Go back to where the seat chose last."""
        seat = entry.seat
        if seat in self.pending:
            del self.pending[seat]
        elif seat in (places := self.open_choices()):
            self._cut(places[seat])
        else:
            own = self.steps[self.given :]
            has_chosen = any(isinstance(step, Chose) and seat in step.seats for step in own)
            raise IllegalActionError("cannot_undo" if has_chosen else "nothing_to_undo")
        self._write(entry, Sight())

    def last_choice(self, seats: Collection[Seat]) -> int | None:
        """Tell how many tokens the record had when one of *seats* chose last."""
        ply = self.ply
        for step in reversed(self.steps[self.given :]):
            ply -= count_tokens([step])
            if isinstance(step, Chose) and not set(seats).isdisjoint(step.seats):
                return ply
        return None

    def go_back(self, entry: BackEntry) -> None:
        """Drop a choice and what followed; draws are made anew with new numbers."""
        ply, place = self.ply, len(self.steps)
        while place > self.given and ply > entry.ply:
            place -= 1
            ply -= count_tokens([self.steps[place]])
        if ply != entry.ply or not any(isinstance(s, Chose) for s in self.steps[place : place + 1]):
            raise BadRecordError("log_entry")
        self._cut(place)
        self._write(entry, Sight())

    def redo(self, entry: Entry) -> None:
        """Do again what the log tells."""
        match entry:
            case ChooseEntry(seat, ply, token):
                self.check_turn(seat, ply)
                choice = read_choice(self._game, token)
                check_choice(self._game, self.state, seat, choice)
                self.take(entry, choice)
            case DrawEntry():
                self._redraw(entry)
            case UndoEntry():
                self.take_back(entry)
            case BackEntry():
                self.go_back(entry)
            case _:
                raise BadRecordError("log_entry")

    def _step(self, step: Step[S, A, O]) -> None:
        """Go one step on."""
        self.steps.append(step)
        self._stand_at(step.after)

    def _stand_at(self, state: S) -> None:
        """Take up another position."""
        self.state, self.turn, self._open = state, self._game.turn(state), None

    def _step_back(self) -> Step[S, A, O]:
        """Go one step back; give it."""
        step = self.steps.pop()
        self._stand_at(step.before)
        self.ply -= count_tokens([step])
        if isinstance(step, Drew):
            self.drawn.pop()
        return step

    def _write(self, entry: GameEntry, sight: Sight) -> None:
        """Add an entry that was carried out to the log."""
        self.log.append(entry)
        self.sights.append(sight)

    def _cut(self, place: int) -> None:
        """Drop all steps from *place* on, and the choices that wait."""
        dropped = self.steps[place:]
        del self.steps[place:]
        self._stand_at(self.steps[-1].after if self.steps else self._start)
        self.ply -= count_tokens(dropped)
        if draws := sum(isinstance(step, Drew) for step in dropped):
            del self.drawn[-draws:]
        self.pending = {}
        self.undone += 1

    def _redraw(self, entry: DrawEntry) -> None:
        """Make a draw of the log again; refuse one that should have been another."""
        turn = self.turn
        if not isinstance(turn, Draw) or entry.index <= self.last_draw:
            raise BadRecordError("log_draw", index=entry.index)
        outcome = self._fair.draw(entry.index, self._game.chances(self.state))
        if str(outcome) != entry.token:
            # What it should have been may be hidden from whoever reads this.
            raise BadRecordError("log_draw", index=entry.index)
        self.draw(entry, turn.to, outcome)
