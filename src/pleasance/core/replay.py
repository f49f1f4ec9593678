"""Replay: carries out a record by the rules, which gives every position of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias

from pleasance.core.errors import (
    BadNotationError,
    BadRecordError,
    IllegalActionError,
    PleasanceError,
)
from pleasance.core.game import A, Choose, Draw, Game, O, Over, S, Seat, V
from pleasance.core.record import HIDDEN_DRAW, Record, Token, shorten
from pleasance.core.steps import Chose, Drew, Step, check_choice, read_choice, read_outcome
from pleasance.core.tags import check_result, check_tags

DrawCallback: TypeAlias = Callable[[S, O, Token], None]
"""Called with the position, the outcome and the token of a draw in a record."""

_MAX_LISTED_ACTIONS = 12
"""The largest number of choices that an error lists."""


@dataclass(frozen=True, slots=True)
class Replay(Generic[S, A, O]):
    """The steps and the last position of a record that was carried out."""

    steps: tuple[Step[S, A, O], ...]
    state: S
    """The position after the last step."""

    pending: tuple[A, ...] = ()
    """Choices of the first seats of a simultaneous turn in which the record breaks off."""


def replay(
    game: Game[S, A, O, V],
    record: Record,
    *,
    is_partial: bool = False,
    on_draw: DrawCallback[S, O] | None = None,
) -> Replay[S, A, O]:
    """Carry out *record* from the start; with *is_partial* it may break off before the end.

    *on_draw* is called with each draw before it is carried out.
    """
    state = game.start(check_tags(game, record))
    _check_no_hidden_draws(record)
    return _Replayer(game, record, is_partial=is_partial, on_draw=on_draw).run(state)


class _Replayer(Generic[S, A, O, V]):
    """Carries out a record token by token."""

    def __init__(
        self,
        game: Game[S, A, O, V],
        record: Record,
        *,
        is_partial: bool,
        on_draw: DrawCallback[S, O] | None,
    ) -> None:
        self._game = game
        self._record = record
        self._is_partial = is_partial
        self._on_draw = on_draw
        self._tokens = record.tokens
        self._position = 0

    def run(self, state: S) -> Replay[S, A, O]:
        """Carry out the record; stop where it breaks off, or refuse it there."""
        game = self._game
        steps: list[Step[S, A, O]] = []
        while not isinstance(turn := game.turn(state), Over):
            if isinstance(turn, Choose):
                choices = self._choices(state, turn.seats)
                if len(choices) < len(turn.seats):
                    self._expect_partial(state, turn, len(choices))
                    return Replay(tuple(steps), state, choices)
                steps.append(Chose(state, turn.seats, choices, game.play(state, choices)))
            elif self._count_unread():
                steps.append(self._draw(state, turn.to))
            else:
                self._expect_partial(state, turn, 0)
                return Replay(tuple(steps), state)
            state = steps[-1].after
        self._expect_end(state)
        return Replay(tuple(steps), state)

    def _count_unread(self) -> int:
        """Count the tokens that have not been read."""
        return len(self._tokens) - self._position

    def _draw(self, state: S, to: Seat | None) -> Drew[S, O]:
        """Carry out one draw."""
        token = self._tokens[self._position]
        try:
            outcome = read_outcome(self._game, token.text)
            if self._on_draw is not None:
                self._on_draw(state, outcome, token)
            after = self._game.reveal(state, outcome)
        except (BadNotationError, IllegalActionError) as refusal:
            possible = [outcome for outcome, _ in self._game.chances(state)]
            raise self._refuse(refusal, "draw", 0, possible) from refusal
        self._position += 1
        return Drew(state, to, outcome, after)

    def _choices(self, state: S, seats: Sequence[Seat]) -> tuple[A, ...]:
        """Read one choice for each of *seats*; fewer if the record breaks off."""
        choices: list[A] = []
        for seat in seats[: self._count_unread()]:
            try:
                choice = read_choice(self._game, self._tokens[self._position].text)
                check_choice(self._game, state, seat, choice)
            except (BadNotationError, IllegalActionError) as refusal:
                legal = self._game.legal(state, seat)
                raise self._refuse(refusal, "choice", seat + 1, legal) from refusal
            choices.append(choice)
            self._position += 1
        return tuple(choices)

    def _expect_end(self, state: S) -> None:
        """Refuse tokens after the end of the game, and a result that differs."""
        if self._count_unread():
            extra, place = self._tokens[self._position], self._position + 1
            token = shorten(extra.text)
            raise BadRecordError("record_goes_on", line=extra.line, token=token, place=place)
        check_result(self._record, self._game.scores(state))

    def _expect_partial(self, state: S, turn: Choose | Draw, pending: int) -> None:
        """Refuse a record that breaks off and list the legal tokens, unless it may be partial."""
        if self._is_partial:
            return
        seat, due = 0, "draw"
        legal: Sequence[object]
        if isinstance(turn, Choose):
            chooser = turn.seats[pending]
            seat, due, legal = chooser + 1, "choice", self._game.legal(state, chooser)
        else:
            legal = [outcome for outcome, _ in self._game.chances(state)]
        raise BadRecordError(
            "record_ends_early",
            line=self._record.last_line(),
            place=len(self._tokens) + 1,
            due=due,
            seat=seat,
            legal=list_actions(legal),
        )

    def _refuse(
        self, refusal: PleasanceError, due: str, seat: int, legal: Sequence[object]
    ) -> PleasanceError:
        """Make the error of a token, with its place and the legal tokens."""
        token = self._tokens[self._position]
        is_unreadable = isinstance(refusal, BadNotationError)
        return type(refusal)(
            "record_unreadable" if is_unreadable else "record_illegal",
            line=token.line,
            token=shorten(token.text),
            place=self._position + 1,
            due=due,
            seat=seat,
            legal=list_actions(legal),
        )


def list_actions(actions: Sequence[object]) -> str:
    """List the notation of *actions*, shortened where there are many."""
    shown = " ".join(str(action) for action in actions[:_MAX_LISTED_ACTIONS])
    return f"{shown} …" if len(actions) > _MAX_LISTED_ACTIONS else shown


def _check_no_hidden_draws(record: Record) -> None:
    """Refuse a record of one seat's view, which hides draws."""
    for place, token in enumerate(record.tokens, start=1):
        if token.text == HIDDEN_DRAW:
            raise BadRecordError("record_needs_full", line=token.line, place=place)
