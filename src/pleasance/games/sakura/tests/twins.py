"""The plain rules and the compiled twin side by side, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import numpy as np

from pleasance.compiled.kernel import ALL, DRAW, OVER, Kernel
from pleasance.compiled.rng import RngState, make_rng_state
from pleasance.compiled.signature import IntArray
from pleasance.core.data import load_builtin_components
from pleasance.core.game import AnyGame, Choose, Draw, Over, Seat
from pleasance.games.sakura import game
from pleasance.games.sakura.rules.components import MAX_PAINTERS, Space
from pleasance.games.sakura.rules.path import GATE
from pleasance.games.sakura.rules.rules import LAST_SAKURA
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.tests.positions import PACKAGE


@cache
def make_game(*options: str, changes: tuple[tuple[str, str], ...] = ()) -> AnyGame:
    """Make the game, with some *changes* to the text of the house set."""
    text = load_builtin_components(PACKAGE)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return game(options, text if changes else None)


def get_kernel(made: AnyGame) -> Kernel:
    """Give the compiled twin."""
    assert made.kernel is not None
    return _make(made.kernel)


def open_twins(seats: int, options: tuple[str, ...]) -> tuple[AnyGame, Kernel, Random]:
    """Give a game, its compiled twin, and random numbers for a test of it."""
    made = make_game(*options)
    return made, get_kernel(made), Random(seats)


@cache
def _make(make: Callable[[], object]) -> Kernel:
    kernel = make()
    assert isinstance(kernel, Kernel)
    return kernel


def make_random_state(rng: Random) -> RngState:
    """Make a random state for compiled code."""
    return make_rng_state(str(rng.random()))


def seat_array() -> IntArray:
    """Make room for one number a seat."""
    return np.zeros(MAX_PAINTERS, dtype=np.int64)


def compare(made: AnyGame, state: State, flat: IntArray) -> None:
    """Check that both twins see the same position, and the same to do."""
    kernel = get_kernel(made)
    steps = kernel.rules
    seats = len(state.hands)
    assert kernel.unpack(flat) == state
    assert np.array_equal(kernel.pack(state), flat)
    points, won = seat_array(), np.zeros(MAX_PAINTERS)
    steps.scores(kernel.constants, flat, points)
    steps.shares(kernel.constants, flat, won)
    assert tuple(points[:seats]) == made.scores(state)
    winners = made.winners(state)
    assert list(won[:seats]) == [(seat in winners) / len(winners) for seat in range(seats)]
    assert steps.turn(flat) == _number(made, state)
    codes = np.zeros(kernel.max_choices, dtype=np.int64)
    for seat in range(seats):
        count = steps.legal(kernel.constants, flat, seat, codes)
        choices = made.legal(state, Seat(seat))
        assert list(codes[:count]) == [made.space.code(choice) for choice in choices]
    weights = np.ones(len(made.draws), dtype=np.int64)
    steps.chances(kernel.constants, flat, weights)
    weighed = {made.draws.code(outcome): weight for outcome, weight in made.chances(state)}
    assert {code: weights[code] for code in np.flatnonzero(weights)} == weighed


def _number(made: AnyGame, state: State) -> int:
    """Number what happens next, as the kernel does."""
    now = made.turn(state)
    if isinstance(now, Choose):
        return now.seats[0] if len(now.seats) == 1 else ALL
    return DRAW if isinstance(now, Draw) else OVER


def step(made: AnyGame, state: State, flat: IntArray, rng: Random) -> State:
    """Take the same random step with both twins; one that all but the game's end has."""
    steps, box = get_kernel(made).rules, get_kernel(made).constants
    now = made.turn(state)
    if isinstance(now, Draw):
        outcome = rng.choice(made.chances(state))[0]
        steps.reveal(box, flat, made.draws.code(outcome))
        return _as_state(made.reveal(state, outcome))
    assert isinstance(now, Choose)
    codes = np.full(MAX_PAINTERS, -1, dtype=np.int64)
    choices = [rng.choice(made.legal(state, seat)) for seat in now.seats]
    for seat, choice in zip(now.seats, choices, strict=True):
        codes[seat] = made.space.code(choice)
    steps.play(box, flat, codes)
    return _as_state(made.play(state, choices))


def _as_state(state: State) -> State:
    """Narrow the type of the state that a game of any kind returns."""
    return state


def walk(made: AnyGame, state: State, rng: Random) -> Iterator[tuple[State, IntArray]]:
    """Play on at random with both twins and show every position, as both see it."""
    flat = get_kernel(made).pack(state)
    yield state, flat
    while not isinstance(made.turn(state), Over):
        state = step(made, state, flat, rng)
        yield state, flat


def random_position(made: AnyGame, seats: int, rng: Random) -> State:
    """Make up a position in which all choose: any painter may stand anywhere, with few tokens."""
    state: State = made.start(seats)
    while state.draws:
        state = made.reveal(state, rng.choice(made.chances(state))[0])
    scored = rng.randrange(LAST_SAKURA)
    emperor = rng.randrange(1, rng.choice((4, 9, state.box.paths[seats].sakura[scored])))
    # Close together, so that they meet each other and the Emperor.
    spaces = list(range(max(1, emperor - rng.choice((5, 9, 99))), emperor))
    spaces = rng.sample(spaces, min(len(spaces), len(state.painters)))
    spaces += [GATE] * len(state.painters)
    painters = [Space(space) for space in spaces[: len(state.painters)]]
    in_gate = rng.choice((0, 0, 1, 2, len(painters)))
    painters[:in_gate] = [GATE] * in_gate
    rng.shuffle(painters)
    return state._replace(
        emperor=Space(emperor),
        painters=tuple(painters),
        ledgers=tuple((rng.randrange(3), 0, 0, 0, 0) for _ in painters),
        scored=scored,
    )
