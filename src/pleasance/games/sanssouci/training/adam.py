"""Fitting a small network by Adam: with torch where it finds a GPU, else without.

The same few lines of arithmetic run on NumPy arrays and on torch tensors.
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
class Fit:
    """A network of two hidden layers over sums of words, with what Adam remembers."""

    weights: dict[str, Array]
    torch: Any = None
    is_fresh: bool = True
    """Whether the weights it begins with are luck, not the work of another run."""

    means: dict[str, Array] = field(default_factory=dict)
    squares: dict[str, Array] = field(default_factory=dict)
    smooth: dict[str, Array] = field(default_factory=dict)
    """The mean of the last weights, which plays better than any of them."""

    steps: int = 0

    def __post_init__(self) -> None:
        """Move to the GPU, if there is one, and begin with nothing remembered."""
        self.weights = {name: self.move(value) for name, value in self.weights.items()}
        self.means = {name: value * 0 for name, value in self.weights.items()}
        self.squares = {name: value * 0 for name, value in self.weights.items()}
        self.smooth = {name: value * 1 for name, value in self.weights.items()}

    def move(self, values: Any) -> Array:
        """Put an array where the fitting is done."""
        return np.array(values) if self.torch is None else self.torch.as_tensor(values).cuda()

    def count_words(self, words: Array, total: int) -> Array:
        """Count how often each word stands in each row of places: `[row, word]`."""
        if self.torch is None:
            rows = np.arange(len(words))[:, None] * total + words
            counts = np.bincount(rows.ravel(), minlength=len(words) * total)
            return counts.reshape(len(words), total).astype(np.float32)
        counts = self.torch.zeros(len(words), total, device="cuda")
        return counts.scatter_add_(1, words, self.torch.ones_like(words, dtype=counts.dtype))

    def slopes(self, counts: Array, targets: Array) -> tuple[Mapping[str, Array], Array]:
        """Tell how the squared error changes with each weight, and its mean."""
        w = self.weights
        first = (counts @ w["words"] + w["first"]).clip(0)
        second = (first @ w["inner"] + w["second"]).clip(0)
        miss = second @ w["outer"] + w["last"] - targets
        above = miss * (2 / len(targets))
        back = above[:, None] * w["outer"][None, :] * (second > 0)
        deep = (back @ w["inner"].T) * (first > 0)
        words = counts.T @ deep
        words[0] = 0  # the word that says nothing
        slopes = {
            "words": words,
            "first": deep.sum(0),
            "inner": first.T @ back,
            "second": back.sum(0),
            "outer": second.T @ above,
            "last": above.sum()[None],
        }
        return slopes, (miss * miss).mean()

    def step(
        self, counts: Array, targets: Array, rate: float, *, smoothing: float = 0.998
    ) -> Array:
        """Make one step of Adam; tell the mean squared error before it."""
        slopes, error = self.slopes(counts, targets)
        self.steps += 1
        warm = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for name, slope in slopes.items():
            mean, square, weight = self.means[name], self.squares[name], self.weights[name]
            mean *= 0.9
            mean += 0.1 * slope
            square *= 0.999
            square += 0.001 * slope * slope
            weight -= rate * warm * mean / (square**0.5 + 1e-8)
            self.smooth[name] *= smoothing
            self.smooth[name] += (1 - smoothing) * weight
        return error

    def take_out(self) -> dict[str, Any]:
        """Copy the smooth weights into NumPy arrays; words that never came up weigh nothing."""
        found = dict(self.smooth)
        if self.is_fresh:
            found["words"] = found["words"] * (self.squares["words"].sum(1) > 0)[:, None]
        if self.torch is None:
            return {name: value.astype(np.float32) for name, value in found.items()}
        return {name: value.float().cpu().numpy() for name, value in found.items()}
