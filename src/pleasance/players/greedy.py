"""The greedy player: what is worth most at once."""

from __future__ import annotations

from collections.abc import Mapping
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
        return choose_best(view, weigh(view, rng), rng)

    return choose


def choose_best(view: V, worths: Mapping[A, float], rng: Random) -> A:
    """Choose what is worth most; luck decides between equals."""
    best = max(worths.values())
    choice: A = rng.choice([choice for choice in view.legal if worths.get(choice) == best])
    return choice
