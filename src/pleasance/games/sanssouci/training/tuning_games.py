"""Games that score weights of the planner, compiled, for the tuning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pleasance.compiled.rng import make_rng_state
from pleasance.games.sanssouci.bots.planner.rollout import make_workspace, play_turns
from pleasance.games.sanssouci.kernel.layout import ROUNDS, SIZE
from pleasance.games.sanssouci.kernel.packing import house_constants
from pleasance.games.sanssouci.kernel.scoring import scores
from pleasance.games.sanssouci.kernel.setup import start


def play_tuning_games(weights: NDArray[np.float64], games: int, seed: str) -> float:
    """Average the score of two players, half of the games with both expansions."""
    state, points = np.zeros(SIZE, dtype=np.int64), np.zeros(4, dtype=np.int64)
    workspace = make_workspace()._replace(weights=weights)
    total = 0
    for options in ((), ("rewards", "boars")):
        constants = house_constants(options)
        for game in range(games // 2):
            rng_state = make_rng_state(f"{seed}:{bool(options)}:{game}")
            start(constants, state, 2)
            play_turns(constants, state, 2 * ROUNDS, rng_state, workspace)
            scores(constants, state, points)
            total += int(points[:2].sum())
    return total / (4 * (games // 2))
