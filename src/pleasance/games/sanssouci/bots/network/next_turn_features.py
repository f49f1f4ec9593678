"""The expected gain of the next own turn, compiled: the best tile that the cards may take.

Near the end a garden's value is its static value and the gain of its next turn, and most tiles are
laid as gardeners then. The gain of each is counted: completed lines, joined paths, and the further
walks of nobles and missions. Tiles that rivals take meanwhile are not considered.
"""

from __future__ import annotations

from pleasance.compiled.jit import jit, lowest_bit
from pleasance.games.sanssouci.bots.network import accumulator as fact
from pleasance.games.sanssouci.bots.network import feature_index as index
from pleasance.games.sanssouci.bots.network.accumulator import Inputs, set_feature
from pleasance.games.sanssouci.bots.network.features import fold_columns
from pleasance.games.sanssouci.bots.network.static_value import best_walks, lowest_row
from pleasance.games.sanssouci.bots.network.threat_features import find_gaps
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.garden import (
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    cross,
    promenade,
)
from pleasance.games.sanssouci.kernel.layout import Constants, Position
from pleasance.games.sanssouci.kernel.moves import ALL_SPACES, PAIR_SPACES, belongs

UNITS_PER_POINT = 9
"""Gains are counted in ninths, since two of nine columns are missions."""


@jit
def extract_next_turn(constants: Constants, inputs: Inputs, state: Position) -> float:
    """Extract the gain of the next turn near the end of the game; return it in points."""
    left, feature, gain = inputs[fact.TURNS_LEFT], 0, 0.0
    if 0 < left <= index.NEXT_TURN_HORIZON:
        compute_tile_gains(constants, inputs, state)
        if inputs[fact.IS_OWNER]:
            gain = expected_owner_gain(inputs, state) / UNITS_PER_POINT
        else:
            gain = expected_hidden_gain(inputs, state) / UNITS_PER_POINT
        kind = inputs[fact.IS_OWNER] * index.NEXT_TURN_HORIZON + left - 1
        feature = index.NEXT + kind * index.GAIN_CLASSES + min(int(gain), index.GAIN_CLASSES - 1)
    set_feature(inputs, index.SLOT_NEXT, feature)
    return gain


@jit
def compute_tile_gains(constants: Constants, inputs: Inputs, state: Position) -> None:
    """Compute the gain of each tile of the main board on the best cell for it."""
    built = inputs[fact.BUILT]
    free = EVERYWHERE & ~built
    useful = find_gaps(built, 1) | inputs[fact.LINKS]
    if inputs[fact.SIDE] >= 0:
        useful = free
    for space in range(at.SPACES):
        motif, gain = state[at.MARKET + space], 0
        if motif >= 0 and space != inputs[fact.TAKEN]:
            cell = belongs(space, motif)
            if (built >> cell) & 1:
                cells = ((free & cross(cell)) or free) & useful
                while cells:
                    gain = max(gain, cell_gain(constants, inputs, lowest_bit(cells), 1))
                    cells &= cells - 1
            else:
                gain = cell_gain(constants, inputs, cell, 0)
        inputs[fact.GAINS + space] = gain


@jit
def cell_gain(constants: Constants, inputs: Inputs, cell: int, is_gardener: int) -> int:
    """Compute the gain of a tile on a free cell, as a motif or as a gardener."""
    bit = 1 << cell
    row = cell // 9
    free = EVERYWHERE & ~inputs[fact.BUILT] & ~bit
    gain = 0
    if not free & (FIRST_ROW << (9 * row)):
        gain += constants[at.ROW_BONUS + row]
    if not free & (COLUMN_A << (cell - 9 * row)):
        gain += constants[at.COLUMN_BONUS]
    if inputs[fact.SIDE] >= 0:
        gain += constants[at.REWARDS + (inputs[fact.SIDE] * 54 + cell) * 2 + is_gardener]
    if (inputs[fact.NEXT] >> cell) & 1:
        return UNITS_PER_POINT * gain + path_gain(constants, inputs, bit, is_gardener)
    return UNITS_PER_POINT * gain


@jit
def path_gain(constants: Constants, inputs: Inputs, bit: int, is_gardener: int) -> int:
    """Compute what nobles and missions gain by one more cell next to the paths."""
    walked = inputs[fact.WALKED] | bit
    if inputs[fact.LINKS] & bit:
        walked = promenade(inputs[fact.BUILT] | bit)
    old = inputs[fact.AHEAD] & inputs[fact.WALKED] & ~inputs[fact.GARDENERS]
    new = inputs[fact.AHEAD] & walked & ~inputs[fact.GARDENERS]
    if is_gardener:
        new &= ~bit
    if new == old:
        return 0
    left = inputs[fact.TURNS_LEFT]
    gain = UNITS_PER_POINT * (best_walks(constants, new, left) - best_walks(constants, old, left))
    columns = fold_columns(new & ~old)
    share = 2
    if inputs[fact.IS_OWNER]:
        columns &= inputs[fact.MISSIONS]
        share = UNITS_PER_POINT
    while columns:
        column = lowest_bit(columns)
        columns &= columns - 1
        gain += share * (lowest_row(inputs, column, new) - lowest_row(inputs, column, old))
    return gain


@jit
def best_gain(inputs: Inputs, state: Position, card: int) -> int:
    """Find the best gain among the tiles that a card may take."""
    spaces = PAIR_SPACES[card]
    if card < at.MOTIFS:
        for space in range(at.SPACES):
            if state[at.MARKET + space] == card and space != inputs[fact.TAKEN]:
                spaces |= 1 << space
        spaces = spaces or ALL_SPACES
    best = 0
    while spaces:
        best = max(best, inputs[fact.GAINS + lowest_bit(spaces)])
        spaces &= spaces - 1
    return best


@jit
def expected_owner_gain(inputs: Inputs, state: Position) -> float:
    """Average the best gain by a card in hand or the next one drawn."""
    best, cards = 0, inputs[fact.HELD]
    while cards:
        best = max(best, best_gain(inputs, state, lowest_bit(cards)))
        cards &= cards - 1
    total, count, cards = 0, 0, inputs[fact.COMING]
    while cards:
        total += max(best, best_gain(inputs, state, lowest_bit(cards)))
        count += 1
        cards &= cards - 1
    return total / count if count else float(best)


@jit
def expected_hidden_gain(inputs: Inputs, state: Position) -> float:
    """Average the best gain by two cards of a hidden hand."""
    count, cards = 0, inputs[fact.COMING]
    while cards:
        inputs[fact.BESTS + count] = best_gain(inputs, state, lowest_bit(cards))
        count += 1
        cards &= cards - 1
    if count < 2:
        return float(inputs[fact.BESTS]) if count else 0.0
    total = 0
    for one in range(count):
        for two in range(one):
            total += max(inputs[fact.BESTS + one], inputs[fact.BESTS + two])
    return 2 * total / (count * (count - 1))
