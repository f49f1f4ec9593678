"""Compiled afterstates of a turn: all whole turns of the actor, and the garden each leaves."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pleasance.compiled.export import export
from pleasance.compiled.jit import copy_into, jit, lowest_bit
from pleasance.compiled.signature import ArrayType
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.actions import (
    CODE_BOAR,
    CODE_PLACE,
    CODE_STAY,
    CODE_WALK,
    MAX_CHOICES,
    ChoiceValues,
    Codes,
)
from pleasance.games.sanssouci.kernel.layout import Constants, Position, seat_block
from pleasance.games.sanssouci.kernel.moves import boar_steps, gardener_cells, spaces_for, walks
from pleasance.games.sanssouci.kernel.placing import lay
from pleasance.games.sanssouci.kernel.rules import move_noble, take_tile
from pleasance.games.sanssouci.kernel.scoring import points_of

# A row of the table: the choices of the turn, then the garden and its points.
CARD, SPACE, GARDENER, CHASED, WALKED = range(5)
AFTER_BUILT, AFTER_GARDENERS, AFTER_AHEAD, AFTER_BOAR, AFTER_POINTS = range(5, 10)
ROW_SIZE = 10

MAX_AFTERSTATES = 4096
"""Upper bound of the whole turns of a position; the largest number seen in play is about 1,500."""

NONE = -1

Row: TypeAlias = Annotated[Any, ArrayType("int64", (ROW_SIZE,))]
"""A whole turn, or a garden alone `[ROW_SIZE]`, int64; what a turn lacks is `NONE`."""

Rows: TypeAlias = Annotated[Any, ArrayType("int64", (MAX_AFTERSTATES, ROW_SIZE))]
"""Whole turns `[MAX_AFTERSTATES, ROW_SIZE]`, int64."""

TurnValues: TypeAlias = Annotated[Any, ArrayType("float64", (MAX_AFTERSTATES,))]
"""The value of each turn `[MAX_AFTERSTATES]`, float64."""


@jit
def list_afterstates(constants: Constants, state: Position, scratch: Rows, rows: Rows) -> int:
    """List all ways to end the turn from any of its phases; return their number.

    *scratch* holds positions `[2, SIZE]`.
    """
    if state[at.PHASE] == at.TAKE:
        return _expand_takes(constants, state, scratch, rows)
    copy_into(scratch[0], state)
    return _expand_gardeners(constants, scratch[0], scratch[1], rows, 0)


@jit
def _expand_takes(constants: Constants, state: Position, scratch: Rows, rows: Rows) -> int:
    """Expand each tile that a card may take (S-12)."""
    hand = state[seat_block(state[at.ACTOR]) + at.HAND]
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
            take_tile(constants, taken, card, space)
            first = count
            count = _expand_gardeners(constants, taken, laid, rows, count)
            for row in range(first, count):
                rows[row, CARD] = card
                rows[row, SPACE] = space
    return count


@jit
def _expand_gardeners(
    constants: Constants, taken: Position, laid: Position, rows: Rows, count: int
) -> int:
    """Expand each cell where the tile may lie as a gardener (S-14)."""
    if taken[at.PHASE] != at.PLACE:
        return _expand_boar(constants, taken, NONE, rows, count)
    cells = gardener_cells(taken, seat_block(taken[at.ACTOR]))
    while cells:
        cell = lowest_bit(cells)
        cells &= cells - 1
        copy_into(laid, taken)
        lay(constants, laid, cell, 1)
        count = _expand_boar(constants, laid, cell, rows, count)
    return count


@jit
def _expand_boar(
    constants: Constants, laid: Position, gardener: int, rows: Rows, count: int
) -> int:
    """Expand each cell where a disturbed boar may step (S-25)."""
    block = seat_block(laid[at.ACTOR])
    if laid[at.PHASE] != at.CHASE:
        return _expand_walks(constants, laid, rows, count, gardener, NONE)
    steps = boar_steps(laid, block)
    laid[at.PHASE] = at.WALK
    while steps:
        cell = lowest_bit(steps)
        steps &= steps - 1
        laid[block + at.BOAR] = cell
        count = _expand_walks(constants, laid, rows, count, gardener, cell)
    return count


@jit
def _expand_walks(
    constants: Constants, laid: Position, rows: Rows, count: int, gardener: int, chased: int
) -> int:
    """List each walk, and the turn without one (S-15)."""
    block = seat_block(laid[at.ACTOR])
    ends = walks(laid, block)
    ahead, points = laid[block + at.AHEAD], points_of(laid, block)
    while count < MAX_AFTERSTATES - 1:  # the last row is scratch space of the network
        row = rows[count]
        row[GARDENER] = gardener
        row[CHASED] = chased
        row[WALKED] = NONE
        row[AFTER_BUILT] = laid[block + at.BUILT]
        row[AFTER_GARDENERS] = laid[block + at.GARDENERS]
        row[AFTER_AHEAD] = ahead
        row[AFTER_BOAR] = laid[block + at.BOAR]
        row[AFTER_POINTS] = points
        if ends:
            cell = lowest_bit(ends)
            move_noble(constants, laid, block, cell)
            row[WALKED] = cell
            row[AFTER_AHEAD] = laid[block + at.AHEAD]
            row[AFTER_POINTS] = points_of(laid, block)
            laid[block + at.LEDGER + at.WALKS] -= row[AFTER_POINTS] - points
            laid[block + at.AHEAD] = ahead
        count += 1
        if not ends:
            break
        ends &= ends - 1
    return count


@jit
def copy_garden(state: Position, seat: int, row: Row) -> None:
    """Write a seat's garden as it is into a row of afterstates."""
    block = seat_block(seat)
    row[AFTER_BUILT] = state[block + at.BUILT]
    row[AFTER_GARDENERS] = state[block + at.GARDENERS]
    row[AFTER_AHEAD] = state[block + at.AHEAD]
    row[AFTER_BOAR] = state[block + at.BOAR]
    row[AFTER_POINTS] = points_of(state, block)


@jit
def first_code(phase: int, row: Row) -> int:
    """Find the code of the first choice of a turn."""
    code: int = CODE_STAY
    if phase == at.TAKE:
        code = row[CARD] * at.SPACES + row[SPACE]
    elif phase == at.PLACE:
        code = CODE_PLACE + row[GARDENER]
    elif phase == at.CHASE:
        code = CODE_BOAR + row[CHASED]
    elif row[WALKED] != NONE:
        code = CODE_WALK + row[WALKED]
    return code


@export()
def best_by_code(
    phase: int, rows: Rows, turn_values: TurnValues, count: int, codes: Codes, values: ChoiceValues
) -> int:
    """List the first choices of the first *count* turns, each with its best turn's value.

    Turns that begin with the same choice follow each other. Return the number of choices.
    """
    choices = 0
    for turn in range(min(count, MAX_AFTERSTATES)):
        code = first_code(phase, rows[turn])
        if choices == 0 or codes[choices - 1] != code:
            if choices == MAX_CHOICES:
                return choices
            codes[choices] = code
            values[choices] = turn_values[turn]
            choices += 1
        values[choices - 1] = max(values[choices - 1], turn_values[turn])
    return choices
