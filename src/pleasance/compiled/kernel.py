"""The kernel protocol: the compiled rules of one configuration over flat integer arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from pleasance.compiled.export import Export
from pleasance.compiled.rng import RngState, RngStates
from pleasance.compiled.signature import FloatArray, IntArray, IntRows

ALL = -1
"""All seats choose simultaneously."""
DRAW = -2
"""Chance decides."""
OVER = -3
"""The game has ended."""


class RulesKernel(NamedTuple):
    """The compiled rules of a game; functions change positions in place.

    Compiled code may call them, too. *constants* is `Kernel.constants`; codes are those of
    `game.space` and `game.draws`.
    """

    turn: Export[[IntArray], int]
    """Return the seat that chooses alone, or `ALL`, `DRAW` or `OVER`."""

    legal: Export[[IntArray, IntArray, int, IntArray], int]
    """List the legal codes of a seat, in order: `(constants, position, seat, codes) -> count`."""

    play: Export[[IntArray, IntArray, IntArray], None]
    """Carry out choices: `(constants, position, codes[seat])`; other seats are not read."""

    chances: Export[[IntArray, IntArray, IntArray], None]
    """Weight the outcomes of the due draw: `(constants, position, weights[outcome])`."""

    reveal: Export[[IntArray, IntArray, int], None]
    """Carry out an outcome: `(constants, position, code)`."""

    draw: Export[[IntArray, IntArray, RngState], None]
    """Make the due draw at random: `(constants, position, rng_state)`."""

    deal: Export[[IntArray, IntArray, RngState], None]
    """Determinize a packed view, as the draws would: `(constants, position, rng_state)`."""

    playout: Export[[IntArray, IntArray, RngState], None]
    """Play to the end, all choices and draws at random: `(constants, position, rng_state)`."""

    playouts: Export[[IntArray, IntRows, RngStates], None]
    """Play many positions to the end: `(constants, positions[game, size], rng_state[game, 1])`."""

    scores: Export[[IntArray, IntArray, IntArray], None]
    """Count each seat's points: `(constants, position, points[seat])`."""

    shares: Export[[IntArray, IntArray, FloatArray], None]
    """Share one victory among the winners: `(constants, position, shares[seat])`."""


class RolloutPolicy(NamedTuple):
    """A compiled rollout policy: the planner ranks choices and plays rollouts.

    Searches without one use random rollouts.
    """

    rank: Export[[IntArray, IntArray, int, RngState, Any, IntArray, FloatArray], int]
    """List the legal codes of a seat with the planner's values:
    `(constants, position, seat, rng_state, workspace, codes, values) -> count`."""

    playout: Export[[IntArray, IntArray, RngState, Any, FloatArray], None]
    """Play a rollout by the planner, to the end or to a cutoff, and share one victory among the
    seats: `(constants, position, rng_state, workspace, shares[seat])`."""

    truncated_rollout: Export[[IntArray, IntArray, RngState, Any, FloatArray], None]
    """Play a rollout below a search tree, where another cutoff may be better."""

    make_workspace: Callable[[], Any]
    """Allocate the workspace of the game, a `NamedTuple` of arrays."""


class ThroughputUnit(NamedTuple):
    """The unit in which a benchmark counts the throughput of random games."""

    name: str
    """The plural of the unit."""

    count_playout: Export[[IntArray, IntArray, RngState], int]
    """Play like `RulesKernel.playout` with the same random numbers, and count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """The kernel of one configuration of a game: compiled rules and packing."""

    constants: IntArray
    """The packed components and tables that the rules read, shared by all: never write to them."""

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
