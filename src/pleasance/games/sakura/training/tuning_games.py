"""Whole games between planners with different weights, compiled, to score a tuning."""

from __future__ import annotations

from collections.abc import Sequence

from pleasance.compiled.arrays import from_values, zeros
from pleasance.compiled.export import export
from pleasance.compiled.kernel import ALL, DRAW, OVER
from pleasance.compiled.rng import RngState, make_rng_state
from pleasance.games.sakura.bots.planner.potential import PlannerWorkspace, make_planner_workspace
from pleasance.games.sakura.bots.planner.rollout import choose_best, make_workspace
from pleasance.games.sakura.kernel.arrays import Constants, Position, SeatNumbers
from pleasance.games.sakura.kernel.layout import MAX_SEATS, SEATS, SIZE
from pleasance.games.sakura.kernel.packing import pack_constants
from pleasance.games.sakura.kernel.playout import draw
from pleasance.games.sakura.kernel.rules import play, start, turn
from pleasance.games.sakura.kernel.scoring import shares
from pleasance.games.sakura.rules.components import Box

TABLES = (2, 3, 4, 6)
WORLDS = 24


@export("train")
def play_game(
    constants: Constants,
    state: Position,
    own: int,
    rng_state: RngState,
    tuned: PlannerWorkspace,
    baseline: PlannerWorkspace,
    codes: SeatNumbers,
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
        last = state[SEATS] if now == ALL else now + 1
        for seat in range(first, last):
            workspace = tuned if seat == own else baseline
            codes[seat] = choose_best(constants, state, seat, WORLDS, rng_state, workspace)
        play(constants, state, codes)


def play_tuning_games(box: Box, weights: Sequence[float], games: int, seed: str) -> float:
    """Measure how many times its fair share one planner wins among others, over several tables."""
    state, won = zeros("int64", SIZE), zeros("float64", MAX_SEATS)
    baseline = make_workspace()
    tuned = make_planner_workspace(from_values("float64", weights))
    total = 0.0
    each = max(1, games // len(TABLES))
    codes, constants = zeros("int64", MAX_SEATS), pack_constants(box)
    for seats in TABLES:
        for game in range(each):
            rng_state = make_rng_state(f"{seed}:{seats}:{game}")
            start(constants, state, seats)
            play_game(constants, state, game % seats, rng_state, tuned, baseline, codes)
            shares(constants, state, won)
            total += won[game % seats] * seats
    return total / (each * len(TABLES))
