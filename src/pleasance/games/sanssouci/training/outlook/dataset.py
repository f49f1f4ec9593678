"""The training rows of the outlook: features of gardens and their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from pleasance.compiled.rng import RngState, make_rng_state
from pleasance.compiled.signature import ArrayType, Float32Array, Int16Array
from pleasance.games.sanssouci.bots.outlook.workspace import (
    LINES,
    OutlookFeatures,
    make_outlook_features,
)
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.layout import Points, Position, Shares


class Outcomes(NamedTuple):
    """The outcome of each recorded garden."""

    nobles: Annotated[Any, ArrayType("int8", (None, at.MOTIFS))]
    """The row where the noble of each column ended `[row, 9]`, int8."""

    lines: Annotated[Any, ArrayType("int8", (None, LINES))]
    """Whether each row 2 to 6 and each column was complete `[row, LINES]`, int8."""

    points: Int16Array
    """The final points `[row]`, int16."""

    missions: Int16Array
    """The set of missions, known or not `[row]`, int16."""

    shares: Float32Array
    """The share of victory `[row]`, float32."""

    owners: Annotated[Any, ArrayType("int8", (None, 2))]
    """The garden's seat, and the number of seats `[row, 2]`, int8."""


def make_outcomes(rows: int) -> Outcomes:
    """Allocate the outcomes of *rows* gardens."""
    return Outcomes(
        nobles=np.zeros((rows, at.MOTIFS), dtype=np.int8),
        lines=np.zeros((rows, LINES), dtype=np.int8),
        points=np.zeros(rows, dtype=np.int16),
        missions=np.zeros(rows, dtype=np.int16),
        shares=np.zeros(rows, dtype=np.float32),
        owners=np.zeros((rows, 2), dtype=np.int8),
    )


class Recorder(NamedTuple):
    """The features and outcomes of many games, and scratch space for one of them."""

    features: OutlookFeatures
    outcomes: Outcomes
    count: Annotated[Any, ArrayType("int64", (1,))]
    """The number of recorded gardens `[1]`."""

    rng_state: RngState
    state: Position
    points: Points
    won: Shares


def make_recorder(games: int, seed: str) -> Recorder:
    """Allocate the rows of *games* games, with all gardens once a turn at most."""
    rows = games * 4 * (4 * at.ROUNDS + 1)
    return Recorder(
        features=make_outlook_features(rows),
        outcomes=make_outcomes(rows),
        count=np.zeros(1, dtype=np.int64),
        rng_state=make_rng_state(seed),
        state=np.zeros(at.SIZE, dtype=np.int64),
        points=np.zeros(4, dtype=np.int64),
        won=np.zeros(4),
    )


FEATURE_FIELDS = ("garden_features", "column_features", "row_features", "stands", "lines", "facts")
"""The fields with a row for each garden; the others are scratch space."""


class OutlookDataset(NamedTuple):
    """Features of gardens with their outcomes."""

    features: OutlookFeatures
    outcomes: Outcomes

    def pick(self, rows: Any) -> OutlookDataset:
        """Select some gardens by their numbers."""
        features = {name: getattr(self.features, name)[rows] for name in FEATURE_FIELDS}
        outcomes = Outcomes(*(part[rows] for part in self.outcomes))
        return OutlookDataset(self.features._replace(**features), outcomes)


def join_datasets(recorders: Sequence[Recorder]) -> OutlookDataset:
    """Join the rows of many threads."""
    counts = [int(recorder.count[0]) for recorder in recorders]
    parts = [
        OutlookDataset(*one[:2]).pick(slice(n)) for one, n in zip(recorders, counts, strict=True)
    ]
    features = {
        name: np.concatenate([getattr(part.features, name) for part in parts])
        for name in FEATURE_FIELDS
    }
    outcomes = map(np.concatenate, zip(*(part.outcomes for part in parts), strict=True))
    return OutlookDataset(parts[0].features._replace(**features), Outcomes(*outcomes))
