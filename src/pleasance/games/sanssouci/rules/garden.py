"""The geometry of a garden: nine columns, six rows, and which cells touch."""

from __future__ import annotations

from functools import lru_cache
from typing import NewType

from pleasance.core.bits import bits, mask_of
from pleasance.core.errors import BadNotationError
from pleasance.games.sanssouci.rules.components import HEIGHT, WIDTH

Cell = NewType("Cell", int)
"""One of the 54 cells, 0 (a1) to 53 (i6), row by row from the palace down (S-3)."""

Cells = int
"""A set of cells: bit *n* is cell *n*."""

CELLS = tuple(Cell(n) for n in range(WIDTH * HEIGHT))
EVERYWHERE: Cells = (1 << WIDTH * HEIGHT) - 1
ROW = tuple(((1 << WIDTH) - 1) << WIDTH * row for row in range(HEIGHT))
"""The cells of each row, from 0."""
COLUMN = tuple(mask_of(range(column, WIDTH * HEIGHT, WIDTH)) for column in range(WIDTH))
"""The cells of each column, from 0."""
CROSS = tuple(ROW[cell // WIDTH] | COLUMN[cell % WIDTH] for cell in CELLS)
"""The row and the column of each cell."""
DOWN_TO = tuple(COLUMN[cell % WIDTH] & ((2 << cell) - 1) for cell in CELLS)
"""The cells of each cell's column from row 1 down to it."""

BOAR_START = Cell(3 * WIDTH + 4)
"""The cell on which the boar starts: e4 (S-24)."""

_NOT_FIRST = EVERYWHERE & ~COLUMN[0]
_NOT_LAST = EVERYWHERE & ~COLUMN[WIDTH - 1]
_LETTERS = "abcdefghi"


def neighbors(cells: Cells) -> Cells:
    """Collect the cells that touch one of *cells* with a whole side."""
    sideways = (cells & _NOT_LAST) << 1 | (cells & _NOT_FIRST) >> 1
    return sideways | (cells << WIDTH | cells >> WIDTH) & EVERYWHERE


def reach(start: Cells, ground: Cells) -> Cells:
    """Collect what can be walked to from *start* over *ground*, the start included."""
    reached = grown = start
    while grown := neighbors(grown) & ground & ~reached:
        reached |= grown
    return reached


@lru_cache(maxsize=1 << 12)
def promenade(built: Cells) -> Cells:
    """Collect the cells that nobles can walk to: all that are joined to row 1 (S-15).

    Row 1 is always built and every noble steps onto it or has come over it, so one flood serves all
    nine. It is asked twice for every walk, to list it and to check it: hence the cache.
    """
    return reach(ROW[0], built)


def cell_at(row: int, column: int) -> Cell:
    """Name the cell in *row* 1 to 6 and *column* 0 to 8."""
    return Cell((row - 1) * WIDTH + column)


def row_of(cell: Cell) -> int:
    """Return the row of *cell*, 1 to 6."""
    return cell // WIDTH + 1


def column_of(cell: Cell) -> int:
    """Return the column of *cell*, 0 to 8."""
    return cell % WIDTH


def mirror(cells: Cells) -> Cells:
    """Swap left and right."""
    return mask_of(cell - 2 * (cell % WIDTH) + WIDTH - 1 for cell in bits(cells))


def cell_name(cell: Cell) -> str:
    """Write *cell* as column letter and row digit.

    >>> cell_name(Cell(31))
    'e4'
    """
    return f"{_LETTERS[cell % WIDTH]}{cell // WIDTH + 1}"


_BY_NAME = {cell_name(cell): cell for cell in CELLS}


def parse_cell(text: str) -> Cell:
    """Read a cell.

    >>> parse_cell("e4")
    31
    """
    if text not in _BY_NAME:
        raise BadNotationError("unreadable", token=text)
    return _BY_NAME[text]


def cell_names(cells: Cells) -> str:
    """Write a set of cells.

    >>> cell_names(0b1011)
    'a1 b1 d1'
    """
    return " ".join(cell_name(Cell(cell)) for cell in bits(cells))
