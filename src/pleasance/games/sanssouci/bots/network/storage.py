"""The weight file of the value network: int8 embeddings, half precision for the rest."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

import numpy as np

from pleasance.games.sanssouci.bots.network.accumulator import (
    ACCUMULATOR_SIZE,
    SHARES,
    TAIL_SIZE,
    Net,
    join_net,
    split_net,
)
from pleasance.games.sanssouci.bots.network.feature_index import FEATURES

MAX_QUANTIZED = 127
"""Largest absolute value of a quantized weight."""


def write_net(path: Path, net: Net) -> None:
    """Write a network to a file; quantization changes the third digit."""
    parts = split_net(net)
    embedding = parts.pop("words")
    steps = np.abs(embedding).max(axis=1, keepdims=True) / MAX_QUANTIZED
    steps[steps == 0] = 1
    quantized = np.clip(np.rint(embedding / steps), -MAX_QUANTIZED, MAX_QUANTIZED).astype(np.int8)
    rest = {name: value.astype(np.float16) for name, value in parts.items()}
    np.savez_compressed(path, words=quantized, steps=steps, **rest)


def read_net(file: Path | IO[bytes]) -> Net:
    """Read a network; features that are newer than its file get no weight."""
    parts: dict[str, Any] = dict(np.load(file))
    parts.setdefault("shares", np.zeros(TAIL_SIZE - SHARES))
    known = parts["words"] * parts.pop("steps")
    embedding = np.zeros((FEATURES, ACCUMULATOR_SIZE))
    embedding[: len(known)] = known
    return join_net({**parts, "words": embedding})


@cache
def load_net() -> Net:
    """Read the shipped network."""
    with (files("pleasance.games.sanssouci") / "weights" / "points.npz").open("rb") as file:
        return read_net(file)
