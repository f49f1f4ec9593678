"""The outlook network: from sparse features through embeddings to probabilities.

The features of a garden give one sum for the whole and one for each column and row, with shared
weights for all columns and for all rows. Impossible outcomes get probability 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np

from pleasance.compiled.export import export
from pleasance.compiled.signature import Float32Rows, Int16Rows
from pleasance.games.sanssouci.bots.outlook import feature_index as index
from pleasance.games.sanssouci.bots.outlook.workspace import (
    COMPLETE,
    UNSURE,
    OutlookFeatures,
)

WHOLE_UNITS, LINE_UNITS, POINTS_UNITS = 48, 32, 32
"""Hidden units for a whole garden, for a column or row, and for the points to come."""

MIN_POINTS, POINT_BINS = -16, 144
"""Each number of points beyond the static value is one bin, from the least on."""

ROWS: Final = 7
"""Rows where a noble can end: the terrace and six more."""

DONE, MISSION = ROWS, ROWS + 1
"""Further outputs of a column: its completion, and its weight as a mission."""

EMBEDDINGS: Final = ("told", "columns", "rows")
"""The layers with one row of weights for each feature; their names stand in the weight file."""

Layers = dict[str, Any]
"""The weights by the names of `SHAPES`."""

SHAPES: Final = {
    "told": (index.FEATURES, WHOLE_UNITS),
    "columns": (index.COLUMN_FEATURES, LINE_UNITS),
    "rows": (index.ROW_FEATURES, LINE_UNITS),
    "told_bias": (WHOLE_UNITS,),
    "column_whole": (WHOLE_UNITS, LINE_UNITS),
    "column_first": (LINE_UNITS,),
    "column_inner": (LINE_UNITS, LINE_UNITS),
    "column_second": (LINE_UNITS,),
    "column_out": (LINE_UNITS, ROWS + 2),
    "column_last": (ROWS + 2,),
    "row_whole": (WHOLE_UNITS, LINE_UNITS),
    "row_first": (LINE_UNITS,),
    "row_inner": (LINE_UNITS, LINE_UNITS),
    "row_second": (LINE_UNITS,),
    "row_out": (LINE_UNITS, 1),
    "row_last": (1,),
    "points_whole": (WHOLE_UNITS, POINTS_UNITS),
    "points_columns": (LINE_UNITS, POINTS_UNITS),
    "points_rows": (LINE_UNITS, POINTS_UNITS),
    "points_first": (POINTS_UNITS,),
    "points_out": (POINTS_UNITS, POINT_BINS),
    "points_last": (POINT_BINS,),
}


class Activations(NamedTuple):
    """The activations of each layer, for gradients and for probabilities."""

    garden: Any
    """`[row, WHOLE_UNITS]`"""
    columns: tuple[Any, Any]
    """Both layers `[row, 9, LINE_UNITS]`."""
    rows: tuple[Any, Any]
    """Both layers `[row, 5, LINE_UNITS]`."""
    points: Any
    """`[row, POINTS_UNITS]`"""
    column_out: Any
    """`[row, 9, ROWS + 2]`"""
    row_out: Any
    """`[row, 5]`"""
    points_out: Any
    """`[row, POINT_BINS]`"""


class Probabilities(NamedTuple):
    """The predicted probabilities of some gardens; certain facts have 0 or 1."""

    nobles: Any
    """That the noble of each column ends in each row `[garden, 9, ROWS]`."""
    lines: Any
    """That each row 2 to 6 and each column will be complete `[garden, 14]`."""
    missions: Any
    """The weight of each column as a hidden mission `[garden, 9]`: two missions are as probable as
    the product of their weights."""
    points: Any
    """Each number of points beyond the static value, from `MIN_POINTS` `[garden, POINT_BINS]`."""


def make_layers(rng: np.random.Generator) -> Layers:
    """Make a network with random weights."""
    layers: Layers = {}
    for name, shape in SHAPES.items():
        spread = 0.1 if name in EMBEDDINGS else 0.0 if len(shape) == 1 else (2 / shape[0]) ** 0.5
        if name.endswith("_out"):
            spread *= 0.1
        layers[name] = (rng.standard_normal(shape) * spread).astype(np.float32)
        if name in EMBEDDINGS:
            layers[name][0] = 0  # the feature that means none
    return layers


@export()
def add_embeddings(table: Float32Rows, features: Int16Rows, sums: Float32Rows) -> None:
    """Add up the embeddings of each row's features: `[row, slot]` makes `[row, unit]`."""
    units = min(sums.shape[1], table.shape[1])
    for row in range(min(len(features), len(sums))):
        for slot in range(features.shape[1]):
            feature = features[row, slot]
            if 0 < feature < len(table):
                for unit in range(units):
                    sums[row, unit] += table[feature, unit]


def embed(table: Any, features: Any) -> Any:
    """Add up the embeddings of features along the last axis."""
    flat = np.ascontiguousarray(features.reshape(-1, features.shape[-1]))
    sums = np.zeros((len(flat), table.shape[1]), dtype=table.dtype)
    add_embeddings(table, flat, sums)
    return sums.reshape(*features.shape[:-1], table.shape[1])


def forward(
    layers: Mapping[str, Any], garden_features: Any, columns: Any, rows: Any
) -> Activations:
    """Compute all activations for some gardens, given by features as in `OutlookFeatures`."""
    garden = (embed(layers["told"], garden_features) + layers["told_bias"]).clip(0)
    found = {}
    for name, features in (("column", columns), ("row", rows)):
        shared = (garden @ layers[f"{name}_whole"] + layers[f"{name}_first"])[:, None]
        first = (embed(layers[f"{name}s"], features) + shared).clip(0)
        second = (first @ layers[f"{name}_inner"] + layers[f"{name}_second"]).clip(0)
        found[name] = (first, second)
    points = garden @ layers["points_whole"] + layers["points_first"]
    points += found["column"][1].mean(1) @ layers["points_columns"]
    points += found["row"][1].mean(1) @ layers["points_rows"]
    points = points.clip(0)
    return Activations(
        garden=garden,
        columns=found["column"],
        rows=found["row"],
        points=points,
        column_out=found["column"][1] @ layers["column_out"] + layers["column_last"],
        row_out=(found["row"][1] @ layers["row_out"] + layers["row_last"])[..., 0],
        points_out=points @ layers["points_out"] + layers["points_last"],
    )


def softmax(logits: Any) -> Any:
    """Turn logits into probabilities that sum to one along the last axis."""
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def sigmoid(logits: Any) -> Any:
    """Turn a logit into a probability."""
    return 1 / (1 + np.exp(-logits.clip(-30, 30)))


def to_probabilities(
    features: OutlookFeatures, activations: Activations, rows: slice = slice(None)
) -> Probabilities:
    """Turn activations into probabilities; impossible outcomes get 0, certain ones 1."""
    outputs = activations.column_out
    can_end = features.stands[rows][..., None] >> np.arange(ROWS) & 1
    logits = np.where(can_end, outputs[..., :ROWS], -np.inf)
    lines = sigmoid(np.concatenate([activations.row_out, outputs[..., DONE]], axis=1))
    certainty = features.lines[rows]
    lines = np.where(certainty == UNSURE, lines, certainty == COMPLETE)
    weights = outputs[..., MISSION]
    return Probabilities(
        nobles=softmax(logits),
        lines=lines,
        missions=np.exp(weights - weights.max(-1, keepdims=True)),
        points=softmax(activations.points_out),
    )


def predict(layers: Mapping[str, Any], features: OutlookFeatures, count: int) -> Probabilities:
    """Predict the first *count* gardens, averaged with their mirrored features."""
    rows = slice(count)
    garden = features.garden_features[rows]
    lines = features.column_features[rows], features.row_features[rows]
    both = [
        to_probabilities(features, forward(layers, each, *lines), rows)
        for each in (garden, index.mirror_garden_features()[garden])
    ]
    return Probabilities(*((one + other) / 2 for one, other in zip(*both, strict=True)))


def write_layers(layers: Mapping[str, Any]) -> dict[str, Any]:
    """Quantize a network for its file: int8 embeddings, half precision for the rest."""
    stored = {}
    for name, weights in layers.items():
        if name in EMBEDDINGS:
            scale = np.maximum(np.abs(weights).max(0), 1e-9) / 127
            stored[name] = np.round(weights / scale).astype(np.int8)
            stored[f"{name}_scale"] = scale.astype(np.float32)
        else:
            stored[name] = weights.astype(np.float16)
    return stored


def read_layers(stored: Mapping[str, Any]) -> Layers:
    """Restore a network from its quantized layers."""
    layers: Layers = {}
    for name, shape in SHAPES.items():
        weights = stored[name].astype(np.float32)
        layers[name] = weights * stored[f"{name}_scale"] if name in EMBEDDINGS else weights
        assert layers[name].shape == shape, name
    return layers


@cache
def load_layers() -> Layers:
    """Read the shipped network."""
    with (files("pleasance.games.sanssouci") / "weights" / "outlook.npz").open("rb") as file:
        return read_layers(np.load(file))
