"""What the outlook's network sees in a garden, compiled, and what can be known without it.

A garden is seen as its owner sees it or as everybody does. What is certain needs no network: rows
and columns complete or out of reach, and the rows where nobles can end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pleasance.compiled.jit import count_bits, jit
from pleasance.compiled.kernel import Flat
from pleasance.games.sanssouci.bots.network import accumulator
from pleasance.games.sanssouci.bots.network import feature_index as told
from pleasance.games.sanssouci.bots.network.accumulator import CHANCE, SHEET
from pleasance.games.sanssouci.bots.network.features import (
    begin,
    class_cell,
    see_garden,
    see_market,
    stack,
)
from pleasance.games.sanssouci.bots.network.model import show_garden
from pleasance.games.sanssouci.bots.network.static_value import take_stock
from pleasance.games.sanssouci.bots.outlook import feature_index as say
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel import rules
from pleasance.games.sanssouci.kernel.afterstates import AFTER_BOAR, AFTER_POINTS, ROW_SIZE
from pleasance.games.sanssouci.kernel.rules import (
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    MOTIFS,
    PAIR_SPACES,
    ROUNDS,
    SPACES,
    neighbors,
    promenade,
    seat_block,
)
from pleasance.games.sanssouci.kernel.setup import SIDES

NOT_SHOWN = 9
"""Chance of a tile that is not on the main board in its row."""

LINES = 14
"""The rows 2 to 6, then the nine columns."""
IMPOSSIBLE, UNSURE, COMPLETE = -1, 0, 1
"""What is certain about a row or column."""

LEFT, KNOWS, MOMENT, TILES, BASE, POINTS = range(6)
"""Further facts of a garden: own turns left, whether its owner looks, what is due, tiles to lay,
final points if nothing more were built, points so far."""
FACTS = 6


class Glance(NamedTuple):
    """Room for what is seen of some gardens, a row each."""

    told: Any
    """The words of the whole garden `[row, PLACES]`, int16."""

    columns: Any
    """The words of each column `[row, 9, COLUMN_PLACES]`, int16."""

    rows: Any
    """The words of each row 2 to 6 `[row, 5, ROW_PLACES]`, int16."""

    stands: Any
    """The set of rows where the noble of each column can end `[row, 9]`, int8."""

    lines: Any
    """What is certain about each row 2 to 6 and each column `[row, LINES]`, int8."""

    facts: Any
    """See `LEFT` and what follows it `[row, FACTS]`, int16."""

    sheet: Any
    """Working space `[SHEET]`, int64."""

    garden: Any
    """Working space for a garden `[ROW_SIZE]`, int64."""


def make_glance(rows: int) -> Glance:
    """Lay out room for so many gardens."""
    return Glance(
        told=np.zeros((rows, say.PLACES), dtype=np.int16),
        columns=np.zeros((rows, MOTIFS, say.COLUMN_PLACES), dtype=np.int16),
        rows=np.zeros((rows, 5, say.ROW_PLACES), dtype=np.int16),
        stands=np.zeros((rows, MOTIFS), dtype=np.int8),
        lines=np.zeros((rows, LINES), dtype=np.int8),
        facts=np.zeros((rows, FACTS), dtype=np.int16),
        sheet=np.zeros(SHEET, dtype=np.int64),
        garden=np.zeros(ROW_SIZE, dtype=np.int64),
    )


@jit
def moment_of(state: Flat, seat: int) -> int:
    """Tell what a seat is about to do."""
    phase = state[at.PHASE]
    if phase == SIDES:
        return say.SIDES
    if seat != state[at.ACTOR] or phase < rules.TAKE:
        return say.WAITING
    return min(say.TAKE + phase - rules.TAKE, say.DONE)


@jit
def turns_left(state: Flat, seat: int) -> int:
    """Count the turns of a seat that are not over: one whose walk is over is."""
    seats, turns = state[at.SEATS], state[at.TURNS]
    turns += rules.WALK < state[at.PHASE] < rules.OVER
    place = (seat - state[at.FIRST] + seats) % seats
    return ROUNDS - turns // seats - (place < turns % seats)


@jit
def look(box: Flat, state: Flat, seat: int, knows: int, glance: Glance, row: int) -> None:
    """See the garden of *seat*, with its hand and missions or without, and note it in *row*."""
    sheet, garden = glance.sheet, glance.garden
    seats, phase = state[at.SEATS], state[at.PHASE]
    left, moment = turns_left(state, seat), moment_of(state, seat)
    following = state[at.FIRST] if phase < rules.TAKE else state[at.ACTOR]
    following += rules.WALK < phase < rules.OVER
    begin(sheet, box, state, seat, knows, (seat - following + 2 * seats) % seats + 1, left)
    see_market(sheet, state, seat, state[seat_block(seat) + at.HAND], -1)
    show_garden(state, seat, garden)
    see_garden(sheet, box, state, garden)
    for place in range(say.TOLD):
        glance.told[row, place] = sheet[place]
    glance.told[row, say.AT_MOMENT] = say.MOMENT + moment * 2 + knows
    tiles = left - (moment in (say.CHASE, say.WALK))
    held = state[at.TILE] if moment == say.PLACE else -1
    see_lines(sheet, state, glance, row, tiles, held)
    see_stands(sheet, state, glance, row, tiles)
    count_cards(state, seat, knows, glance, row)
    note_facts(box, sheet, garden, glance, row, knows)
    glance.facts[row, MOMENT], glance.facts[row, TILES] = moment, tiles


@jit
def note_facts(box: Flat, sheet: Flat, garden: Flat, glance: Glance, row: int, knows: int) -> None:
    """Note what is counted, not foretold; missions that nobody knows count nothing."""
    facts = glance.facts[row]
    facts[LEFT], facts[KNOWS] = sheet[accumulator.LEFT], knows
    facts[POINTS] = garden[AFTER_POINTS]
    if not knows:
        sheet[accumulator.KNOWS], sheet[accumulator.MISSIONS] = 1, 0
    facts[BASE] = int(take_stock(box, sheet, garden[AFTER_POINTS], garden[AFTER_BOAR]))


@jit
def see_lines(sheet: Flat, state: Flat, glance: Glance, row: int, tiles: int, held: int) -> None:
    """See each row and column, and whether it is complete or can no longer be."""
    free = EVERYWHERE & ~sheet[accumulator.BUILT]
    for line in range(LINES):
        is_row = line < 5
        cells = FIRST_ROW << (9 * line + 9) if is_row else COLUMN_A << (line - 5)
        gaps = count_bits(free & cells)
        sure = COMPLETE if gaps == 0 else IMPOSSIBLE if gaps > tiles else UNSURE
        glance.lines[row, line] = sure
        if is_row:
            see_row(sheet, state, glance.rows[row, line], line, gaps * say.TIMES + tiles)
        else:
            see_column(
                sheet, state, glance.columns[row, line - 5], line - 5, gaps * say.TIMES + tiles
            )
    if held >= 0:
        glance.rows[row, held // 9 - 1, say.AT_ROW_HELD] = say.ROW_HELD
        glance.columns[row, held % 9, say.AT_COLUMN_HELD] = say.COLUMN_HELD


@jit
def see_row(sheet: Flat, state: Flat, words: Any, line: int, gaps: int) -> None:
    """See one of the rows 2 to 6."""
    words[:] = 0
    words[say.AT_ROW_GAPS] = say.ROW_GAPS + gaps
    words[say.AT_RANK] = say.RANK + line * told.TIMES + sheet[accumulator.TIME]
    words[say.AT_OPEN] = say.OPEN + sheet[told.AT_OPEN + line + 1] - told.OPEN
    for column in range(MOTIFS):
        hope = class_hope(sheet, state, 9 * line + 9 + column)
        words[say.AT_ROW_HOPE + column] = 0 if hope < 0 else say.ROW_HOPE + hope


@jit
def see_column(sheet: Flat, state: Flat, words: Any, column: int, gaps: int) -> None:
    """See one column."""
    words[:] = 0
    words[say.AT_STOPS] = say.STOPS + sheet[told.AT_STOPS + column] - told.STOPS
    words[say.AT_SUPPLY] = say.SUPPLY + sheet[told.AT_SUPPLY + column] - told.SUPPLY
    words[say.AT_COLUMN_GAPS] = say.COLUMN_GAPS + gaps
    stand = 6 - count_bits(sheet[accumulator.AHEAD] & (COLUMN_A << column))
    words[say.AT_STAND] = say.STAND + stand * say.TIMES + sheet[accumulator.LEFT]
    for line in range(5):
        cell = 9 * line + 9 + column
        kind = (line * told.KINDS + class_cell(sheet, cell)) * say.SIDES_OF_CELL
        words[say.AT_CELL + line] = say.CELL + kind + class_sides(sheet, cell)
        hope = class_hope(sheet, state, cell)
        words[say.AT_COLUMN_HOPE + line] = 0 if hope < 0 else say.COLUMN_HOPE + hope


@jit
def class_sides(sheet: Flat, cell: int) -> int:
    """Class what lies beside a cell, whichever is left or right; nothing is like a free cell."""
    one = two = 0
    if cell % 9 > 0:
        one = class_side(sheet, cell - 1)
    if cell % 9 < 8:
        two = class_side(sheet, cell + 1)
    low, high = min(one, two), max(one, two)
    return high * (high + 1) // 2 + low


@jit
def class_side(sheet: Flat, cell: int) -> int:
    """Class a cell beside another: free, built, or joined to the paths."""
    return ((sheet[accumulator.BUILT] >> cell) & 1) + ((sheet[accumulator.WALKED] >> cell) & 1)


@jit
def class_hope(sheet: Flat, state: Flat, cell: int) -> int:
    """Class how a free cell may get its own tile; -1 where one lies."""
    if (sheet[accumulator.BUILT] >> cell) & 1:
        return -1
    line, motif = cell // 9 - 1, cell % 9
    chance = NOT_SHOWN
    for space in range(2 * line, 2 * line + 2):
        if state[at.MARKET + space] == motif:
            # Class 0 is a card in hand; of the others the higher is the better.
            here = sheet[CHANCE + space]
            chance = here if chance == NOT_SHOWN or here == 0 else max(chance, here)
    bag = state[at.BAG + motif]
    rest = 0 if bag == 0 else 1 if bag < 3 else 2
    return ((line * 10 + chance) * 4 + sheet[accumulator.CARDS + motif]) * 3 + rest


@jit
def count_cards(state: Flat, seat: int, knows: int, glance: Glance, row: int) -> None:
    """Count the cards of two colors for each row, in hand and elsewhere."""
    block = seat_block(seat)
    hand, deck = state[block + at.HAND], state[block + at.DECK]
    if not knows:
        hand, deck = 0, hand | deck
    for line in range(5):
        held = rest = 0
        for card in range(MOTIFS, rules.FREE_CHOICE):
            if (PAIR_SPACES[card] >> (2 * line)) & 1:
                held += (hand >> card) & 1
                rest += (deck >> card) & 1
        word = say.PAIRS + min(held, 2) * 6 + min(rest, 5)
        glance.rows[row, line, say.AT_PAIRS] = word


@jit
def see_stands(sheet: Flat, state: Flat, glance: Glance, row: int, tiles: int) -> None:
    """See the rows where each noble can end: where it stands, and where it can get in time."""
    left, built = sheet[accumulator.LEFT], sheet[accumulator.BUILT]
    ends = 0
    if left > 0:
        ends = extend(built, tiles) & sheet[accumulator.AHEAD] & ~sheet[accumulator.GARDENERS]
        ends &= built | find_tiles(state)
    for column in range(MOTIFS):
        stand = 6 - count_bits(sheet[accumulator.AHEAD] & (COLUMN_A << column))
        glance.stands[row, column] = (1 << stand) | (stack(ends, column) << 1)


@jit
def extend(built: int, tiles: int) -> int:
    """Collect the cells that can be joined to row 1 by so many tiles."""
    reached = promenade(built)
    while tiles > 0:
        wider = reached | neighbors(reached)
        grown = wider & ~reached
        while grown:
            grown = neighbors(grown) & built & ~wider
            wider |= grown
        if wider == reached:
            return reached
        reached = wider
        tiles -= 1
    return reached


@jit
def find_tiles(state: Flat) -> int:
    """Collect the cells whose own tile may still come: it lies in their row or in the bag."""
    motifs = 0
    for motif in range(MOTIFS):
        if state[at.BAG + motif] > 0:
            motifs |= COLUMN_A << motif
    cells = motifs & ~FIRST_ROW
    for space in range(SPACES):
        motif = state[at.MARKET + space]
        if motif >= 0:
            cells |= 1 << (9 * (space // 2) + 9 + motif)
    return cells
