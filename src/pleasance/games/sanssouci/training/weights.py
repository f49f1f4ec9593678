"""The weights of the value network in training: random ones, files of them, and a `Net` of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from pleasance.games.sanssouci.bots.network.accumulator import (
    ACCUMULATOR_SIZE,
    HIDDEN_SIZE,
    MAX_STEPS,
    SHARES,
    STEPS_PER_UNIT,
    TAIL_SIZE,
    Net,
)
from pleasance.games.sanssouci.bots.network.feature_index import FEATURES

MAX_QUANTIZED = 127
"""Largest absolute value of a quantized weight."""

NEXT_SHARES = (0.0, 0.85, 0.6, 0.35, 0.2)
"""Share of the next turn's expected gain that is counted on, by own turns left."""

NetWeights: TypeAlias = dict[str, Any]
"""The layers by name, all of float32: `words` `[FEATURES, ACCUMULATOR_SIZE]`, the embeddings, and
`first`, their bias; `inner` `[ACCUMULATOR_SIZE, HIDDEN_SIZE]` and `second`, its bias; `outer`
`[HIDDEN_SIZE]` and `last`, its bias; `shares`, see `Net.tail`."""


def make_weights(rng: np.random.Generator) -> NetWeights:
    """Make random weights."""
    words = rng.standard_normal((FEATURES, ACCUMULATOR_SIZE)) * 0.1
    words[0] = 0
    inner = rng.standard_normal((HIDDEN_SIZE, ACCUMULATOR_SIZE)) * (2 / ACCUMULATOR_SIZE) ** 0.5
    outer = rng.standard_normal(HIDDEN_SIZE) * 0.1 * (2 / HIDDEN_SIZE) ** 0.5
    layers = {
        "words": words,
        "first": np.zeros(ACCUMULATOR_SIZE),
        "inner": inner.T.copy(),
        "second": np.zeros(HIDDEN_SIZE),
        "outer": outer,
        "last": np.zeros(1),
        "shares": np.zeros(TAIL_SIZE - SHARES),
    }
    expect_gains(layers)
    return {name: layer.astype(np.float32) for name, layer in layers.items()}


def expect_gains(weights: NetWeights) -> None:
    """Count on the next turn's gain as all new networks do."""
    weights["shares"][: len(NEXT_SHARES)] = NEXT_SHARES


def make_net(weights: Mapping[str, Any]) -> Net:
    """Make the network of some weights, as inference needs it."""
    wide = {name: np.asarray(layer, dtype=np.float64) for name, layer in weights.items()}
    assert wide["words"].shape == (FEATURES, ACCUMULATOR_SIZE), wide["words"].shape
    tail = [wide[name] for name in ("second", "outer", "last", "shares")]
    return Net(
        embedding=_count_steps(wide["words"]).astype(np.int16),
        bias=_count_steps(wide["first"]).astype(np.int32),
        inner=np.ascontiguousarray(wide["inner"] / STEPS_PER_UNIT),
        tail=np.concatenate(tail),
    )


def _count_steps(weights: Any) -> Any:
    """Round weights of the first layer to whole steps, as `accumulator.count_steps` does."""
    return np.floor(np.clip(weights * STEPS_PER_UNIT, -MAX_STEPS, MAX_STEPS) + 0.5)


def write_weights(path: Path, weights: Mapping[str, Any]) -> None:
    """Write weights to a file; quantization changes the third digit."""
    rest = {name: layer.astype(np.float16) for name, layer in weights.items() if name != "words"}
    steps = np.abs(weights["words"]).max(axis=1, keepdims=True) / MAX_QUANTIZED
    steps[steps == 0] = 1
    quantized = np.clip(np.rint(weights["words"] / steps), -MAX_QUANTIZED, MAX_QUANTIZED)
    np.savez_compressed(path, words=quantized.astype(np.int8), steps=steps, **rest)


def read_weights(path: Path) -> NetWeights:
    """Read weights to train them on; features that are newer than the file get no weight."""
    stored: dict[str, Any] = dict(np.load(path))
    stored.setdefault("shares", np.zeros(TAIL_SIZE - SHARES))
    known = stored["words"] * stored.pop("steps")
    stored["words"] = np.zeros((FEATURES, ACCUMULATOR_SIZE))
    stored["words"][: len(known)] = known
    return {name: layer.astype(np.float32) for name, layer in stored.items()}
