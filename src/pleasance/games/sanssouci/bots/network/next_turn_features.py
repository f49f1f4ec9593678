"""What the next own turn can bring, compiled: the best tile of those that the cards may take.

Near the end a garden is worth what it stands for and what its next turn adds, and most tiles are
gardeners then. This counts their gains one by one: lines that become complete, paths that become
joined, what nobles and missions get of it. What the others take away meanwhile it does not know.
"""

from __future__ import annotations

from pleasance.compiled.jit import jit, lowest_bit
from pleasance.compiled.kernel import Flat
from pleasance.games.sanssouci.bots.network import feature_index as say
from pleasance.games.sanssouci.bots.network.accumulator import (
    AHEAD,
    BESTS,
    BUILT,
    COMING,
    GAINS,
    GARDENERS,
    HELD,
    KNOWS,
    LEFT,
    LINKS,
    MISSIONS,
    NEXT,
    SIDE,
    TAKEN,
    WALKED,
    put,
)
from pleasance.games.sanssouci.bots.network.features import fold
from pleasance.games.sanssouci.bots.network.static_value import find_stand, value_walks
from pleasance.games.sanssouci.bots.network.threat_features import find_gaps
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.rules import (
    ALL_SPACES,
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    MOTIFS,
    PAIR_SPACES,
    SPACES,
    cross,
    promenade,
)

UNIT = 9
"""Gains are counted in ninths, since two of nine columns are missions."""


@jit
def see_next(box: Flat, sheet: Flat, state: Flat) -> float:
    """See what the next turn can bring near the end; tell it in points."""
    left, word, gain = sheet[LEFT], 0, 0.0
    if 0 < left <= say.AHEAD_TURNS:
        weigh_tiles(box, sheet, state)
        gain = (expect_own(sheet, state) if sheet[KNOWS] else expect_other(sheet, state)) / UNIT
        kind = sheet[KNOWS] * say.AHEAD_TURNS + left - 1
        word = say.NEXT + kind * say.GAINS + min(int(gain), say.GAINS - 1)
    put(sheet, say.AT_NEXT, word)
    return gain


@jit
def weigh_tiles(box: Flat, sheet: Flat, state: Flat) -> None:
    """Tell what each tile of the main board would bring where it can be laid best."""
    built = sheet[BUILT]
    free = EVERYWHERE & ~built
    useful = find_gaps(built, 1) | sheet[LINKS]
    if sheet[SIDE] >= 0:
        useful = free
    for space in range(SPACES):
        motif, gain = state[at.MARKET + space], 0
        if motif >= 0 and space != sheet[TAKEN]:
            cell = 9 * (space // 2) + 9 + motif
            if (built >> cell) & 1:
                cells = ((free & cross(cell)) or free) & useful
                while cells:
                    gain = max(gain, weigh_cell(box, sheet, lowest_bit(cells), 1))
                    cells &= cells - 1
            else:
                gain = weigh_cell(box, sheet, cell, 0)
        sheet[GAINS + space] = gain


@jit
def weigh_cell(box: Flat, sheet: Flat, cell: int, is_gardener: int) -> int:
    """Tell what a tile in a free cell would bring, as a motif or as a gardener."""
    bit = 1 << cell
    row = cell // 9
    free = EVERYWHERE & ~sheet[BUILT] & ~bit
    gain = 0
    if not free & (FIRST_ROW << (9 * row)):
        gain += box[at.ROW_BONUS + row]
    if not free & (COLUMN_A << (cell - 9 * row)):
        gain += box[at.COLUMN_BONUS]
    if sheet[SIDE] >= 0:
        gain += box[at.REWARDS + (sheet[SIDE] * 54 + cell) * 2 + is_gardener]
    if (sheet[NEXT] >> cell) & 1:
        return UNIT * gain + weigh_paths(box, sheet, bit, is_gardener)
    return UNIT * gain


@jit
def weigh_paths(box: Flat, sheet: Flat, bit: int, is_gardener: int) -> int:
    """Tell what nobles and missions would get of one more cell next to the paths."""
    walked = sheet[WALKED] | bit
    if sheet[LINKS] & bit:
        walked = promenade(sheet[BUILT] | bit)
    old = sheet[AHEAD] & sheet[WALKED] & ~sheet[GARDENERS]
    new = sheet[AHEAD] & walked & ~sheet[GARDENERS]
    if is_gardener:
        new &= ~bit
    if new == old:
        return 0
    left = sheet[LEFT]
    gain = UNIT * (value_walks(box, new, left) - value_walks(box, old, left))
    columns = fold(new & ~old)
    share = 2
    if sheet[KNOWS]:
        columns &= sheet[MISSIONS]
        share = UNIT
    while columns:
        column = lowest_bit(columns)
        columns &= columns - 1
        gain += share * (find_stand(sheet, column, new) - find_stand(sheet, column, old))
    return gain


@jit
def best_of(sheet: Flat, state: Flat, card: int) -> int:
    """Tell the best gain among the tiles that a card may take."""
    spaces = PAIR_SPACES[card]
    if card < MOTIFS:
        for space in range(SPACES):
            if state[at.MARKET + space] == card and space != sheet[TAKEN]:
                spaces |= 1 << space
        spaces = spaces or ALL_SPACES
    best = 0
    while spaces:
        best = max(best, sheet[GAINS + lowest_bit(spaces)])
        spaces &= spaces - 1
    return best


@jit
def expect_own(sheet: Flat, state: Flat) -> float:
    """Tell the mean of the best gain by a card in hand or the one that comes."""
    best, cards = 0, sheet[HELD]
    while cards:
        best = max(best, best_of(sheet, state, lowest_bit(cards)))
        cards &= cards - 1
    total, count, cards = 0, 0, sheet[COMING]
    while cards:
        total += max(best, best_of(sheet, state, lowest_bit(cards)))
        count += 1
        cards &= cards - 1
    return total / count if count else float(best)


@jit
def expect_other(sheet: Flat, state: Flat) -> float:
    """Tell the mean of the best gain by two cards that nobody has seen."""
    count, cards = 0, sheet[COMING]
    while cards:
        sheet[BESTS + count] = best_of(sheet, state, lowest_bit(cards))
        count += 1
        cards &= cards - 1
    if count < 2:
        return float(sheet[BESTS]) if count else 0.0
    total = 0
    for one in range(count):
        for two in range(one):
            total += max(sheet[BESTS + one], sheet[BESTS + two])
    return 2 * total / (count * (count - 1))
