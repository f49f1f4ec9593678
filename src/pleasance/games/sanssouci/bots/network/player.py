"""The network player of Sanssouci: the value of each choice of a view by the value network."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from pleasance.compiled.kernel import IntArray
from pleasance.games.sanssouci.bots.network.accumulator import Net
from pleasance.games.sanssouci.bots.network.model import (
    NetWorkspace,
    evaluate_rivals,
    evaluate_side,
    evaluate_turns,
    make_net_workspace,
)
from pleasance.games.sanssouci.bots.network.storage import load_net
from pleasance.games.sanssouci.bots.planner.player import best_by_choice
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import SPACE
from pleasance.games.sanssouci.kernel.packing import pack_constants, pack_view
from pleasance.games.sanssouci.rules.actions import Action, Side
from pleasance.games.sanssouci.rules.state import Phase
from pleasance.games.sanssouci.rules.view import View


def evaluate(view: View, _rng: Random, *, net: Net | None = None) -> Mapping[Action, float]:
    """Evaluate each choice by the network: its expected lead over the rivals in final points."""
    workspace = make_net_workspace(net or load_net(), pack_constants(view.box))
    if view.phase is Phase.SIDES:
        return evaluate_sides(view, workspace)
    values = evaluate_leads(pack_view(view), workspace)
    return best_by_choice(view, workspace.rows[: len(values)].tolist(), values.tolist())


def evaluate_sides(view: View, workspace: NetWorkspace) -> Mapping[Action, float]:
    """Evaluate each side of the own rewards board in expected final points."""
    assert view.seat is not None, "spectators do not choose"
    state = pack_view(view)
    best: dict[Action, float] = {}
    for choice in view.legal:
        assert isinstance(choice, Side), choice
        best[choice] = evaluate_side(state, workspace, view.seat, choice.side)
    return best


def evaluate_leads(state: IntArray, workspace: NetWorkspace) -> Any:
    """List the expected lead of each afterstate in the workspace's rows."""
    count = evaluate_turns(state, workspace)
    values = workspace.values[:count].copy()
    spaces = np.full(count, state[at.EMPTIED])
    if state[at.PHASE] == at.TAKE:
        spaces = workspace.rows[:count, SPACE].copy()
    evaluate_rivals(state, workspace, int(np.bitwise_or.reduce(1 << spaces)))
    return values - workspace.costs[spaces]
