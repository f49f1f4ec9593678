"""Whole games by the planner's weights, compiled: what a tuning judges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pleasance.compiled.jit import copy_into, jit
from pleasance.compiled.kernel import ALL, DRAW, OVER, Flat, Shares
from pleasance.compiled.rng import Luck, make_luck
from pleasance.games.sakura.bots.planner.player import load_weights
from pleasance.games.sakura.bots.planner.potential import SCRATCH_ROWS, resolve_worlds
from pleasance.games.sakura.kernel.codes import MOST_CHOICES, draw, legal, play, shares, turn
from pleasance.games.sakura.kernel.layout import SIZE
from pleasance.games.sakura.kernel.packing import pack_box
from pleasance.games.sakura.kernel.setup import start
from pleasance.games.sakura.rules.components import Box

TABLES = (2, 3, 4, 6)
WORLDS = 24


@jit
def choose_best(
    box: Flat, state: Flat, seat: int, luck: Luck, scratch: Flat, values: Shares, weights: Shares
) -> int:
    """Find the code that *seat* judges best.

    The hands are those of the game, so a seat judges with cards it could not see: the same for all,
    and enough to tell weights apart.
    """
    copy_into(scratch[SCRATCH_ROWS], state)
    count = resolve_worlds(box, scratch[SCRATCH_ROWS], seat, WORLDS, luck, scratch, values, weights)
    best = 0
    for place in range(1, count):
        if values[place] > values[best]:
            best = place
    legal(box, state, seat, scratch[0])
    code: int = scratch[0][best]
    return code


@jit
def plan_game(
    box: Flat,
    state: Flat,
    own: int,
    luck: Luck,
    scratch: Flat,
    values: Shares,
    weights: Shares,
    codes: Flat,
) -> None:
    """Play a game to its end: seat *own* by the first weights, the others by the second."""
    while True:
        now = turn(state)
        if now == OVER:
            return
        if now == DRAW:
            draw(box, state, luck)
            continue
        first = 0 if now == ALL else now
        last = len(codes) if now == ALL else now + 1
        for seat in range(first, last):
            mine = weights[0] if seat == own else weights[1]
            codes[seat] = choose_best(box, state, seat, luck, scratch, values, mine)
        play(box, state, codes)


def play_trial(box: Box, weights: NDArray[np.float64], games: int, seed: str) -> float:
    """Tell how many times its fair share one player wins among planners, over several tables."""
    scratch = np.zeros((SCRATCH_ROWS + 1, max(SIZE, MOST_CHOICES)), dtype=np.int64)
    state, values, won = np.zeros(SIZE, dtype=np.int64), np.zeros(MOST_CHOICES), np.zeros(8)
    both = np.stack([weights, load_weights()])
    total = 0.0
    each = max(1, games // len(TABLES))
    flat = pack_box(box)
    for seats in TABLES:
        codes = np.zeros(seats, dtype=np.int64)
        for game in range(each):
            luck = make_luck(f"{seed}:{seats}:{game}")
            start(flat, state, seats)
            plan_game(flat, state, game % seats, luck, scratch, values, both, codes)
            shares(flat, state, won)
            total += won[game % seats] * seats
    return total / (each * len(TABLES))
