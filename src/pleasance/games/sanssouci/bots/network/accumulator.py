"""The accumulator of the value network (NNUE-style), updated incrementally, and the forward pass.

3,494 sparse features (about 160 active) feed 96 units, and these one hidden layer of 32: some
339,000 weights, 286 KB as int8. The first layer is a sum of embeddings, one for each active
feature. When a feature is replaced, the sum is corrected by the difference, so that each of the
many afterstates of a turn costs little.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pleasance.compiled.jit import jit, jit_fastmath
from pleasance.compiled.kernel import IntArray
from pleasance.games.sanssouci.bots.network.feature_index import FEATURES, SLOTS

ACCUMULATOR_SIZE, HIDDEN_SIZE = 96, 32
POINTS_PER_UNIT = 10.0
"""Points of the game per unit of the network's output."""

# The inputs: the feature in each slot, the features that the accumulator holds, then a cache.
ACCUMULATED = SLOTS
CACHE = 2 * SLOTS
"""Facts of the last garden, kept so that `features` updates only what has changed."""
CHANCE = CACHE + 16
"""Class of the chance to take each tile of the main board."""
CARDS = CHANCE + 10
"""Location of each motif card."""
SHOWN = CARDS + 9
"""Number of tiles of each motif on the main board."""
THREATS = SHOWN + 9
"""Class of the rivals' demand for the tile of each space before this seat's turn."""
GAINS = THREATS + 10
"""Gain of the tile of each space in the next turn, in ninths of a point."""
BESTS = GAINS + 10
"""Best gain by each card that may be drawn."""
INPUTS_SIZE = BESTS + 20

# The cached facts: the garden as it was extracted last, and its viewer.
BUILT, GARDENERS, AHEAD, BOAR, WALKED, NEXT, LINKS, STALE = range(CACHE, CACHE + 8)
TURNS_LEFT, TIME, MISSIONS, IS_OWNER, SIDE, TAKEN, HELD, COMING = range(CACHE + 8, CACHE + 16)

# The tail of a network: all but its first layer's rows.
INNER = ACCUMULATOR_SIZE
SECOND = INNER + ACCUMULATOR_SIZE * HIDDEN_SIZE
OUTER = SECOND + HIDDEN_SIZE
LAST = OUTER + HIDDEN_SIZE
SHARES = LAST + 1
TAIL_SIZE = SHARES + 19

NEXT_SHARES = (0.0, 0.85, 0.6, 0.35, 0.2)
"""Share of the next turn's expected gain that is counted on, by own turns left."""


class Net(NamedTuple):
    """The weights of the network, all of float32."""

    embedding: Any
    """One embedding for each feature `[FEATURES, ACCUMULATOR_SIZE]`; that of feature 0 is 0."""

    tail: Any
    """All other weights in one row `[TAIL_SIZE]`: the bias of the first layer, the second layer
    `[HIDDEN_SIZE, ACCUMULATOR_SIZE]` with its bias, the last with its own, and the share of the
    next turn's gain that is counted on, by own turns left."""


def make_net(rng: np.random.Generator) -> Net:
    """Make a network with random weights."""
    embedding = rng.standard_normal((FEATURES, ACCUMULATOR_SIZE)) * 0.1
    embedding[0] = 0
    tail = np.zeros(TAIL_SIZE)
    tail[INNER:SECOND] = (
        rng.standard_normal(ACCUMULATOR_SIZE * HIDDEN_SIZE) * (2 / ACCUMULATOR_SIZE) ** 0.5
    )
    tail[OUTER:LAST] = rng.standard_normal(HIDDEN_SIZE) * 0.1 * (2 / HIDDEN_SIZE) ** 0.5
    tail[SHARES : SHARES + len(NEXT_SHARES)] = NEXT_SHARES
    return Net(embedding.astype(np.float32), tail.astype(np.float32))


def split_net(net: Net) -> dict[str, Any]:
    """Name each layer of a network as training and weight files do."""
    tail = net.tail
    return {
        "words": net.embedding,
        "first": tail[:INNER],
        "inner": tail[INNER:SECOND].reshape(HIDDEN_SIZE, ACCUMULATOR_SIZE).T.copy(),
        "second": tail[SECOND:OUTER],
        "outer": tail[OUTER:LAST],
        "last": tail[LAST:SHARES],
        "shares": tail[SHARES:],
    }


def join_net(parts: Mapping[str, Any]) -> Net:
    """Join named layers to a network."""
    names = ("first", "inner", "second", "outer", "last", "shares")
    layers = {name: np.asarray(parts[name], dtype=np.float32) for name in names}
    layers["inner"] = layers["inner"].T
    tail = np.concatenate([layers[name].ravel() for name in names])
    embedding = np.ascontiguousarray(parts["words"], dtype=np.float32)
    assert embedding.shape == (FEATURES, ACCUMULATOR_SIZE), embedding.shape
    assert tail.shape == (TAIL_SIZE,), tail.shape
    return Net(embedding, tail)


@jit
def clear_features(inputs: IntArray) -> None:
    """Remove all features."""
    for slot in range(2 * SLOTS):
        inputs[slot] = 0


@jit
def set_feature(inputs: IntArray, slot: int, feature: int) -> None:
    """Set the feature of a slot."""
    inputs[slot] = feature


@jit
def start_accumulator(tail: Any, accumulator: Any) -> None:
    """Set the accumulator to the bias, as if no feature were active."""
    for unit in range(ACCUMULATOR_SIZE):
        accumulator[unit] = tail[unit]


@jit
def update_accumulator(embedding: Any, inputs: IntArray, accumulator: Any) -> None:
    """Update the accumulator incrementally for the features that have changed."""
    for slot in range(SLOTS):
        new, old = inputs[slot], inputs[ACCUMULATED + slot]
        if new != old:
            inputs[ACCUMULATED + slot] = new
            for unit in range(ACCUMULATOR_SIZE):
                accumulator[unit] += embedding[new, unit] - embedding[old, unit]


@jit_fastmath
def forward(tail: Any, accumulator: Any) -> float:
    """Compute the output of the network from the accumulator, in points."""
    total = tail[LAST]
    for unit in range(HIDDEN_SIZE):
        first = INNER + unit * ACCUMULATOR_SIZE
        inner = tail[SECOND + unit]
        for source in range(ACCUMULATOR_SIZE):
            inner += max(accumulator[source], np.float32(0.0)) * tail[first + source]
        total += max(inner, np.float32(0.0)) * tail[OUTER + unit]
    return POINTS_PER_UNIT * total
