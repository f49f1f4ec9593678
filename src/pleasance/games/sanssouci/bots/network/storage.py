"""The network as a file: a byte a weight for the words, half precision for the rest."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import numpy as np

from pleasance.games.sanssouci.bots.network.accumulator import (
    SHARES,
    TAIL,
    WIDTH,
    Net,
    join_net,
    split_net,
)
from pleasance.games.sanssouci.bots.network.feature_index import WORDS

MOST = 127
"""The largest whole number that a weight is stored as."""


def write_net(path: Path, net: Net) -> None:
    """Write a network to a file; what is read back differs in the third digit."""
    parts = split_net(net)
    words = parts.pop("words")
    steps = np.abs(words).max(axis=1, keepdims=True) / MOST
    steps[steps == 0] = 1
    bytes_ = np.clip(np.rint(words / steps), -MOST, MOST).astype(np.int8)
    rest = {name: value.astype(np.float16) for name, value in parts.items()}
    np.savez_compressed(path, words=bytes_, steps=steps, **rest)


def read_net(file: Path | IO[bytes]) -> Net:
    """Read a network from its file; one of before gives words that came later no weight."""
    parts: dict[str, Any] = dict(np.load(file))
    parts.setdefault("shares", np.zeros(TAIL - SHARES))
    known = parts["words"] * parts.pop("steps")
    words = np.zeros((WORDS, WIDTH))
    words[: len(known)] = known
    return join_net({**parts, "words": words})
