"""Whole games by networks, compiled: what training learns from, and what judges a network."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pleasance.compiled.jit import jit
from pleasance.compiled.kernel import Desk, Flat
from pleasance.compiled.rng import Luck, below
from pleasance.games.sanssouci.bots.network.feature_index import PLACES
from pleasance.games.sanssouci.bots.network.features import see_garden, see_market
from pleasance.games.sanssouci.bots.network.model import (
    Bureau,
    begin_look,
    choose_turn,
    count_on,
    judge_turns,
    look_begin,
    look_first,
    show_garden,
    value_side,
)
from pleasance.games.sanssouci.bots.planner.rollout import carry_out, plan_turn
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    CARD,
    MOST_AFTERSTATES,
    SPACE,
)
from pleasance.games.sanssouci.kernel.codes import scores, shares
from pleasance.games.sanssouci.kernel.rules import OVER, ROUNDS, TAKE, seat_block
from pleasance.games.sanssouci.kernel.setup import SIDES, choose_side, draw, start

PLANNER, FIRST_NET, SECOND_NET = range(3)
"""Who plays at a seat of a match."""

MOST_NOTES = 4 * (2 * ROUNDS + 1)
"""So many positions one game gives at most."""


class Notes(NamedTuple):
    """What many games have shown, a row for each garden that was looked at."""

    words: Any
    """`[note, PLACES]`, int16."""

    stocks: Any
    """What the garden was worth without further building, float32."""

    targets: Any
    """What it came to above that, as far as the rest of the game tells, float32."""

    owners: Any
    """Whose garden it was, and how many turns it had seen `[note, 2]`, int64."""

    guesses: Any
    """In one game: what the network promised after each turn `[4, ROUNDS + 1]`, float64."""

    strays: Any
    """In one game: which turns were not the network's choice `[4, ROUNDS + 1]`, int64."""

    points: Any
    """All points of all seats so far, and how many seats these were `[2]`, int64."""


def make_notes(games: int) -> Notes:
    """Lay out room for the notes on so many games."""
    count = games * MOST_NOTES
    return Notes(
        words=np.zeros((count, PLACES), dtype=np.int16),
        stocks=np.zeros(count, dtype=np.float32),
        targets=np.zeros(count, dtype=np.float32),
        owners=np.zeros((count, 2), dtype=np.int64),
        guesses=np.zeros((4, ROUNDS + 1)),
        strays=np.zeros((4, ROUNDS + 1), dtype=np.int64),
        points=np.zeros(2, dtype=np.int64),
    )


@jit
def choose_sides(box: Flat, state: Flat, bureau: Bureau, luck: Luck, stray: int) -> None:
    """Choose everybody's side by the network, or so often out of a thousand at random."""
    for seat in range(state[at.SEATS]):
        best = value_side(box, state, bureau, seat, 1) > value_side(box, state, bureau, seat, 0)
        if below(luck, 1000) < stray:
            best = below(luck, 2) == 1
        choose_side(state, seat, 1 if best else 0)


@jit
def note(box: Flat, state: Flat, bureau: Bureau, notes: Notes, count: int, garden: Flat) -> None:
    """Write down the garden that the sheet is about."""
    sheet = bureau.sheet
    see_garden(sheet, box, state, garden)
    notes.stocks[count] = count_on(box, state, bureau, garden)
    for place in range(PLACES):
        notes.words[count, place] = sheet[place]


@jit
def note_first(box: Flat, state: Flat, bureau: Bureau, notes: Notes, count: int) -> int:
    """Write down what everybody sees of the own garden before the first turn."""
    for seat in range(state[at.SEATS]):
        look_first(box, state, bureau, seat)
        note(box, state, bureau, notes, count, bureau.rows[MOST_AFTERSTATES - 1])
        notes.owners[count, 0], notes.owners[count, 1] = seat, 0
        count += 1
    return count


@jit
def note_turn(
    box: Flat, state: Flat, bureau: Bureau, notes: Notes, count: int, row: Flat, luck: Luck
) -> int:
    """Write down the garden that a turn leaves, and what it leaves to one of the others."""
    seat, seats = state[at.ACTOR], state[at.SEATS]
    left = ROUNDS - 1 - state[at.TURNS] // seats
    if left:
        begin_look(bureau, box, state, seat, 1, seats, left)
        hand = state[seat_block(seat) + at.HAND] & ~(1 << row[CARD])
        see_market(bureau.sheet, state, seat, hand, row[SPACE])
        note(box, state, bureau, notes, count, row)
        notes.owners[count, 0], notes.owners[count, 1] = seat, ROUNDS - left
        count += 1
    other = (seat + 1 + below(luck, seats - 1)) % seats
    look_begin(box, state, bureau, other)
    see_market(bureau.sheet, state, other, state[seat_block(other) + at.HAND], row[SPACE])
    garden = bureau.rows[MOST_AFTERSTATES - 1]
    show_garden(state, other, garden)
    note(box, state, bureau, notes, count, garden)
    turns, place = state[at.TURNS] + 1, (other - state[at.FIRST] + seats) % seats
    notes.owners[count, 0] = other
    notes.owners[count, 1] = turns // seats + (place < turns % seats)
    return count + 1


@jit
def stray_from(bureau: Bureau, best: int, turns: int, luck: Luck) -> int:
    """Choose the best of a few turns at random."""
    pick = below(luck, turns)
    for _ in range(5):
        other = below(luck, turns)
        if other != best and bureau.values[other] > bureau.values[pick]:
            pick = other
    return pick


@jit
def settle_targets(notes: Notes, first: int, count: int, points: Flat, trust: float) -> None:
    """Tell for each note of a game what its garden came to.

    This is TD(lambda): what came of it counts by *trust*, what the network promised a turn later by
    the rest, and alone where the next turn was not its own choice.
    """
    for seat in range(4):
        came = float(points[seat])
        for turn in range(ROUNDS, -1, -1):
            guess = notes.guesses[seat, turn]
            notes.guesses[seat, turn] = came
            came = guess if notes.strays[seat, turn] else guess + trust * (came - guess)
    for place in range(first, count):
        seat, turn = notes.owners[place, 0], notes.owners[place, 1]
        notes.targets[place] = notes.guesses[seat, turn] - notes.stocks[place]


@jit
def play_turn(
    box: Flat,
    state: Flat,
    bureau: Bureau,
    notes: Notes,
    count: int,
    luck: Luck,
    denial: float,
    stray: int,
) -> int:
    """Play a turn by the network, seldom another one, and write it down."""
    best = choose_turn(box, state, bureau, denial)
    seat, turn = state[at.ACTOR], state[at.TURNS] // state[at.SEATS] + 1
    notes.guesses[seat, turn] = bureau.values[best]
    pick = best
    if below(luck, 1000) < stray:
        pick = stray_from(bureau, best, judge_turns(box, state, bureau), luck)
    notes.strays[seat, turn] = pick != best
    row = bureau.rows[pick]
    count = note_turn(box, state, bureau, notes, count, row, luck)
    carry_out(box, state, row)
    return count


@jit
def play_games(
    box: Flat,
    seats: int,
    bureau: Bureau,
    notes: Notes,
    games: int,
    luck: Luck,
    denial: float,
    trust: float,
    stray: int,
    state: Flat,
    points: Flat,
) -> int:
    """Let the network play against itself and write down what it learns from; tell how much."""
    count = 0
    for _ in range(games):
        first = count
        start(box, state, seats)
        while state[at.PHASE] != TAKE:
            if state[at.PHASE] == SIDES:
                choose_sides(box, state, bureau, luck, 10 * stray)
            else:
                draw(box, state, luck)
        count = note_first(box, state, bureau, notes, count)
        while state[at.PHASE] != OVER:
            if state[at.PHASE] != TAKE:
                draw(box, state, luck)
                continue
            count = play_turn(box, state, bureau, notes, count, luck, denial, stray)
        scores(box, state, points)
        settle_targets(notes, first, count, points, trust)
        for seat in range(seats):
            notes.points[0] += points[seat]
            notes.points[1] += 1
    return count


@jit
def prefer_side(
    box: Flat, state: Flat, one: Bureau, two: Bureau, who: int, seat: int, luck: Luck
) -> int:
    """Choose a side of a rewards board as one of the players of a match does."""
    if who == PLANNER:
        return below(luck, 2)
    if who == FIRST_NET:
        return value_side(box, state, one, seat, 1) > value_side(box, state, one, seat, 0)
    return value_side(box, state, two, seat, 1) > value_side(box, state, two, seat, 0)


@jit
def play_match(
    box: Flat,
    who: Flat,
    one: Bureau,
    two: Bureau,
    desk: Desk,
    denials: Any,
    luck: Luck,
    state: Flat,
    points: Flat,
    won: Any,
) -> None:
    """Play one game between planners and two networks, `who[seat]` each; tell points and shares."""
    start(box, state, len(who))
    while state[at.PHASE] != OVER:
        actor = who[state[at.ACTOR]]
        if state[at.PHASE] == SIDES:
            for seat in range(len(who)):
                choose_side(state, seat, prefer_side(box, state, one, two, who[seat], seat, luck))
        elif state[at.PHASE] != TAKE:
            draw(box, state, luck)
        elif actor == PLANNER:
            plan_turn(box, state, desk)
        elif actor == FIRST_NET:
            carry_out(box, state, one.rows[choose_turn(box, state, one, denials[0])])
        else:
            carry_out(box, state, two.rows[choose_turn(box, state, two, denials[1])])
    scores(box, state, points)
    shares(box, state, won)
