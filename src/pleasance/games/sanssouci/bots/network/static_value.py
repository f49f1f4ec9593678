"""The static value of a garden, compiled: its final points if nothing more were built in it."""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit
from pleasance.games.sanssouci.bots.network import accumulator as fact
from pleasance.games.sanssouci.bots.network.accumulator import Inputs
from pleasance.games.sanssouci.bots.network.features import column_rows
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.garden import COLUMN_A, EVERYWHERE, FIRST_ROW
from pleasance.games.sanssouci.kernel.layout import Constants
from pleasance.games.sanssouci.kernel.scoring import boar_area

HIDDEN_SHARE = 2 / 9
"""Probability that a column is one of a seat's two hidden missions."""


@jit
def static_value(constants: Constants, inputs: Inputs, points: int, boar: int) -> float:
    """Count the final points of the extracted garden if nothing more were built in it."""
    free = EVERYWHERE & ~inputs[fact.BUILT]
    standing = inputs[fact.AHEAD] & inputs[fact.WALKED] & ~inputs[fact.GARDENERS]
    total = float(points + best_walks(constants, standing, inputs[fact.TURNS_LEFT]))
    for row in range(6):
        if not free & (FIRST_ROW << (9 * row)):
            total += constants[at.ROW_BONUS + row]
    for column in range(at.MOTIFS):
        if not free & (COLUMN_A << column):
            total += constants[at.COLUMN_BONUS]
        if not inputs[fact.IS_OWNER] or (inputs[fact.MISSIONS] >> column) & 1:
            stand = lowest_row(inputs, column, standing if inputs[fact.TURNS_LEFT] else 0)
            total += stand if inputs[fact.IS_OWNER] else HIDDEN_SHARE * stand
    if boar >= 0:
        total -= min(float(boar_area(free, boar)), total)
    return total


@jit
def best_walks(constants: Constants, standing: int, left: int) -> int:
    """Count the points of the best stops in *left* walks."""
    total = 0
    for row in range(5, -1, -1):
        walks = min(count_bits(standing & (FIRST_ROW << (9 * row))), left)
        left -= walks
        total += walks * constants[at.ROW_VALUES + row]
    return total


@jit
def lowest_row(inputs: Inputs, column: int, standing: int) -> int:
    """Find the lowest row that the noble of a column can walk to, or the one where it stands."""
    stops = column_rows(standing, column)
    row = 6 - count_bits(inputs[fact.AHEAD] & (COLUMN_A << column))
    while stops >> row:
        row += 1
    return row
