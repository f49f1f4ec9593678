"""What a round leads to: whole rounds at once, and each choice judged in many worlds."""

from __future__ import annotations

import numpy as np

from pleasance.compiled.jit import copy_into, jit
from pleasance.compiled.kernel import Flat, Shares
from pleasance.compiled.rng import Luck, below
from pleasance.games.sakura.kernel.codes import CODE_BACK, CODE_FORWARD, COURT, legal, put_down
from pleasance.games.sakura.kernel.layout import (
    DONE,
    EMPEROR,
    FACE_SIZE,
    FACES,
    FREE,
    PAINTERS,
    PLACES,
    PLAYED,
    PROCESSION,
    SAKURA,
    SCORED,
    SEATS,
    TOKENS,
)
from pleasance.games.sakura.kernel.moves import count_gate
from pleasance.games.sakura.kernel.playout import (
    put_down_court,
    put_down_random,
    random_plan,
    take_top,
)
from pleasance.games.sakura.kernel.rules import (
    ALL_DECIDED,
    carry_on,
    find_giver,
    next_stop,
    rank_pay,
    resolve,
    score,
)
from pleasance.games.sakura.kernel.setup import deal

GO_FORWARD, GO_BACK, GO_ANYWHERE, GO_BEST = range(4)
"""How a seat chooses its directions; the best way is the one that `judge` likes best."""

SCRATCH_ROWS = 3
"""Working space of the functions here: so many positions."""

WORST = -np.inf

# The weights of a judgement.
FAR = 0
"""What the pay of the own rank counts, wherever the Emperor is."""
NEAR = 1
"""What it counts besides as he comes near the next sakura."""
CLOSE = 2
"""Standing one, two or three spaces behind him."""
PROGRESS = 5
"""Each space along the path."""
RIVAL = 6
"""How much the best of the others counts instead of their mean."""
WEIGHTS = 7


@jit
def judge(box: Flat, state: Flat, seat: int, weights: Shares) -> float:
    """Weigh how *seat* stands against the others: their mean and, by a weight, the best of them."""
    in_gate = count_gate(state)
    own, total, best = 0.0, 0.0, WORST
    for painter in range(state[PAINTERS]):
        worth = judge_painter(box, state, painter, in_gate, weights)
        if painter == seat:
            own = worth
        else:
            total += worth
            best = max(best, worth)
    mean = total / (state[PAINTERS] - 1)
    return own - mean - weights[RIVAL] * (best - mean)


@jit
def judge_painter(box: Flat, state: Flat, painter: int, in_gate: int, weights: Shares) -> float:
    """Weigh a painter's tokens and what its place in the line promises."""
    worth = float(state[TOKENS + painter])
    if state[SCORED] < SAKURA:
        near = max(0.0, 1.0 - (next_stop(box, state) - state[EMPEROR]) / 10.0)
        worth += rank_pay(box, state, painter, in_gate) * (weights[FAR] + near * weights[NEAR])
        gap = state[EMPEROR] - state[PLACES + painter]
        if gap <= 3:
            worth += weights[CLOSE + gap - 1]
        worth += state[PLACES + painter] * weights[PROGRESS]
    return worth


@jit
def list_ways(box: Flat, state: Flat, seat: int) -> int:
    """Collect the directions that *seat* has still to choose, as bits of its card."""
    card = state[PLAYED + seat]
    done = state[DONE]
    for painter in range(state[PAINTERS]):
        done -= 2 * (state[PLAYED + painter] < card)
    passed = min(max(done, 0), 2)
    return (box[FACES + card * FACE_SIZE + FREE] >> passed) << passed


@jit
def try_ways(
    box: Flat, table: Flat, seat: int, plan: int, ways: int, work: Flat, weights: Shares
) -> tuple[float, int]:
    """Find the best of all *ways* of a seat to end the round, and the plan with it.

    *work* is a copy of *table* but for the procession.
    """
    best, best_plan = WORST, plan
    way = ways
    while True:
        for place in range(PROCESSION):
            work[place] = table[place]
        tried = plan | (way << (2 * seat))
        carry_on(box, work, tried, ALL_DECIDED)
        score(box, work)
        value = judge(box, work, seat, weights)
        if value >= best:  # where both are equal, forward
            best, best_plan = value, tried
        if way == 0:
            return best, best_plan
        way = (way - 1) & ways


@jit
def resolve_round(
    box: Flat,
    state: Flat,
    codes: Flat,
    policies: Flat,
    luck: Luck,
    scratch: Flat,
    weights: Shares,
) -> None:
    """Carry out the rest of a round, up to the draws that end it.

    *codes* are the cards that each seat plays, unless they lie on the table already, *policies* how
    each chooses its directions; those who look for the best way do so in seat order, as if the ones
    after them went forward. *scratch* `[SCRATCH_ROWS, SIZE]` is working space.
    """
    if not state[PLAYED]:
        for seat in range(state[SEATS]):
            put_down(state, seat, codes[seat])
    put_down_court(state, luck)
    plan = 0
    for seat in range(state[SEATS]):
        if policies[seat] == GO_BACK:
            plan |= 3 << (2 * seat)
        elif policies[seat] == GO_ANYWHERE:
            plan |= below(luck, 4) << (2 * seat)
    work = scratch[0]
    copy_into(work, state)
    for seat in range(state[SEATS]):
        if policies[seat] == GO_BEST:
            ways = list_ways(box, state, seat)
            _, plan = try_ways(box, state, seat, plan, ways, work, weights)
    resolve(box, state, plan, ALL_DECIDED)


@jit
def put_down_others(box: Flat, state: Flat, seat: int, luck: Luck) -> None:
    """Let all but *seat* choose their cards at random (K-6, K-22, K-23)."""
    for other in range(state[SEATS]):
        if other != seat:
            put_down_random(box, state, other, luck)
    misses_court = state[SEATS] < state[PAINTERS] and not state[PLAYED + COURT]
    if misses_court and find_giver(box, state) != seat:
        state[PLAYED + COURT] = take_top(state, luck)


@jit
def resolve_choice(
    box: Flat, world: Flat, seat: int, plan: int, code: int, work: Flat, weights: Shares
) -> float:
    """Judge the end of the round after a choice of *seat*, which then goes the best way.

    *world* has the others' cards on the table, or is where *seat* chooses a direction.
    """
    if code >= CODE_FORWARD:
        stage = world[DONE] & 1
        ways = list_ways(box, world, seat) & ~(1 << stage)
        plan |= (code == CODE_BACK) << (2 * seat + stage)
    else:
        put_down(world, seat, code)
        put_down(work, seat, code)
        ways = list_ways(box, world, seat)
    value, _ = try_ways(box, world, seat, plan, ways, work, weights)
    return value


@jit
def resolve_worlds(
    box: Flat,
    view: Flat,
    seat: int,
    worlds: int,
    luck: Luck,
    scratch: Flat,
    values: Shares,
    weights: Shares,
) -> int:
    """Judge the end of the round after each choice of *seat*, on average over imagined worlds.

    *view* is a packed view. The others choose at random, and the same for all choices of *seat*.
    The worth of each choice goes into *values*, in the order of the codes; tell how many there are.
    *scratch* `[SCRATCH_ROWS, SIZE]` is working space.
    """
    world, work, codes = scratch[0], scratch[1], scratch[2]
    count = legal(box, view, seat, codes)
    for choice in range(count):
        values[choice] = 0.0
    for _ in range(worlds if count else 0):
        copy_into(world, view)
        deal(box, world, luck)
        if not world[PLAYED]:
            put_down_others(box, world, seat, luck)
        copy_into(work, world)
        plan = random_plan(world, luck) & ~(3 << (2 * seat))
        for choice in range(count):
            value = resolve_choice(box, world, seat, plan, codes[choice], work, weights)
            values[choice] += value / worlds
    return count
