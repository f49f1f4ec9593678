"""Fitting of the value network by gradient descent with Adam, on a GPU if torch finds one.

The same arithmetic runs on NumPy arrays and on torch tensors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = Any
"""A NumPy array or a torch tensor."""


def load_torch() -> Any:
    """Load torch where it is installed and has a GPU; else None."""
    try:
        import torch  # noqa: PLC0415  (optional, and slow to import)
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    torch.set_grad_enabled(False)
    torch.backends.cuda.matmul.allow_tf32 = True
    return torch


@dataclass(slots=True)
class Adam:
    """The weights of a network with the state of Adam (D. Kingma and J. Ba, 2015)."""

    weights: dict[str, Array]
    torch: Any = None
    is_fresh: bool = True
    """Whether the initial weights are random, not those of another run."""

    means: dict[str, Array] = field(default_factory=dict)
    squares: dict[str, Array] = field(default_factory=dict)
    ema: dict[str, Array] = field(default_factory=dict)
    """The exponential moving average of the weights, which plays better than any of them."""

    steps: int = 0

    def __post_init__(self) -> None:
        """Move the weights to the device and reset the state of Adam."""
        self.weights = {name: self.to_device(value) for name, value in self.weights.items()}
        self.means = {name: value * 0 for name, value in self.weights.items()}
        self.squares = {name: value * 0 for name, value in self.weights.items()}
        self.ema = {name: value * 1 for name, value in self.weights.items()}

    def to_device(self, values: Any) -> Array:
        """Copy an array to the device of the fitting."""
        return np.array(values) if self.torch is None else self.torch.as_tensor(values).cuda()

    def update(
        self, gradients: Mapping[str, Array], learning_rate: float, ema_decay: float
    ) -> None:
        """Make one step down the gradients."""
        self.steps += 1
        warm = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for name, gradient in gradients.items():
            mean, square, weight = self.means[name], self.squares[name], self.weights[name]
            mean *= 0.9
            mean += 0.1 * gradient
            square *= 0.999
            square += 0.001 * gradient * gradient
            weight -= learning_rate * warm * mean / (square**0.5 + 1e-8)
            self.ema[name] *= ema_decay
            self.ema[name] += (1 - ema_decay) * weight


class Learner(Adam):
    """The value network in training: two hidden layers over sums of embeddings."""

    __slots__ = ()

    def count_features(self, features: Array, total: int) -> Array:
        """Count each feature in each row of slots: `[row, feature]`."""
        if self.torch is None:
            rows = np.arange(len(features))[:, None] * total + features
            counts = np.bincount(rows.ravel(), minlength=len(features) * total)
            return counts.reshape(len(features), total).astype(np.float32)
        counts = self.torch.zeros(len(features), total, device="cuda")
        return counts.scatter_add_(1, features, self.torch.ones_like(features, dtype=counts.dtype))

    def gradients(self, counts: Array, targets: Array) -> tuple[Mapping[str, Array], Array]:
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
        self, counts: Array, targets: Array, learning_rate: float, *, ema_decay: float = 0.998
    ) -> Array:
        """Make one step of Adam; return the mean squared error before it."""
        gradients, error = self.gradients(counts, targets)
        self.update(gradients, learning_rate, ema_decay)
        return error

    def averaged_weights(self) -> dict[str, Any]:
        """Copy the averaged weights into NumPy arrays; features that never occurred get zeros."""
        averaged = dict(self.ema)
        if self.is_fresh:
            averaged["words"] = averaged["words"] * (self.squares["words"].sum(1) > 0)[:, None]
        if self.torch is None:
            return {name: value.astype(np.float32) for name, value in averaged.items()}
        return {name: value.float().cpu().numpy() for name, value in averaged.items()}
