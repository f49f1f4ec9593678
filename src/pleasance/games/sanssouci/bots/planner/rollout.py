"""Rollouts by the planner's policy, compiled: whole turns by potential, and their evaluation."""

from __future__ import annotations

from pleasance.compiled.exponential import exp
from pleasance.compiled.export import export
from pleasance.compiled.jit import jit
from pleasance.compiled.rng import RngState, randbelow
from pleasance.games.sanssouci.bots.planner.player import load_weights
from pleasance.games.sanssouci.bots.planner.potential import (
    PlannerWorkspace,
    evaluate_turns,
    make_planner_workspace,
    potential,
)
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.actions import ChoiceValues, Codes
from pleasance.games.sanssouci.kernel.afterstates import (
    CARD,
    CHASED,
    GARDENER,
    NONE,
    SPACE,
    WALKED,
    Row,
    copy_garden,
    first_code,
)
from pleasance.games.sanssouci.kernel.layout import Constants, Position, Shares, seat_block
from pleasance.games.sanssouci.kernel.placing import lay
from pleasance.games.sanssouci.kernel.playout import draw
from pleasance.games.sanssouci.kernel.rules import (
    after_walk,
    chase_boar,
    legal,
    move_noble,
    take_tile,
    turns_left,
)
from pleasance.games.sanssouci.kernel.scoring import endgame, points_of
from pleasance.games.sanssouci.kernel.setup import choose_side

ROLLOUT_ROUNDS = 3
"""Rounds that a truncated rollout plays before the position is evaluated."""

LEAD_SCALE = 8.0
"""Points of lead that make a victory about three times as likely as a defeat."""

WORST = float("-inf")
"""Less than the value of any turn."""


def make_workspace() -> PlannerWorkspace:
    """Allocate the workspace of rollouts with the shipped weights."""
    return make_planner_workspace(load_weights())


@jit
def fill_values(values: ChoiceValues, count: int, value: float) -> None:
    """Give the first *count* choices the same value."""
    for choice in range(count):
        values[choice] = value


@export()
def rank(
    constants: Constants,
    state: Position,
    seat: int,
    _rng_state: RngState,
    workspace: PlannerWorkspace,
    codes: Codes,
    values: ChoiceValues,
) -> int:
    """Evaluate each choice of a seat by the best turn it can end in."""
    count = legal(constants, state, seat, codes)
    if state[at.PHASE] == at.SIDES:
        fill_values(values, count, 0.0)
        return count
    fill_values(values, count, WORST)
    turns = evaluate_turns(constants, state, workspace)
    choice = 0
    for turn in range(turns):
        code = first_code(state[at.PHASE], workspace.rows[turn])
        if codes[choice] != code:
            choice = 0
            while codes[choice] != code:
                choice += 1
        values[choice] = max(values[choice], workspace.values[turn])
    return count


@jit
def play_best_turn(constants: Constants, state: Position, workspace: PlannerWorkspace) -> None:
    """Play the rest of the best turn up to its refill, from any of its phases."""
    count = evaluate_turns(constants, state, workspace)
    best = 0
    for turn in range(1, count):
        if workspace.values[turn] > workspace.values[best]:
            best = turn
    play_afterstate(constants, state, workspace.rows[best])


@export("train")
def play_afterstate(constants: Constants, state: Position, row: Row) -> None:
    """Play the rest of a turn as a row of afterstates says, up to its refill."""
    block = seat_block(state[at.ACTOR])
    if state[at.PHASE] == at.TAKE:
        take_tile(constants, state, row[CARD], row[SPACE])
    if state[at.PHASE] == at.PLACE:
        lay(constants, state, row[GARDENER], 1)
    if state[at.PHASE] == at.CHASE:
        chase_boar(state, row[CHASED])
    if row[WALKED] != NONE:
        move_noble(constants, state, block, row[WALKED])
    after_walk(state)


@export("train")
def play_turns(
    constants: Constants,
    state: Position,
    end: int,
    rng_state: RngState,
    workspace: PlannerWorkspace,
) -> None:
    """Play by the potential until turn *end* of the game begins, or to the end of the game."""
    while state[at.PHASE] != at.OVER:
        if at.TAKE <= state[at.PHASE] <= at.WALK:
            if state[at.TURNS] >= end:
                return
            play_best_turn(constants, state, workspace)
        elif state[at.PHASE] == at.SIDES:
            for seat in range(state[at.SEATS]):
                choose_side(state, seat, randbelow(rng_state, 2))
        else:
            draw(constants, state, rng_state)


@export()
def playout(
    constants: Constants,
    state: Position,
    rng_state: RngState,
    workspace: PlannerWorkspace,
    shares: Shares,
) -> None:
    """Play to the end by the potential, then rate each seat by its lead."""
    play_turns(constants, state, at.ROUNDS * state[at.SEATS], rng_state, workspace)
    share_by_lead(constants, state, workspace, shares)


@export()
def truncated_rollout(
    constants: Constants,
    state: Position,
    rng_state: RngState,
    workspace: PlannerWorkspace,
    shares: Shares,
) -> None:
    """Play the turn to its end and some rounds more, then rate each seat by its lead."""
    end = state[at.TURNS] + ROLLOUT_ROUNDS * state[at.SEATS] + (state[at.PHASE] != at.TAKE)
    play_turns(constants, state, end, rng_state, workspace)
    share_by_lead(constants, state, workspace, shares)


@jit
def share_by_lead(
    constants: Constants, state: Position, workspace: PlannerWorkspace, shares: Shares
) -> None:
    """Turn each seat's lead over the others' mean into a probability of victory.

    This holds at the end too: a lead carries more information than a bare victory, and the mean of
    the others varies less than the best of them, so fewer games are needed to compare turns.
    """
    seats = state[at.SEATS]
    total = 0.0
    for seat in range(seats):
        workspace.values[seat] = expected_points(constants, state, seat, workspace)
        total += workspace.values[seat]
    for seat in range(seats):
        lead = (seats * workspace.values[seat] - total) / (seats - 1)
        shares[seat] = 1.0 / (1.0 + exp(-lead / LEAD_SCALE))


@jit
def expected_points(
    constants: Constants, state: Position, seat: int, workspace: PlannerWorkspace
) -> float:
    """Add the potential of a seat's garden to its points."""
    block = seat_block(seat)
    points = points_of(state, block)
    if state[at.PHASE] == at.OVER:
        return float(points + endgame(constants, state, block, points))
    row = workspace.rows[0]
    copy_garden(state, seat, row)
    missions, left = state[block + at.MISSIONS], turns_left(state, seat, state[at.TURNS])
    return points + potential(constants, row, missions, left, workspace.weights)
