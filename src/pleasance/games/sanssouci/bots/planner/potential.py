"""The planner's judgement of a garden: points so far and what they promise, compiled.

What a garden promises is a sum of features, each with a weight. The weights were found by a
cross-entropy search, see `tuning/planner_weights.py`; they stand in `potential.toml`.
"""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit
from pleasance.compiled.kernel import Flat, Shares
from pleasance.games.sanssouci.kernel.afterstates import (
    AFTER_AHEAD,
    AFTER_BOAR,
    AFTER_BUILT,
    AFTER_GARDENERS,
    AFTER_POINTS,
    list_afterstates,
)
from pleasance.games.sanssouci.kernel.codes import boar_area
from pleasance.games.sanssouci.kernel.layout import (
    ACTOR,
    COLUMN_BONUS,
    MISSIONS,
    ROW_BONUS,
    ROW_VALUES,
    SEATS,
    TURNS,
)
from pleasance.games.sanssouci.kernel.rules import (
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    ROUNDS,
    neighbors,
    promenade,
    seat_block,
)

# Where each group of features begins.
HARVEST = 0
"""What the best walks left would score, one a turn, if nothing more were built."""
OPEN = 1
"""By row: cells ahead of a noble where it can stop."""
CUT_OFF = 7
"""By row: built cells ahead of a noble that no path reaches yet."""
NEXT = 13
"""By row: free cells ahead of a noble that a tile would join to the paths."""
FAR = 19
"""By row: other free cells ahead of a noble."""
ROW_GAPS = 25
"""The bonus of rows that lack nothing, one, two or three cells."""
COLUMN_GAPS = 29
"""The bonus of columns that lack nothing, one or two cells."""
MISSION_STANDS = 32
"""Rows where the nobles of the own missions stand."""
MISSION_OPEN = 33
"""The lowest row each of them could walk to at once."""
BOAR_AREA = 34
FEATURES = 35


@jit
def promise(box: Flat, garden: Flat, missions: int, turns_left: int, weights: Shares) -> float:
    """Weigh what a garden (a row of afterstates) promises with so many own turns left.

    *weights* `[2, FEATURES]`: the first row counts always, the second by the share of turns left.
    """
    built, ahead = garden[AFTER_BUILT], garden[AFTER_AHEAD]
    walked = promenade(built)
    standing = ahead & ~garden[AFTER_GARDENERS]
    free = EVERYWHERE & ~built
    fresh = free & neighbors(walked)
    time = turns_left / ROUNDS
    total = 0.0
    harvest = 0.0
    left = turns_left
    for row in range(5, -1, -1):
        cells = FIRST_ROW << (9 * row)
        reached = count_bits(standing & walked & cells)
        harvest += box[ROW_VALUES + row] * min(reached, left)
        left -= min(reached, left)
        total += reached * weigh(weights, OPEN + row, time)
        total += count_bits(standing & built & ~walked & cells) * weigh(
            weights, CUT_OFF + row, time
        )
        total += count_bits(ahead & fresh & cells) * weigh(weights, NEXT + row, time)
        total += count_bits(ahead & free & ~fresh & cells) * weigh(weights, FAR + row, time)
        gaps = count_bits(free & cells)
        if gaps <= 3:
            total += box[ROW_BONUS + row] * weigh(weights, ROW_GAPS + gaps, time)
    total += harvest * weigh(weights, HARVEST, time)
    for column in range(9):
        cells = COLUMN_A << column
        gaps = count_bits(free & cells)
        if gaps <= 2:
            total += box[COLUMN_BONUS] * weigh(weights, COLUMN_GAPS + gaps, time)
        if (missions >> column) & 1:
            total += promise_mission(ahead & cells, standing & walked & cells, weights, time)
    if garden[AFTER_BOAR] >= 0:
        total += boar_area(free, garden[AFTER_BOAR]) * weigh(weights, BOAR_AREA, time)
    return total


@jit
def weigh(weights: Shares, feature: int, time: float) -> float:
    """Find the weight of a feature at this time of the game."""
    return weights[0, feature] + time * weights[1, feature]


@jit
def promise_mission(ahead: int, reached: int, weights: Shares, time: float) -> float:
    """Weigh a mission: where its noble stands, and how far it could go at once."""
    stands = 6 - count_bits(ahead)
    lowest = stands
    for row in range(5, -1, -1):
        if reached & (FIRST_ROW << (9 * row)):
            lowest = row + 1
            break
    stand = stands * weigh(weights, MISSION_STANDS, time)
    return stand + lowest * weigh(weights, MISSION_OPEN, time)


@jit
def judge_turns(
    box: Flat, state: Flat, weights: Shares, scratch: Flat, rows: Flat, values: Shares
) -> int:
    """List all ways to end the turn with their values; tell how many there are."""
    count = list_afterstates(box, state, scratch, rows)
    missions = state[seat_block(state[ACTOR]) + MISSIONS]
    turns_left = ROUNDS - 1 - state[TURNS] // state[SEATS]
    for place in range(count):
        row = rows[place]
        values[place] = row[AFTER_POINTS] + promise(box, row, missions, turns_left, weights)
    return count
