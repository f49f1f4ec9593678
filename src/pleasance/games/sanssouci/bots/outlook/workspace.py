"""The rows of features and facts that the outlook network reads, one for each garden."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from pleasance.compiled.jit import jit
from pleasance.compiled.signature import ArrayType
from pleasance.games.sanssouci.bots.network.accumulator import INPUTS_SIZE, Inputs
from pleasance.games.sanssouci.bots.outlook import feature_index as index
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import ROW_SIZE, Row

LINES = 14
"""Number of lines: the rows 2 to 6, then the nine columns."""
IMPOSSIBLE, UNSURE, COMPLETE = -1, 0, 1
"""Certainty about the completion of a row or column."""

TURNS_LEFT, IS_OWNER, OWNER_PHASE, TILES, STATIC_POINTS, POINTS = range(6)
"""Further facts of a garden: own turns left, whether its owner looks, its phase, tiles to lay,
static value, points so far."""
FACTS = 6


class OutlookFeatures(NamedTuple):
    """The features and facts of some gardens, a row each."""

    garden_features: Annotated[Any, ArrayType("int16", (None, index.SLOTS))]
    """The features of the whole garden `[row, SLOTS]`, int16."""

    column_features: Annotated[Any, ArrayType("int16", (None, at.MOTIFS, index.COLUMN_SLOTS))]
    """The features of each column `[row, 9, COLUMN_SLOTS]`, int16."""

    row_features: Annotated[Any, ArrayType("int16", (None, 5, index.ROW_SLOTS))]
    """The features of each row 2 to 6 `[row, 5, ROW_SLOTS]`, int16."""

    stands: Annotated[Any, ArrayType("int8", (None, at.MOTIFS))]
    """The set of rows where the noble of each column can end `[row, 9]`, int8."""

    lines: Annotated[Any, ArrayType("int8", (None, LINES))]
    """The certain facts about each row 2 to 6 and each column `[row, LINES]`, int8."""

    facts: Annotated[Any, ArrayType("int16", (None, FACTS))]
    """See `TURNS_LEFT` and the facts after it `[row, FACTS]`, int16."""

    inputs: Inputs
    """Scratch space of the value network's features `[INPUTS_SIZE]`, int64."""

    garden: Row
    """Scratch space for a row of afterstates `[ROW_SIZE]`, int64."""


def make_outlook_features(rows: int) -> OutlookFeatures:
    """Allocate the features of *rows* gardens."""
    return OutlookFeatures(
        garden_features=np.zeros((rows, index.SLOTS), dtype=np.int16),
        column_features=np.zeros((rows, at.MOTIFS, index.COLUMN_SLOTS), dtype=np.int16),
        row_features=np.zeros((rows, 5, index.ROW_SLOTS), dtype=np.int16),
        stands=np.zeros((rows, at.MOTIFS), dtype=np.int8),
        lines=np.zeros((rows, LINES), dtype=np.int8),
        facts=np.zeros((rows, FACTS), dtype=np.int16),
        inputs=np.zeros(INPUTS_SIZE, dtype=np.int64),
        garden=np.zeros(ROW_SIZE, dtype=np.int64),
    )


@jit
def count_rows(features: OutlookFeatures) -> int:
    """Count the rows that there is space for."""
    lines = min(len(features.column_features), len(features.row_features), len(features.lines))
    facts = min(len(features.stands), len(features.facts), len(features.garden_features))
    return min(lines, facts)
