"""Whole games among networks and simpler players, compiled, and what they teach."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from pleasance.compiled.jit import copy_into, count_bits, jit
from pleasance.compiled.kernel import DRAW, OVER, Flat, Shares
from pleasance.compiled.rng import Luck, below
from pleasance.games.sakura.bots.network.features import MOST_TRUE
from pleasance.games.sakura.bots.network.lookahead import Desk, make_desk, prepare, try_worlds
from pleasance.games.sakura.bots.planner.player import load_weights
from pleasance.games.sakura.bots.planner.potential import FAR, SCRATCH_ROWS, WEIGHTS, resolve_worlds
from pleasance.games.sakura.kernel.codes import (
    CODE_FORWARD,
    MOST_CHOICES,
    draw,
    legal,
    play,
    shares,
    turn,
)
from pleasance.games.sakura.kernel.layout import (
    DECK,
    DECK_COUNT,
    DECKS,
    HANDS,
    HIDDEN,
    MOST_SEATS,
    QUEUE,
    SEATS,
    SIZE,
)
from pleasance.games.sakura.kernel.playout import refill
from pleasance.games.sakura.kernel.setup import start
from pleasance.games.sakura.training.dataset import UNKNOWN, Rows, note_choice, note_end, set_goals

GREEDY, PLANNER, RANDOM = -1, -2, -3
"""Players without a network; from 0 on the versions of the networks."""

GREEDY_WORLDS, PLANNER_WORLDS = 24, 48
LONGEST = 64 * MOST_SEATS
"""So many things to learn from one game at most; a longer game tells no more."""

_FINE = 1 << 30
_HUGE = -1e30


class Manner(NamedTuple):
    """How networks choose in these games, and how much they trust the ends of games."""

    worlds: int
    heat: float
    """Share of victory by which a choice is so much worse that it is 2.7 times less likely."""
    whim: float
    """How often any choice will do."""
    patience: float
    """How much the end of a game counts against what was foretold on the way."""


class Club(NamedTuple):
    """Working space for whole games."""

    desk: Desk
    scratch: Flat
    rows: Flat
    """Positions: the game, the view, the start of the round."""
    facts: Flat
    chosen: Flat
    last: Flat
    """The last row of each seat."""
    won: Shares
    worths: Shares
    planner: Shares
    greedy: Shares
    """A judgement by tokens and the pay of the own rank against the others' mean."""


def make_club() -> Club:
    """Lay out working space."""
    width = max(SIZE, MOST_CHOICES)
    return Club(
        desk=make_desk(),
        scratch=np.zeros((SCRATCH_ROWS, width), dtype=np.int64),
        rows=np.zeros((3, SIZE), dtype=np.int64),
        facts=np.zeros(MOST_TRUE, dtype=np.int64),
        chosen=np.zeros(8, dtype=np.int64),
        last=np.zeros(8, dtype=np.int64),
        won=np.zeros(8),
        worths=np.zeros(MOST_CHOICES),
        planner=load_weights(),
        greedy=np.eye(WEIGHTS)[FAR],
    )


@jit
def hide(state: Flat, seat: int, view: Flat) -> None:
    """Leave of a position what *seat* knows, as a packed view does."""
    copy_into(view, state)
    view[DECK] = 0
    for other in range(state[SEATS]):
        hand, hidden = state[HANDS + other], 0
        for deck in range(state[DECK_COUNT] - 1, -1, -1):
            hidden |= count_bits(hand & state[DECKS + deck]) << (4 * deck)
            hand &= ~state[DECKS + deck]
        if other != seat:
            view[HANDS + other] = 0
            view[HIDDEN + other] = hidden


@jit
def mix(count: int, worths: Shares, manner: Manner, luck: Luck) -> int:
    """Choose a place, the likelier the more it is worth."""
    if manner.whim > 0 and below(luck, _FINE) < manner.whim * _FINE:
        return below(luck, count)
    best = 0
    for place in range(1, count):
        if worths[place] > worths[best]:
            best = place
    if manner.heat <= 0:
        return best
    total = 0.0
    for place in range(count):
        total += exp((worths[place] - worths[best]) / manner.heat)
    left = total * below(luck, _FINE) / _FINE
    for place in range(count):
        left -= exp((worths[place] - worths[best]) / manner.heat)
        if left < 0:
            return place
    return best


@jit
def expect(count: int, worths: Shares, heat: float) -> float:
    """Tell what a mixed choice is worth on average, but for whims."""
    best = 0.0
    for place in range(count):
        best = max(best, worths[place])
    if heat <= 0:
        return best
    total, mean = 0.0, 0.0
    for place in range(count):
        weight = exp((worths[place] - best) / heat)
        total += weight
        mean += weight * worths[place]
    return mean / total


@jit
def foresee(
    box: Flat,
    view: Flat,
    seat: int,
    value: Shares,
    policy: Shares,
    manner: Manner,
    luck: Luck,
    club: Club,
) -> int:
    """Weigh each choice by looking one round ahead with networks; tell how many there are."""
    desk = club.desk
    count = prepare(box, view, seat, value, policy, desk)
    worlds = 1 if desk.codes[0] >= CODE_FORWARD else manner.worlds
    try_worlds(box, view, seat, count, worlds, luck, value, desk)
    for place in range(count):
        club.worths[place] = desk.worths[place] / worlds
    return count


@jit
def choose(
    box: Flat,
    state: Flat,
    seat: int,
    kind: int,
    values: Shares,
    policies: Shares,
    manner: Manner,
    luck: Luck,
    club: Club,
) -> float:
    """Let a player of some kind choose; tell what it foretells, if it does."""
    codes = club.desk.codes
    if kind == RANDOM:
        count = legal(box, state, seat, codes)
        club.chosen[seat] = codes[below(luck, count)]
        return UNKNOWN
    view = club.rows[1]
    hide(state, seat, view)
    if kind >= 0:
        count = foresee(box, view, seat, values[kind], policies[kind], manner, luck, club)
        club.chosen[seat] = codes[mix(count, club.worths, manner, luck)]
        return expect(count, club.worths, manner.heat)
    weights = club.greedy if kind == GREEDY else club.planner
    worlds = GREEDY_WORLDS if kind == GREEDY else PLANNER_WORLDS
    count = resolve_worlds(box, view, seat, worlds, luck, club.scratch, club.worths, weights)
    best_place, best_worth = 0, _HUGE
    for place in range(count):
        worth = club.worths[place] + 1e-9 * below(luck, 1024)
        if worth > best_worth:
            best_place, best_worth = place, worth
    legal(box, state, seat, codes)
    club.chosen[seat] = codes[best_place]
    return UNKNOWN


@jit
def play_round(
    box: Flat,
    state: Flat,
    kinds: Flat,
    values: Shares,
    policies: Shares,
    manner: Manner,
    luck: Luck,
    club: Club,
) -> None:
    """Carry out what all have chosen, up to the draws, asking for directions."""
    play(box, state, club.chosen)
    while True:
        now = turn(state)
        if now >= 0:
            choose(box, state, now, kinds[now], values, policies, manner, luck, club)
            play(box, state, club.chosen)
        elif now == DRAW and state[QUEUE] == 0:
            draw(box, state, luck)
        else:
            return


@jit
def play_game(
    box: Flat,
    kinds: Flat,
    values: Shares,
    policies: Shares,
    manner: Manner,
    luck: Luck,
    club: Club,
    ends: Rows,
    choices: Rows,
    counts: Flat,
) -> None:
    """Play a game to its end and note what there is to learn; *counts* are the rows in use."""
    state, begun = club.rows[0], club.rows[2]
    first = counts[0]
    club.last[:] = -1
    refill(state, luck)
    while turn(state) != OVER:
        copy_into(begun, state)
        for seat in range(state[SEATS]):
            told = choose(box, state, seat, kinds[seat], values, policies, manner, luck, club)
            note_choice(box, state, seat, club.chosen[seat], choices, counts[1], club.facts)
            choices.kinds[counts[1]] = kinds[seat]
            counts[1] += counts[1] + 1 < len(choices.hands)
            if club.last[seat] >= 0:
                ends.next[club.last[seat]] = told
        play_round(box, state, kinds, values, policies, manner, luck, club)
        if turn(state) != OVER and counts[0] - first < LONGEST:
            for seat in range(state[SEATS]):
                note_end(box, begun, state, seat, ends, counts[0], club.facts)
                ends.kinds[counts[0]] = kinds[seat]
                club.last[seat] = counts[0]
                counts[0] += 1
        refill(state, luck)
    shares(box, state, club.won)
    set_goals(state, ends, first, counts[0], manner.patience, club.won)


@jit
def play_games(
    boxes: Flat,
    tables: Flat,
    values: Shares,
    policies: Shares,
    manner: Manner,
    luck: Luck,
    club: Club,
    ends: Rows,
    choices: Rows,
    counts: Flat,
    won: Shares,
) -> int:
    """Play games while there is room for what they teach; tell how many were played.

    Each row of *tables* tells the box, the number of seats and the kind of player of each seat; the
    shares of victory go into *won*.
    """
    for game in range(len(tables)):
        if max(counts[0], counts[1]) + LONGEST > len(ends.hands):
            return game
        box, kinds = boxes[tables[game, 0]], tables[game, 2:]
        start(box, club.rows[0], tables[game, 1])
        play_game(box, kinds, values, policies, manner, luck, club, ends, choices, counts)
        shares(box, club.rows[0], won[game])
    return len(tables)
