"""The compiled twin of the rules: the same game over flat arrays of integers.

Every function here repeats a rule of `moves`, `placing`, `setup` or `rules` for speed; tests hold
the twins equal, position by position. Positions are changed in place: to keep one, copy the array.
"""

from __future__ import annotations

import numpy as np

from pleasance.compiled.jit import jit
from pleasance.compiled.kernel import Flat
from pleasance.games.sanssouci.kernel.layout import (
    ACTOR,
    AHEAD,
    BAG,
    BLOCK,
    BLOCK_SIZE,
    BOAR,
    BOAR_DISTURBED,
    BOAR_REMOVED,
    BUILT,
    DECK,
    EMPTIED,
    GARDENERS,
    HAND,
    LEDGER,
    MARKET,
    PHASE,
    REWARDS,
    REWARDS_SIDE,
    ROW_VALUES,
    SEATS,
    TILE,
    TURNS,
)

# Phases, sources and sizes as plain numbers: compiled code knows no enumerations.
TAKE, PLACE, CHASE, WALK, REFILL, CARD, OVER = 7, 8, 9, 10, 11, 12, 13
WALKS, MOTIF_BONUS, GARDENER_BONUS, PENALTY, BOAR_POINTS = 0, 1, 2, 3, 4
MOTIFS, SPACES, CELLS, ROUNDS = 9, 10, 54, 18
FREE_CHOICE = 19

EVERYWHERE = (1 << CELLS) - 1
FIRST_ROW = (1 << MOTIFS) - 1
COLUMN_A = sum(1 << MOTIFS * row for row in range(6))
NOT_A = EVERYWHERE & ~COLUMN_A
NOT_I = EVERYWHERE & ~(COLUMN_A << 8)
ALL_SPACES = (1 << SPACES) - 1
PAIR_SPACES = np.array(
    [0] * 9
    + [
        (3 << 2 * (one - 2)) | (3 << 2 * (other - 2))
        for one in range(2, 6)
        for other in range(one + 1, 7)
    ]
    + [ALL_SPACES],
    dtype=np.int64,
)
"""The spaces of each card that do not depend on the tiles."""


@jit
def neighbors(cells: int) -> int:
    """Collect the cells that touch one of *cells*."""
    sideways = ((cells & NOT_I) << 1) | ((cells & NOT_A) >> 1)
    return sideways | (((cells << 9) | (cells >> 9)) & EVERYWHERE)


@jit
def promenade(built: int) -> int:
    """Collect the cells that nobles can walk to (S-15)."""
    reached = FIRST_ROW
    grown = reached
    while grown:
        grown = neighbors(grown) & built & ~reached
        reached |= grown
    return reached


@jit
def cross(cell: int) -> int:
    """Collect the row and the column of *cell*."""
    row = cell // 9
    return (FIRST_ROW << (9 * row)) | (COLUMN_A << (cell - 9 * row))


@jit
def seat_block(seat: int) -> int:
    """Find where the block of *seat* begins."""
    return BLOCK + seat * BLOCK_SIZE


@jit
def spaces_for(state: Flat, card: int) -> int:
    """Collect the spaces whose tile *card* may take (S-12)."""
    if card >= MOTIFS:
        return PAIR_SPACES[card]
    spaces = 0
    for space in range(SPACES):
        if state[MARKET + space] == card:
            spaces |= 1 << space
    return spaces or ALL_SPACES


@jit
def gardener_cells(state: Flat, block: int) -> int:
    """Collect where the tile in hand may stand as a gardener (S-14)."""
    free = EVERYWHERE & ~state[block + BUILT]
    line = free & cross(state[TILE])
    return line or free


@jit
def boar_steps(state: Flat, block: int) -> int:
    """Collect the free cells next to the boar (S-25)."""
    return neighbors(1 << state[block + BOAR]) & ~state[block + BUILT]


@jit
def walks(state: Flat, block: int) -> int:
    """Collect the cells where a noble may stop (S-15)."""
    return promenade(state[block + BUILT]) & state[block + AHEAD] & ~state[block + GARDENERS]


@jit
def points_of(state: Flat, block: int) -> int:
    """Count the points that a garden has brought so far."""
    points = 0
    for source in range(5):
        points += state[block + LEDGER + source]
    return points


@jit
def take(box: Flat, state: Flat, card: int, space: int) -> None:
    """Play the card and take the tile; lay it where it belongs if that is free (S-12, S-13)."""
    block = seat_block(state[ACTOR])
    state[block + HAND] &= ~(1 << card)
    cell = 9 * (space // 2 + 1) + state[MARKET + space]
    state[MARKET + space] = -1
    state[EMPTIED] = space
    state[TILE] = cell
    if (state[block + BUILT] >> cell) & 1:
        state[PHASE] = PLACE
    else:
        lay(box, state, cell, 0)


@jit
def lay(box: Flat, state: Flat, cell: int, is_gardener: int) -> None:
    """Lay the tile; then the reward or penalty of the cell, then the boar (S-21 to S-27)."""
    block = seat_block(state[ACTOR])
    bit = 1 << cell
    state[block + BUILT] |= bit
    if is_gardener:
        state[block + GARDENERS] |= bit
    side = state[block + REWARDS_SIDE]
    if side >= 0:
        pay = box[REWARDS + (side * CELLS + cell) * 2 + is_gardener]
        if pay < 0:
            state[block + LEDGER + PENALTY] -= min(-pay, points_of(state, block))
        else:
            state[block + LEDGER + MOTIF_BONUS + is_gardener] += pay
    state[PHASE] = WALK
    if state[block + BOAR] == cell:
        state[block + LEDGER + BOAR_POINTS] += box[BOAR_DISTURBED]
        if boar_steps(state, block):
            state[PHASE] = CHASE
        else:
            state[block + LEDGER + BOAR_POINTS] += box[BOAR_REMOVED]
            state[block + BOAR] = -1


@jit
def walk(box: Flat, state: Flat, cell: int) -> None:
    """Let a noble walk; it scores the row where it ends (S-15)."""
    step(box, state, seat_block(state[ACTOR]), cell)
    after_walk(state)


@jit
def step(box: Flat, state: Flat, block: int, cell: int) -> None:
    """Move a noble down its column to *cell*."""
    row = cell // 9
    down_to = (COLUMN_A << (cell - 9 * row)) & ((2 << cell) - 1)
    state[block + AHEAD] &= ~down_to
    state[block + LEDGER + WALKS] += box[ROW_VALUES + row]


@jit
def after_walk(state: Flat) -> None:
    """Refill the main board while the bag lasts (S-16)."""
    for motif in range(MOTIFS):
        if state[BAG + motif]:
            state[PHASE] = REFILL
            return
    after_refill(state)


@jit
def after_refill(state: Flat) -> None:
    """Draw a card while the seat's deck lasts (S-17)."""
    if state[seat_block(state[ACTOR]) + DECK]:
        state[PHASE] = CARD
    else:
        next_turn(state)


@jit
def next_turn(state: Flat) -> None:
    """Hand on to the left; after 18 rounds the game ends (S-18)."""
    state[TURNS] += 1
    state[ACTOR] += 1
    if state[ACTOR] == state[SEATS]:
        state[ACTOR] = 0
    state[PHASE] = TAKE if state[TURNS] < ROUNDS * state[SEATS] else OVER


@jit
def turn_tile(state: Flat, motif: int) -> None:
    """Turn a tile up on the emptied space (S-16)."""
    state[MARKET + state[EMPTIED]] = motif
    state[BAG + motif] -= 1
    after_refill(state)


@jit
def draw_card(state: Flat, card: int) -> None:
    """Take a card from the own deck and end the turn (S-17)."""
    block = seat_block(state[ACTOR])
    state[block + DECK] ^= 1 << card
    state[block + HAND] |= 1 << card
    next_turn(state)
