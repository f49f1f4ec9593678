"""Reads the weight file of the value network: int8 embeddings, half precision for the rest.

`training.weights` writes it.
"""

from __future__ import annotations

from array import array
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO

from pleasance.compiled.arrays import from_values, zeros
from pleasance.compiled.stored_arrays import StoredArray, read_arrays
from pleasance.games.sanssouci.bots.network.accumulator import (
    ACCUMULATOR_SIZE,
    HIDDEN_SIZE,
    SHARES,
    STEPS_PER_UNIT,
    TAIL_SIZE,
    Net,
    unpack_first_layer,
)
from pleasance.games.sanssouci.bots.network.feature_index import FEATURES

NO_SHARES = StoredArray((TAIL_SIZE - SHARES,), (0.0,) * (TAIL_SIZE - SHARES))
"""The shares of the next turn's gain in files that are older than them."""


def read_net(file: Path | IO[bytes]) -> Net:
    """Read a network; features that are newer than its file get no weight."""
    parts = {"shares": NO_SHARES, **read_arrays(file)}
    words = zeros("int8", *parts["words"].shape)
    words = type(words).from_buffer_copy(array("b", parts["words"].values))
    embedding, bias = zeros("int16", FEATURES, ACCUMULATOR_SIZE), zeros("int32", ACCUMULATOR_SIZE)
    steps, first = (from_values("float64", parts[name].values) for name in ("steps", "first"))
    unpack_first_layer(words, steps, first, embedding, bias)
    inner = zeros("float64", ACCUMULATOR_SIZE, HIDDEN_SIZE)
    scaled = [weight / STEPS_PER_UNIT for weight in parts["inner"].values]
    inner = type(inner).from_buffer_copy(array("d", scaled))
    tail = [
        weight for name in ("second", "outer", "last", "shares") for weight in parts[name].values
    ]
    assert len(tail) == TAIL_SIZE, len(tail)
    return Net(embedding, bias, inner, from_values("float64", tail))


@cache
def load_net() -> Net:
    """Read the shipped network."""
    with (files("pleasance.games.sanssouci") / "weights" / "points.npz").open("rb") as file:
        return read_net(file)
