"""Levels: players of graded strength that sample from a softmax with a temperature.

The softmax is over the values of a network or of a short search. A level never takes a choice that
the network values too far below the best. Some levels overrate immediate gains, as beginners do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, inf
from random import Random
from typing import NamedTuple

from pleasance.core.budget import SearchBudget
from pleasance.core.errors import BadSetupError
from pleasance.core.game import A, Game, Heuristics, O, S, V
from pleasance.core.levels import Level
from pleasance.core.playout import Player


class ActionValues(NamedTuple):
    """The values of the legal choices, in their order."""

    network: tuple[float, ...]
    """By the network."""

    search: tuple[float, ...]
    """By the search of the level, or by the network if it makes none."""

    immediate: tuple[float, ...]
    """By the immediate gain; zeros where the level ignores it."""


def make_level(name: str) -> Callable[[Game[S, A, O, V]], Player[V, A]]:
    """Make the factory of the players of one level."""

    def make(game: Game[S, A, O, V]) -> Player[V, A]:
        heuristics = game.heuristics
        assert heuristics is not None, "the registry checks it"
        level = next((level for level in heuristics.levels if level.name == name), None)
        if level is None:
            raise BadSetupError("player_needs_heuristics", player=name, game=game.spec.name)

        def choose(view: V, rng: Random) -> A:
            if len(view.legal) == 1:
                only: A = view.legal[0]
                return only
            weights = choice_likelihoods(level, action_values(level, heuristics, view, rng))
            choice: A = rng.choices(view.legal, weights)[0]
            return choice

        return choose

    return make


def action_values(level: Level, heuristics: Heuristics[A, V], view: V, rng: Random) -> ActionValues:
    """Evaluate the legal choices by the heuristics that a level uses."""
    assert heuristics.network_values is not None, "a game with levels has a network"
    learned = heuristics.network_values(view, rng)
    network = tuple(learned[choice] for choice in view.legal)
    search, immediate = network, (0.0,) * len(network)
    if level.simulations:
        assert heuristics.search_values is not None, "a game with levels has a search"
        found = heuristics.search_values(view, rng, SearchBudget(simulations=level.simulations))
        search = tuple(found[choice] for choice in view.legal)
    if level.immediate_weight:
        quick = heuristics.immediate_values(view, rng)
        immediate = tuple(quick[choice] for choice in view.legal)
    return ActionValues(network, search, immediate)


def choice_likelihoods(level: Level, values: ActionValues) -> Sequence[float]:
    """Weight each choice by the softmax of a level; the best allowed choice has weight 1.

    >>> level = Level("a", 1.0, 2.0, 0.0, simulations=0, temperature=1.0)
    >>> values = ActionValues((5.0, 4.0, 2.9), (5.0, 4.0, 2.9), (0.0, 0.0, 0.0))
    >>> [round(weight, 2) for weight in choice_likelihoods(level, values)]
    [1.0, 0.37, 0.0]
    """
    least = max(values.network) - level.max_loss
    scores = [
        value + level.immediate_weight * gain if network >= least else -inf
        for network, value, gain in zip(*values, strict=True)
    ]
    best = max(scores)
    return [exp((score - best) / level.temperature) for score in scores]
