"""The random player: every legal choice is equally likely."""

from __future__ import annotations

from random import Random

from pleasance.core.game import A, Game, O, S, V
from pleasance.core.playout import Player


def make_random(_game: Game[S, A, O, V]) -> Player[V, A]:
    """Make the player that chooses at random."""

    def choose(view: V, rng: Random) -> A:
        choice: A = rng.choice(view.legal)
        return choice

    return choose
