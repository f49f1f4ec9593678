"""The kernel protocol: the compiled rules of one configuration over flat integer arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from pleasance.compiled.rng import RngState

IntArray: TypeAlias = Any
"""An array of int64: a position `[size]`, constants, codes or scores.

Its type is `Any`, because mypy has no type that is a numpy array in Python and has items that are
plain numbers in compiled code.
"""

FloatArray: TypeAlias = Any
"""An array of float64; see `IntArray` for the type."""

ALL = -1
"""All seats choose simultaneously."""
DRAW = -2
"""Chance decides."""
OVER = -3
"""The game has ended."""


class RulesKernel(NamedTuple):
    """The compiled rules of a game; functions change positions in place.

    They compile at their first call and can be called from compiled code. *constants* is
    `Kernel.constants`; codes are those of `game.space` and `game.draws`.
    """

    turn: Callable[[IntArray], int]
    """Return the seat that chooses alone, or `ALL`, `DRAW` or `OVER`."""

    legal: Callable[[IntArray, IntArray, int, IntArray], int]
    """List the legal codes of a seat, in order: `(constants, position, seat, codes) -> count`."""

    play: Callable[[IntArray, IntArray, IntArray], None]
    """Carry out choices: `(constants, position, codes[seat])`; other seats are not read."""

    chances: Callable[[IntArray, IntArray, IntArray], None]
    """Weight the outcomes of the due draw: `(constants, position, weights[outcome])`."""

    reveal: Callable[[IntArray, IntArray, int], None]
    """Carry out an outcome: `(constants, position, code)`."""

    draw: Callable[[IntArray, IntArray, RngState], None]
    """Make the due draw at random: `(constants, position, rng_state)`."""

    deal: Callable[[IntArray, IntArray, RngState], None]
    """Determinize a packed view, as the draws would: `(constants, position, rng_state)`."""

    playout: Callable[[IntArray, IntArray, RngState], None]
    """Play to the end, all choices and draws at random: `(constants, position, rng_state)`."""

    playouts: Callable[[IntArray, IntArray, RngState], None]
    """Play many positions to the end: `(constants, positions[game, size], rng_state[game, 1])`."""

    scores: Callable[[IntArray, IntArray, IntArray], None]
    """Count each seat's points: `(constants, position, points[seat])`."""

    shares: Callable[[IntArray, IntArray, FloatArray], None]
    """Share one victory among the winners: `(constants, position, shares[seat])`."""


class PlannerWorkspace(NamedTuple):
    """The workspace of a rollout policy; compiled code allocates no arrays."""

    positions: IntArray
    """Positions `[index, size]`."""

    rows: IntArray
    """Lists of whole numbers `[row, column]`."""

    values: FloatArray
    """The value of each row."""

    weights: FloatArray
    """The planner's weights."""


class RolloutPolicy(NamedTuple):
    """A compiled rollout policy: the planner ranks choices and plays rollouts.

    Searches without one use random rollouts.
    """

    rank: Callable[[IntArray, IntArray, int, RngState, PlannerWorkspace, IntArray, FloatArray], int]
    """List the legal codes of a seat with the planner's values:
    `(constants, position, seat, rng_state, workspace, codes, values) -> count`."""

    playout: Callable[[IntArray, IntArray, RngState, PlannerWorkspace, FloatArray], None]
    """Play a rollout by the planner, to the end or to a cutoff, and share one victory among the
    seats: `(constants, position, rng_state, workspace, shares[seat])`."""

    truncated_rollout: Callable[[IntArray, IntArray, RngState, PlannerWorkspace, FloatArray], None]
    """Play a rollout below a search tree, where another cutoff may be better."""

    make_workspace: Callable[[], PlannerWorkspace]


class ThroughputUnit(NamedTuple):
    """The unit in which a benchmark counts the throughput of random games."""

    name: str
    """The plural of the unit."""

    count_playout: Callable[[IntArray, IntArray, RngState], int]
    """Play like `RulesKernel.playout` with the same random numbers, and count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """The kernel of one configuration of a game: compiled rules and packing."""

    constants: IntArray
    """The packed components and tables that the rules read; immutable."""

    size: int
    """The length of a position."""

    max_choices: int
    """The largest number of choices of one seat."""

    rules: RulesKernel
    pack: Callable[[Any], IntArray]
    """Pack a state."""

    unpack: Callable[[IntArray], Any]
    """Unpack a state."""

    pack_view: Callable[[Any], IntArray]
    """Pack a view; `rules.deal` fills in its hidden information."""

    rollout_policy: RolloutPolicy | None = None
    """The rollout policy; without it rollouts are random."""

    throughput_unit: ThroughputUnit | None = None
    """The unit of benchmarks; without it they count games."""
