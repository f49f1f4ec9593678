"""The planner: what promises most, by the game's own potential."""

from __future__ import annotations

from random import Random

from pleasance.core.errors import BadSetupError
from pleasance.core.game import A, Game, O, S, V
from pleasance.core.playout import Player
from pleasance.players.greedy import choose_best


def make_planner(game: Game[S, A, O, V]) -> Player[V, A]:
    """Make the player that takes what the game's potential weighs highest."""
    plan = None if game.heuristics is None else game.heuristics.plan
    if plan is None:
        raise BadSetupError("player_needs_heuristics", player="planner", game=game.spec.name)

    def choose(view: V, rng: Random) -> A:
        return choose_best(view, plan(view, rng), rng)

    return choose
