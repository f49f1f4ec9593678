"""The network player of Sakura: the share of victory that each choice of a view promises."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from pleasance.core.budget import SearchBudget
from pleasance.games.sakura.bots.network.search import search
from pleasance.games.sakura.bots.network.storage import NetworkLoader, load_networks
from pleasance.games.sakura.rules.actions import Choice
from pleasance.games.sakura.rules.view import View

QUICK_BUDGET = SearchBudget(simulations=48)
"""The budget of a player without one of its own: about a millisecond."""


def evaluate(
    view: View, rng: Random, *, load: NetworkLoader = load_networks
) -> Mapping[Choice, float]:
    """Estimate the share of victory after each choice, from few worlds."""
    return search(view, rng, QUICK_BUDGET, load=load)
