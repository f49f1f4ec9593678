"""The planner of Sakura: the value of each choice of a view."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from random import Random

import numpy as np
from numpy.typing import NDArray

from pleasance.compiled.rng import fork_rng_state
from pleasance.games.sakura.bots.planner.potential import (
    WEIGHT_COUNT,
    evaluate_choices,
    make_planner_workspace,
)
from pleasance.games.sakura.kernel.packing import pack_constants, pack_view
from pleasance.games.sakura.rules.actions import Choice
from pleasance.games.sakura.rules.view import View

WORLDS = 200
"""Worlds imagined for each decision."""


@cache
def load_weights() -> NDArray[np.float64]:
    """Read the shipped weights."""
    text = (files("pleasance.games.sakura") / "potential.toml").read_text(encoding="utf-8")
    weights = np.array(tomllib.loads(text)["weights"], dtype=np.float64)
    assert weights.shape == (WEIGHT_COUNT,), weights.shape
    return weights


def evaluate(view: View, rng: Random) -> Mapping[Choice, float]:
    """Estimate the lead of the viewing seat after this round, averaged over imagined worlds."""
    assert view.seat is not None, "spectators do not choose"
    rng_state = fork_rng_state(rng)
    constants, position = pack_constants(view.box), pack_view(view)
    workspace = make_planner_workspace(load_weights())
    evaluate_choices(constants, position, view.seat, WORLDS, rng_state, workspace)
    return dict(zip(view.legal, workspace.values.tolist(), strict=False))
