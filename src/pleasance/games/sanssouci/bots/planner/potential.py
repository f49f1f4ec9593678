"""The planner's evaluation of a garden, compiled: points so far and the potential for more.

The potential is a weighted sum of features. The weights were tuned by a cross-entropy search, see
`tuning/planner_weights.py`; they stand in `potential.toml`.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

from pleasance.compiled.arrays import zeros
from pleasance.compiled.export import export
from pleasance.compiled.jit import count_bits, jit
from pleasance.compiled.signature import ArrayType
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    AFTER_AHEAD,
    AFTER_BOAR,
    AFTER_BUILT,
    AFTER_GARDENERS,
    AFTER_POINTS,
    MAX_AFTERSTATES,
    ROW_SIZE,
    Row,
    Rows,
    TurnValues,
    list_afterstates,
)
from pleasance.games.sanssouci.kernel.garden import (
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    neighbors,
    promenade,
)
from pleasance.games.sanssouci.kernel.layout import Constants, Position, seat_block
from pleasance.games.sanssouci.kernel.scoring import boar_area

# The first feature of each group.
BEST_WALKS = 0
"""Points of the best remaining walks, one a turn, if nothing more were built."""
OPEN = 1
"""By row: cells ahead of a noble where it can stop."""
CUT_OFF = 7
"""By row: built cells ahead of a noble that no path reaches yet."""
NEXT = 13
"""By row: free cells ahead of a noble that a tile would join to the paths."""
FAR = 19
"""By row: other free cells ahead of a noble."""
ROW_GAPS = 25
"""The bonus of a row by its missing cells: 0, 1, 2 or 3."""
COLUMN_GAPS = 29
"""The bonus of a column by its missing cells: 0, 1 or 2."""
MISSION_STANDS = 32
"""Rows where the nobles of the own missions stand."""
MISSION_OPEN = 33
"""The lowest row each of them could walk to at once."""
BOAR_AREA = 34
FEATURES = 35

Weights: TypeAlias = Annotated[Any, ArrayType("float64", (2 * FEATURES,))]
"""The weights of the potential `[2 * FEATURES]`, float64."""


class PlannerWorkspace(NamedTuple):
    """The scratch space of the planner, and its weights."""

    positions: Annotated[Any, ArrayType("int64", (2, at.SIZE))]
    """Positions `[2, SIZE]`."""

    rows: Rows
    """The whole turns of a position."""

    values: TurnValues
    """The value of each turn, or of each seat."""

    weights: Weights


@jit
def potential(
    constants: Constants, garden: Row, missions: int, turns_left: int, weights: Weights
) -> float:
    """Compute the potential of a garden (a row of afterstates) with *turns_left* own turns to go.

    The first half of *weights* `[2 * FEATURES]` always counts, the second by the share of turns
    left.
    """
    built, ahead = garden[AFTER_BUILT], garden[AFTER_AHEAD]
    walked = promenade(built)
    standing = ahead & ~garden[AFTER_GARDENERS]
    free = EVERYWHERE & ~built
    adjacent = free & neighbors(walked)
    time = turns_left / at.ROUNDS
    total = best_walks = 0.0
    left = turns_left
    for row in range(5, -1, -1):
        cells = FIRST_ROW << (9 * row)
        reached = count_bits(standing & walked & cells)
        best_walks += constants[at.ROW_VALUES + row] * min(reached, left)
        left -= min(reached, left)
        total += reached * weight_at(weights, OPEN + row, time)
        cut_off = count_bits(standing & built & ~walked & cells)
        total += cut_off * weight_at(weights, CUT_OFF + row, time)
        total += count_bits(ahead & adjacent & cells) * weight_at(weights, NEXT + row, time)
        total += count_bits(ahead & free & ~adjacent & cells) * weight_at(weights, FAR + row, time)
        gaps = count_bits(free & cells)
        if gaps <= 3:
            total += constants[at.ROW_BONUS + row] * weight_at(weights, ROW_GAPS + gaps, time)
    total += best_walks * weight_at(weights, BEST_WALKS, time)
    for column in range(9):
        cells = COLUMN_A << column
        gaps = count_bits(free & cells)
        if gaps <= 2:
            total += constants[at.COLUMN_BONUS] * weight_at(weights, COLUMN_GAPS + gaps, time)
        if (missions >> column) & 1:
            total += mission_potential(ahead & cells, standing & walked & cells, weights, time)
    if garden[AFTER_BOAR] >= 0:
        total += boar_area(free, garden[AFTER_BOAR]) * weight_at(weights, BOAR_AREA, time)
    return total


@jit
def weight_at(weights: Weights, feature: int, time: float) -> float:
    """Interpolate the weight of a feature at this time of the game."""
    return weights[feature] + time * weights[FEATURES + feature]


@jit
def mission_potential(ahead: int, reached: int, weights: Weights, time: float) -> float:
    """Compute the potential of a mission: its noble's row, and the row it could reach at once."""
    stands = 6 - count_bits(ahead)
    lowest = stands
    for row in range(5, -1, -1):
        if reached & (FIRST_ROW << (9 * row)):
            lowest = row + 1
            break
    stand = stands * weight_at(weights, MISSION_STANDS, time)
    return stand + lowest * weight_at(weights, MISSION_OPEN, time)


def make_planner_workspace(weights: Weights) -> PlannerWorkspace:
    """Allocate the workspace of evaluations with *weights* `[2 * FEATURES]`."""
    return PlannerWorkspace(
        positions=zeros("int64", 2, at.SIZE),
        rows=zeros("int64", MAX_AFTERSTATES, ROW_SIZE),
        values=zeros("float64", MAX_AFTERSTATES),
        weights=weights,
    )


@export()
def evaluate_turns(constants: Constants, state: Position, workspace: PlannerWorkspace) -> int:
    """List all afterstates of the turn with their values; return their number."""
    rows, weights = workspace.rows, workspace.weights
    count = list_afterstates(constants, state, workspace.positions, rows)
    missions = state[seat_block(state[at.ACTOR]) + at.MISSIONS]
    left = at.ROUNDS - 1 - state[at.TURNS] // state[at.SEATS]
    for turn in range(count):
        value = potential(constants, rows[turn], missions, left, weights)
        workspace.values[turn] = rows[turn, AFTER_POINTS] + value
    return count
