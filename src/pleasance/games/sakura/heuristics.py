"""The heuristics of Sakura; those in compiled code are imported on first use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from pleasance.core.budget import SearchBudget
from pleasance.core.game import Heuristics
from pleasance.core.levels import read_levels, read_ratings
from pleasance.games.sakura.bots.greedy import immediate_values
from pleasance.games.sakura.rules.actions import Choice
from pleasance.games.sakura.rules.components import open_box
from pleasance.games.sakura.rules.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence


def planner_values(view: View, rng: Random) -> Mapping[Choice, float]:
    """Estimate the lead of the viewing seat after this round by the tuned planner."""
    from pleasance.games.sakura.bots.planner.player import evaluate  # noqa: PLC0415  (compiled)

    return evaluate(view, rng)


def tuning_score(weights: Sequence[float], games: int, seed: str) -> float:
    """Score other weights of the planner, with the built-in components."""
    from pleasance.games.sakura.training.tuning_games import play_tuning_games  # noqa: PLC0415  (compiled)

    return play_tuning_games(open_box("pleasance.games.sakura", (), None), weights, games, seed)


def planner_weights() -> Sequence[float]:
    """Load the weights of the planner."""
    from pleasance.games.sakura.bots.planner.player import load_weights  # noqa: PLC0415  (compiled)

    return list(load_weights())


def network_values(view: View, rng: Random) -> Mapping[Choice, float]:
    """Estimate the share of victory after each choice by the networks, from few worlds."""
    from pleasance.games.sakura.bots.network.player import evaluate  # noqa: PLC0415  (compiled)

    return evaluate(view, rng)


def search_values(view: View, rng: Random, budget: SearchBudget) -> Mapping[Choice, float]:
    """Estimate the share of victory after each choice by the networks, within a budget."""
    from pleasance.games.sakura.bots.network.search import search  # noqa: PLC0415  (compiled)

    return search(view, rng, budget)


def with_weights(folder: Path) -> Heuristics[Choice, View]:
    """Make the same heuristics with the networks of a folder."""
    from pleasance.games.sakura.bots.network.player import evaluate  # noqa: PLC0415  (compiled)
    from pleasance.games.sakura.bots.network.search import search  # noqa: PLC0415  (compiled)
    from pleasance.games.sakura.bots.network.storage import make_loader  # noqa: PLC0415  (compiled)

    load = make_loader(folder)
    load(open_box("pleasance.games.sakura", (), None))
    return HEURISTICS._replace(
        network_values=partial(evaluate, load=load), search_values=partial(search, load=load)
    )


HEURISTICS: Heuristics[Choice, View] = Heuristics(
    immediate_values=immediate_values,
    planner_values=planner_values,
    tuning_score=tuning_score,
    planner_weights=planner_weights,
    network_values=network_values,
    search_values=search_values,
    levels=read_levels("pleasance.games.sakura"),
    ratings=read_ratings("pleasance.games.sakura"),
    with_weights=with_weights,
)
