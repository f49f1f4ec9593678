"""The evaluations that Sanssouci offers to players and tools, each loaded when it is first used."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from pleasance.core.budget import SearchBudget
from pleasance.core.game import Heuristics
from pleasance.core.levels import read_levels, read_ratings
from pleasance.games.sanssouci.bots.greedy import immediate_values
from pleasance.games.sanssouci.rules.actions import Action
from pleasance.games.sanssouci.rules.state import Phase
from pleasance.games.sanssouci.rules.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence


def planner_values(view: View, rng: Random) -> Mapping[Action, float]:
    """Value each legal choice by the planner: the best turn it can end in."""
    from pleasance.games.sanssouci.bots.planner.player import evaluate  # noqa: PLC0415  (compiled)

    if view.phase is Phase.SIDES:
        return immediate_values(view, rng)
    return evaluate(view)


def tuning_score(weights: Sequence[float], games: int, seed: str) -> float:
    """Score other weights of the planner by games with the house set."""
    from pleasance.games.sanssouci.training.tuning_games import play_tuning_games  # noqa: PLC0415  (compiled)

    return play_tuning_games(weights, games, seed)


def planner_weights() -> Sequence[float]:
    """Load the weights of the planner."""
    from pleasance.games.sanssouci.bots.planner.player import load_weights  # noqa: PLC0415  (compiled)

    return list(load_weights())


def network_values(view: View, rng: Random) -> Mapping[Action, float]:
    """Value each legal choice by the trained network."""
    from pleasance.games.sanssouci.bots.network.player import evaluate  # noqa: PLC0415  (compiled)

    return evaluate(view, rng)


def search_values(view: View, rng: Random, budget: SearchBudget) -> Mapping[Action, float]:
    """Value each legal choice by the trained network and a search."""
    from pleasance.games.sanssouci.bots.network.search import search  # noqa: PLC0415  (compiled)

    return search(view, rng, budget)


def with_weights(path: Path) -> Heuristics[Action, View]:
    """Use the network of another file, or of a folder that training wrote."""
    from pleasance.games.sanssouci.bots.network import player, search  # noqa: PLC0415  (compiled)
    from pleasance.games.sanssouci.bots.network.storage import read_net  # noqa: PLC0415  (compiled)

    net = read_net(path / "points.npz" if path.is_dir() else path)
    return HEURISTICS._replace(
        network_values=partial(player.evaluate, net=net),
        search_values=partial(search.search, net=net),
    )


HEURISTICS: Heuristics[Action, View] = Heuristics(
    immediate_values=immediate_values,
    with_weights=with_weights,
    planner_values=planner_values,
    tuning_score=tuning_score,
    planner_weights=planner_weights,
    network_values=network_values,
    search_values=search_values,
    levels=read_levels("pleasance.games.sanssouci"),
    ratings=read_ratings("pleasance.games.sanssouci"),
)
