"""The planner's evaluation, compiled: the end of a round, averaged over determinized worlds."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, NamedTuple, TypeAlias

from pleasance.compiled.arrays import zeros
from pleasance.compiled.export import export
from pleasance.compiled.jit import copy_into, jit
from pleasance.compiled.rng import RngState
from pleasance.compiled.signature import ArrayType
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.actions import CODE_BACK, CODE_FORWARD, MAX_CHOICES
from pleasance.games.sakura.kernel.arrays import (
    ChoiceValues,
    Codes,
    Constants,
    Position,
    SeatNumbers,
)
from pleasance.games.sakura.kernel.moves import ALL_DECIDED, resolve_cards
from pleasance.games.sakura.kernel.path import count_gate
from pleasance.games.sakura.kernel.playout import (
    draw_from_deck,
    put_down_random,
    random_directions,
)
from pleasance.games.sakura.kernel.rules import (
    COURT_PAINTER,
    find_giver,
    legal,
    put_down,
)
from pleasance.games.sakura.kernel.scoring import next_sakura, rank_pay, score_sakura
from pleasance.games.sakura.kernel.view import imagine

WORST = -inf

# The weights of an evaluation.
RANK_PAY = 0
"""The pay of the own rank, wherever the Emperor is."""
RANK_PAY_NEAR_SAKURA = 1
"""The same, the more the nearer he is to the next sakura."""
CLOSE_BEHIND = 2
"""Standing one, two or three spaces behind him."""
PROGRESS = 5
"""Each space along the path."""
BEST_RIVAL = 6
"""The best of the others, instead of their mean."""
WEIGHT_COUNT = 7


PlannerWeights: TypeAlias = Annotated[Any, ArrayType("float64", (WEIGHT_COUNT,))]
"""The weights of an evaluation, an array of them."""


class PlannerWorkspace(NamedTuple):
    """The arrays of the planner; compiled code allocates none."""

    world: Position
    """The imagined world at hand."""

    work: Position
    """A copy of it to try a choice in."""

    codes: Codes
    chosen: SeatNumbers
    """The code that each seat has chosen in a rollout."""

    values: ChoiceValues
    weights: PlannerWeights


def make_planner_workspace(weights: PlannerWeights) -> PlannerWorkspace:
    """Allocate the arrays of the planner."""
    return PlannerWorkspace(
        world=zeros("int64", at.SIZE),
        work=zeros("int64", at.SIZE),
        codes=zeros("int64", MAX_CHOICES),
        chosen=zeros("int64", at.MAX_SEATS),
        values=zeros("float64", MAX_CHOICES),
        weights=weights,
    )


@jit
def evaluate(constants: Constants, state: Position, seat: int, weights: PlannerWeights) -> float:
    """Evaluate *seat* against the others: their mean and, by a weight, the best of them."""
    in_gate = count_gate(state)
    own, total, best = 0.0, 0.0, WORST
    for painter in range(state[at.PAINTERS]):
        worth = evaluate_painter(constants, state, painter, in_gate, weights)
        if painter == seat:
            own = worth
        else:
            total += worth
            best = max(best, worth)
    mean = total / (state[at.PAINTERS] - 1)
    return own - mean - weights[BEST_RIVAL] * (best - mean)


@jit
def evaluate_painter(
    constants: Constants, state: Position, painter: int, in_gate: int, weights: PlannerWeights
) -> float:
    """Evaluate a painter's tokens and its place on the path."""
    worth = float(state[at.TOKENS + painter])
    if state[at.SCORED] < at.SAKURA:
        near = max(0.0, 1.0 - (next_sakura(constants, state) - state[at.EMPEROR]) / 10.0)
        worth += rank_pay(constants, state, painter, in_gate) * (
            weights[RANK_PAY] + near * weights[RANK_PAY_NEAR_SAKURA]
        )
        gap = state[at.EMPEROR] - state[at.PLACES + painter]
        if gap <= 3:
            worth += weights[CLOSE_BEHIND + gap - 1]
        worth += state[at.PLACES + painter] * weights[PROGRESS]
    return worth


@jit
def list_open_directions(constants: Constants, state: Position, seat: int) -> int:
    """Collect the directions that *seat* has still to choose, as bits of its card."""
    card = state[at.PLAYED + seat]
    done = state[at.DONE]
    for painter in range(state[at.PAINTERS]):
        done -= 2 * (state[at.PLAYED + painter] < card)
    passed = min(max(done, 0), 2)
    return (constants[at.FACES + card * at.FACE_SIZE + at.FREE] >> passed) << passed


@jit
def find_best_directions(
    constants: Constants,
    table: Position,
    seat: int,
    directions: int,
    ways: int,
    work: Position,
    weights: PlannerWeights,
) -> tuple[float, int]:
    """Find the best of all *ways* of a seat to end the round, and all directions with it.

    *work* is a copy of *table* but for what carrying out cards changes.
    """
    best, best_directions = WORST, directions
    way = ways
    while True:
        for place in range(at.ROUND_SIZE):
            work[place] = table[place]
        tried = directions | (way << (2 * seat))
        resolve_cards(constants, work, tried, ALL_DECIDED)
        score_sakura(constants, work)
        value = evaluate(constants, work, seat, weights)
        if value >= best:  # where both are equal, forward
            best, best_directions = value, tried
        if way == 0:
            return best, best_directions
        way = (way - 1) & ways


@jit
def put_down_random_others(
    constants: Constants, state: Position, seat: int, rng_state: RngState
) -> None:
    """Let all but *seat* choose their cards at random (K-6, K-22, K-23)."""
    for other in range(state[at.SEATS]):
        if other != seat:
            put_down_random(constants, state, other, rng_state)
    misses_court = state[at.SEATS] < state[at.PAINTERS] and not state[at.PLAYED + COURT_PAINTER]
    if misses_court and find_giver(constants, state) != seat:
        state[at.PLAYED + COURT_PAINTER] = draw_from_deck(state, rng_state)


@jit
def apply_choice(
    constants: Constants, world: Position, work: Position, seat: int, code: int
) -> tuple[int, int]:
    """Put down the cards of a choice, or fix its direction; return it and those still open.

    *world* has the others' cards on the table, or is where *seat* chooses a direction; *work* is a
    copy of it.
    """
    if code >= CODE_FORWARD:
        action = world[at.DONE] & 1
        ways = list_open_directions(constants, world, seat) & ~(1 << action)
        return (code == CODE_BACK) << (2 * seat + action), ways
    put_down(world, seat, code)
    put_down(work, seat, code)
    return 0, list_open_directions(constants, world, seat)


@export()
def evaluate_choices(
    constants: Constants,
    view: Position,
    seat: int,
    worlds: int,
    rng_state: RngState,
    workspace: PlannerWorkspace,
) -> int:
    """Evaluate the end of the round after each choice of *seat*, averaged over imagined worlds.

    *view* is a packed view; of a whole position the hands are used as they are. The others choose
    at random, and the same for all choices of *seat*. The values go into the workspace, in the
    order of the codes; return their number.
    """
    world, work, codes, values = workspace.world, workspace.work, workspace.codes, workspace.values
    count = legal(constants, view, seat, codes)
    for choice in range(count):
        values[choice] = 0.0
    for _ in range(worlds if count else 0):
        copy_into(world, view)
        imagine(constants, world, rng_state)
        if not world[at.PLAYED]:
            put_down_random_others(constants, world, seat, rng_state)
        copy_into(work, world)
        directions = random_directions(world, rng_state) & ~(3 << (2 * seat))
        for choice in range(count):
            fixed, ways = apply_choice(constants, world, work, seat, codes[choice])
            value, _ = find_best_directions(
                constants, world, seat, directions | fixed, ways, work, workspace.weights
            )
            values[choice] += value / worlds
    return count
