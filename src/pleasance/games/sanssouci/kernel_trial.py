"""Whole games by the planner's weights, compiled: what a tuning judges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pleasance.compiled.jit import jit
from pleasance.compiled.kernel import Flat, Shares
from pleasance.compiled.luck import Luck, below, make_luck
from pleasance.games.sanssouci.components import Components
from pleasance.games.sanssouci.kernel import (
    OVER,
    TAKE,
    WALK,
    after_walk,
    lay,
    seat_block,
    step,
    take,
)
from pleasance.games.sanssouci.kernel_afterstates import (
    CARD,
    CHASED,
    GARDENER,
    MOST_AFTERSTATES,
    NONE,
    ROW_SIZE,
    SPACE,
    WALKED,
)
from pleasance.games.sanssouci.kernel_codes import scores
from pleasance.games.sanssouci.kernel_setup import SIDES, choose_side, draw, start
from pleasance.games.sanssouci.layout import ACTOR, BOAR, PHASE, SEATS, SIZE
from pleasance.games.sanssouci.packing import pack_box
from pleasance.games.sanssouci.potential import judge_turns
from pleasance.games.sanssouci.state import Box


@jit
def plan_turn(
    box: Flat, state: Flat, weights: Shares, scratch: Flat, rows: Flat, values: Shares
) -> None:
    """Play the turn that promises most, up to its refill."""
    count = judge_turns(box, state, weights, scratch, rows, values)
    best = 0
    for place in range(1, count):
        if values[place] > values[best]:
            best = place
    row, block = rows[best], seat_block(state[ACTOR])
    take(box, state, row[CARD], row[SPACE])
    if row[GARDENER] != NONE:
        lay(box, state, row[GARDENER], 1)
    if row[CHASED] != NONE:
        state[block + BOAR] = row[CHASED]
        state[PHASE] = WALK
    if row[WALKED] != NONE:
        step(box, state, block, row[WALKED])
    after_walk(state)


@jit
def plan_game(
    box: Flat, state: Flat, weights: Shares, luck: Luck, scratch: Flat, rows: Flat, values: Shares
) -> None:
    """Play a game to its end, every seat by the same weights."""
    while state[PHASE] != OVER:
        if state[PHASE] == TAKE:
            plan_turn(box, state, weights, scratch, rows, values)
        elif state[PHASE] == SIDES:
            for seat in range(state[SEATS]):
                choose_side(state, seat, below(luck, 2))
        else:
            draw(box, state, luck)


def play_trial(
    components: Components, weights: NDArray[np.float64], games: int, seed: str
) -> float:
    """Tell the mean score of two players, half of the games with both expansions."""
    state, points = np.zeros(SIZE, dtype=np.int64), np.zeros(4, dtype=np.int64)
    scratch = np.zeros((2, SIZE), dtype=np.int64)
    rows = np.zeros((MOST_AFTERSTATES, ROW_SIZE), dtype=np.int64)
    values = np.zeros(MOST_AFTERSTATES)
    total = 0
    for has_more in (False, True):
        box = pack_box(Box(components, has_rewards=has_more, has_boars=has_more))
        for game in range(games // 2):
            luck = make_luck(f"{seed}:{has_more}:{game}")
            start(box, state, 2)
            plan_game(box, state, weights, luck, scratch, rows, values)
            scores(box, state, points)
            total += int(points[:2].sum())
    return total / (4 * (games // 2))
