"""All whole turns of the actor, and the garden each would leave."""

from __future__ import annotations

from pleasance.compiled.jit import copy_into, jit, lowest_bit
from pleasance.compiled.kernel import Flat
from pleasance.games.sanssouci.kernel.layout import (
    ACTOR,
    AHEAD,
    BOAR,
    BUILT,
    GARDENERS,
    HAND,
    LEDGER,
    PHASE,
)
from pleasance.games.sanssouci.kernel.rules import (
    CHASE,
    PLACE,
    TAKE,
    WALK,
    WALKS,
    boar_steps,
    gardener_cells,
    lay,
    points_of,
    seat_block,
    spaces_for,
    step,
    take,
    walks,
)

# A row of the table: the choices of the turn, then the garden and its points.
CARD, SPACE, GARDENER, CHASED, WALKED = range(5)
AFTER_BUILT, AFTER_GARDENERS, AFTER_AHEAD, AFTER_BOAR, AFTER_POINTS = range(5, 10)
ROW_SIZE = 10

MOST_AFTERSTATES = 4096
"""More whole turns than any position has; the most seen in play is about 1,500."""

NONE = -1

Rows = Flat
"""Whole turns `[turn, ROW_SIZE]`; what a turn lacks is `NONE`."""


@jit
def list_afterstates(box: Flat, state: Flat, scratch: Rows, rows: Rows) -> int:
    """List all ways to end the turn, wherever in it we are; tell how many there are.

    *scratch* `[2, SIZE]` is working space.
    """
    if state[PHASE] == TAKE:
        return _spread_takes(box, state, scratch, rows)
    copy_into(scratch[0], state)
    return _spread_gardeners(box, scratch[0], scratch[1], rows, 0)


@jit
def _spread_takes(box: Flat, state: Flat, scratch: Rows, rows: Rows) -> int:
    """Go on with each tile that a card may take (S-12)."""
    hand = state[seat_block(state[ACTOR]) + HAND]
    taken, laid = scratch[0], scratch[1]
    count = 0
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        spaces = spaces_for(state, card)
        while spaces:
            space = lowest_bit(spaces)
            spaces &= spaces - 1
            copy_into(taken, state)
            take(box, taken, card, space)
            first = count
            count = _spread_gardeners(box, taken, laid, rows, count)
            for row in range(first, count):
                rows[row, CARD] = card
                rows[row, SPACE] = space
    return count


@jit
def _spread_gardeners(box: Flat, taken: Flat, laid: Flat, rows: Rows, count: int) -> int:
    """Go on with each cell where the tile may lie as a gardener (S-14)."""
    if taken[PHASE] != PLACE:
        return _spread_boar(box, taken, NONE, rows, count)
    cells = gardener_cells(taken, seat_block(taken[ACTOR]))
    while cells:
        cell = lowest_bit(cells)
        cells &= cells - 1
        copy_into(laid, taken)
        lay(box, laid, cell, 1)
        count = _spread_boar(box, laid, cell, rows, count)
    return count


@jit
def _spread_boar(box: Flat, laid: Flat, gardener: int, rows: Rows, count: int) -> int:
    """Go on with each cell where a disturbed boar may step (S-25)."""
    block = seat_block(laid[ACTOR])
    if laid[PHASE] != CHASE:
        return _spread_walks(box, laid, block, rows, count, gardener, NONE)
    steps = boar_steps(laid, block)
    laid[PHASE] = WALK
    while steps:
        cell = lowest_bit(steps)
        steps &= steps - 1
        laid[block + BOAR] = cell
        count = _spread_walks(box, laid, block, rows, count, gardener, cell)
    return count


@jit
def _spread_walks(
    box: Flat, laid: Flat, block: int, rows: Rows, count: int, gardener: int, chased: int
) -> int:
    """List each walk, and that nobody walks (S-15)."""
    ends = walks(laid, block)
    ahead, points = laid[block + AHEAD], points_of(laid, block)
    while True:
        row = rows[count]
        row[GARDENER] = gardener
        row[CHASED] = chased
        row[WALKED] = NONE
        row[AFTER_BUILT] = laid[block + BUILT]
        row[AFTER_GARDENERS] = laid[block + GARDENERS]
        row[AFTER_AHEAD] = ahead
        row[AFTER_BOAR] = laid[block + BOAR]
        row[AFTER_POINTS] = points
        if ends:
            cell = lowest_bit(ends)
            step(box, laid, block, cell)
            row[WALKED] = cell
            row[AFTER_AHEAD] = laid[block + AHEAD]
            row[AFTER_POINTS] = points_of(laid, block)
            laid[block + LEDGER + WALKS] -= row[AFTER_POINTS] - points
            laid[block + AHEAD] = ahead
        count += 1
        if not ends:
            return count
        ends &= ends - 1
