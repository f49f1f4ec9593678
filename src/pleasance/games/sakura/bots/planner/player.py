"""The planner of Sakura: from a view to the worth of each choice."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from random import Random

import numpy as np
from numpy.typing import NDArray

from pleasance.games.sakura.bots.planner.potential import SCRATCH_ROWS, WEIGHTS, resolve_worlds
from pleasance.games.sakura.kernel.codes import MOST_CHOICES
from pleasance.games.sakura.kernel.layout import SIZE
from pleasance.games.sakura.kernel.packing import pack_box, pack_view
from pleasance.games.sakura.rules.actions import Choice
from pleasance.games.sakura.rules.view import View

WORLDS = 200
"""Worlds imagined for each decision."""


@cache
def load_weights() -> NDArray[np.float64]:
    """Read the weights of the judgement."""
    text = (files("pleasance.games.sakura") / "potential.toml").read_text(encoding="utf-8")
    weights = np.array(tomllib.loads(text)["weights"], dtype=np.float64)
    assert weights.shape == (WEIGHTS,), weights.shape
    return weights


def judge_choices(view: View, rng: Random) -> Mapping[Choice, float]:
    """Tell how the looking seat would stand after this round, on average over imagined worlds."""
    assert view.seat is not None, "spectators do not choose"
    luck = np.array([rng.getrandbits(64) or 1], dtype=np.uint64)
    scratch = np.empty((SCRATCH_ROWS, max(SIZE, MOST_CHOICES)), dtype=np.int64)
    values = np.empty(MOST_CHOICES, dtype=np.float64)
    box, flat = pack_box(view.box), pack_view(view)
    resolve_worlds(box, flat, view.seat, WORLDS, luck, scratch, values, load_weights())
    return dict(zip(view.legal, values.tolist(), strict=False))
