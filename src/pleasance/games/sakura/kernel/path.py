"""Compiled `rules/path`: the geometry of the path, and where a count of empty spaces ends.

Where a count ends is found in the set of those before or behind the start, each by its distance
from it; this holds for paths of any length.
"""

from __future__ import annotations

from pleasance.compiled.jit import jit, lowest_bit
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.arrays import Position

GATE, FIRST = 0, 1

NO_PAINTER = -1

MAX_DISTANCE = 32
"""Farther than any count goes: nine empty spaces and five painters."""

MAX_STEPS = 5
"""The most spaces that a painter goes forward: past all the others (K-17)."""

BEYOND_PATH = 127
"""Farther than any path goes."""


@jit
def go_forward(state: Position, start: int, steps: int) -> int:
    """Count empty spaces forward, at least one, as if there were no Emperor (K-8)."""
    taken = 1
    for painter in range(state[at.PAINTERS]):
        distance = state[at.PLACES + painter] - start
        if 0 < distance < MAX_DISTANCE:
            taken |= 1 << distance
    free = ~taken
    for skipped in range(1, MAX_STEPS):
        free &= free - (skipped < steps)
    return start + lowest_bit(free)


@jit
def go_back(state: Position, start: int, steps: int) -> int:
    """Count empty spaces back, at least one; below the first space lies the gate (K-8, K-10)."""
    taken = 1
    for painter in range(state[at.PAINTERS]):
        distance = start - state[at.PLACES + painter]
        if 0 < distance < MAX_DISTANCE:
            taken |= 1 << distance
    free = ~taken
    for _ in range(steps - 1):
        free &= free - 1
    return max(start - lowest_bit(free), GATE)


@jit
def find_closest(state: Position) -> int:
    """Find the painter farthest along the path; there is none with all in the gate (K-14)."""
    closest, farthest = NO_PAINTER, GATE
    for painter in range(state[at.PAINTERS]):
        place = state[at.PLACES + painter]
        if place > farthest:
            closest, farthest = painter, place
    return closest


@jit
def find_furthest(state: Position) -> int:
    """Find the last painter; there is none with two or more in the gate (K-15)."""
    furthest, nearest = NO_PAINTER, BEYOND_PATH
    for painter in range(state[at.PAINTERS]):
        place = state[at.PLACES + painter]
        if place < nearest:
            furthest, nearest = painter, place
        elif place == nearest:
            furthest = NO_PAINTER
    return furthest


@jit
def count_gate(state: Position) -> int:
    """Count the painters in the gate."""
    count = 0
    for painter in range(state[at.PAINTERS]):
        count += state[at.PLACES + painter] == GATE
    return count


@jit
def count_ahead(state: Position, place: int) -> int:
    """Count the painters ahead of *place*; all of them are on the path (K-17)."""
    count = 0
    for painter in range(state[at.PAINTERS]):
        count += state[at.PLACES + painter] > place
    return count
