"""The planner of Sanssouci: from a view to the worth of each choice."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pleasance.games.sanssouci.bots.planner.potential import FEATURES, judge_turns
from pleasance.games.sanssouci.kernel.afterstates import (
    CARD,
    CHASED,
    GARDENER,
    MOST_AFTERSTATES,
    NONE,
    ROW_SIZE,
    SPACE,
    WALKED,
)
from pleasance.games.sanssouci.kernel.layout import SIZE
from pleasance.games.sanssouci.kernel.packing import pack_box, pack_view
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


def judge_choices(view: View) -> Mapping[Action, float]:
    """Tell the worth of the best turn that each legal choice can end in."""
    # A turn up to its end depends on nothing hidden, so what is unknown need not be dealt.
    rows = np.empty((MOST_AFTERSTATES, ROW_SIZE), dtype=np.int64)
    values = np.empty(MOST_AFTERSTATES, dtype=np.float64)
    scratch = np.empty((2, SIZE), dtype=np.int64)
    box, state = pack_box(view.box), pack_view(view)
    count = judge_turns(box, state, load_weights(), scratch, rows, values)
    worths: dict[Action, float] = {}
    for row, value in zip(rows[:count].tolist(), values[:count].tolist(), strict=True):
        choice = choice_of(view.phase, row)
        worths[choice] = max(value, worths.get(choice, value))
    return worths


def choice_of(phase: Phase, row: list[Any]) -> Action:
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
