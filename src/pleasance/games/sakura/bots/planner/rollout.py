"""How the planner would play on: whole rounds by its judgement, compiled, and where they lead."""

from __future__ import annotations

from math import exp

import numpy as np

from pleasance.compiled.jit import copy_into, jit
from pleasance.compiled.kernel import OVER, Desk, Flat, Shares
from pleasance.compiled.rng import Luck
from pleasance.games.sakura.bots.planner.player import load_weights
from pleasance.games.sakura.bots.planner.potential import (
    SCRATCH_ROWS,
    judge_painter,
    list_ways,
    resolve_worlds,
    try_ways,
)
from pleasance.games.sakura.kernel.codes import MOST_CHOICES, legal, play, turn
from pleasance.games.sakura.kernel.codes import shares as share_victory
from pleasance.games.sakura.kernel.layout import PLAYED, SEATS, SIZE
from pleasance.games.sakura.kernel.moves import count_gate
from pleasance.games.sakura.kernel.playout import playout as play_randomly
from pleasance.games.sakura.kernel.playout import put_down_court, refill
from pleasance.games.sakura.kernel.rules import ALL_DECIDED, resolve

GLANCES = 6
"""Worlds in which a seat tries its choices; being few they also make its play hard to foretell."""

QUICK_GLANCES = 3
"""The same in rounds to come."""

PLAYOUT_ROUNDS = 1
"""So many rounds after this one a playout plans; the rest it plays at random, which is quick."""

AHEAD_ROUNDS = 2
"""So many rounds after this one are planned before a position is judged."""

SPREAD = 2.0
"""Tokens of lead that make a victory almost three times as likely."""

_VIEW, _CHOSEN = SCRATCH_ROWS, SCRATCH_ROWS + 1
"""Rows of the working space behind those that judging a round needs."""


def make_desk() -> Desk:
    """Lay out working space."""
    width = max(SIZE, MOST_CHOICES)
    return Desk(
        positions=np.zeros((SCRATCH_ROWS + 2, width), dtype=np.int64),
        rows=np.zeros((1, 1), dtype=np.int64),
        values=np.zeros(MOST_CHOICES),
        weights=load_weights(),
    )


@jit
def rank(
    box: Flat, state: Flat, seat: int, luck: Luck, desk: Desk, codes: Flat, worths: Shares
) -> int:
    """Weigh each choice of a seat by how it would stand after this round, the others at random."""
    glance(box, state, seat, GLANCES, luck, desk, worths)
    return legal(box, state, seat, codes)


@jit
def glance(
    box: Flat, state: Flat, seat: int, worlds: int, luck: Luck, desk: Desk, worths: Shares
) -> int:
    """Try each choice of a seat in a few worlds; tell how many choices there are.

    The hands are those of the imagined world, so a seat judges with cards that it could not see: a
    small price for not dealing again.
    """
    view = desk.positions[_VIEW]
    copy_into(view, state)
    return resolve_worlds(box, view, seat, worlds, luck, desk.positions, worths, desk.weights)


@jit
def finish_round(box: Flat, state: Flat, luck: Luck, desk: Desk) -> None:
    """Carry out the cards on the table; in seat order each goes the way it likes best."""
    if not state[PLAYED]:
        return
    put_down_court(state, luck)
    plan = 0
    work = desk.positions[0]
    copy_into(work, state)
    for seat in range(state[SEATS]):
        ways = list_ways(box, state, seat)
        if ways:
            _, plan = try_ways(box, state, seat, plan, ways, work, desk.weights)
    resolve(box, state, plan, ALL_DECIDED)


@jit
def plan_rounds(box: Flat, state: Flat, rounds: int, luck: Luck, desk: Desk) -> None:
    """Finish the round and play so many more by the planner's judgement, or to the end."""
    finish_round(box, state, luck, desk)
    refill(state, luck)
    chosen = desk.positions[_CHOSEN]
    for _ in range(rounds):
        if turn(state) == OVER:
            return
        for seat in range(state[SEATS]):
            count = glance(box, state, seat, QUICK_GLANCES, luck, desk, desk.values)
            best = 0
            for place in range(1, count):
                if desk.values[place] > desk.values[best]:
                    best = place
            legal(box, state, seat, desk.positions[0])
            chosen[seat] = desk.positions[0][best]
        play(box, state, chosen)
        finish_round(box, state, luck, desk)
        refill(state, luck)


@jit
def playout(box: Flat, state: Flat, luck: Luck, desk: Desk, shares: Shares) -> None:
    """Play a round by the planner's judgement and the rest at random, then tell how all stand."""
    plan_rounds(box, state, PLAYOUT_ROUNDS, luck, desk)
    play_randomly(box, state, luck)
    share_out(box, state, desk, shares)


@jit
def foresee(box: Flat, state: Flat, luck: Luck, desk: Desk, shares: Shares) -> None:
    """Play on for some rounds by the planner's judgement, then judge how all stand."""
    plan_rounds(box, state, AHEAD_ROUNDS, luck, desk)
    share_out(box, state, desk, shares)


@jit
def share_out(box: Flat, state: Flat, desk: Desk, shares: Shares) -> None:
    """Share one victory by how all stand; at the end half of it goes to the winners.

    Only half: a lead says more than a bare victory, so that fewer games tell choices apart.
    """
    in_gate = count_gate(state)
    total = 0.0
    for seat in range(state[SEATS]):
        desk.values[seat] = exp(judge_painter(box, state, seat, in_gate, desk.weights) / SPREAD)
        total += desk.values[seat]
    is_over = turn(state) == OVER
    if is_over:
        share_victory(box, state, shares)
    for seat in range(state[SEATS]):
        stands = desk.values[seat] / total
        shares[seat] = (stands + shares[seat]) / 2 if is_over else stands
