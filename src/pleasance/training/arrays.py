"""Array backends for gradient descent: NumPy, or PyTorch on a graphics processor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

Tensor: TypeAlias = Any
"""An array of NumPy or of PyTorch; both know the same operators."""


@dataclass(frozen=True, slots=True)
class ArrayBackend:
    """The operations of a backend, with transfers to and from its device."""

    put: Callable[[Any], Tensor]
    """Copy a NumPy array to the device."""

    get: Callable[[Tensor], Any]
    """Copy a tensor back to NumPy."""

    zeros: Callable[[int, int], Tensor]
    """Allocate a matrix of zeros."""

    exp: Callable[[Tensor], Tensor]
    sqrt: Callable[[Tensor], Tensor]


def make_backend(device: str) -> ArrayBackend:
    """Make the backend of a device: NumPy for `cpu`, PyTorch for any other."""
    if device == "cpu":
        return ArrayBackend(
            put=np.asarray,
            get=np.asarray,
            zeros=lambda rows, columns: np.zeros((rows, columns), dtype=np.float32),
            exp=np.exp,
            sqrt=np.sqrt,
        )
    import torch  # noqa: PLC0415  (only on machines with a graphics processor)

    return ArrayBackend(
        put=lambda array: torch.from_numpy(np.ascontiguousarray(array)).to(device),
        get=lambda tensor: tensor.detach().cpu().numpy(),
        zeros=lambda rows, columns: torch.zeros(rows, columns, device=device),
        exp=torch.exp,
        sqrt=torch.sqrt,
    )
