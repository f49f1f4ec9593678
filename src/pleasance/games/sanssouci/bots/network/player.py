"""The network player of Sanssouci: the value of each choice of a view by the value network."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from pleasance.games.sanssouci.bots.network.accumulator import Net
from pleasance.games.sanssouci.bots.network.model import evaluate_leads, evaluate_side
from pleasance.games.sanssouci.bots.network.storage import load_net
from pleasance.games.sanssouci.bots.network.workspace import NetWorkspace, make_net_workspace
from pleasance.games.sanssouci.bots.planner.player import best_by_choice
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.packing import pack_constants, pack_view
from pleasance.games.sanssouci.rules.actions import Action, Side
from pleasance.games.sanssouci.rules.state import Phase
from pleasance.games.sanssouci.rules.view import View


def evaluate(view: View, _rng: Random, *, net: Net | None = None) -> Mapping[Action, float]:
    """Evaluate each choice by the network: its expected lead over the rivals in final points."""
    workspace = make_net_workspace(net or load_net(), pack_constants(view.box))
    if view.phase is Phase.SIDES:
        return evaluate_sides(view, workspace)
    state = pack_view(view)
    count = evaluate_leads(state, workspace)
    return best_by_choice(state[at.PHASE], workspace.rows, workspace.values, count)


def evaluate_sides(view: View, workspace: NetWorkspace) -> Mapping[Action, float]:
    """Evaluate each side of the own rewards board in expected final points."""
    assert view.seat is not None, "spectators do not choose"
    state = pack_view(view)
    best: dict[Action, float] = {}
    for choice in view.legal:
        assert isinstance(choice, Side), choice
        best[choice] = evaluate_side(state, workspace, view.seat, choice.side)
    return best
