"""Adam, with an exponential moving average of the weights, on NumPy arrays or torch tensors.

The arithmetic uses operators only, which arrays and tensors share; whoever makes the weights
chooses between both.
"""

from __future__ import annotations

from collections.abc import Mapping

from pleasance.training.arrays import Tensor

_BETA_1, _BETA_2, _EPSILON = 0.9, 0.999, 1e-8
"""The constants of Adam (D. Kingma and J. Ba, ICLR 2015)."""


class Adam:
    """The weights of a network with the state of Adam.

    The weights are copied and then updated in place.
    """

    def __init__(self, weights: Mapping[str, Tensor]) -> None:
        self.weights = {name: value * 1 for name, value in weights.items()}
        self.means = {name: value * 0 for name, value in weights.items()}
        self.squares = {name: value * 0 for name, value in weights.items()}
        self.ema = {name: value * 1 for name, value in weights.items()}
        """The exponential moving average of the weights, which plays better than any of them."""

        self.steps = 0

    def update(
        self, gradients: Mapping[str, Tensor], learning_rate: float, ema_decay: float
    ) -> None:
        """Take one step down the gradients, and update the moving average."""
        self.steps += 1
        correction = (1 - _BETA_2**self.steps) ** 0.5 / (1 - _BETA_1**self.steps)
        for name, gradient in gradients.items():
            mean, square, weight = self.means[name], self.squares[name], self.weights[name]
            mean *= _BETA_1
            mean += (1 - _BETA_1) * gradient
            square *= _BETA_2
            square += (1 - _BETA_2) * gradient * gradient
            weight -= learning_rate * correction * mean / (square**0.5 + _EPSILON)
            self.ema[name] *= ema_decay
            self.ema[name] += (1 - ema_decay) * weight
