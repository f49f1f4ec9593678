"""Two worlds that look alike to one seat: the same public course, other hidden draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple, TypeVar

from conformance import Configuration, make_fair
from conformance.rooms import make_plan
from pleasance.core.fair import Fair
from pleasance.core.game import Draw, Over, Seat
from pleasance.core.playout import play_out, rng_from_seed
from pleasance.core.steps import Chose, read_choice, read_outcome
from pleasance.players import find_player
from pleasance.table.table_config import Plan

Outcome = TypeVar("Outcome")


class Drawn(NamedTuple):
    """One draw of a course."""

    to: Seat | None
    token: str
    others: tuple[str, ...]
    """What could have come instead."""


@dataclass(frozen=True)
class Course:
    """What was chosen, turn by turn, and what was drawn."""

    choices: tuple[tuple[str, ...], ...]
    draws: tuple[Drawn, ...]

    @property
    def script(self) -> tuple[str, ...]:
        """List what comes, draw by draw."""
        return tuple(draw.token for draw in self.draws)

    def hidden_from(self, viewer: Seat | None) -> list[int]:
        """List the draws that *viewer* may not see."""
        return [n for n, draw in enumerate(self.draws) if draw.to not in {None, viewer}]


def record_course(config: Configuration, seed: int, part: float) -> Course:
    """Play at random; keep the first *part* of the turns, and never the last one."""
    playout = play_out(
        config.game,
        [find_player("random", config.game)] * config.seats,
        make_fair(config.seats, seed),
        rngs=[rng_from_seed(str(seed), Seat(seat)) for seat in range(config.seats)],
    )
    choices = [tuple(map(str, s.choices)) for s in playout.steps if isinstance(s, Chose)]
    kept = tuple(choices[: max(1, int(part * (len(choices) - 1)))])
    draws = tuple(str(s.outcome) for s in playout.steps if not isinstance(s, Chose))
    course = replay(config, kept, draws)
    assert course is not None, f"{config.name} cannot be played again"
    return course


def replay(
    config: Configuration, choices: Sequence[tuple[str, ...]], script: Sequence[str]
) -> Course | None:
    """Play a course again with the draws of a script; `None` where the rules do not allow it."""
    game, state = config.game, config.game.start(config.seats)
    draws: list[Drawn] = []
    left = iter(choices)
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Draw):
            possible = {str(outcome): outcome for outcome, _ in game.chances(state)}
            token = script[len(draws)]
            if token not in possible:
                return None
            draws.append(Drawn(turn.to, token, tuple(t for t in possible if t != token)))
            state = game.reveal(state, possible[token])
            continue
        chosen = next(left, None)
        if chosen is None:
            break
        legal = [{str(c): c for c in game.legal(state, seat)} for seat in turn.seats]
        if any(token not in known for token, known in zip(chosen, legal, strict=True)):
            return None
        pairs = zip(chosen, legal, strict=True)
        state = game.play(state, [known[token] for token, known in pairs])
    return Course(tuple(choices), tuple(draws))


def branch(config: Configuration, course: Course, turns: int) -> tuple[tuple[str, ...], Course]:
    """Cut a course after so many turns: the tokens before, and what is left to be played."""
    game, state = config.game, config.game.start(config.seats)
    opening: list[str] = []
    made = drawn = 0
    while made < turns:
        turn = game.turn(state)
        if isinstance(turn, Draw):
            opening.append(course.draws[drawn].token)
            state = game.reveal(state, read_outcome(game, opening[-1]))
            drawn += 1
        else:
            opening += course.choices[made]
            state = game.play(state, [read_choice(game, token) for token in course.choices[made]])
            made += 1
    return tuple(opening), Course(course.choices[made:], course.draws[drawn:])


def find_twin(
    config: Configuration, course: Course, viewer: Seat | None, rng: Random, tries: int
) -> Course:
    """Change what *viewer* cannot see, as far as what everybody saw allows it."""
    slots = course.hidden_from(viewer)
    twin = course
    for _ in range(tries):
        script = list(twin.script)
        first, second = rng.choice(slots), rng.choice(slots)
        if rng.random() < 0.5 or not twin.draws[first].others:
            script[first], script[second] = script[second], script[first]
        else:
            other = rng.choice(twin.draws[first].others)
            if other in script:  # whoever had it gets what is missing now
                script[len(script) - 1 - script[::-1].index(other)] = script[first]
            script[first] = other
        if any(script[n] != course.script[n] for n in range(len(script)) if n not in slots):
            continue
        twin = replay(config, course.choices, script) or twin
    assert [draw.to for draw in twin.draws] == [draw.to for draw in course.draws]
    return twin


@dataclass(frozen=True)
class ToldFair(Fair):
    """Draws what it is told, and promises another secret than its own."""

    script: tuple[str, ...] = ()
    promise: str = ""

    @property
    def commitment(self) -> str:
        """Promise what it is told to promise."""
        return self.promise

    def draw(self, index: int, chances: Sequence[tuple[Outcome, int]]) -> Outcome:
        """Find what must come."""
        return next(o for o, _ in chances if str(o) == self.script[index - 1])


@dataclass(frozen=True, kw_only=True)
class ToldPlan(Plan):
    """A plan whose draws are told, with a commitment that tells nothing about the secret."""

    script: tuple[str, ...]
    promise: str

    def fair(self, nonces: tuple[str | None, ...]) -> Fair:
        """Make the source of the draws."""
        made = super().fair(nonces)
        return ToldFair(made.secret, made.nonces, self.script, self.promise)

    @property
    def commitment(self) -> str:
        """Promise what it is told to promise."""
        return self.promise


def make_world(
    config: Configuration, course: Course, seed: int, opening: tuple[str, ...] = ()
) -> ToldPlan:
    """Plan a table for a course; the secret and the luck of the bots follow from the seed."""
    plan = make_plan(config, seed, opening=opening)
    facts = {name: getattr(plan, name) for name in Plan.__dataclass_fields__}
    told = ToldPlan(**facts, script=course.script, promise=make_plan(config, 0).commitment)
    return replace(told, is_public=True)
