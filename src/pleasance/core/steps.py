"""Steps: the choices and draws of a game that have been carried out, and their tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Generic, NamedTuple, TypeAlias, cast

from pleasance.core.errors import BadNotationError, IllegalActionError
from pleasance.core.game import A, AnyGame, Choose, Game, O, S, Seat, SeenEvent, V
from pleasance.core.record import HIDDEN_DRAW, Token


class Chose(NamedTuple, Generic[S, A]):
    """The choice of one seat, or the simultaneous choices of several."""

    before: S
    seats: tuple[Seat, ...]
    choices: tuple[A, ...]
    """One choice for each of the seats."""

    after: S


class Drew(NamedTuple, Generic[S, O]):
    """A draw; *to* is the only seat that saw the outcome, `None` means all."""

    before: S
    to: Seat | None
    outcome: O
    after: S


Step: TypeAlias = Chose[S, A] | Drew[S, O]
AnyStep: TypeAlias = Chose[Any, Any] | Drew[Any, Any]


def read_choice(game: Game[S, A, O, V], text: str) -> A:
    """Read the notation of a choice; refuse that of a draw."""
    found = game.space.read(text)
    if found is not None:
        return found
    action = game.parse(text)
    if action not in game.space:
        raise BadNotationError("not_a_choice", token=text)
    return cast(A, action)


def read_outcome(game: Game[S, A, O, V], text: str) -> O:
    """Read the notation of an outcome; refuse that of a choice."""
    found = game.draws.read(text)
    if found is not None:
        return found
    outcome = game.parse(text)
    if outcome not in game.draws:
        raise BadNotationError("not_a_draw", token=text)
    return cast(O, outcome)


def check_choice(game: Game[S, A, O, V], state: S, seat: Seat, choice: A) -> None:
    """Refuse an illegal choice of *seat*, for the reason that the rules give."""
    turn = game.turn(state)
    if not isinstance(turn, Choose) or seat not in turn.seats:
        raise IllegalActionError("not_your_turn", seat=seat + 1)
    legal = game.legal(state, seat)
    # The choice is usually one of these objects; an equality test takes far longer.
    if any(choice is each for each in legal) or choice in legal:
        return
    # The choices of others are replaced by legal ones, so that the error cannot reveal them.
    game.play(state, [choice if s == seat else game.legal(state, s)[0] for s in turn.seats])
    raise AssertionError(f"play takes {choice} of seat {seat + 1}, which is not legal")


def count_tokens(steps: Iterable[AnyStep]) -> int:
    """Count the tokens of *steps* in a record: the ply after them."""
    return sum(len(step.choices) if isinstance(step, Chose) else 1 for step in steps)


def full_tokens(game: AnyGame, steps: Sequence[AnyStep]) -> tuple[Token, ...]:
    """Write the tokens of all steps, hidden draws included."""
    return tuple(_write_tokens(game, steps, lambda _: True))


def seat_tokens(game: AnyGame, steps: Sequence[AnyStep], seat: Seat | None) -> tuple[Token, ...]:
    """Write the tokens visible to *seat* (`None`: a spectator); a hidden draw is `+?`."""
    return tuple(_write_tokens(game, steps, lambda to: to is None or to == seat))


def seat_events(steps: Iterable[AnyStep], seat: Seat | None) -> Iterator[SeenEvent]:
    """List the events visible to *seat*, one for each token of its record."""
    for step in steps:
        yield from redact_step(step, seat)


def redact_step(step: AnyStep, seat: Seat | None) -> tuple[SeenEvent, ...]:
    """Redact one step for *seat*: a draw hidden from it has no outcome."""
    if isinstance(step, Chose):
        return tuple(map(SeenEvent, step.seats, step.choices))
    is_visible = step.to is None or step.to == seat
    return (SeenEvent(step.to, step.outcome if is_visible else None),)


def _write_tokens(
    game: AnyGame, steps: Sequence[AnyStep], is_visible: Callable[[Seat | None], bool]
) -> Iterator[Token]:
    for step, following in zip_longest(steps, steps[1:]):
        number = game.number(step.before)
        if isinstance(step, Chose):
            yield from (Token(str(choice), number=number) for choice in step.choices)
        else:
            text = str(step.outcome) if is_visible(step.to) else HIDDEN_DRAW
            remark = "" if number else _deal_remark(step, following)
            yield Token(text, number=number, remark=remark)


def _deal_remark(step: Drew[Any, Any], following: AnyStep | None) -> str:
    """Return the remark after the last draw of a deal: the seat that it was dealt to."""
    continues = isinstance(following, Drew) and following.to == step.to
    return "" if step.to is None or continues else f"seat {step.to + 1}"
