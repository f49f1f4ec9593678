"""Feature extraction of the outlook network, compiled, and the facts that need no forecast.

A garden is seen as its owner or as everybody sees it. Certain without a network are rows and
columns that are complete or out of reach, and the rows where nobles can end.
"""

from __future__ import annotations

from typing import Any

from pleasance.compiled.export import export
from pleasance.compiled.jit import count_bits, jit
from pleasance.games.sanssouci.bots.network import accumulator as fact
from pleasance.games.sanssouci.bots.network import feature_index as net_index
from pleasance.games.sanssouci.bots.network.accumulator import CHANCE, Inputs
from pleasance.games.sanssouci.bots.network.features import (
    classify_cell,
    column_rows,
    extract_garden,
    extract_market,
    start_features,
)
from pleasance.games.sanssouci.bots.network.static_value import static_value
from pleasance.games.sanssouci.bots.outlook import feature_index as index
from pleasance.games.sanssouci.bots.outlook.workspace import (
    COMPLETE,
    IMPOSSIBLE,
    IS_OWNER,
    LINES,
    OWNER_PHASE,
    POINTS,
    STATIC_POINTS,
    TILES,
    TURNS_LEFT,
    UNSURE,
    OutlookFeatures,
    count_rows,
)
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    AFTER_BOAR,
    AFTER_POINTS,
    copy_garden,
)
from pleasance.games.sanssouci.kernel.garden import (
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    extend_paths,
)
from pleasance.games.sanssouci.kernel.layout import Constants, Position, seat_block
from pleasance.games.sanssouci.kernel.moves import PAIR_SPACES, belongs
from pleasance.games.sanssouci.kernel.rules import turns_left

NOT_SHOWN = 9
"""Class of the chance to take a tile that is not on the main board in its row."""


@jit
def owner_phase(state: Position, seat: int) -> int:
    """Classify the choice or state that is next for a seat."""
    phase = state[at.PHASE]
    if phase == at.SIDES:
        return index.SIDES
    if seat != state[at.ACTOR] or phase < at.TAKE:
        return index.WAITING
    return min(index.TAKE + phase - at.TAKE, index.DONE)


@jit
def unfinished_turns(state: Position, seat: int) -> int:
    """Count the turns of a seat that are not over; a turn is over after its walk."""
    turns = state[at.TURNS] + (at.WALK < state[at.PHASE] < at.OVER)
    return turns_left(state, seat, turns)


@export()
def extract(
    constants: Constants,
    state: Position,
    seat: int,
    is_owner: int,
    features: OutlookFeatures,
    row: int,
) -> None:
    """Extract the garden of *seat* into *row*, with its hand and missions if *is_owner*."""
    if not 0 <= row < count_rows(features):
        return
    inputs, garden = features.inputs, features.garden
    seats, phase = state[at.SEATS], state[at.PHASE]
    left, due = unfinished_turns(state, seat), owner_phase(state, seat)
    following = state[at.FIRST] if phase < at.TAKE else state[at.ACTOR]
    following += at.WALK < phase < at.OVER
    wait = (seat - following + 2 * seats) % seats + 1
    start_features(inputs, constants, state, seat, is_owner, wait, left)
    extract_market(inputs, state, seat, state[seat_block(seat) + at.HAND], -1)
    copy_garden(state, seat, garden)
    extract_garden(inputs, constants, state, garden)
    for slot in range(index.NETWORK_SLOTS):
        features.garden_features[row, slot] = inputs[slot]
    features.garden_features[row, index.SLOT_OWNER_PHASE] = index.OWNER_PHASE + due * 2 + is_owner
    tiles = left - (due in (index.CHASE, index.WALK))
    held = state[at.TILE] if due == index.PLACE else -1
    extract_lines(state, features, row, tiles, held)
    extract_stands(state, features, row, tiles)
    extract_pairs(state, seat, is_owner, features, row)
    extract_facts(constants, features, row, is_owner)
    features.facts[row, OWNER_PHASE], features.facts[row, TILES] = due, tiles


@jit
def extract_facts(constants: Constants, features: OutlookFeatures, row: int, is_owner: int) -> None:
    """Extract the facts that are counted, not forecast; unknown missions count nothing."""
    inputs, garden, facts = features.inputs, features.garden, features.facts[row]
    facts[TURNS_LEFT], facts[IS_OWNER] = inputs[fact.TURNS_LEFT], is_owner
    facts[POINTS] = garden[AFTER_POINTS]
    if not is_owner:
        inputs[fact.IS_OWNER], inputs[fact.MISSIONS] = 1, 0
    value = static_value(constants, inputs, garden[AFTER_POINTS], garden[AFTER_BOAR])
    facts[STATIC_POINTS] = int(value)


@jit
def extract_lines(
    state: Position, features: OutlookFeatures, row: int, tiles: int, held: int
) -> None:
    """Extract each row and column, and whether it is complete or can no longer be."""
    inputs = features.inputs
    free = EVERYWHERE & ~inputs[fact.BUILT]
    for line in range(LINES):
        is_row = line < 5
        cells = FIRST_ROW << (9 * line + 9) if is_row else COLUMN_A << (line - 5)
        gaps = count_bits(free & cells)
        certainty = COMPLETE if gaps == 0 else IMPOSSIBLE if gaps > tiles else UNSURE
        features.lines[row, line] = certainty
        supply = gaps * index.TURN_COUNTS + tiles
        if is_row:
            extract_row(inputs, state, features.row_features[row, line], line, supply)
        else:
            extract_column(inputs, state, features.column_features[row, line - 5], line - 5, supply)
    if held >= 0:
        features.row_features[row, held // 9 - 1, index.SLOT_ROW_HELD] = index.ROW_HELD
        features.column_features[row, held % 9, index.SLOT_COLUMN_HELD] = index.COLUMN_HELD


@jit
def extract_row(inputs: Inputs, state: Position, slots: Any, line: int, gaps: int) -> None:
    """Extract one of the rows 2 to 6."""
    for slot in range(len(slots)):
        slots[slot] = 0
    slots[index.SLOT_ROW_GAPS] = index.ROW_GAPS + gaps
    slots[index.SLOT_RANK] = index.RANK + line * net_index.TIME_CLASSES + inputs[fact.TIME]
    slots[index.SLOT_OPEN] = index.OPEN + inputs[net_index.SLOT_OPEN + line + 1] - net_index.OPEN
    for column in range(at.MOTIFS):
        access = classify_access(inputs, state, 9 * line + 9 + column)
        slots[index.SLOT_ROW_ACCESS + column] = 0 if access < 0 else index.ROW_ACCESS + access


@jit
def extract_column(inputs: Inputs, state: Position, slots: Any, column: int, gaps: int) -> None:
    """Extract one column."""
    for slot in range(len(slots)):
        slots[slot] = 0
    slots[index.SLOT_STOPS] = index.STOPS + inputs[net_index.SLOT_STOPS + column] - net_index.STOPS
    slots[index.SLOT_SUPPLY] = (
        index.SUPPLY + inputs[net_index.SLOT_SUPPLY + column] - net_index.SUPPLY
    )
    slots[index.SLOT_COLUMN_GAPS] = index.COLUMN_GAPS + gaps
    stand = 6 - count_bits(inputs[fact.AHEAD] & (COLUMN_A << column))
    slots[index.SLOT_STAND] = index.STAND + stand * index.TURN_COUNTS + inputs[fact.TURNS_LEFT]
    for line in range(5):
        cell = 9 * line + 9 + column
        kind = (line * net_index.CELL_KINDS + classify_cell(inputs, cell)) * index.SIDES_OF_CELL
        slots[index.SLOT_CELL + line] = index.CELL + kind + classify_sides(inputs, cell)
        access = classify_access(inputs, state, cell)
        slots[index.SLOT_COLUMN_ACCESS + line] = 0 if access < 0 else index.COLUMN_ACCESS + access


@jit
def classify_sides(inputs: Inputs, cell: int) -> int:
    """Classify the two cells beside one, regardless of order; the border counts as free."""
    one = two = 0
    if cell % 9 > 0:
        one = classify_side(inputs, cell - 1)
    if cell % 9 < 8:
        two = classify_side(inputs, cell + 1)
    low, high = min(one, two), max(one, two)
    return high * (high + 1) // 2 + low


@jit
def classify_side(inputs: Inputs, cell: int) -> int:
    """Classify a cell beside another: free, built, or joined to the paths."""
    return ((inputs[fact.BUILT] >> cell) & 1) + ((inputs[fact.WALKED] >> cell) & 1)


@jit
def classify_access(inputs: Inputs, state: Position, cell: int) -> int:
    """Classify the ways of a free cell to its own tile; -1 for a built cell."""
    if (inputs[fact.BUILT] >> cell) & 1:
        return -1
    line, motif = cell // 9 - 1, cell % 9
    chance = NOT_SHOWN
    for space in range(2 * line, 2 * line + 2):
        if state[at.MARKET + space] == motif:
            # Class 0 is a card in hand; of the others the higher is the better.
            here = inputs[CHANCE + space]
            chance = here if chance == NOT_SHOWN or here == 0 else max(chance, here)
    bag = state[at.BAG + motif]
    rest = 0 if bag == 0 else 1 if bag < 3 else 2
    return ((line * 10 + chance) * 4 + inputs[fact.CARDS + motif]) * 3 + rest


@jit
def extract_pairs(
    state: Position, seat: int, is_owner: int, features: OutlookFeatures, row: int
) -> None:
    """Extract the two-color cards for each row, in hand and elsewhere."""
    block = seat_block(seat)
    hand, deck = state[block + at.HAND], state[block + at.DECK]
    if not is_owner:
        hand, deck = 0, hand | deck
    for line in range(5):
        held = rest = 0
        for card in range(at.MOTIFS, at.FREE_CHOICE):
            if (PAIR_SPACES[card] >> (2 * line)) & 1:
                held += (hand >> card) & 1
                rest += (deck >> card) & 1
        feature = index.PAIRS + min(held, 2) * 6 + min(rest, 5)
        features.row_features[row, line, index.SLOT_PAIRS] = feature


@jit
def extract_stands(state: Position, features: OutlookFeatures, row: int, tiles: int) -> None:
    """Extract the rows where each noble can end: its own, and those it can reach in time."""
    inputs = features.inputs
    built, ahead = inputs[fact.BUILT], inputs[fact.AHEAD]
    ends = 0
    if inputs[fact.TURNS_LEFT] > 0:
        ends = extend_paths(built, tiles) & ahead & ~inputs[fact.GARDENERS]
        ends &= built | cells_with_tiles(state)
    for column in range(at.MOTIFS):
        stand = 6 - count_bits(ahead & (COLUMN_A << column))
        features.stands[row, column] = (1 << stand) | (column_rows(ends, column) << 1)


@jit
def cells_with_tiles(state: Position) -> int:
    """Collect the cells whose own tile may still be taken: it lies in their row or in the bag."""
    motifs = 0
    for motif in range(at.MOTIFS):
        if state[at.BAG + motif] > 0:
            motifs |= COLUMN_A << motif
    cells = motifs & ~FIRST_ROW
    for space in range(at.SPACES):
        motif = state[at.MARKET + space]
        if motif >= 0:
            cells |= 1 << belongs(space, motif)
    return cells
