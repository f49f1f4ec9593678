"""Compiled `rules/garden`: the geometry of a garden, with a set of cells as one integer."""

from __future__ import annotations

from pleasance.compiled.jit import jit
from pleasance.games.sanssouci.kernel.layout import CELLS, MOTIFS

EVERYWHERE = (1 << CELLS) - 1
FIRST_ROW = (1 << MOTIFS) - 1
COLUMN_A = sum(1 << MOTIFS * row for row in range(6))
NOT_A = EVERYWHERE & ~COLUMN_A
NOT_I = EVERYWHERE & ~(COLUMN_A << 8)


@jit
def neighbors(cells: int) -> int:
    """Collect the cells that touch one of *cells*."""
    sideways = ((cells & NOT_I) << 1) | ((cells & NOT_A) >> 1)
    return sideways | (((cells << 9) | (cells >> 9)) & EVERYWHERE)


@jit
def reach(start: int, ground: int) -> int:
    """Collect the cells connected with *start* over *ground*, the start included."""
    reached = start
    grown = start
    while grown:
        grown = neighbors(grown) & ground & ~reached
        reached |= grown
    return reached


@jit
def promenade(built: int) -> int:
    """Collect the cells that nobles can walk to (S-15)."""
    return reach(FIRST_ROW, built)


@jit
def row_of(cell: int) -> int:
    """Find the row of a cell, from 0; a product, because a quotient has to be rounded down."""
    return (cell * 57) >> 9


@jit
def cross(cell: int) -> int:
    """Collect the row and the column of *cell*."""
    row = row_of(cell)
    return (FIRST_ROW << (9 * row)) | (COLUMN_A << (cell - 9 * row))


@jit
def extend_paths(built: int, tiles: int) -> int:
    """Collect the cells that *tiles* more tiles can join to row 1."""
    reached = promenade(built)
    while tiles > 0:
        wider = reached | neighbors(reached)
        grown = wider & ~reached
        while grown:
            grown = neighbors(grown) & built & ~wider
            wider |= grown
        if wider == reached:
            return reached
        reached = wider
        tiles -= 1
    return reached
