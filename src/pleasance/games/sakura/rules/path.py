"""The geometry of the path: who stands where, and where a count of empty spaces ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pleasance.games.sakura.rules.components import Space

GATE = Space(0)
"""The painters' first space; any number of them may stand here (K-10)."""

FIRST = Space(1)
"""The first space of the path; the Emperor never goes below it (K-11)."""

Places: TypeAlias = tuple[Space, ...]
"""The space of each painter."""


def go_forward(start: int, steps: int, places: Sequence[Space], emperor: int) -> Space:
    """Count *steps* empty spaces forward, but no farther than the Emperor (K-8, K-9).

    >>> go_forward(2, 2, (2, 3, 5), 9)
    6
    >>> go_forward(2, 9, (2, 3, 5), 9)
    9
    """
    place = start
    while steps:
        place += 1
        if place == emperor:
            break
        if place not in places:
            steps -= 1
    return Space(place)


def go_back(start: int, steps: int, places: Sequence[Space]) -> Space:
    """Count *steps* empty spaces back; below the first space lies the gate (K-8, K-10).

    >>> go_back(8, 2, (6, 7, 8))
    4
    >>> go_back(2, 2, (2, 7, 8))
    0
    """
    place = start
    while steps and place:
        place -= 1
        if place not in places:
            steps -= 1
    return Space(place)


def find_closest(places: Sequence[Space]) -> int | None:
    """Find the painter farthest along the path; there is none with all in the gate (K-14)."""
    place = max(places)
    return None if place == GATE else places.index(place)


def find_furthest(places: Sequence[Space]) -> int | None:
    """Find the last painter; there is none with two or more in the gate (K-15)."""
    place = min(places)
    return None if places.count(place) > 1 else places.index(place)


def list_ahead(places: Sequence[Space], place: Space) -> list[Space]:
    """List those *places* of painters that are ahead of *place*; all are on the path (K-17)."""
    return [other for other in places if other > place]


def line_up(places: Sequence[Space]) -> list[int]:
    """List the painters from the closest to the last, as far as one is ahead of the next (K-10).

    Two or more painters in the gate have no order among them and are left out; one alone is last.

    >>> line_up((3, 0, 7, 0)), line_up((3, 4, 7, 0))
    ([2, 0], [2, 1, 0, 3])
    """
    line = sorted(range(len(places)), key=places.__getitem__, reverse=True)
    in_gate = places.count(GATE)
    return line[: len(line) - in_gate] if in_gate > 1 else line
