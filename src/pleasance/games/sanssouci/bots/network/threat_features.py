"""What the network sees of things to come, compiled: who wants which tile, which cards help."""

from __future__ import annotations

import numpy as np

from pleasance.compiled.jit import count_bits, jit
from pleasance.compiled.kernel import Flat
from pleasance.games.sanssouci.bots.network import feature_index as say
from pleasance.games.sanssouci.bots.network.accumulator import (
    BUILT,
    CHANCE,
    COMING,
    HELD,
    LINKS,
    NEXT,
    TAKEN,
    THREATS,
    TIME,
    put,
)
from pleasance.games.sanssouci.bots.network.expansion_features import SPACE_CARDS
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.rules import (
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    MOTIFS,
    PAIR_SPACES,
    SPACES,
    cross,
    neighbors,
    promenade,
    seat_block,
)

PAIRS = 10
PAIR_ROWS = np.array(
    [
        [row for row in range(5) if PAIR_SPACES[MOTIFS + pair] >> (2 * row) & 1]
        for pair in range(PAIRS)
    ],
    dtype=np.int64,
)
"""The two rows of each card of a pair, from row 2 as 0."""


@jit
def see_threats(sheet: Flat, state: Flat, seat: int, wait: int) -> None:
    """See how much those who have their turns before *seat* want each tile."""
    seats = state[at.SEATS]
    for space in range(SPACES):
        sheet[THREATS + space] = 0
    for back in range(1, wait):
        block = seat_block((seat - back + seats) % seats)
        near = neighbors(promenade(state[block + at.BUILT])) & state[block + at.AHEAD]
        cards = state[block + at.DECK] | state[block + at.HAND]
        for space in range(SPACES):
            motif = state[at.MARKET + space]
            cell = 9 * (space // 2) + 9 + motif
            if motif < 0 or (state[block + at.BUILT] >> cell) & 1:
                continue
            takers = count_bits((SPACE_CARDS[space] | (1 << motif)) & cards)
            is_likely = 3 * takers > count_bits(cards)
            threat = 1 + 2 * ((near >> cell) & 1) + is_likely
            sheet[THREATS + space] = max(sheet[THREATS + space], threat)


@jit
def see_hopes(sheet: Flat) -> None:
    """See for each card of a pair that is left how much its rows lack."""
    for pair in range(PAIRS):
        word, card = 0, MOTIFS + pair
        held = (sheet[HELD] >> card) & 1
        if held or (sheet[COMING] >> card) & 1:
            lacks = class_lack(sheet, PAIR_ROWS[pair, 0]) * say.LACKS
            lacks += class_lack(sheet, PAIR_ROWS[pair, 1])
            word = say.HOPE + (pair * 2 + held) * say.LACKS**2 + lacks
        put(sheet, say.AT_HOPE + pair, word)


@jit
def class_lack(sheet: Flat, row: int) -> int:
    """Class how many cells a row lacks."""
    gaps = count_bits(~sheet[BUILT] & (FIRST_ROW << (9 * row + 9)))
    return 0 if gaps == 0 else 1 if gaps < 3 else 2 if gaps < 5 else 3


@jit
def find_gaps(built: int, most: int) -> int:
    """Collect the free cells of all rows and columns that lack no more than so many."""
    free = EVERYWHERE & ~built
    cells = 0
    for row in range(1, 6):
        line = free & (FIRST_ROW << (9 * row))
        if count_bits(line) <= most:
            cells |= line
    for column in range(MOTIFS):
        line = free & (COLUMN_A << column)
        if count_bits(line) <= most:
            cells |= line
    return cells


@jit
def see_helps(sheet: Flat, state: Flat) -> None:
    """See what each tile of the main board would help, where it belongs or as a gardener."""
    built = sheet[BUILT]
    free = EVERYWHERE & ~built
    last, near = find_gaps(built, 1), find_gaps(built, 2)
    for space in range(SPACES):
        motif, word = state[at.MARKET + space], 0
        if motif >= 0 and space != sheet[TAKEN]:
            cell = 9 * (space // 2) + 9 + motif
            is_gardener = (built >> cell) & 1
            cells = 1 << cell
            if is_gardener:
                cells = (free & cross(cell)) or free
            aid = class_help(sheet, cells, last, near)
            kind = (is_gardener * say.HELPS + aid) * 9 + sheet[CHANCE + space]
            word = say.HELP + kind * 3 + sheet[TIME] // 3
        put(sheet, say.AT_HELP + space, word)


@jit
def class_help(sheet: Flat, cells: int, last: int, near: int) -> int:
    """Class what can be done on one of *cells*: complete a line, join the paths, or prepare it."""
    if cells & last:
        return 4 if cells & last & sheet[NEXT] else 3
    if cells & sheet[LINKS]:
        return 2
    return 1 if cells & near else 0
