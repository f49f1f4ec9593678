"""The greedy player: what is worth most at once."""

from __future__ import annotations

from random import Random

from pleasance.core.errors import BadSetupError
from pleasance.core.game import A, Game, O, S, V
from pleasance.core.playout import Player


def make_greedy(game: Game[S, A, O, V]) -> Player[V, A]:
    """Make the player that takes what the game's own quick judgement weighs highest."""
    heuristics = game.heuristics
    if heuristics is None:
        raise BadSetupError("player_needs_heuristics", player="greedy", game=game.spec.name)
    weigh = heuristics.weigh

    def choose(view: V, rng: Random) -> A:
        worths = weigh(view, rng)
        best = max(worths.values())
        choice: A = rng.choice([choice for choice in view.legal if worths.get(choice) == best])
        return choice

    return choose
