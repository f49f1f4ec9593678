"""Greedy players, each maximizing one of the game's heuristics, and the uniformly random one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from pleasance.core.budget import SearchBudget
from pleasance.core.game import A, Game, Heuristics, O, S, V
from pleasance.core.playout import Player

ValueReader = Callable[[Heuristics[Any, Any]], Callable[[Any, Random], Mapping[Any, float]] | None]
"""Reads one of the heuristics of a game."""


def make_random(_game: Game[S, A, O, V]) -> Player[V, A]:
    """Make the player for which every legal choice is equally likely."""
    return lambda view, rng: rng.choice(view.legal)


def make_maximizer(read: ValueReader) -> Callable[[Game[S, A, O, V]], Player[V, A]]:
    """Make the factory of the players that maximize one heuristic."""

    def make(game: Game[S, A, O, V]) -> Player[V, A]:
        assert game.heuristics is not None, "the registry checks it"
        values = read(game.heuristics)
        assert values is not None, "the registry checks it"
        return lambda view, rng: _choose_best(view, values(view, rng), rng)

    return make


def make_master(game: Game[S, A, O, V], budget: SearchBudget) -> Player[V, A]:
    """Make the player that takes the choice a search with the network values highest."""
    assert game.heuristics is not None, "the registry checks it"
    search = game.heuristics.search_values
    assert search is not None, "the registry checks it"
    return lambda view, rng: _choose_best(view, search(view, rng, budget), rng)


def _choose_best(view: V, values: Mapping[A, float], rng: Random) -> A:
    """Choose among the choices of the highest value at random."""
    best = max(values.values())
    choice: A = rng.choice([choice for choice in view.legal if values.get(choice) == best])
    return choice
