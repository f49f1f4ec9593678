"""Games that score weights of the planner, compiled, for the tuning."""

from __future__ import annotations

from collections.abc import Sequence

from pleasance.compiled.arrays import from_values, zeros
from pleasance.compiled.rng import make_rng_state
from pleasance.games.sanssouci.bots.planner.rollout import make_workspace, play_turns
from pleasance.games.sanssouci.kernel.layout import ROUNDS, SIZE
from pleasance.games.sanssouci.kernel.packing import house_constants
from pleasance.games.sanssouci.kernel.scoring import scores
from pleasance.games.sanssouci.kernel.setup import start


def play_tuning_games(weights: Sequence[float], games: int, seed: str) -> float:
    """Average the score of two players, half of the games with both expansions."""
    state, points = zeros("int64", SIZE), zeros("int64", 4)
    workspace = make_workspace()._replace(weights=from_values("float64", weights))
    total = 0
    for options in ((), ("rewards", "boars")):
        constants = house_constants(options)
        for game in range(games // 2):
            rng_state = make_rng_state(f"{seed}:{bool(options)}:{game}")
            start(constants, state, 2)
            play_turns(constants, state, 2 * ROUNDS, rng_state, workspace)
            scores(constants, state, points)
            total += points[0] + points[1]
    return total / (4 * (games // 2))
