"""Fitting of the value network by gradient descent with Adam, on NumPy arrays or torch tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pleasance.training.arrays import NUMPY, ArrayBackend, Tensor
from pleasance.training.optimizer import Adam


class Learner(Adam):
    """The value network in training: two hidden layers over sums of embeddings."""

    def __init__(
        self, weights: Mapping[str, Any], arrays: ArrayBackend = NUMPY, *, is_fresh: bool = True
    ) -> None:
        super().__init__({name: arrays.put(value) for name, value in weights.items()})
        self.arrays = arrays
        self.is_fresh = is_fresh
        """Whether the initial weights are random, not those of another run."""

    def gradients(self, counts: Tensor, targets: Tensor) -> tuple[Mapping[str, Tensor], Tensor]:
        """Compute the gradients of the mean squared error, and the error."""
        w = self.weights
        first = (counts @ w["words"] + w["first"]).clip(0)
        second = (first @ w["inner"] + w["second"]).clip(0)
        miss = second @ w["outer"] + w["last"] - targets
        above = miss * (2 / len(targets))
        back = above[:, None] * w["outer"][None, :] * (second > 0)
        deep = (back @ w["inner"].T) * (first > 0)
        embedding = counts.T @ deep
        embedding[0] = 0  # the feature that means none
        gradients = {
            "words": embedding,
            "first": deep.sum(0),
            "inner": first.T @ back,
            "second": back.sum(0),
            "outer": second.T @ above,
            "last": above.sum()[None],
        }
        return gradients, (miss * miss).mean()

    def step(
        self, counts: Tensor, targets: Tensor, learning_rate: float, *, ema_decay: float = 0.998
    ) -> Tensor:
        """Make one step of Adam; return the mean squared error before it."""
        gradients, error = self.gradients(counts, targets)
        self.update(gradients, learning_rate, ema_decay)
        return error

    def averaged_weights(self) -> dict[str, Any]:
        """Copy the averaged weights into NumPy arrays; features that never occurred get zeros."""
        averaged = dict(self.ema)
        if self.is_fresh:
            averaged["words"] = averaged["words"] * (self.squares["words"].sum(1) > 0)[:, None]
        return {name: self.arrays.get(value).astype(np.float32) for name, value in averaged.items()}
