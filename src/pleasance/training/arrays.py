"""Arrays here or on a graphics processor: the few operations that fitting a network needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

Tensor: TypeAlias = Any
"""An array of NumPy or of PyTorch; both know the same operators."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """Where arrays live, and how they get there and back."""

    put: Callable[[Any], Tensor]
    """Bring a NumPy array there."""

    get: Callable[[Tensor], Any]
    """Bring it back."""

    zeros: Callable[[int, int], Tensor]
    """Make a matrix of zeros."""

    exp: Callable[[Tensor], Tensor]
    sqrt: Callable[[Tensor], Tensor]


def make_arrays(device: str) -> Arrays:
    """Use NumPy for `cpu`; for everything else PyTorch, where it is installed."""
    if device == "cpu":
        return Arrays(
            put=np.asarray,
            get=np.asarray,
            zeros=lambda rows, columns: np.zeros((rows, columns), dtype=np.float32),
            exp=np.exp,
            sqrt=np.sqrt,
        )
    import torch  # noqa: PLC0415  (only on machines with a graphics processor)

    return Arrays(
        put=lambda array: torch.from_numpy(np.ascontiguousarray(array)).to(device),
        get=lambda tensor: tensor.detach().cpu().numpy(),
        zeros=lambda rows, columns: torch.zeros(rows, columns, device=device),
        exp=torch.exp,
        sqrt=torch.sqrt,
    )
