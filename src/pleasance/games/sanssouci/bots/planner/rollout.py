"""How the planner would play on: whole turns by its potential, compiled, and where they lead."""

from __future__ import annotations

from math import exp

import numpy as np

from pleasance.compiled.jit import jit
from pleasance.compiled.kernel import Desk, Flat, Shares
from pleasance.compiled.rng import Luck, below
from pleasance.games.sanssouci.bots.planner.player import load_weights
from pleasance.games.sanssouci.bots.planner.potential import judge_turns, promise
from pleasance.games.sanssouci.kernel.afterstates import (
    AFTER_AHEAD,
    AFTER_BOAR,
    AFTER_BUILT,
    AFTER_GARDENERS,
    CARD,
    CHASED,
    GARDENER,
    MOST_AFTERSTATES,
    NONE,
    ROW_SIZE,
    SPACE,
    WALKED,
)
from pleasance.games.sanssouci.kernel.codes import (
    CODE_BOAR,
    CODE_PLACE,
    CODE_STAY,
    CODE_WALK,
    endgame,
    legal,
)
from pleasance.games.sanssouci.kernel.layout import (
    ACTOR,
    AHEAD,
    BOAR,
    BUILT,
    FIRST,
    GARDENERS,
    MISSIONS,
    PHASE,
    SEATS,
    SIZE,
    TURNS,
)
from pleasance.games.sanssouci.kernel.rules import (
    CHASE,
    OVER,
    PLACE,
    ROUNDS,
    SPACES,
    TAKE,
    WALK,
    after_walk,
    lay,
    points_of,
    seat_block,
    step,
    take,
)
from pleasance.games.sanssouci.kernel.setup import SIDES, choose_side, draw

AHEAD_ROUNDS = 3
"""So many rounds are played before a position is judged."""

SPREAD = 8.0
"""Points of lead that make a victory about three times as likely as a defeat."""

WORST = -np.inf


def make_desk() -> Desk:
    """Lay out working space."""
    return Desk(
        positions=np.zeros((2, SIZE), dtype=np.int64),
        rows=np.zeros((MOST_AFTERSTATES, ROW_SIZE), dtype=np.int64),
        values=np.zeros(MOST_AFTERSTATES),
        weights=load_weights(),
    )


@jit
def code_of(phase: int, row: Flat) -> int:
    """Find the code of the choice that a whole turn begins with."""
    code: int = CODE_STAY
    if phase == TAKE:
        code = row[CARD] * SPACES + row[SPACE]
    elif phase == PLACE:
        code = CODE_PLACE + row[GARDENER]
    elif phase == CHASE:
        code = CODE_BOAR + row[CHASED]
    elif row[WALKED] != NONE:
        code = CODE_WALK + row[WALKED]
    return code


@jit
def rank(
    box: Flat, state: Flat, seat: int, _luck: Luck, desk: Desk, codes: Flat, worths: Shares
) -> int:
    """Weigh each choice of a seat by the best turn it can end in."""
    count = legal(box, state, seat, codes)
    if state[PHASE] == SIDES:
        worths[:count] = 0.0
        return count
    worths[:count] = WORST
    turns = judge_turns(box, state, desk.weights, desk.positions, desk.rows, desk.values)
    place = 0
    for turn in range(turns):
        code = code_of(state[PHASE], desk.rows[turn])
        if codes[place] != code:
            place = 0
            while codes[place] != code:
                place += 1
        worths[place] = max(worths[place], desk.values[turn])
    return count


@jit
def plan_turn(box: Flat, state: Flat, desk: Desk) -> None:
    """Play the rest of the turn that promises most, up to its refill, wherever in it we are."""
    count = judge_turns(box, state, desk.weights, desk.positions, desk.rows, desk.values)
    best = 0
    for place in range(1, count):
        if desk.values[place] > desk.values[best]:
            best = place
    carry_out(box, state, desk.rows[best])


@jit
def carry_out(box: Flat, state: Flat, row: Flat) -> None:
    """Play the rest of a turn as a row of afterstates says, up to its refill."""
    block = seat_block(state[ACTOR])
    if state[PHASE] == TAKE:
        take(box, state, row[CARD], row[SPACE])
    if state[PHASE] == PLACE:
        lay(box, state, row[GARDENER], 1)
    if state[PHASE] == CHASE:
        state[block + BOAR] = row[CHASED]
        state[PHASE] = WALK
    if row[WALKED] != NONE:
        step(box, state, block, row[WALKED])
    after_walk(state)


@jit
def plan_turns(box: Flat, state: Flat, end: int, luck: Luck, desk: Desk) -> None:
    """Play by the potential until turn *end* of the game begins, or to the end of the game."""
    while state[PHASE] != OVER:
        if TAKE <= state[PHASE] <= WALK:
            if state[TURNS] >= end:
                return
            plan_turn(box, state, desk)
        elif state[PHASE] == SIDES:
            for seat in range(state[SEATS]):
                choose_side(state, seat, below(luck, 2))
        else:
            draw(box, state, luck)


@jit
def playout(box: Flat, state: Flat, luck: Luck, desk: Desk, shares: Shares) -> None:
    """Play to the end by the potential, then tell how each seat has done."""
    plan_turns(box, state, ROUNDS * state[SEATS], luck, desk)
    share_out(box, state, desk, shares)


@jit
def foresee(box: Flat, state: Flat, luck: Luck, desk: Desk, shares: Shares) -> None:
    """Play the turn to its end and some rounds more, then judge how each seat does."""
    end = state[TURNS] + AHEAD_ROUNDS * state[SEATS] + (state[PHASE] != TAKE)
    plan_turns(box, state, end, luck, desk)
    share_out(box, state, desk, shares)


@jit
def share_out(box: Flat, state: Flat, desk: Desk, shares: Shares) -> None:
    """Take each seat's lead over the others' mean as its chance of victory.

    At the end too: a lead says more than a bare victory, and their mean swings less than the best
    of them, so that fewer games tell turns apart.
    """
    seats = state[SEATS]
    total = 0.0
    for seat in range(seats):
        desk.values[seat] = expect(box, state, seat, desk)
        total += desk.values[seat]
    for seat in range(seats):
        lead = (seats * desk.values[seat] - total) / (seats - 1)
        shares[seat] = 1.0 / (1.0 + exp(-lead / SPREAD))


@jit
def expect(box: Flat, state: Flat, seat: int, desk: Desk) -> float:
    """Tell the points of a seat: those it has and those its garden promises."""
    block = seat_block(seat)
    points = points_of(state, block)
    if state[PHASE] == OVER:
        return float(points + endgame(box, state, block, points))
    row = desk.rows[0]
    row[AFTER_BUILT] = state[block + BUILT]
    row[AFTER_GARDENERS] = state[block + GARDENERS]
    row[AFTER_AHEAD] = state[block + AHEAD]
    row[AFTER_BOAR] = state[block + BOAR]
    seats = state[SEATS]
    place = (seat - state[FIRST] + seats) % seats
    played = state[TURNS] // seats + (place < state[TURNS] % seats)
    return points + promise(box, row, state[block + MISSIONS], ROUNDS - played, desk.weights)
