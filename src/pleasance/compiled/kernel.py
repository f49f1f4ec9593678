"""What a compiled twin offers: the rules of one configuration over flat arrays of integers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from pleasance.compiled.rng import Luck

Flat: TypeAlias = Any
"""Whole numbers in a row: a position `[size]`, a box, codes or scores, as an array of int64.

It has no closer type, because mypy knows none whose items are plain numbers, as compiled code sees
them, and which is a numpy array, as everybody else does.
"""

Shares: TypeAlias = Any
"""Fractions in a row, as an array of float64."""

ALL = -1
"""Every seat chooses at the same time."""
DRAW = -2
"""Chance decides."""
OVER = -3
"""The game has ended."""


class Steps(NamedTuple):
    """The compiled functions of a game; positions are changed in place.

    They are compiled when first called and can be called from compiled code. *box* is what the
    rules look up; all codes are those of `game.space` and `game.draws`.
    """

    turn: Callable[[Flat], int]
    """Tell the seat that chooses alone, or `ALL`, `DRAW` or `OVER`."""

    legal: Callable[[Flat, Flat, int, Flat], int]
    """List the codes a seat may choose, in order: `(box, position, seat, codes) -> count`."""

    play: Callable[[Flat, Flat, Flat], None]
    """Carry out choices: `(box, position, codes[seat])`; seats that do not choose are not read."""

    chances: Callable[[Flat, Flat, Flat], None]
    """Weigh the outcomes of the draw that is due: `(box, position, weights[outcome])`."""

    reveal: Callable[[Flat, Flat, int], None]
    """Carry out an outcome: `(box, position, code)`."""

    draw: Callable[[Flat, Flat, Luck], None]
    """Make the draw that is due by luck: `(box, position, luck)`."""

    deal: Callable[[Flat, Flat, Luck], None]
    """Deal what a packed view does not know, as the draws would: `(box, position, luck)`."""

    playout: Callable[[Flat, Flat, Luck], None]
    """Play to the end, all choices and draws at random: `(box, position, luck)`."""

    playouts: Callable[[Flat, Flat, Luck], None]
    """Play many positions to the end: `(box, positions[game, size], luck[game, 1])`."""

    scores: Callable[[Flat, Flat, Flat], None]
    """Count each seat's points: `(box, position, points[seat])`."""

    shares: Callable[[Flat, Flat, Shares], None]
    """Share one victory among the winners: `(box, position, shares[seat])`."""


class Desk(NamedTuple):
    """Working space of a guide; compiled code makes no arrays of its own."""

    positions: Flat
    """Room for positions `[place, size]`."""

    rows: Flat
    """Room for whatever is listed `[row, column]`."""

    values: Shares
    """What each row is worth."""

    weights: Shares
    """By what the planner judges."""


class Guide(NamedTuple):
    """What a game knows about good play, compiled: how its planner goes on, and where that leads.

    With it searches look at sensible play; without it at random play.
    """

    rank: Callable[[Flat, Flat, int, Luck, Desk, Flat, Shares], int]
    """List what a seat may choose, and what the planner thinks each is worth in this world:
    `(box, position, seat, luck, desk, codes, worths) -> count`."""

    playout: Callable[[Flat, Flat, Luck, Desk, Shares], None]
    """Play on by the planner, to the end or as far as it takes to tell who does well, and share one
    victory among the seats: `(box, position, luck, desk, shares[seat])`."""

    foresee: Callable[[Flat, Flat, Luck, Desk, Shares], None]
    """Do the same below a tree of choices, where the best cut may be another."""

    make_desk: Callable[[], Desk]


class Pace(NamedTuple):
    """In what the speed of whole random games is counted."""

    unit: str
    """What is counted, in the plural."""

    tally: Callable[[Flat, Flat, Luck], int]
    """Play to the end as `Steps.playout` does by the same luck, and count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """The compiled twin of one configuration of a game."""

    box: Flat
    """What the rules look up; it never changes."""

    size: int
    """How many numbers make a position."""

    most_choices: int
    """How many choices one seat can have at most."""

    steps: Steps
    pack: Callable[[Any], Flat]
    """Lay out a state."""

    unpack: Callable[[Flat], Any]
    """Read a state back."""

    pack_view: Callable[[Any], Flat]
    """Lay out a view; `steps.deal` fills in what it does not know."""

    guide: Guide | None = None
    """How to play well; without it searches play on at random."""

    pace: Pace | None = None
    """How benchmarks count; without it they count whole games."""
