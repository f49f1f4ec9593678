"""The planner of Sanssouci: the value of each choice of a view by the potential of its gardens."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pleasance.compiled.arrays import from_values, zeros
from pleasance.games.sanssouci.bots.planner.potential import (
    FEATURES,
    Weights,
    evaluate_turns,
    make_planner_workspace,
)
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.actions import MAX_CHOICES
from pleasance.games.sanssouci.kernel.afterstates import Rows, TurnValues, best_by_code
from pleasance.games.sanssouci.kernel.packing import pack_constants, pack_view
from pleasance.games.sanssouci.rules.actions import SPACE, Action
from pleasance.games.sanssouci.rules.view import View


@cache
def load_weights() -> Weights:
    """Read the weights of the potential, `[2 * FEATURES]`."""
    text = (files("pleasance.games.sanssouci") / "potential.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    weights = [*table["always"], *table["by_time"]]
    assert len(weights) == 2 * FEATURES, len(weights)
    return from_values("float64", weights)


def evaluate(view: View) -> Mapping[Action, float]:
    """Evaluate each legal choice by the best turn that it can end in."""
    # A turn depends on nothing hidden before its draws, so hidden cards need not be dealt.
    workspace, state = make_planner_workspace(load_weights()), pack_view(view)
    count = evaluate_turns(pack_constants(view.box), state, workspace)
    return best_by_choice(state[at.PHASE], workspace.rows, workspace.values, count)


def best_by_choice(
    phase: int, rows: Rows, values: TurnValues, count: int
) -> Mapping[Action, float]:
    """Give each choice of *phase* the value of the best of *count* turns that it can begin."""
    codes, best = zeros("int64", MAX_CHOICES), zeros("float64", MAX_CHOICES)
    choices = best_by_code(phase, rows, values, count, codes, best)
    return {SPACE.actions[code]: best[place] for place, code in enumerate(codes[:choices])}
