"""Fits the networks of Sakura to training rows by Adam, with gradients written out by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pleasance.games.sakura.bots.network.accumulator import CARD_ROWS, UNSEEN_SCALE
from pleasance.games.sakura.bots.network.feature_index import FEATURES
from pleasance.games.sakura.bots.network.model import POLICY, VALUE
from pleasance.games.sakura.bots.network.storage import (
    CARD_TRAITS,
    INPUTS,
    LAYER_NAMES,
)
from pleasance.games.sakura.training.dataset import TrainingRows
from pleasance.games.sakura.training.layers import LayerArrays, WeightArray
from pleasance.training.arrays import ArrayBackend, Tensor
from pleasance.training.optimizer import Adam

_TOKEN_LOSS_WEIGHT = 0.3
"""The weight of tokens in the loss, beside shares of victory."""

_EPSILON = 1e-8
"""Keeps the softmax of an empty hand from dividing by zero."""


@dataclass(slots=True)
class Batch:
    """Training rows, on the device of the networks."""

    features: Tensor
    hands: Tensor
    unseen: Tensor
    targets: Tensor
    cards: Tensor

    @classmethod
    def from_rows(cls, rows: TrainingRows) -> Batch:
        """Take the columns that are learned from."""
        features = rows.features.astype(np.int64)
        return cls(features, rows.hands, rows.unseen, rows.targets, rows.cards)

    def select(self, rows: Tensor) -> Batch:
        """Take only some rows, in any order and with repetition."""
        features, hands, unseen = self.features[rows], self.hands[rows], self.unseen[rows]
        return Batch(features, hands, unseen, self.targets[rows], self.cards[rows])


class Learner(Adam):
    """A network in training: two hidden layers."""

    def __init__(self, arrays: ArrayBackend, layers: LayerArrays, ema_decay: float) -> None:
        super().__init__({name: arrays.put(layers[name]) for name in LAYER_NAMES})
        self.arrays = arrays
        self._ema_decay = ema_decay

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Compute both hidden layers and the outputs."""
        layers = self.weights
        first = inputs @ layers["first"] + layers["first_bias"]
        first = first * (first > 0)
        second = first @ layers["second"] + layers["second_bias"]
        second = second * (second > 0)
        return first, second, second @ layers["third"] + layers["third_bias"]

    def gradients(
        self, inputs: Tensor, hidden: tuple[Tensor, Tensor], output_gradient: Tensor
    ) -> dict[str, Tensor]:
        """Compute the gradient of the loss for each layer by backpropagation."""
        first, second = hidden
        inner = (output_gradient @ self.weights["third"].T) * (second > 0)
        outer = (inner @ self.weights["second"].T) * (first > 0)
        return {
            "third": second.T @ output_gradient,
            "third_bias": output_gradient.sum(0),
            "second": first.T @ inner,
            "second_bias": inner.sum(0),
            "first": inputs.T @ outer,
            "first_bias": outer.sum(0),
        }

    def step(self, gradients: dict[str, Tensor], learning_rate: float) -> None:
        """Take one step of Adam; the moving average reaches further back as the run goes on."""
        steps = self.steps + 1
        self.update(gradients, learning_rate, min(self._ema_decay, steps / (steps + 10)))

    def averaged_weights(self) -> LayerArrays:
        """Copy the averaged weights into NumPy arrays."""
        return {name: self.arrays.get(array * 1) for name, array in self.ema.items()}


def make_layers(rng: np.random.Generator, outs: int, *, is_value: bool) -> LayerArrays:
    """Make an untrained network with random weights."""
    shape = VALUE if is_value else POLICY

    def draw(rows: int, columns: int, fan: float) -> WeightArray:
        numbers = rng.standard_normal((rows, columns), dtype=np.float32)
        return numbers * np.float32(fan**-0.5)

    return {
        "first": draw(INPUTS, shape.first, 30),
        "first_bias": np.zeros(shape.first, dtype=np.float32),
        "second": draw(shape.first, shape.second, shape.first / 2),
        "second_bias": np.zeros(shape.second, dtype=np.float32),
        "third": draw(shape.second, outs, 30 * shape.second),
        "third_bias": np.zeros(outs, dtype=np.float32),
    }


def encode_inputs(arrays: ArrayBackend, batch: Batch, bits: Tensor, traits: Tensor) -> Tensor:
    """Make the input of a network `[row, input]` from facts, a hand and unseen cards."""
    count = len(batch.features)
    inputs = arrays.zeros(count, INPUTS + 1)
    rows = arrays.put(np.arange(count))[:, None]
    inputs[rows, batch.features] = 1
    unseen = unpack_bits(arrays, batch.unseen)
    inputs[:, FEATURES : FEATURES + CARD_TRAITS] = bits @ traits
    inputs[:, FEATURES + CARD_TRAITS : INPUTS] = (unseen @ traits) * UNSEEN_SCALE
    return inputs[:, :INPUTS]


def unpack_bits(arrays: ArrayBackend, masks: Tensor) -> Tensor:
    """Write sets of cards as ones and zeros `[row, card]`."""
    shifts = arrays.put(np.arange(CARD_ROWS))
    return _as_floats(arrays, (masks[:, None] >> shifts[None, :]) & 1 == 1)


def _as_floats(arrays: ArrayBackend, claims: Tensor) -> Tensor:
    """Convert booleans to ones and zeros."""
    return claims * arrays.put(np.ones(1, dtype=np.float32))


def fit_value(learner: Learner, batch: Batch, traits: Tensor, learning_rate: float) -> Tensor:
    """Fit a value network to a batch; return the mean squared error of its share of victory."""
    arrays = learner.arrays
    inputs = encode_inputs(arrays, batch, unpack_bits(arrays, batch.hands), traits)
    first, second, out = learner.forward(inputs)
    share = 1 / (1 + arrays.exp(-out[:, :1]))
    output_gradient = (out - batch.targets) * _TOKEN_LOSS_WEIGHT
    output_gradient[:, :1] = share - batch.targets[:, :1]
    learner.step(
        learner.gradients(inputs, (first, second), output_gradient / len(inputs)), learning_rate
    )
    error = share - batch.targets[:, :1]
    return (error * error).mean()


def fit_policy(learner: Learner, batch: Batch, traits: Tensor, learning_rate: float) -> Tensor:
    """Fit a policy network to a batch; return the mean probability it gave the cards played."""
    arrays = learner.arrays
    bits = unpack_bits(arrays, batch.hands)
    inputs = encode_inputs(arrays, batch, bits * 0, traits)
    first, second, out = learner.forward(inputs)
    numbers = arrays.put(np.arange(CARD_ROWS))[None, :]
    played = _as_floats(arrays, batch.cards[:, :1] == numbers)
    given = _as_floats(arrays, batch.cards[:, 1:] == numbers)
    gives = _as_floats(arrays, batch.cards[:, 1:] > 0)
    output_gradient = out * 0
    chances = _masked_softmax(arrays, out[:, :CARD_TRAITS] @ traits.T, bits)
    output_gradient[:, :CARD_TRAITS] = (chances - played) @ traits
    others = _masked_softmax(arrays, out[:, CARD_TRAITS:] @ traits.T, bits * (1 - played))
    output_gradient[:, CARD_TRAITS:] = ((others - given) * gives) @ traits
    learner.step(
        learner.gradients(inputs, (first, second), output_gradient / len(inputs)), learning_rate
    )
    return (chances * played).sum(1).mean()


def _masked_softmax(arrays: ArrayBackend, card_weights: Tensor, bits: Tensor) -> Tensor:
    """Turn logits into probabilities over the cards of a hand."""
    weights = arrays.exp(card_weights.clip(-12, 12)) * bits
    return weights / (weights.sum(1)[:, None] + _EPSILON)
