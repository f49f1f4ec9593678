"""Learned players: what a trained network thinks best, alone or with a search."""

from __future__ import annotations

from random import Random

from pleasance.core.budget import Thinking
from pleasance.core.errors import BadSetupError
from pleasance.core.game import A, Game, O, S, V
from pleasance.core.playout import Player
from pleasance.players.greedy import choose_best


def make_network(game: Game[S, A, O, V]) -> Player[V, A]:
    """Make the player that takes what the game's network thinks is worth most."""
    learned = None if game.heuristics is None else game.heuristics.learned
    if learned is None:
        raise BadSetupError("player_needs_heuristics", player="network", game=game.spec.name)

    def choose(view: V, rng: Random) -> A:
        return choose_best(view, learned(view, rng), rng)

    return choose


def make_master(game: Game[S, A, O, V], budget: Thinking) -> Player[V, A]:
    """Make the player that looks ahead from what the network thinks, as long as it may."""
    search = None if game.heuristics is None else game.heuristics.search
    if search is None:
        raise BadSetupError("player_needs_heuristics", player="master", game=game.spec.name)

    def choose(view: V, rng: Random) -> A:
        return choose_best(view, search(view, rng, budget), rng)

    return choose
