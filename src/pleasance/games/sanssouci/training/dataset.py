"""The training rows: features of gardens and their TD(λ) targets."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np

from pleasance.compiled.jit import jit
from pleasance.compiled.signature import ArrayType, Float32Array
from pleasance.games.sanssouci.bots.network.feature_index import SLOTS
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.layout import Points

MAX_ROWS_PER_GAME = 4 * (2 * at.ROUNDS + 1)
"""Largest number of rows that one game gives."""

SeatTurnValues: TypeAlias = Annotated[Any, ArrayType("float64", (at.MAX_SEATS, at.ROUNDS + 1))]
"""A value of each seat after each of its turns `[4, ROUNDS + 1]`, float64."""

SeatTurns: TypeAlias = Annotated[Any, ArrayType("int64", (at.MAX_SEATS, at.ROUNDS + 1))]
"""A fact about each seat's turns `[4, ROUNDS + 1]`, int64."""


class TrainingRows(NamedTuple):
    """The rows of many games, one for each recorded garden."""

    features: Annotated[Any, ArrayType("int16", (None, SLOTS))]
    """The feature in each slot `[row, SLOTS]`, int16."""

    baselines: Float32Array
    """The baseline value of the garden, which the network only adds to, float32."""

    targets: Float32Array
    """The TD(λ) target: points above the baseline, float32."""

    owners: Annotated[Any, ArrayType("int64", (None, 2))]
    """The garden's seat, and its number of finished turns `[row, 2]`, int64."""

    predictions: SeatTurnValues
    """In one game: the network's prediction after each turn `[4, ROUNDS + 1]`, float64."""

    explored: SeatTurns
    """In one game: the turns that were exploration `[4, ROUNDS + 1]`, int64."""

    points: Annotated[Any, ArrayType("int64", (2,))]
    """The sum of all final scores, and their number `[2]`, int64."""


def make_training_rows(games: int) -> TrainingRows:
    """Allocate the rows of *games* games."""
    count = games * MAX_ROWS_PER_GAME
    return TrainingRows(
        features=np.zeros((count, SLOTS), dtype=np.int16),
        baselines=np.zeros(count, dtype=np.float32),
        targets=np.zeros(count, dtype=np.float32),
        owners=np.zeros((count, 2), dtype=np.int64),
        predictions=np.zeros((4, at.ROUNDS + 1)),
        explored=np.zeros((4, at.ROUNDS + 1), dtype=np.int64),
        points=np.zeros(2, dtype=np.int64),
    )


@jit
def set_targets(
    rows: TrainingRows, first: int, count: int, points: Points, td_lambda: float
) -> None:
    """Compute the TD(λ) targets of the rows of a game.

    The final outcome counts by *td_lambda*, the network's prediction a turn later by the rest, and
    alone where the next turn was exploration.
    """
    for seat in range(4):
        target = float(points[seat])
        for turn in range(at.ROUNDS, -1, -1):
            value = rows.predictions[seat, turn]
            rows.predictions[seat, turn] = target
            target = value if rows.explored[seat, turn] else value + td_lambda * (target - value)
    for row in range(first, count):
        seat, turn = rows.owners[row, 0], rows.owners[row, 1]
        rows.targets[row] = rows.predictions[seat, turn] - rows.baselines[row]
