"""Features of threats and needs, compiled: tiles that rivals want, and cards that help."""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit
from pleasance.games.sanssouci.bots.network import accumulator as fact
from pleasance.games.sanssouci.bots.network import feature_index as index
from pleasance.games.sanssouci.bots.network.accumulator import Inputs, set_feature
from pleasance.games.sanssouci.bots.network.expansion_features import SPACE_CARDS
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.garden import (
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    cross,
    neighbors,
    promenade,
)
from pleasance.games.sanssouci.kernel.layout import Position, seat_block
from pleasance.games.sanssouci.kernel.moves import belongs

PAIRS = 10
LOWER_ROWS = tuple(one for one in range(4) for _ in range(one + 1, 5))
"""The first of the two rows of each two-color card, from row 2 as 0."""
HIGHER_ROWS = tuple(other for one in range(4) for other in range(one + 1, 5))
"""The other row of each two-color card."""


@jit
def extract_threats(inputs: Inputs, state: Position, seat: int, wait: int) -> None:
    """Classify how much the rivals with turns before *seat* want each tile."""
    seats = state[at.SEATS]
    for space in range(at.SPACES):
        inputs[fact.THREATS + space] = 0
    for back in range(1, wait):
        block = seat_block((seat - back + seats) % seats)
        near = neighbors(promenade(state[block + at.BUILT])) & state[block + at.AHEAD]
        cards = state[block + at.DECK] | state[block + at.HAND]
        for space in range(at.SPACES):
            motif = state[at.MARKET + space]
            cell = belongs(space, motif)
            if motif < 0 or (state[block + at.BUILT] >> cell) & 1:
                continue
            takers = count_bits((SPACE_CARDS[space] | (1 << motif)) & cards)
            is_likely = 3 * takers > count_bits(cards)
            threat = 1 + 2 * ((near >> cell) & 1) + is_likely
            inputs[fact.THREATS + space] = max(inputs[fact.THREATS + space], threat)


@jit
def extract_pair_needs(inputs: Inputs) -> None:
    """Extract the need of both rows of each two-color card that is left."""
    for pair in range(PAIRS):
        feature, card = 0, at.MOTIFS + pair
        held = (inputs[fact.HELD] >> card) & 1
        if held or (inputs[fact.COMING] >> card) & 1:
            lacks = classify_lack(inputs, LOWER_ROWS[pair]) * index.LACK_CLASSES
            lacks += classify_lack(inputs, HIGHER_ROWS[pair])
            feature = index.PAIR_NEED + (pair * 2 + held) * index.LACK_CLASSES**2 + lacks
        set_feature(inputs, index.SLOT_PAIR_NEED + pair, feature)


@jit
def classify_lack(inputs: Inputs, row: int) -> int:
    """Classify the number of free cells of a row."""
    gaps = count_bits(~inputs[fact.BUILT] & (FIRST_ROW << (9 * row + 9)))
    return 0 if gaps == 0 else 1 if gaps < 3 else 2 if gaps < 5 else 3


@jit
def find_gaps(built: int, most: int) -> int:
    """Collect the free cells of all rows and columns with at most *most* of them."""
    free = EVERYWHERE & ~built
    cells = 0
    for row in range(1, 6):
        line = free & (FIRST_ROW << (9 * row))
        if count_bits(line) <= most:
            cells |= line
    for column in range(at.MOTIFS):
        line = free & (COLUMN_A << column)
        if count_bits(line) <= most:
            cells |= line
    return cells


@jit
def extract_helps(inputs: Inputs, state: Position) -> None:
    """Extract the use of each tile of the main board, where it belongs or as a gardener."""
    built = inputs[fact.BUILT]
    free = EVERYWHERE & ~built
    last, near = find_gaps(built, 1), find_gaps(built, 2)
    for space in range(at.SPACES):
        motif, feature = state[at.MARKET + space], 0
        if motif >= 0 and space != inputs[fact.TAKEN]:
            cell = belongs(space, motif)
            is_gardener = (built >> cell) & 1
            cells = 1 << cell
            if is_gardener:
                cells = (free & cross(cell)) or free
            aid = classify_help(inputs, cells, last, near)
            kind = (is_gardener * index.HELP_CLASSES + aid) * 9 + inputs[fact.CHANCE + space]
            feature = index.HELP + kind * 3 + inputs[fact.TIME] // 3
        set_feature(inputs, index.SLOT_HELP + space, feature)


@jit
def classify_help(inputs: Inputs, cells: int, last: int, near: int) -> int:
    """Classify the best use of *cells*: to complete a line, to join the paths, or to prepare it."""
    if cells & last:
        return 4 if cells & last & inputs[fact.NEXT] else 3
    if cells & inputs[fact.LINKS]:
        return 2
    return 1 if cells & near else 0
