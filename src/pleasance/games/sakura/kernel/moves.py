"""The compiled twin of the path: who stands where, and how the Emperor and the painters move.

Where a count of empty spaces ends is found in the set of those before or behind the start, each by
its distance from it; this holds for paths of any length.
"""

from __future__ import annotations

from pleasance.compiled.jit import jit, lowest_bit
from pleasance.compiled.kernel import Flat
from pleasance.games.sakura.kernel.layout import (
    EMPEROR,
    LOST,
    PAINTERS,
    PLACES,
    SETBACK,
    TOKENS,
)

GATE, FIRST = 0, 1
NOBODY = -1

WINDOW = 32
"""Farther than any count goes: nine empty spaces and five painters."""

MOST_STEPS = 5
"""So far a painter goes forward at most: past all the others (K-17)."""

BEYOND = 127
"""Farther than any path goes."""


@jit
def go_forward(state: Flat, start: int, steps: int) -> int:
    """Count empty spaces forward, at least one, as if there were no Emperor (K-8)."""
    taken = 1
    for painter in range(state[PAINTERS]):
        distance = state[PLACES + painter] - start
        if 0 < distance < WINDOW:
            taken |= 1 << distance
    free = ~taken
    for skipped in range(1, MOST_STEPS):
        free &= free - (skipped < steps)
    return start + lowest_bit(free)


@jit
def go_back(state: Flat, start: int, steps: int) -> int:
    """Count empty spaces back, at least one; below the first space lies the gate (K-8, K-10)."""
    taken = 1
    for painter in range(state[PAINTERS]):
        distance = start - state[PLACES + painter]
        if 0 < distance < WINDOW:
            taken |= 1 << distance
    free = ~taken
    for _ in range(steps - 1):
        free &= free - 1
    return max(start - lowest_bit(free), GATE)


@jit
def find_closest(state: Flat) -> int:
    """Find the painter farthest along the path; nobody is, with all in the gate (K-14)."""
    closest, farthest = NOBODY, GATE
    for painter in range(state[PAINTERS]):
        place = state[PLACES + painter]
        if place > farthest:
            closest, farthest = painter, place
    return closest


@jit
def find_furthest(state: Flat) -> int:
    """Find the last painter; nobody is, with two or more in the gate (K-15)."""
    furthest, nearest = NOBODY, BEYOND
    for painter in range(state[PAINTERS]):
        place = state[PLACES + painter]
        if place < nearest:
            furthest, nearest = painter, place
        elif place == nearest:
            furthest = NOBODY
    return furthest


@jit
def count_gate(state: Flat) -> int:
    """Count the painters in the gate."""
    count = 0
    for painter in range(state[PAINTERS]):
        count += state[PLACES + painter] == GATE
    return count


@jit
def count_ahead(state: Flat, place: int) -> int:
    """Count the painters ahead of *place*; all of them are on the path (K-17)."""
    count = 0
    for painter in range(state[PAINTERS]):
        count += state[PLACES + painter] > place
    return count


@jit
def disgrace(box: Flat, state: Flat, painter: int) -> None:
    """Take a token, if there is one, and go back from the Emperor's space (K-9)."""
    loss = min(state[TOKENS + painter], 1)
    state[TOKENS + painter] -= loss
    state[LOST + painter] -= loss
    state[PLACES + painter] = GATE  # the space it came from is empty now and counts
    state[PLACES + painter] = go_back(state, state[EMPEROR], box[SETBACK])


@jit
def advance(box: Flat, state: Flat, painter: int, start: int, steps: int) -> None:
    """Move a painter forward from *start*; to reach the Emperor is a disgrace (K-9)."""
    place = go_forward(state, start, steps)
    if place >= state[EMPEROR]:
        disgrace(box, state, painter)
    else:
        state[PLACES + painter] = place


@jit
def walk(box: Flat, state: Flat, painter: int, steps: int) -> None:
    """Move a painter forward or back over empty spaces (K-8 to K-10, K-16)."""
    if steps < 0:
        state[PLACES + painter] = go_back(state, state[PLACES + painter], -steps)
    elif steps:
        advance(box, state, painter, state[PLACES + painter], steps)


@jit
def leap(box: Flat, state: Flat, painter: int) -> None:
    """Go to the first empty space in front of the next painter ahead (K-17)."""
    own = state[PLACES + painter]
    ahead = BEYOND
    for other in range(state[PAINTERS]):
        place = state[PLACES + other]
        if own < place < ahead:
            ahead = place
    if ahead < BEYOND:
        advance(box, state, painter, ahead, 1)


@jit
def walk_emperor(box: Flat, state: Flat, steps: int, stop: int) -> None:
    """Move the Emperor; the next sakura stops him (K-11, K-12)."""
    if steps > 0:
        state[EMPEROR] = min(state[EMPEROR] + steps, stop)
        return
    for _ in range(-steps):
        place = max(state[EMPEROR] - 1, FIRST)
        state[EMPEROR] = place
        for painter in range(state[PAINTERS]):
            if state[PLACES + painter] == place:
                disgrace(box, state, painter)
                break
