"""Random games for tests: every state on the way."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from pleasance.core.game import Choose, Draw
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.tests.scene import house

CONFIGURATIONS: list[tuple[int, tuple[str, ...]]] = [
    (2, ()),
    (2, (TACTICAL,)),
    *((seats, ()) for seats in range(3, 7)),
]

configurations = st.sampled_from(CONFIGURATIONS)
seeds = st.integers(0, 10_000)


def step(state: State, rng: Random) -> State | None:
    """Take one random step; `None` after the end."""
    now = rules.turn(state)
    if isinstance(now, Choose):
        return rules.play(state, [rng.choice(rules.legal(state, seat)) for seat in now.seats])
    if isinstance(now, Draw):
        return rules.reveal(state, rng.choice(rules.chances(state))[0])
    return None


def wander(seats: int, options: tuple[str, ...], rng: Random) -> Iterator[State]:
    """Play a random game and show every state of it."""
    state: State | None = rules.start(house(*options), seats)
    while state is not None:
        yield state
        state = step(state, rng)
