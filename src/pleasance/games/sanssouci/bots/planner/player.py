"""The planner of Sanssouci: the value of each choice of a view by the potential of its gardens."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pleasance.games.sanssouci.bots.planner.potential import (
    FEATURES,
    evaluate_turns,
    make_planner_workspace,
)
from pleasance.games.sanssouci.kernel.afterstates import CARD, CHASED, GARDENER, NONE, SPACE, WALKED
from pleasance.games.sanssouci.kernel.packing import pack_constants, pack_view
from pleasance.games.sanssouci.rules.actions import Action, Boar, Place, Stay, Take, Walk
from pleasance.games.sanssouci.rules.garden import Cell
from pleasance.games.sanssouci.rules.state import Phase
from pleasance.games.sanssouci.rules.view import View


@cache
def load_weights() -> NDArray[np.float64]:
    """Read the weights of the potential, `[2, FEATURES]`."""
    text = (files("pleasance.games.sanssouci") / "potential.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    weights = np.array([table["always"], table["by_time"]], dtype=np.float64)
    assert weights.shape == (2, FEATURES), weights.shape
    return weights


def evaluate(view: View) -> Mapping[Action, float]:
    """Evaluate each legal choice by the best turn that it can end in."""
    # A turn depends on nothing hidden before its draws, so hidden cards need not be dealt.
    workspace = make_planner_workspace(load_weights())
    count = evaluate_turns(pack_constants(view.box), pack_view(view), workspace)
    rows, values = workspace.rows[:count], workspace.values[:count]
    return best_by_choice(view, rows.tolist(), values.tolist())


def best_by_choice(view: View, rows: list[Any], values: list[float]) -> Mapping[Action, float]:
    """Give each choice the value of the best turn that it can begin."""
    best: dict[Action, float] = {}
    for row, value in zip(rows, values, strict=True):
        choice = first_choice(view.phase, row)
        best[choice] = max(value, best.get(choice, value))
    return best


def first_choice(phase: Phase, row: list[Any]) -> Action:
    """Name the choice of *phase* that a turn begins with."""
    match phase:
        case Phase.TAKE:
            return Take(row[CARD], row[SPACE])
        case Phase.PLACE:
            return Place(Cell(row[GARDENER]))
        case Phase.BOAR:
            return Boar(Cell(row[CHASED]))
        case _:
            return Stay() if row[WALKED] == NONE else Walk(Cell(row[WALKED]))
