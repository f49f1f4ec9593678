"""The planner of Sakura: the value of each choice of a view."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from random import Random

from pleasance.compiled.arrays import from_values
from pleasance.compiled.rng import fork_rng_state
from pleasance.games.sakura.bots.planner.potential import (
    WEIGHT_COUNT,
    PlannerWeights,
    evaluate_choices,
    make_planner_workspace,
)
from pleasance.games.sakura.kernel.packing import pack_constants, pack_view
from pleasance.games.sakura.rules.actions import Choice
from pleasance.games.sakura.rules.view import View

WORLDS = 200
"""Worlds imagined for each decision."""


@cache
def load_weights() -> PlannerWeights:
    """Read the shipped weights."""
    text = (files("pleasance.games.sakura") / "potential.toml").read_text(encoding="utf-8")
    weights = tomllib.loads(text)["weights"]
    assert len(weights) == WEIGHT_COUNT, weights
    return from_values("float64", weights)


def evaluate(view: View, rng: Random, *, worlds: int = WORLDS) -> Mapping[Choice, float]:
    """Estimate the lead of the viewing seat after this round, averaged over imagined worlds."""
    assert view.seat is not None, "spectators do not choose"
    rng_state = fork_rng_state(rng)
    constants, position = pack_constants(view.box), pack_view(view)
    workspace = make_planner_workspace(load_weights())
    count = evaluate_choices(constants, position, view.seat, worlds, rng_state, workspace)
    return dict(zip(view.legal, workspace.values[:count], strict=True))
