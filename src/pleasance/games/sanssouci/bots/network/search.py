"""The search of the strongest player: sequential halving over rollouts in determinized worlds."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, sqrt
from random import Random
from typing import Any

import numpy as np

from pleasance.compiled.jit import copy_into, jit
from pleasance.compiled.kernel import FloatArray, IntArray
from pleasance.compiled.rng import RngState, fork_rng_state
from pleasance.core.budget import SearchBudget
from pleasance.games.sanssouci.bots.network.accumulator import Net
from pleasance.games.sanssouci.bots.network.model import (
    NetWorkspace,
    choose_turn,
    make_net_workspace,
)
from pleasance.games.sanssouci.bots.network.player import evaluate_leads, evaluate_sides
from pleasance.games.sanssouci.bots.network.storage import load_net
from pleasance.games.sanssouci.bots.planner.player import best_by_choice
from pleasance.games.sanssouci.bots.planner.rollout import play_afterstate
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import SPACE, WALKED
from pleasance.games.sanssouci.kernel.packing import pack_constants, pack_view
from pleasance.games.sanssouci.kernel.playout import draw
from pleasance.games.sanssouci.kernel.scoring import scores
from pleasance.games.sanssouci.kernel.view import imagine
from pleasance.games.sanssouci.rules.actions import Action
from pleasance.games.sanssouci.rules.state import Phase
from pleasance.games.sanssouci.rules.view import View

MAX_CANDIDATES = 8
"""Largest number of turns that are searched, the best by the network."""

MAX_POINTS_BEHIND = 9.0
"""Turns that the network values this far below the best are not searched."""

ROLLOUT_TURNS = 2
"""Own turns that a rollout plays before the network evaluates."""

PRIOR_WORLDS = 6.0
"""Weight of the network's prior value, in simulated worlds."""

UNTRIED_GAP = 1e-6
"""Untried turns are ranked at least this far below the chosen one."""

MARGIN_WEIGHT = 0.1
"""Weight of a point of lead where victory is certain, so that no point is given away."""


@jit
def lead_swing(left: int) -> float:
    """Estimate how far a lead may still swing with *left* own turns to go, in points."""
    return 0.6 * (1.5 + 10.0 * sqrt(left / at.ROUNDS))


@jit
def lead_value(lead: float, left: int) -> float:
    """Value a lead with *left* own turns to go: a point counts most where victory is open."""
    spread = lead_swing(left)
    return spread * (4.0 / (1.0 + exp(-lead / spread)) - 2.0) + MARGIN_WEIGHT * lead


@jit
def rollout(
    state: IntArray,
    workspace: NetWorkspace,
    seat: int,
    turns: int,
    rng_state: RngState,
) -> float:
    """Play by the network until *seat* has had *turns* more turns; value its lead then."""
    seats = state[at.SEATS]
    while state[at.PHASE] != at.OVER:
        if state[at.PHASE] != at.TAKE:
            draw(workspace.constants, state, rng_state)
            continue
        best = choose_turn(state, workspace, 1.0)
        if state[at.ACTOR] == seat:
            turns -= 1
            left = at.ROUNDS - 1 - state[at.TURNS] // seats
            if turns == 0 and left > 0:
                lead = workspace.values[best] - workspace.costs[workspace.rows[best, SPACE]]
                return lead_value(lead, left)
        play_afterstate(workspace.constants, state, workspace.rows[best])
    points = workspace.scratch[2]
    scores(workspace.constants, state, points)
    rival = 0
    for other in range(seats):
        if other != seat:
            rival = max(rival, points[other])
    return lead_value(float(points[seat] - rival), 0)


@jit
def simulate_turns(
    root: IntArray,
    turns: IntArray,
    candidates: IntArray,
    workspace: NetWorkspace,
    rollout_turns: int,
    rng_state: RngState,
    totals: FloatArray,
) -> None:
    """Simulate the turns numbered in *candidates* in one more world, with equal random numbers.

    *turns* holds rows of afterstates.
    """
    world, state = workspace.scratch[3], workspace.scratch[4]
    copy_into(world, root)
    imagine(workspace.constants, world, rng_state)
    shared_state = rng_state[0]
    for turn in candidates:
        rng_state[0] = shared_state
        copy_into(state, world)
        seat = state[at.ACTOR]
        play_afterstate(workspace.constants, state, turns[turn])
        totals[turn] += rollout(state, workspace, seat, rollout_turns, rng_state)


def search(
    view: View, rng: Random, budget: SearchBudget, *, net: Net | None = None
) -> Mapping[Action, float]:
    """Value each choice by sequential halving over shared worlds, in points of lead.

    Only the best few turns are simulated. The network's prior counts as much as some worlds do,
    since it errs less than a few of them; it alone decides which noble walks.
    """
    workspace = make_net_workspace(net or load_net(), pack_constants(view.box))
    if view.phase is Phase.SIDES:
        return evaluate_sides(view, workspace)
    turns, leads, tried = rank_turns(pack_view(view), workspace)
    left = at.ROUNDS - 1 - view.turns // view.seats
    values = np.array([lead_value(lead, left) for lead in leads.tolist()])
    if len(tried) > 1:
        values = _sequential_halving(
            view, rng, budget, workspace=workspace, turns=turns, values=values, tried=tried
        )
    return best_by_choice(view, turns.tolist(), values.tolist())


def rank_turns(state: IntArray, workspace: NetWorkspace) -> tuple[Any, Any, list[int]]:
    """List the afterstates, the expected lead of each, and those that deserve a simulation."""
    leads = evaluate_leads(state, workspace)
    turns = workspace.rows[: len(leads)].copy()
    return turns, leads, select_candidates(turns, leads)


def select_candidates(turns: Any, leads: Any) -> list[int]:
    """Select the best few turns that differ before the walk, where the network errs least."""
    order = np.argsort(-leads, kind="stable")
    selected: dict[tuple[int, ...], int] = {}
    for turn in order.tolist():
        if len(selected) == MAX_CANDIDATES or leads[turn] <= leads[order[0]] - MAX_POINTS_BEHIND:
            break
        selected.setdefault(tuple(turns[turn, :WALKED].tolist()), turn)
    return list(selected.values())


def spread_to_walks(turns: Any, values: Any, improved: Any, tried: list[int]) -> None:
    """Apply the correction of a simulated turn to all turns that differ from it only in the walk.

    Otherwise the same turn with another walk would keep the value that the simulation lowered.
    """
    for turn in tried:
        same_turn = (turns[:, :WALKED] == turns[turn, :WALKED]).all(axis=1)
        improved[same_turn] = improved[turn] + values[same_turn] - values[turn]


def _sequential_halving(
    view: View,
    rng: Random,
    budget: SearchBudget,
    *,
    workspace: NetWorkspace,
    turns: Any,
    values: Any,
    tried: list[int],
) -> Any:
    """Value turns by simulating the candidates; the last one that remains is the best."""
    root, totals = pack_view(view), PRIOR_WORLDS * values
    rng_state = fork_rng_state(rng)
    improved, remaining, weight = values.copy(), list(tried), PRIOR_WORLDS
    rounds = (len(remaining) - 1).bit_length()
    for _ in range(rounds):
        candidates = np.array(remaining, dtype=np.int64)
        # Cost is counted in turns of a game for two: four players must not take twice as long.
        for _ in budget.split(rounds, len(remaining) * view.seats / 2).spend():
            simulate_turns(root, turns, candidates, workspace, ROLLOUT_TURNS, rng_state, totals)
            weight += 1
        remaining.sort(key=lambda turn: -totals[turn])
        improved[remaining] = totals[remaining] / weight
        remaining = remaining[: (len(remaining) + 1) // 2]
    spread_to_walks(turns, values, improved, tried)
    best = remaining[0]
    others = np.delete(np.arange(len(improved)), best)
    improved[others] = np.minimum(improved[others], improved[best] - UNTRIED_GAP)
    return improved
