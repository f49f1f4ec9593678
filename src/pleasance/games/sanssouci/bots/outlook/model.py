"""The network of the outlook: from words to chances.

The words of a garden give one sum for the whole of it and one for each column and row, with the
same weights for all columns and for all rows. Chances are told only for what can still happen.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np

from pleasance.compiled.jit import jit_loosely
from pleasance.games.sanssouci.bots.outlook import feature_index as say
from pleasance.games.sanssouci.bots.outlook import features as see
from pleasance.games.sanssouci.bots.outlook.features import Glance

WIDTH, LOCAL, DEPTH = 48, 32, 32
"""Neurons for a whole garden, for a column or row, and for the points to come."""

LEAST, TOTALS = -16, 144
"""The points beyond what is counted are foretold one by one, from the least on."""

ROWS: Final = 7
"""Where a noble can end: the terrace and six rows."""

DONE, MISSION = ROWS, ROWS + 1
"""What else a column tells: whether it will be complete, and how likely it is a mission."""

TABLES: Final = ("told", "columns", "rows")
"""The layers that have a row of weights for each word."""

Layers = dict[str, Any]
"""The weights by the names of `SHAPES`."""

SHAPES: Final = {
    "told": (say.WORDS, WIDTH),
    "columns": (say.COLUMN_WORDS, LOCAL),
    "rows": (say.ROW_WORDS, LOCAL),
    "told_bias": (WIDTH,),
    "column_whole": (WIDTH, LOCAL),
    "column_first": (LOCAL,),
    "column_inner": (LOCAL, LOCAL),
    "column_second": (LOCAL,),
    "column_out": (LOCAL, ROWS + 2),
    "column_last": (ROWS + 2,),
    "row_whole": (WIDTH, LOCAL),
    "row_first": (LOCAL,),
    "row_inner": (LOCAL, LOCAL),
    "row_second": (LOCAL,),
    "row_out": (LOCAL, 1),
    "row_last": (1,),
    "points_whole": (WIDTH, DEPTH),
    "points_columns": (LOCAL, DEPTH),
    "points_rows": (LOCAL, DEPTH),
    "points_first": (DEPTH,),
    "points_out": (DEPTH, TOTALS),
    "points_last": (TOTALS,),
}


class Signals(NamedTuple):
    """What the neurons of each layer say, for slopes and for chances."""

    whole: Any
    """`[row, WIDTH]`"""
    columns: tuple[Any, Any]
    """Both layers `[row, 9, LOCAL]`."""
    rows: tuple[Any, Any]
    """Both layers `[row, 5, LOCAL]`."""
    points: Any
    """`[row, DEPTH]`"""
    column_out: Any
    """`[row, 9, ROWS + 2]`"""
    row_out: Any
    """`[row, 5]`"""
    points_out: Any
    """`[row, TOTALS]`"""


class Chances(NamedTuple):
    """What is foretold of some gardens; all is certain that can be."""

    nobles: Any
    """How likely the noble of each column ends in each row `[garden, 9, ROWS]`."""
    lines: Any
    """How likely each row 2 to 6 and each column will be complete `[garden, 14]`."""
    missions: Any
    """How well each column fits as a mission of somebody whose missions are hidden, as a weight:
    two missions are as likely as the product of theirs `[garden, 9]`."""
    points: Any
    """How likely each number of points beyond what is counted, from `LEAST` `[garden, TOTALS]`."""


def make_layers(rng: np.random.Generator) -> Layers:
    """Make a network that knows nothing yet."""
    layers: Layers = {}
    for name, shape in SHAPES.items():
        spread = 0.1 if name in TABLES else 0.0 if len(shape) == 1 else (2 / shape[0]) ** 0.5
        if name.endswith("_out"):
            spread *= 0.1
        layers[name] = (rng.standard_normal(shape) * spread).astype(np.float32)
        if name in TABLES:
            layers[name][0] = 0  # the word that says nothing
    return layers


@jit_loosely
def add_words(table: Any, words: Any, sums: Any) -> None:
    """Add up the weights of all words of each row: `[row, place]` makes `[row, unit]`."""
    for row in range(len(words)):
        for place in range(words.shape[1]):
            word = words[row, place]
            if word:
                for unit in range(sums.shape[1]):
                    sums[row, unit] += table[word, unit]


def sum_up(table: Any, words: Any) -> Any:
    """Add up the weights of words along the last axis."""
    flat = np.ascontiguousarray(words.reshape(-1, words.shape[-1]))
    sums = np.zeros((len(flat), table.shape[1]), dtype=table.dtype)
    add_words(table, flat, sums)
    return sums.reshape(*words.shape[:-1], table.shape[1])


def listen(layers: Mapping[str, Any], told: Any, columns: Any, rows: Any) -> Signals:
    """Tell what all neurons say about some gardens, given in words as in `Glance`."""
    whole = (sum_up(layers["told"], told) + layers["told_bias"]).clip(0)
    found = {}
    for name, words in (("column", columns), ("row", rows)):
        shared = (whole @ layers[f"{name}_whole"] + layers[f"{name}_first"])[:, None]
        first = (sum_up(layers[f"{name}s"], words) + shared).clip(0)
        second = (first @ layers[f"{name}_inner"] + layers[f"{name}_second"]).clip(0)
        found[name] = (first, second)
    points = whole @ layers["points_whole"] + layers["points_first"]
    points += found["column"][1].mean(1) @ layers["points_columns"]
    points += found["row"][1].mean(1) @ layers["points_rows"]
    points = points.clip(0)
    return Signals(
        whole=whole,
        columns=found["column"],
        rows=found["row"],
        points=points,
        column_out=found["column"][1] @ layers["column_out"] + layers["column_last"],
        row_out=(found["row"][1] @ layers["row_out"] + layers["row_last"])[..., 0],
        points_out=points @ layers["points_out"] + layers["points_last"],
    )


def share_out(likes: Any) -> Any:
    """Make chances that are one together of how much is to be said for each along the last axis."""
    weights = np.exp(likes - likes.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def squash(likes: Any) -> Any:
    """Make a chance of how much is to be said for something."""
    return 1 / (1 + np.exp(-likes.clip(-30, 30)))


def find_chances(glance: Glance, signals: Signals, rows: slice = slice(None)) -> Chances:
    """Make chances of what the neurons say; what cannot be has none, what is certain is."""
    outs = signals.column_out
    can_end = glance.stands[rows][..., None] >> np.arange(ROWS) & 1
    likes = np.where(can_end, outs[..., :ROWS], -np.inf)
    lines = squash(np.concatenate([signals.row_out, outs[..., DONE]], axis=1))
    sure = glance.lines[rows]
    lines = np.where(sure == see.UNSURE, lines, sure == see.COMPLETE)
    fits = outs[..., MISSION]
    return Chances(
        nobles=share_out(likes),
        lines=lines,
        missions=np.exp(fits - fits.max(-1, keepdims=True)),
        points=share_out(signals.points_out),
    )


def foretell(layers: Mapping[str, Any], glance: Glance, count: int) -> Chances:
    """Tell the chances of the first gardens of a glance, the same for a garden and its mirror."""
    rows = slice(count)
    words = glance.told[rows]
    both = [
        find_chances(glance, listen(layers, told, glance.columns[rows], glance.rows[rows]), rows)
        for told in (words, say.mirror_told()[words])
    ]
    return Chances(*((one + other) / 2 for one, other in zip(*both, strict=True)))


def write_layers(layers: Mapping[str, Any]) -> dict[str, Any]:
    """Make a network small: a byte for each weight of a word, two for the others."""
    stored = {}
    for name, weights in layers.items():
        if name in TABLES:
            scale = np.maximum(np.abs(weights).max(0), 1e-9) / 127
            stored[name] = np.round(weights / scale).astype(np.int8)
            stored[f"{name}_scale"] = scale.astype(np.float32)
        else:
            stored[name] = weights.astype(np.float16)
    return stored


def read_layers(stored: Mapping[str, Any]) -> Layers:
    """Read a network back."""
    layers: Layers = {}
    for name, shape in SHAPES.items():
        weights = stored[name].astype(np.float32)
        layers[name] = weights * stored[f"{name}_scale"] if name in TABLES else weights
        assert layers[name].shape == shape, name
    return layers


@cache
def load_layers() -> Layers:
    """Read the network that ships."""
    with (files("pleasance.games.sanssouci") / "weights" / "outlook.npz").open("rb") as file:
        return read_layers(np.load(file))
