"""The search of the strongest player: sequential halving over rollouts in determinized worlds."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from random import Random
from typing import Annotated, Any, NamedTuple, TypeAlias

from pleasance.compiled.arrays import zeros
from pleasance.compiled.exponential import exp
from pleasance.compiled.export import export
from pleasance.compiled.jit import copy_into, jit
from pleasance.compiled.rng import RngState, fork_rng_state
from pleasance.compiled.signature import ArrayType
from pleasance.core.budget import SearchBudget
from pleasance.games.sanssouci.bots.network.accumulator import Net
from pleasance.games.sanssouci.bots.network.model import WORST, choose_turn, evaluate_leads
from pleasance.games.sanssouci.bots.network.player import evaluate_sides
from pleasance.games.sanssouci.bots.network.storage import load_net
from pleasance.games.sanssouci.bots.network.workspace import NetWorkspace, make_net_workspace
from pleasance.games.sanssouci.bots.planner.player import best_by_choice
from pleasance.games.sanssouci.bots.planner.rollout import play_afterstate
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    MAX_AFTERSTATES,
    SPACE,
    WALKED,
    Row,
    Rows,
    TurnValues,
)
from pleasance.games.sanssouci.kernel.layout import Constants, Position
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


Candidates: TypeAlias = Annotated[Any, ArrayType("int64", (MAX_CANDIDATES,))]
"""The turns that are simulated, by their rows `[MAX_CANDIDATES]`, int64."""


class SearchWorkspace(NamedTuple):
    """The position that is searched, its turns, and all scratch space of the search."""

    root: Position
    """The packed view."""

    ranked: NetWorkspace
    """The whole turns of the root with their values."""

    rollouts: NetWorkspace
    """The scratch space of rollouts."""

    candidates: Candidates
    totals: TurnValues
    """The value of each simulated turn, summed over worlds."""


def make_search_workspace(net: Net, constants: Constants, root: Position) -> SearchWorkspace:
    """Allocate the workspace of one search."""
    return SearchWorkspace(
        root=root,
        ranked=make_net_workspace(net, constants),
        rollouts=make_net_workspace(net, constants),
        candidates=zeros("int64", MAX_CANDIDATES),
        totals=zeros("float64", MAX_AFTERSTATES),
    )


@export("train")
def lead_swing(left: int) -> float:
    """Estimate how far a lead may still swing with *left* own turns to go, in points."""
    return 0.6 * (1.5 + 10.0 * sqrt(left / at.ROUNDS))


@export("train")
def lead_value(lead: float, left: int) -> float:
    """Value a lead with *left* own turns to go: a point counts most where victory is open."""
    spread = lead_swing(left)
    return spread * (4.0 / (1.0 + exp(-lead / spread)) - 2.0) + MARGIN_WEIGHT * lead


@jit
def rollout(
    state: Position,
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


@export()
def rank_turns(search: SearchWorkspace) -> int:
    """List the turns of the root with their expected leads; return their number."""
    return evaluate_leads(search.root, search.ranked)


@export()
def select_candidates(search: SearchWorkspace, count: int) -> int:
    """Select the best few turns that differ before the walk, where the network errs least."""
    rows, leads, candidates = search.ranked.rows, search.ranked.values, search.candidates
    selected, best_lead = 0, WORST
    while selected < MAX_CANDIDATES:
        best = -1
        for turn in range(count):
            if (best < 0 or leads[turn] > leads[best]) and is_new(rows, candidates, selected, turn):
                best = turn
        if best < 0 or leads[best] <= best_lead - MAX_POINTS_BEHIND:
            break
        if selected == 0:
            best_lead = leads[best]
        candidates[selected] = best
        selected += 1
    return selected


@jit
def is_new(rows: Rows, candidates: Candidates, selected: int, turn: int) -> bool:
    """Return whether a turn differs before the walk from all that are selected."""
    for place in range(selected):
        if is_same_before_walk(rows[candidates[place]], rows[turn]):
            return False
    return True


@jit
def is_same_before_walk(one: Row, other: Row) -> bool:
    """Return whether two turns differ at most in the walk."""
    differs = False
    for column in range(WALKED):
        differs |= one[column] != other[column]
    return not differs


@export()
def value_leads(values: TurnValues, count: int, left: int) -> None:
    """Replace leads by their values with *left* own turns to go."""
    for turn in range(min(count, MAX_AFTERSTATES)):
        values[turn] = lead_value(values[turn], left)


@export()
def simulate_turns(
    search: SearchWorkspace, count: int, rollout_turns: int, rng_state: RngState
) -> None:
    """Simulate the first *count* candidates in one more world, with equal random numbers."""
    workspace, seat = search.rollouts, search.root[at.ACTOR]
    world, state = workspace.scratch[3], workspace.scratch[4]
    copy_into(world, search.root)
    imagine(workspace.constants, world, rng_state)
    shared_state = rng_state[0]
    for place in range(min(count, MAX_CANDIDATES)):
        turn = search.candidates[place]
        rng_state[0] = shared_state
        copy_into(state, world)
        play_afterstate(workspace.constants, state, search.ranked.rows[turn])
        search.totals[turn] += rollout(state, workspace, seat, rollout_turns, rng_state)


@export()
def apply_simulations(search: SearchWorkspace, count: int, tried: int, best: int) -> None:
    """Correct the values of all turns by the totals of the *tried* ones; *best* stays the best."""
    values, candidates = search.ranked.values, search.candidates
    count = min(count, MAX_AFTERSTATES)
    for place in range(min(tried, MAX_CANDIDATES)):
        turn = candidates[place]
        spread_to_walks(search.ranked.rows, values, count, turn, search.totals[turn])
    for turn in range(count):
        if turn != best:
            values[turn] = min(values[turn], values[best] - UNTRIED_GAP)


@jit
def spread_to_walks(
    rows: Rows, values: TurnValues, count: int, turn: int, simulated: float
) -> None:
    """Apply the correction of a simulated turn to all turns that differ from it only in the walk.

    Otherwise the same turn with another walk would keep the value that the simulation lowered.
    """
    prior = values[turn]
    for other in range(count):
        if is_same_before_walk(rows[turn], rows[other]):
            values[other] = simulated + values[other] - prior


def search(
    view: View, rng: Random, budget: SearchBudget, *, net: Net | None = None
) -> Mapping[Action, float]:
    """Value each choice by sequential halving over shared worlds, in points of lead.

    Only the best few turns are simulated. The network's prior counts as much as some worlds do,
    since it errs less than a few of them; it alone decides which noble walks.
    """
    net, constants = net or load_net(), pack_constants(view.box)
    if view.phase is Phase.SIDES:
        return evaluate_sides(view, make_net_workspace(net, constants))
    workspace = make_search_workspace(net, constants, pack_view(view))
    count = rank_turns(workspace)
    tried = workspace.candidates[: select_candidates(workspace, count)]
    value_leads(workspace.ranked.values, count, at.ROUNDS - 1 - view.turns // view.seats)
    if len(tried) > 1:
        best = _sequential_halving(view.seats, rng, budget, workspace=workspace, tried=tried)
        apply_simulations(workspace, count, len(tried), best)
    ranked = workspace.ranked
    return best_by_choice(workspace.root[at.PHASE], ranked.rows, ranked.values, count)


def _sequential_halving(
    seats: int, rng: Random, budget: SearchBudget, *, workspace: SearchWorkspace, tried: list[int]
) -> int:
    """Value the *tried* turns by simulating them, in the totals; return the last that remains."""
    totals, rng_state = workspace.totals, fork_rng_state(rng)
    for turn in tried:
        totals[turn] = PRIOR_WORLDS * workspace.ranked.values[turn]
    simulate = simulate_turns.bind(workspace, ..., ROLLOUT_TURNS, rng_state)
    simulated: dict[int, float] = {}
    remaining, weight = tried, PRIOR_WORLDS
    rounds = (len(remaining) - 1).bit_length()
    for _ in range(rounds):
        workspace.candidates[: len(remaining)] = remaining
        # Cost is counted in turns of a game for two: four players must not take twice as long.
        for _ in budget.split(rounds, len(remaining) * seats / 2).spend():
            simulate(len(remaining))
            weight += 1
        remaining = sorted(remaining, key=lambda turn: -totals[turn])
        simulated |= {turn: totals[turn] / weight for turn in remaining}
        remaining = remaining[: (len(remaining) + 1) // 2]
    workspace.candidates[: len(tried)] = tried
    for turn, value in simulated.items():
        totals[turn] = value
    return remaining[0]
