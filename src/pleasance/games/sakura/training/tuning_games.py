"""Whole games between planners with different weights, compiled, to score a tuning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pleasance.compiled.jit import jit
from pleasance.compiled.kernel import ALL, DRAW, OVER, IntArray, PlannerWorkspace
from pleasance.compiled.rng import RngState, make_rng_state
from pleasance.games.sakura.bots.planner.rollout import choose_best, make_workspace
from pleasance.games.sakura.kernel.layout import SIZE
from pleasance.games.sakura.kernel.packing import pack_constants
from pleasance.games.sakura.kernel.playout import draw
from pleasance.games.sakura.kernel.rules import play, start, turn
from pleasance.games.sakura.kernel.scoring import shares
from pleasance.games.sakura.rules.components import Box

TABLES = (2, 3, 4, 6)
WORLDS = 24


@jit
def play_game(
    constants: IntArray,
    state: IntArray,
    own: int,
    rng_state: RngState,
    tuned: PlannerWorkspace,
    baseline: PlannerWorkspace,
    codes: IntArray,
) -> None:
    """Play a game to its end: seat *own* with the tuned weights, the others with the baseline."""
    while True:
        now = turn(state)
        if now == OVER:
            return
        if now == DRAW:
            draw(constants, state, rng_state)
            continue
        first = 0 if now == ALL else now
        last = len(codes) if now == ALL else now + 1
        for seat in range(first, last):
            workspace = tuned if seat == own else baseline
            codes[seat] = choose_best(constants, state, seat, WORLDS, rng_state, workspace)
        play(constants, state, codes)


def play_tuning_games(box: Box, weights: NDArray[np.float64], games: int, seed: str) -> float:
    """Measure how many times its fair share one planner wins among others, over several tables."""
    state, won = np.zeros(SIZE, dtype=np.int64), np.zeros(8)
    baseline = make_workspace()
    tuned = baseline._replace(weights=np.array(weights, dtype=np.float64))
    total = 0.0
    each = max(1, games // len(TABLES))
    constants = pack_constants(box)
    for seats in TABLES:
        codes = np.zeros(seats, dtype=np.int64)
        for game in range(each):
            rng_state = make_rng_state(f"{seed}:{seats}:{game}")
            start(constants, state, seats)
            play_game(constants, state, game % seats, rng_state, tuned, baseline, codes)
            shares(constants, state, won)
            total += won[game % seats] * seats
    return total / (each * len(TABLES))
