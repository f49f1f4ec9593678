"""Fitting the networks of Sakura to rows of games, with derivatives written out by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pleasance.games.sakura.bots.network.features import FACTS
from pleasance.games.sakura.bots.network.model import FACES_KNOWN, POLICY, UNSEEN_SCALE, VALUE
from pleasance.games.sakura.bots.network.storage import CARD_TRAITS, INPUTS, NAMES, Layers, Numbers
from pleasance.training.arrays import Arrays, Tensor

_TOKENS_COUNT = 0.3
"""How much tokens count beside shares of victory."""

_SLOW, _SLOWER, _TINY = 0.9, 0.999, 1e-8
"""How fast Adam forgets (D. Kingma and J. Ba, International Conference on Learning 2015)."""


@dataclass(slots=True)
class Batch:
    """Some rows, where the networks are."""

    facts: Tensor
    hands: Tensor
    unseen: Tensor
    goals: Tensor
    cards: Tensor

    def pick(self, rows: Tensor) -> Batch:
        """Take only some rows, in any order, some perhaps twice."""
        facts, hands, unseen = self.facts[rows], self.hands[rows], self.unseen[rows]
        return Batch(facts, hands, unseen, self.goals[rows], self.cards[rows])


class Learner:
    """A network with all that fitting it needs."""

    def __init__(self, arrays: Arrays, layers: Layers, average: float) -> None:
        self.arrays = arrays
        self._layers = {name: arrays.put(layers[name].copy()) for name in NAMES}
        self._mean = {name: array * 0 for name, array in self._layers.items()}
        self._square = {name: array * 0 for name, array in self._layers.items()}
        self._smooth = {name: array * 1 for name, array in self._layers.items()}
        self._average = average
        self._steps = 0

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Tell both hidden layers and what comes out."""
        layers = self._layers
        first = inputs @ layers["first"] + layers["first_bias"]
        first = first * (first > 0)
        second = first @ layers["second"] + layers["second_bias"]
        second = second * (second > 0)
        return first, second, second @ layers["third"] + layers["third_bias"]

    def slopes(
        self, inputs: Tensor, hidden: tuple[Tensor, Tensor], slope: Tensor
    ) -> dict[str, Tensor]:
        """Tell how the loss changes with each layer; *slope* is how it does with the output."""
        first, second = hidden
        inner = (slope @ self._layers["third"].T) * (second > 0)
        outer = (inner @ self._layers["second"].T) * (first > 0)
        return {
            "third": second.T @ slope,
            "third_bias": slope.sum(0),
            "second": first.T @ inner,
            "second_bias": inner.sum(0),
            "first": inputs.T @ outer,
            "first_bias": outer.sum(0),
        }

    def step(self, slopes: dict[str, Tensor], rate: float) -> None:
        """Go one step down."""
        self._steps += 1
        warm = (1 - _SLOWER**self._steps) ** 0.5 / (1 - _SLOW**self._steps)
        keep = min(self._average, self._steps / (self._steps + 10))
        for name, change in slopes.items():
            self._mean[name] = _SLOW * self._mean[name] + (1 - _SLOW) * change
            self._square[name] = _SLOWER * self._square[name] + (1 - _SLOWER) * change * change
            root = self.arrays.sqrt(self._square[name]) + _TINY
            self._layers[name] = self._layers[name] - rate * warm * self._mean[name] / root
            self._smooth[name] = keep * self._smooth[name] + (1 - keep) * self._layers[name]

    def smooth(self) -> Layers:
        """Give the mean of the last versions, which plays better than any of them."""
        return {name: self.arrays.get(array) for name, array in self._smooth.items()}


def make_layers(rng: np.random.Generator, outs: int, *, is_value: bool) -> Layers:
    """Make a network that knows nothing."""
    shape = VALUE if is_value else POLICY

    def draw(rows: int, columns: int, fan: float) -> Numbers:
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


def spread(arrays: Arrays, batch: Batch, bits: Tensor, traits: Tensor) -> Tensor:
    """Make the input of a network `[row, input]` from facts, a hand and unseen cards."""
    count = len(batch.facts)
    inputs = arrays.zeros(count, INPUTS + 1)
    rows = arrays.put(np.arange(count))[:, None]
    inputs[rows, batch.facts] = 1
    unseen = list_bits(arrays, batch.unseen)
    inputs[:, FACTS : FACTS + CARD_TRAITS] = bits @ traits
    inputs[:, FACTS + CARD_TRAITS : INPUTS] = (unseen @ traits) * float(UNSEEN_SCALE)
    return inputs[:, :INPUTS]


def list_bits(arrays: Arrays, masks: Tensor) -> Tensor:
    """Write sets of cards as ones and zeros `[row, card]`."""
    shifts = arrays.put(np.arange(FACES_KNOWN))
    return _as_floats(arrays, (masks[:, None] >> shifts[None, :]) & 1 == 1)


def _as_floats(arrays: Arrays, claims: Tensor) -> Tensor:
    """Write what is true as ones and what is not as zeros."""
    return claims * arrays.put(np.ones(1, dtype=np.float32))


def fit_value(learner: Learner, batch: Batch, traits: Tensor, rate: float) -> Tensor:
    """Move a value network towards how games ended; give how wrong it was, squared."""
    arrays = learner.arrays
    inputs = spread(arrays, batch, list_bits(arrays, batch.hands), traits)
    first, second, out = learner.forward(inputs)
    share = 1 / (1 + arrays.exp(-out[:, :1]))
    slope = (out - batch.goals) * _TOKENS_COUNT
    slope[:, :1] = share - batch.goals[:, :1]
    learner.step(learner.slopes(inputs, (first, second), slope / len(inputs)), rate)
    wrong = share - batch.goals[:, :1]
    return (wrong * wrong).mean()


def fit_policy(learner: Learner, batch: Batch, traits: Tensor, rate: float) -> Tensor:
    """Move a policy network towards what was played; give how likely it thought that was."""
    arrays = learner.arrays
    bits = list_bits(arrays, batch.hands)
    inputs = spread(arrays, batch, bits * 0, traits)
    first, second, out = learner.forward(inputs)
    numbers = arrays.put(np.arange(FACES_KNOWN))[None, :]
    played = _as_floats(arrays, batch.cards[:, :1] == numbers)
    given = _as_floats(arrays, batch.cards[:, 1:] == numbers)
    gives = _as_floats(arrays, batch.cards[:, 1:] > 0)
    slope = out * 0
    chances = _share_out(arrays, out[:, :CARD_TRAITS] @ traits.T, bits)
    slope[:, :CARD_TRAITS] = (chances - played) @ traits
    others = _share_out(arrays, out[:, CARD_TRAITS:] @ traits.T, bits * (1 - played))
    slope[:, CARD_TRAITS:] = ((others - given) * gives) @ traits
    learner.step(learner.slopes(inputs, (first, second), slope / len(inputs)), rate)
    return (chances * played).sum(1).mean()


def _share_out(arrays: Arrays, likes: Tensor, bits: Tensor) -> Tensor:
    """Share certainty among the cards of a hand."""
    weights = arrays.exp(likes.clip(-12, 12)) * bits
    return weights / (weights.sum(1)[:, None] + _TINY)
