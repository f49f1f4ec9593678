"""Feature extraction of the value network, compiled: the active feature of each slot.

It has three steps: `start_features` (whose garden, seen by whom, and when), `extract_market` (cards
and tiles once a card was played and a tile taken), `extract_garden` (what a turn leaves). The later
steps can be repeated; each updates little more than what has changed.
"""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit, lowest_bit
from pleasance.games.sanssouci.bots.network import accumulator as fact
from pleasance.games.sanssouci.bots.network import feature_index as index
from pleasance.games.sanssouci.bots.network.accumulator import Inputs, clear_features, set_feature
from pleasance.games.sanssouci.bots.network.expansion_features import (
    SPACE_CARDS,
    classify_free_cell,
    extract_boar,
    extract_rewards,
    extract_tiles,
)
from pleasance.games.sanssouci.bots.network.threat_features import (
    extract_helps,
    extract_pair_needs,
    extract_threats,
)
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    AFTER_AHEAD,
    AFTER_BOAR,
    AFTER_BUILT,
    AFTER_GARDENERS,
    Row,
)
from pleasance.games.sanssouci.kernel.garden import (
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    neighbors,
    promenade,
)
from pleasance.games.sanssouci.kernel.layout import Constants, Position, seat_block

PLAYED, IN_DECK, IN_HAND, HIDDEN = range(4)
HALF = index.TIME_CLASSES // 2


@jit
def start_features(
    inputs: Inputs,
    constants: Constants,
    state: Position,
    seat: int,
    is_owner: int,
    wait: int,
    left: int,
) -> None:
    """Start the features of the garden of *seat*.

    *wait*: turns until it moves again; *left*: own turns remaining. The owner also sees its hand
    and missions; others see what is public.
    """
    block = seat_block(seat)
    clear_features(inputs)
    time = index.TIME_CLASS[left]
    inputs[fact.STALE] = 2
    inputs[fact.TURNS_LEFT], inputs[fact.TIME] = left, time
    inputs[fact.MISSIONS], inputs[fact.IS_OWNER] = state[block + at.MISSIONS], is_owner
    inputs[fact.SIDE] = state[block + at.REWARDS_SIDE]
    role = (state[at.SEATS] - 2) * 4 + wait - 1
    set_feature(inputs, index.SLOT_ROLE, index.ROLE + role * 2 + is_owner)
    set_feature(inputs, index.SLOT_TURN, index.TURN + left)
    option = constants[at.HAS_REWARDS] * 2 + constants[at.HAS_BOARS]
    set_feature(inputs, index.SLOT_OPTION, index.OPTION + option * index.TIME_CLASSES + time)
    extract_threats(inputs, state, seat, wait)


@jit
def extract_market(inputs: Inputs, state: Position, seat: int, hand: int, taken: int) -> None:
    """Extract the main board without the tile of space *taken*, and the cards with *hand* kept."""
    block = seat_block(seat)
    deck = state[block + at.DECK]
    if not inputs[fact.IS_OWNER]:
        deck |= hand
        hand = 0
    inputs[fact.STALE] = max(inputs[fact.STALE], 1)
    inputs[fact.TAKEN], inputs[fact.HELD], inputs[fact.COMING] = taken, hand, deck
    for motif in range(at.MOTIFS):
        inputs[fact.CARDS + motif] = locate_card(inputs, hand, deck, motif)
        inputs[fact.SHOWN + motif] = 0
    shown = 0
    for space in range(at.SPACES):
        motif = state[at.MARKET + space]
        if motif >= 0 and space != taken:
            shown |= 1 << motif
            inputs[fact.SHOWN + motif] += 1
    for pair in range(at.FREE_CHOICE + 1 - at.MOTIFS):
        where = locate_card(inputs, hand, deck, at.MOTIFS + pair)
        set_feature(inputs, index.SLOT_PAIR + pair, index.PAIR + pair * 4 + where)
    idle = ~shown & FIRST_ROW
    size = max(count_bits(deck), 1)
    for space in range(at.SPACES):
        motif = state[at.MARKET + space]
        if motif >= 0 and space != taken:
            takers = SPACE_CARDS[space] | idle | (1 << motif)
            inputs[fact.CHANCE + space] = classify_chance(
                inputs[fact.IS_OWNER], takers & hand, count_bits(takers & deck), size
            )


@jit
def locate_card(inputs: Inputs, hand: int, deck: int, card: int) -> int:
    """Locate a card, as far as the viewer knows."""
    if (hand >> card) & 1:
        return IN_HAND
    if (deck >> card) & 1:
        return IN_DECK if inputs[fact.IS_OWNER] else HIDDEN
    return PLAYED


@jit
def classify_chance(is_owner: int, held: int, count: int, size: int) -> int:
    """Classify the chance to take a tile: by a card in hand, or by *count* of *size* cards."""
    if held:
        return 0
    part = 0 if count == 0 else 1 if 7 * count <= size else 2 if 3 * count <= size else 3
    return 1 + part if is_owner else 5 + part


@jit
def extract_garden(inputs: Inputs, constants: Constants, state: Position, garden: Row) -> None:
    """Extract a garden, given as a row of afterstates."""
    built, gardeners = garden[AFTER_BUILT], garden[AFTER_GARDENERS]
    ahead = garden[AFTER_AHEAD]
    columns = FIRST_ROW
    was_built, had_gardeners = inputs[fact.BUILT], inputs[fact.GARDENERS]
    if inputs[fact.STALE] == 2 or built != was_built or gardeners != had_gardeners:
        walked = promenade(built)
        fresh = neighbors(walked) & ~built
        links = fresh & neighbors(built & ~walked)
        changed = EVERYWHERE
        if inputs[fact.STALE] < 2:
            changed = (built ^ was_built) | (gardeners ^ had_gardeners)
            changed |= (ahead ^ inputs[fact.AHEAD]) | (walked ^ inputs[fact.WALKED])
            changed |= (fresh ^ inputs[fact.NEXT]) | (links ^ inputs[fact.LINKS])
        inputs[fact.BUILT], inputs[fact.GARDENERS], inputs[fact.AHEAD] = built, gardeners, ahead
        inputs[fact.WALKED], inputs[fact.NEXT], inputs[fact.LINKS] = walked, fresh, links
        extract_rows(inputs)
        extract_boar(inputs, constants, garden[AFTER_BOAR])
    else:
        changed = ahead ^ inputs[fact.AHEAD]
        if not inputs[fact.STALE]:
            columns = fold_columns(changed)
        inputs[fact.AHEAD] = ahead
        if garden[AFTER_BOAR] != inputs[fact.BOAR]:
            extract_boar(inputs, constants, garden[AFTER_BOAR])
    inputs[fact.BOAR] = garden[AFTER_BOAR]
    inputs[fact.STALE] = 0
    extract_cells(inputs, changed & ~FIRST_ROW)
    extract_columns(inputs, state, columns)
    extract_stops(inputs)
    extract_tiles(inputs, constants, state)
    extract_pair_needs(inputs)
    extract_helps(inputs, state)
    if inputs[fact.SIDE] >= 0:
        extract_rewards(inputs, constants)


@jit
def fold_columns(cells: int) -> int:
    """Collect the columns of cells."""
    cells |= cells >> 27
    return (cells | (cells >> 9) | (cells >> 18)) & FIRST_ROW


@jit
def column_rows(cells: int, column: int) -> int:
    """Collect the rows, from bit 0, of the cells in one column."""
    bits = (cells >> column) & COLUMN_A
    bits |= bits >> 24
    return (bits | (bits >> 8) | (bits >> 16)) & 63


@jit
def classify_cell(inputs: Inputs, cell: int) -> int:
    """Classify a cell: free or built, joined to the paths or not, ahead of its noble or not."""
    is_built, is_joined = (inputs[fact.BUILT] >> cell) & 1, (inputs[fact.WALKED] >> cell) & 1
    is_ahead = (inputs[fact.AHEAD] >> cell) & 1
    if not is_built:
        return classify_free_cell(inputs, cell) + 3 * is_ahead
    if not is_ahead:
        return 6 + is_joined
    return 8 + is_joined + 2 * ((inputs[fact.GARDENERS] >> cell) & 1)


@jit
def extract_cells(inputs: Inputs, changed: int) -> None:
    """Extract each changed cell."""
    while changed:
        cell = lowest_bit(changed)
        changed &= changed - 1
        feature = index.CELL + (cell - 9) * index.CELL_KINDS + classify_cell(inputs, cell)
        set_feature(inputs, index.SLOT_CELL + cell - 9, feature)


@jit
def extract_columns(inputs: Inputs, state: Position, columns: int) -> None:
    """Extract some columns: the noble's stops, the free cells, and the cards and tiles for them."""
    free = EVERYWHERE & ~inputs[fact.BUILT]
    standing = inputs[fact.AHEAD] & inputs[fact.WALKED] & ~inputs[fact.GARDENERS]
    while columns:
        column = lowest_bit(columns)
        columns &= columns - 1
        left = count_bits(inputs[fact.AHEAD] & (COLUMN_A << column))
        stops = (1 << left) - 1 + (column_rows(standing, column) >> (6 - left))
        mission = (inputs[fact.MISSIONS] >> column) & 1 if inputs[fact.IS_OWNER] else 2
        set_feature(inputs, index.SLOT_STOPS + column, index.STOPS + stops * 3 + mission)
        card, shown = inputs[fact.CARDS + column], min(inputs[fact.SHOWN + column], 2)
        free_cells = ((column_rows(free & inputs[fact.AHEAD], column) >> 1) * 4 + card) * 3 + shown
        set_feature(inputs, index.SLOT_FREE_CELLS + column, index.FREE_CELLS + free_cells)
        gaps = min(count_bits(free & (COLUMN_A << column)), 5)
        bag = state[at.BAG + column]
        rest = bag if bag < 2 else 2 if bag < 4 else 3
        set_feature(inputs, index.SLOT_SUPPLY + column, index.SUPPLY + (gaps * 4 + card) * 4 + rest)
        set_feature(
            inputs, index.SLOT_COLUMN + column, index.COLUMN + gaps * HALF + inputs[fact.TIME] // 2
        )


@jit
def extract_rows(inputs: Inputs) -> None:
    """Extract the number of free cells of each row."""
    free = EVERYWHERE & ~inputs[fact.BUILT]
    for row in range(5):
        gaps = min(count_bits(free & (FIRST_ROW << (9 * row + 9))), 6)
        feature = index.ROW + (row * 7 + gaps) * HALF + inputs[fact.TIME] // 2
        set_feature(inputs, index.SLOT_ROW + row, feature)


@jit
def extract_stops(inputs: Inputs) -> None:
    """Extract the number of stops in each row, and the spare turns to use them all."""
    standing = inputs[fact.AHEAD] & inputs[fact.WALKED] & ~inputs[fact.GARDENERS]
    half = inputs[fact.TIME] // 2
    for row in range(6):
        stops = min(count_bits(standing & (FIRST_ROW << (9 * row))), 5)
        set_feature(inputs, index.SLOT_OPEN + row, index.OPEN + (row * 6 + stops) * HALF + half)
    below_row_2 = standing & ~(FIRST_ROW | (FIRST_ROW << 9))
    slack = min(max(count_bits(below_row_2) - inputs[fact.TURNS_LEFT], -6), 6) + 6
    set_feature(inputs, index.SLOT_SLACK, index.SLACK + slack * HALF + half)
