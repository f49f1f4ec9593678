"""Whole games of the network against itself, compiled, and what became of each garden.

Half of the games begin with turns that the network would not choose, so that the positions of other
players are known, too; from there on it plays as it does, and only then notes are taken.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pleasance.compiled.jit import count_bits, jit
from pleasance.compiled.kernel import Flat
from pleasance.compiled.rng import Luck, below
from pleasance.games.sanssouci.bots.network.model import Bureau, choose_turn, judge_turns
from pleasance.games.sanssouci.bots.outlook.features import LINES, Glance, look, make_glance
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import CARD as PLAYED
from pleasance.games.sanssouci.kernel.afterstates import CHASED, GARDENER, NONE, SPACE, WALKED
from pleasance.games.sanssouci.kernel.codes import scores, shares
from pleasance.games.sanssouci.kernel.rules import (
    CARD,
    CHASE,
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    MOTIFS,
    OVER,
    PLACE,
    REFILL,
    ROUNDS,
    TAKE,
    WALK,
    after_walk,
    lay,
    seat_block,
    step,
    take,
)
from pleasance.games.sanssouci.kernel.setup import SIDES, draw, start
from pleasance.games.sanssouci.training.selfplay import choose_sides, stray_from

WILD = 500
"""So many of a thousand games begin with turns that are not all the network's choice."""

STRAY = 250
"""So many of a thousand turns there are not."""

MOMENTS = 10
"""A turn is looked at in one of so many moments: half of them when it begins."""


class Outcomes(NamedTuple):
    """What became of each garden that was looked at."""

    nobles: Any
    """The row where the noble of each column ended `[row, 9]`, int8."""

    lines: Any
    """Whether each row 2 to 6 and each column was complete `[row, LINES]`, int8."""

    points: Any
    """The final points `[row]`, int16."""

    missions: Any
    """The set of missions, known or not `[row]`, int16."""

    shares: Any
    """The share of victory `[row]`, float32."""

    owners: Any
    """Whose garden it was, and how many gardens were looked at with it `[row, 2]`, int8."""


def make_outcomes(rows: int) -> Outcomes:
    """Lay out room for so many gardens."""
    return Outcomes(
        nobles=np.zeros((rows, MOTIFS), dtype=np.int8),
        lines=np.zeros((rows, LINES), dtype=np.int8),
        points=np.zeros(rows, dtype=np.int16),
        missions=np.zeros(rows, dtype=np.int16),
        shares=np.zeros(rows, dtype=np.float32),
        owners=np.zeros((rows, 2), dtype=np.int8),
    )


class Ledger(NamedTuple):
    """What many games have shown, and working space for one of them."""

    glance: Glance
    outcomes: Outcomes
    state: Any
    points: Any
    won: Any


def make_ledger(games: int) -> Ledger:
    """Lay out room for notes on so many games: at most one look at all gardens each turn."""
    rows = games * 4 * (4 * ROUNDS + 1)
    return Ledger(
        glance=make_glance(rows),
        outcomes=make_outcomes(rows),
        state=np.zeros(at.SIZE, dtype=np.int64),
        points=np.zeros(4, dtype=np.int64),
        won=np.zeros(4),
    )


@jit
def look_around(box: Flat, ledger: Ledger, count: int, luck: Luck) -> int:
    """Note all gardens, seen by one of the players or by a spectator."""
    state = ledger.state
    seats = state[at.SEATS]
    viewer = below(luck, seats + 1)
    for seat in range(seats):
        look(box, state, seat, seat == viewer, ledger.glance, count)
        ledger.outcomes.owners[count, 0] = seat
        ledger.outcomes.owners[count, 1] = seats
        count += 1
    return count


@jit
def phase_of(moment: int) -> int:
    """Name the phase that one of the moments of a turn stands for."""
    if moment < MOMENTS // 2:
        return TAKE
    if moment < 7:
        return PLACE if moment == 5 else CHASE
    return REFILL if moment == 9 else WALK


@jit
def play_out_turn(box: Flat, ledger: Ledger, row: Flat, count: int, luck: Luck, phase: int) -> int:
    """Play a whole turn as a row of afterstates says, and take notes when *phase* comes."""
    state = ledger.state
    block = seat_block(state[at.ACTOR])
    take(box, state, row[PLAYED], row[SPACE])
    if state[at.PHASE] == PLACE:
        if phase == PLACE:
            count = look_around(box, ledger, count, luck)
        lay(box, state, row[GARDENER], 1)
    if state[at.PHASE] == CHASE:
        if phase == CHASE:
            count = look_around(box, ledger, count, luck)
        state[block + at.BOAR] = row[CHASED]
        state[at.PHASE] = WALK
    if phase == WALK:
        count = look_around(box, ledger, count, luck)
    if row[WALKED] != NONE:
        step(box, state, block, row[WALKED])
    after_walk(state)
    if phase == REFILL and REFILL <= state[at.PHASE] <= CARD:
        count = look_around(box, ledger, count, luck)
    return count


@jit
def set_out(
    box: Flat, seats: int, bureau: Bureau, ledger: Ledger, count: int, luck: Luck, calm: int
) -> int:
    """Set up a game; take notes before sides are chosen where all is to be the network's choice."""
    state = ledger.state
    start(box, state, seats)
    while state[at.PHASE] != TAKE:
        if state[at.PHASE] == SIDES:
            if calm:
                count = look_around(box, ledger, count, luck)
            choose_sides(box, state, bureau, luck, 0 if calm else STRAY)
        else:
            draw(box, state, luck)
    return count


@jit
def play_and_note(
    box: Flat, seats: int, bureau: Bureau, ledger: Ledger, games: int, luck: Luck, wild: int
) -> int:
    """Let the network play against itself and note what became of the gardens; tell how many."""
    state, count = ledger.state, 0
    for _ in range(games):
        first, opening = count, 0
        if below(luck, 1000) < wild:
            opening = below(luck, ROUNDS * seats)
        count = set_out(box, seats, bureau, ledger, count, luck, opening == 0)
        while state[at.PHASE] != OVER:
            if state[at.PHASE] != TAKE:
                draw(box, state, luck)
                continue
            is_calm = state[at.TURNS] >= opening
            phase = phase_of(below(luck, MOMENTS)) if is_calm else OVER
            if phase == TAKE:
                count = look_around(box, ledger, count, luck)
            pick = choose_turn(box, state, bureau, 1.0)
            if not is_calm and below(luck, 1000) < STRAY:
                pick = stray_from(bureau, pick, judge_turns(box, state, bureau), luck)
            count = play_out_turn(box, ledger, bureau.rows[pick], count, luck, phase)
        settle_outcomes(box, ledger, first, count)
    return count


@jit
def settle_outcomes(box: Flat, ledger: Ledger, first: int, count: int) -> None:
    """Tell for each note of a game what became of its garden."""
    state, outcomes = ledger.state, ledger.outcomes
    scores(box, state, ledger.points)
    shares(box, state, ledger.won)
    for place in range(first, count):
        seat = outcomes.owners[place, 0]
        block = seat_block(seat)
        free = EVERYWHERE & ~state[block + at.BUILT]
        outcomes.points[place] = ledger.points[seat]
        outcomes.shares[place] = ledger.won[seat]
        outcomes.missions[place] = state[block + at.MISSIONS]
        for line in range(5):
            outcomes.lines[place, line] = not free & (FIRST_ROW << (9 * line + 9))
        for column in range(MOTIFS):
            outcomes.lines[place, 5 + column] = not free & (COLUMN_A << column)
            ahead = count_bits(state[block + at.AHEAD] & (COLUMN_A << column))
            outcomes.nobles[place, column] = 6 - ahead
