"""Whole games by the planner's weights, compiled: what a tuning judges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pleasance.compiled.rng import make_luck
from pleasance.games.sanssouci.bots.planner.rollout import make_desk, plan_turns
from pleasance.games.sanssouci.kernel.codes import scores
from pleasance.games.sanssouci.kernel.layout import SIZE
from pleasance.games.sanssouci.kernel.packing import pack_box
from pleasance.games.sanssouci.kernel.rules import ROUNDS
from pleasance.games.sanssouci.kernel.setup import start
from pleasance.games.sanssouci.rules.components import Components
from pleasance.games.sanssouci.rules.state import Box


def play_trial(
    components: Components, weights: NDArray[np.float64], games: int, seed: str
) -> float:
    """Tell the mean score of two players, half of the games with both expansions."""
    state, points = np.zeros(SIZE, dtype=np.int64), np.zeros(4, dtype=np.int64)
    desk = make_desk()._replace(weights=weights)
    total = 0
    for has_more in (False, True):
        box = pack_box(Box(components, has_rewards=has_more, has_boars=has_more))
        for game in range(games // 2):
            luck = make_luck(f"{seed}:{has_more}:{game}")
            start(box, state, 2)
            plan_turns(box, state, 2 * ROUNDS, luck, desk)
            scores(box, state, points)
            total += int(points[:2].sum())
    return total / (4 * (games // 2))
