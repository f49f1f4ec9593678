"""What a garden is worth as it stands, compiled: its final points if nothing were built in it."""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit
from pleasance.compiled.kernel import Flat
from pleasance.games.sanssouci.bots.network.accumulator import (
    AHEAD,
    BUILT,
    GARDENERS,
    KNOWS,
    LEFT,
    MISSIONS,
    WALKED,
)
from pleasance.games.sanssouci.bots.network.features import stack
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.codes import boar_area
from pleasance.games.sanssouci.kernel.rules import COLUMN_A, EVERYWHERE, FIRST_ROW, MOTIFS

HIDDEN_SHARE = 2 / 9
"""How likely a column is a mission of somebody whose missions are hidden."""


@jit
def take_stock(box: Flat, sheet: Flat, points: int, boar: int) -> float:
    """Count the final points of the garden on the sheet if nothing more were built in it."""
    free = EVERYWHERE & ~sheet[BUILT]
    standing = sheet[AHEAD] & sheet[WALKED] & ~sheet[GARDENERS]
    total = float(points + value_walks(box, standing, sheet[LEFT]))
    for row in range(6):
        if not free & (FIRST_ROW << (9 * row)):
            total += box[at.ROW_BONUS + row]
    for column in range(MOTIFS):
        if not free & (COLUMN_A << column):
            total += box[at.COLUMN_BONUS]
        if not sheet[KNOWS] or (sheet[MISSIONS] >> column) & 1:
            stand = find_stand(sheet, column, standing if sheet[LEFT] else 0)
            total += stand if sheet[KNOWS] else HIDDEN_SHARE * stand
    if boar >= 0:
        total -= min(float(boar_area(free, boar)), total)
    return total


@jit
def value_walks(box: Flat, standing: int, left: int) -> int:
    """Count what the best stops bring in so many walks."""
    total = 0
    for row in range(5, -1, -1):
        walks = min(count_bits(standing & (FIRST_ROW << (9 * row))), left)
        left -= walks
        total += walks * box[at.ROW_VALUES + row]
    return total


@jit
def find_stand(sheet: Flat, column: int, standing: int) -> int:
    """Find the lowest row that the noble of a column can walk to, or where it stands."""
    stops = stack(standing, column)
    row = 6 - count_bits(sheet[AHEAD] & (COLUMN_A << column))
    while stops >> row:
        row += 1
    return row
