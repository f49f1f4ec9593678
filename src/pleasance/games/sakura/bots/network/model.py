"""Inference by small NNUE-style networks, compiled: features in, two hidden layers, numbers out.

A network is one row of numbers, in this order: a row of the first layer for each feature, for each
card of the own hand and for each unseen card, its bias; the second layer and its bias; the last
layer and its bias. All arrays are of float32.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from pleasance.compiled.jit import jit
from pleasance.compiled.kernel import FloatArray
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


class Networks(NamedTuple):
    """Both networks, each flattened to one row of numbers for the cards of one box."""

    value: FloatArray
    policy: FloatArray


@jit
def apply_layer(
    network: FloatArray,
    start: int,
    accumulator: FloatArray,
    width: int,
    output_count: int,
    outputs: FloatArray,
) -> int:
    """Apply a ReLU and a layer of *width* columns; return where the next layer starts.

    A layer is its rows and then its bias. Only its first *output_count* columns are computed.
    """
    bias = start + len(accumulator) * width
    for place in range(output_count):
        outputs[place] = network[bias + place]
    for row in range(len(accumulator)):
        if accumulator[row] > 0:
            level, weights = accumulator[row], start + row * width
            for place in range(output_count):
                outputs[place] += level * network[weights + place]
    return bias + width


@jit
def forward(
    network: FloatArray,
    shape: NetworkShape,
    output_count: int,
    accumulator: FloatArray,
    hidden: FloatArray,
    outputs: FloatArray,
) -> None:
    """Apply the upper layers to an accumulator; compute the first *output_count* outputs only."""
    start = (FEATURES + 2 * CARD_ROWS + 1) * shape.first
    second = shape.second
    start = apply_layer(network, start, accumulator[: shape.first], second, second, hidden)
    apply_layer(network, start, hidden[:second], shape.outputs, output_count, outputs)


@jit
def sigmoid(logit: float) -> float:
    """Turn a logit into a share."""
    return 1.0 / (1.0 + exp(-logit))
