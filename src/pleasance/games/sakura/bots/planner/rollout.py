"""Rollouts by the planner, compiled: rounds played by its evaluation, then shares of victory."""

from __future__ import annotations

from pleasance.compiled.exponential import exp
from pleasance.compiled.export import export
from pleasance.compiled.jit import copy_into, jit
from pleasance.compiled.kernel import OVER
from pleasance.compiled.rng import RngState
from pleasance.games.sakura.bots.planner.player import load_weights
from pleasance.games.sakura.bots.planner.potential import (
    PlannerWorkspace,
    evaluate_choices,
    evaluate_painter,
    find_best_directions,
    list_open_directions,
    make_planner_workspace,
)
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.arrays import (
    ChoiceValues,
    Codes,
    Constants,
    Position,
    SeatShares,
)
from pleasance.games.sakura.kernel.moves import ALL_DECIDED
from pleasance.games.sakura.kernel.path import count_gate
from pleasance.games.sakura.kernel.playout import playout as play_randomly
from pleasance.games.sakura.kernel.playout import put_down_court, refill_hands
from pleasance.games.sakura.kernel.rules import legal, play, resolve_round, turn
from pleasance.games.sakura.kernel.scoring import shares as share_victory

RANK_WORLDS = 6
"""Worlds in which a seat tries its choices; a small number also makes its play less predictable."""

ROLLOUT_WORLDS = 3
"""The same in rounds to come."""

PLANNED_ROUNDS = 1
"""Rounds after this one that a playout plans; it plays the rest at random, which is quick."""

TRUNCATION_ROUNDS = 2
"""Rounds after this one that are planned before a position is evaluated."""

TEMPERATURE = 2.0
"""Tokens of lead that make a victory almost three times as likely."""


def make_workspace() -> PlannerWorkspace:
    """Make a workspace with the shipped weights."""
    return make_planner_workspace(load_weights())


@export()
def rank(
    constants: Constants,
    state: Position,
    seat: int,
    rng_state: RngState,
    workspace: PlannerWorkspace,
    codes: Codes,
    worths: ChoiceValues,
) -> int:
    """Estimate the value of each choice of a seat after this round, with the others at random.

    The hands are those of the imagined world, so a seat counts on cards that it could not see: a
    small price for not dealing again.
    """
    evaluate_choices(constants, state, seat, RANK_WORLDS, rng_state, workspace)
    count = legal(constants, state, seat, codes)
    for place in range(count):
        worths[place] = workspace.values[place]
    return count


@jit
def choose_best(
    constants: Constants,
    state: Position,
    seat: int,
    worlds: int,
    rng_state: RngState,
    workspace: PlannerWorkspace,
) -> int:
    """Find the code that the planner values most for *seat*."""
    values, codes = workspace.values, workspace.codes
    count = evaluate_choices(constants, state, seat, worlds, rng_state, workspace)
    best = 0
    for place in range(1, count):
        if values[place] > values[best]:
            best = place
    legal(constants, state, seat, codes)
    code: int = codes[best]
    return code


@jit
def finish_round(
    constants: Constants, state: Position, rng_state: RngState, workspace: PlannerWorkspace
) -> None:
    """Carry out the cards on the table; in seat order each chooses its best directions."""
    if not state[at.PLAYED]:
        return
    put_down_court(state, rng_state)
    directions = 0
    work = workspace.work
    copy_into(work, state)
    for seat in range(state[at.SEATS]):
        ways = list_open_directions(constants, state, seat)
        if ways:
            _, directions = find_best_directions(
                constants, state, seat, directions, ways, work, workspace.weights
            )
    resolve_round(constants, state, directions, ALL_DECIDED)


@jit
def play_planned_rounds(
    constants: Constants,
    state: Position,
    rounds: int,
    rng_state: RngState,
    workspace: PlannerWorkspace,
) -> None:
    """Finish the round and play some more by the planner, or to the end."""
    finish_round(constants, state, rng_state, workspace)
    refill_hands(state, rng_state)
    chosen = workspace.chosen
    for _ in range(rounds):
        if turn(state) == OVER:
            return
        for seat in range(state[at.SEATS]):
            chosen[seat] = choose_best(constants, state, seat, ROLLOUT_WORLDS, rng_state, workspace)
        play(constants, state, chosen)
        finish_round(constants, state, rng_state, workspace)
        refill_hands(state, rng_state)


@export()
def playout(
    constants: Constants,
    state: Position,
    rng_state: RngState,
    workspace: PlannerWorkspace,
    shares: SeatShares,
) -> None:
    """Play a round by the planner and the rest at random, then share one victory."""
    play_planned_rounds(constants, state, PLANNED_ROUNDS, rng_state, workspace)
    play_randomly(constants, state, rng_state)
    estimate_shares(constants, state, workspace, shares)


@export()
def truncated_rollout(
    constants: Constants,
    state: Position,
    rng_state: RngState,
    workspace: PlannerWorkspace,
    shares: SeatShares,
) -> None:
    """Play some rounds by the planner, then estimate each seat's share of victory."""
    play_planned_rounds(constants, state, TRUNCATION_ROUNDS, rng_state, workspace)
    estimate_shares(constants, state, workspace, shares)


@jit
def estimate_shares(
    constants: Constants, state: Position, workspace: PlannerWorkspace, shares: SeatShares
) -> None:
    """Share one victory by how all stand; at the end half of it goes to the winners.

    Only half: a lead says more than a bare victory, so that fewer games separate choices.
    """
    in_gate = count_gate(state)
    total = 0.0
    for seat in range(state[at.SEATS]):
        workspace.values[seat] = exp(
            evaluate_painter(constants, state, seat, in_gate, workspace.weights) / TEMPERATURE
        )
        total += workspace.values[seat]
    is_over = turn(state) == OVER
    if is_over:
        share_victory(constants, state, shares)
    for seat in range(state[at.SEATS]):
        stands = workspace.values[seat] / total
        shares[seat] = (stands + shares[seat]) / 2 if is_over else stands
