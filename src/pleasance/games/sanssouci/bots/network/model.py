"""The network's judgement of whole turns, compiled."""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

import numpy as np

from pleasance.compiled.jit import copy_into, jit, lowest_bit
from pleasance.compiled.kernel import Flat
from pleasance.games.sanssouci.bots.network.accumulator import (
    DEPTH,
    KNOWS,
    LEFT,
    SHARES,
    SHEET,
    WIDTH,
    Net,
    read_out,
    settle,
    start_sums,
)
from pleasance.games.sanssouci.bots.network.features import begin, see_garden, see_market
from pleasance.games.sanssouci.bots.network.next_turn_features import see_next
from pleasance.games.sanssouci.bots.network.static_value import take_stock
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    AFTER_AHEAD,
    AFTER_BOAR,
    AFTER_BUILT,
    AFTER_GARDENERS,
    AFTER_POINTS,
    CARD,
    MOST_AFTERSTATES,
    ROW_SIZE,
    SPACE,
    list_afterstates,
)
from pleasance.games.sanssouci.kernel.rules import (
    ROUNDS,
    SPACES,
    TAKE,
    points_of,
    seat_block,
)
from pleasance.games.sanssouci.kernel.setup import choose_side

RIVALRY = 8.0
"""Points of lead that make one of the others e times as much of a rival as another."""


class Bureau(NamedTuple):
    """A network with all the working space that judging by it takes."""

    words: Any
    """The first layer, see `Net`."""

    tail: Any
    """The other layers, see `Net`."""

    sheet: Any
    """What the network looks at, `[SHEET]`, int64."""

    sums: Any
    """Its layers, `[WIDTH + DEPTH]`, float32."""

    scratch: Any
    """Room for positions, `[3, SIZE]`."""

    rows: Any
    """Room for whole turns, `[MOST_AFTERSTATES, ROW_SIZE]`."""

    values: Any
    """The final points that each whole turn promises the actor, float64."""

    costs: Any
    """The final points that the rivals can expect once a space is taken `[10]`, float64."""

    totals: Any
    """What each seat can expect, `[4]`, float64."""


def make_bureau(net: Net) -> Bureau:
    """Lay out working space around a network."""
    return Bureau(
        words=net.words,
        tail=net.tail,
        sheet=np.zeros(SHEET, dtype=np.int64),
        sums=np.zeros(WIDTH + DEPTH, dtype=np.float32),
        scratch=np.zeros((3, at.SIZE), dtype=np.int64),
        rows=np.zeros((MOST_AFTERSTATES, ROW_SIZE), dtype=np.int64),
        values=np.zeros(MOST_AFTERSTATES),
        costs=np.zeros(SPACES),
        totals=np.zeros(4),
    )


@jit
def foretell(box: Flat, state: Flat, bureau: Bureau, garden: Flat) -> float:
    """Tell the final points that a garden promises; exactly once its last turn is over."""
    sheet = bureau.sheet
    see_garden(sheet, box, state, garden)
    counted = count_on(box, state, bureau, garden)
    if sheet[LEFT] == 0 and sheet[KNOWS]:
        return counted
    settle(bureau.words, sheet, bureau.sums)
    return counted + read_out(bureau.tail, bureau.sums)


@jit
def count_on(box: Flat, state: Flat, bureau: Bureau, garden: Flat) -> float:
    """Count what the garden on the sheet stands for and a share of what its next turn can bring."""
    sheet = bureau.sheet
    stock = take_stock(box, sheet, garden[AFTER_POINTS], garden[AFTER_BOAR])
    return stock + bureau.tail[SHARES + sheet[LEFT]] * see_next(box, sheet, state)


@jit
def begin_look(
    bureau: Bureau, box: Flat, state: Flat, seat: int, knows: int, wait: int, left: int
) -> None:
    """Begin to look at the garden of a seat, see `begin`."""
    begin(bureau.sheet, box, state, seat, knows, wait, left)
    start_sums(bureau.tail, bureau.sums)


@jit
def judge_turns(box: Flat, state: Flat, bureau: Bureau) -> int:
    """List all ways to end the turn with the points each promises; tell how many there are."""
    sheet, rows = bureau.sheet, bureau.rows
    count = list_afterstates(box, state, bureau.scratch, rows)
    seat, seats = state[at.ACTOR], state[at.SEATS]
    hand = state[seat_block(seat) + at.HAND]
    begin_look(bureau, box, state, seat, 1, seats, ROUNDS - 1 - state[at.TURNS] // seats)
    if state[at.PHASE] != TAKE:
        see_market(sheet, state, seat, hand, -1)
    card = space = -1
    for place in range(count):
        row = rows[place]
        if state[at.PHASE] == TAKE and (row[CARD] != card or row[SPACE] != space):
            card, space = row[CARD], row[SPACE]
            see_market(sheet, state, seat, hand & ~(1 << card), space)
        bureau.values[place] = foretell(box, state, bureau, row)
    return count


@jit
def show_garden(state: Flat, seat: int, row: Flat) -> None:
    """Write a seat's garden as it is into a row of afterstates."""
    block = seat_block(seat)
    row[AFTER_BUILT] = state[block + at.BUILT]
    row[AFTER_GARDENERS] = state[block + at.GARDENERS]
    row[AFTER_AHEAD] = state[block + at.AHEAD]
    row[AFTER_BOAR] = state[block + at.BOAR]
    row[AFTER_POINTS] = points_of(state, block)


@jit
def look_at(box: Flat, state: Flat, bureau: Bureau, seat: int, taken: int) -> float:
    """Tell what another seat than the actor can expect after this turn, by what all can see."""
    sheet, row = bureau.sheet, bureau.rows[MOST_AFTERSTATES - 1]
    look_begin(box, state, bureau, seat)
    show_garden(state, seat, row)
    block = seat_block(seat)
    see_market(sheet, state, seat, state[block + at.HAND], taken)
    return foretell(box, state, bureau, row)


@jit
def look_begin(box: Flat, state: Flat, bureau: Bureau, seat: int) -> None:
    """Begin to look at another seat than the actor, with this turn over."""
    seats, turns = state[at.SEATS], state[at.TURNS] + 1
    wait = (seat - state[at.ACTOR] - 1 + seats) % seats + 1
    place = (seat - state[at.FIRST] + seats) % seats
    played = turns // seats + (place < turns % seats)
    begin_look(bureau, box, state, seat, 0, wait, ROUNDS - played)


@jit
def weigh_rivals(box: Flat, state: Flat, bureau: Bureau, spaces: int) -> None:
    """Tell what the others can expect once one of the *spaces* is taken; who leads counts most."""
    seats, actor = state[at.SEATS], state[at.ACTOR]
    totals = bureau.totals
    best = whole = 0.0
    for wait in range(1, seats):
        seat = (actor + wait) % seats
        totals[seat] = look_at(box, state, bureau, seat, -1)
        best = max(best, totals[seat])
    for wait in range(1, seats):
        seat = (actor + wait) % seats
        totals[seat] = exp((totals[seat] - best) / RIVALRY)
        whole += totals[seat]
    for space in range(SPACES):
        bureau.costs[space] = 0.0
    for wait in range(1, seats):
        seat = (actor + wait) % seats
        weigh_rival(box, state, bureau, seat, spaces, totals[seat] / whole)


@jit
def weigh_rival(
    box: Flat, state: Flat, bureau: Bureau, seat: int, spaces: int, share: float
) -> None:
    """Add what one of the others can expect, by its share in the rivalry."""
    row = bureau.rows[MOST_AFTERSTATES - 1]
    look_begin(box, state, bureau, seat)
    show_garden(state, seat, row)
    hand = state[seat_block(seat) + at.HAND]
    while spaces:
        space = lowest_bit(spaces)
        spaces &= spaces - 1
        see_market(bureau.sheet, state, seat, hand, space)
        bureau.costs[space] += share * foretell(box, state, bureau, row)


@jit
def choose_turn(box: Flat, state: Flat, bureau: Bureau, denial: float) -> int:
    """Find the whole turn that promises most, less so much of what it leaves to the rivals."""
    count = judge_turns(box, state, bureau)
    rows, values, costs = bureau.rows, bureau.values, bureau.costs
    is_open = state[at.PHASE] == TAKE and denial > 0
    if is_open:
        spaces = 0
        for place in range(count):
            spaces |= 1 << rows[place, SPACE]
        weigh_rivals(box, state, bureau, spaces)
    best, most = 0, -np.inf
    for place in range(count):
        value = values[place]
        if is_open:
            value -= denial * costs[rows[place, SPACE]]
        if value > most:
            best, most = place, value
    return best


@jit
def value_side(box: Flat, state: Flat, bureau: Bureau, seat: int, side: int) -> float:
    """Tell the final points that a seat can expect with a side of its rewards board (S-20)."""
    world = bureau.scratch[2]
    copy_into(world, state)
    world[at.ACTOR] = 0
    choose_side(world, seat, side)
    look_first(box, world, bureau, seat)
    return foretell(box, world, bureau, bureau.rows[MOST_AFTERSTATES - 1])


@jit
def look_first(box: Flat, state: Flat, bureau: Bureau, seat: int) -> None:
    """Look at an own garden before the first turn of the game."""
    seats = state[at.SEATS]
    wait = (seat - state[at.FIRST] + seats) % seats + 1
    begin_look(bureau, box, state, seat, 1, wait, ROUNDS)
    see_market(bureau.sheet, state, seat, state[seat_block(seat) + at.HAND], -1)
    show_garden(state, seat, bureau.rows[MOST_AFTERSTATES - 1])
