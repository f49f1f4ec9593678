"""Inference by small NNUE-style networks, compiled: features in, two hidden layers, numbers out.

A network is one row of numbers, in this order: a row of the first layer for each feature, for each
card of the own hand and for each unseen card, its bias; the second layer and its bias; the last
layer and its bias. Weights and levels are of float32, their products are summed in float64 in a
fixed order: each product is exact, so that all processors and plain Python get the same bits.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

from pleasance.compiled.exponential import exp
from pleasance.compiled.jit import jit
from pleasance.compiled.signature import ArrayType, Float32Array, FloatArray
from pleasance.games.sakura.bots.network.accumulator import CARD_ROWS
from pleasance.games.sakura.bots.network.feature_index import FEATURES

TOKEN_SCALE = 0.1


class NetworkShape(NamedTuple):
    """The layer sizes of a network."""

    first: int
    second: int
    outputs: int

    def size(self) -> int:
        """Count the numbers that make the network."""
        rows = FEATURES + 2 * CARD_ROWS + 1
        return rows * self.first + (self.first + 1) * self.second + (self.second + 1) * self.outputs


VALUE = NetworkShape(128, 32, 3)
"""The outputs: a seat's share of victory, as a logit; its tokens at the end; the best other's."""

POLICY = NetworkShape(64, 32, 2 * CARD_ROWS)
"""The outputs: a logit of each card to be played; then of each for the court painter."""


ValueNetwork: TypeAlias = Annotated[Any, ArrayType("float32", (VALUE.size(),))]
"""The value network as one row of numbers."""

PolicyNetwork: TypeAlias = Annotated[Any, ArrayType("float32", (POLICY.size(),))]
"""The policy network as one row of numbers."""


class Networks(NamedTuple):
    """Both networks, each flattened to one row of numbers for the cards of one box."""

    value: ValueNetwork
    policy: PolicyNetwork


@jit
def apply_layer(
    network: Float32Array,
    start: int,
    levels: Float32Array,
    level_count: int,
    width: int,
    output_count: int,
    outputs: FloatArray,
) -> int:
    """Apply a ReLU and a layer of *width* columns; return where the next layer starts.

    A layer is its rows and then its bias. Only its first *output_count* columns are computed. Rows
    are added two by two, but in their order: this halves the reading and writing of sums.
    """
    bias = start + level_count * width
    for place in range(output_count):
        outputs[place] = network[bias + place]
    waiting = -1
    for row in range(level_count):
        if levels[row] > 0.0:
            if waiting < 0:
                waiting = row
                continue
            # Times 1.0 makes a float64 of it; Numba takes float() of a float32 for a float32.
            one, two = levels[waiting] * 1.0, levels[row] * 1.0
            first, second = start + waiting * width, start + row * width
            for place in range(output_count):
                total = outputs[place] + one * network[first + place]
                outputs[place] = total + two * network[second + place]
            waiting = -1
    if waiting >= 0:
        one, first = levels[waiting] * 1.0, start + waiting * width
        for place in range(output_count):
            outputs[place] += one * network[first + place]
    return bias + width


@jit
def forward(
    network: Float32Array,
    shape: NetworkShape,
    output_count: int,
    accumulator: Float32Array,
    hidden: Float32Array,
    outputs: FloatArray,
) -> None:
    """Apply the upper layers to an accumulator; compute the first *output_count* outputs only."""
    start = (FEATURES + 2 * CARD_ROWS + 1) * shape.first
    second = shape.second
    start = apply_layer(network, start, accumulator, shape.first, second, second, outputs)
    for place in range(second):
        hidden[place] = outputs[place]
    apply_layer(network, start, hidden, second, shape.outputs, output_count, outputs)


@jit
def sigmoid(logit: float) -> float:
    """Turn a logit into a share."""
    return 1.0 / (1.0 + exp(-logit))
