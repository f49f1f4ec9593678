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

    integers: Callable[[Tensor], Tensor]
    """Convert to 64-bit integers, which select rows."""

    count: Callable[[Tensor, int], Tensor]
    """Count each feature, of a given number, in each row of slots: `[row, feature]`."""


def _count_features(features: Tensor, total: int) -> Tensor:
    """Count features by NumPy."""
    places = np.arange(len(features))[:, None] * total + features
    counts = np.bincount(places.ravel(), minlength=len(features) * total)
    return counts.reshape(len(features), total).astype(np.float32)


NUMPY = ArrayBackend(
    put=np.asarray,
    get=np.asarray,
    zeros=lambda rows, columns: np.zeros((rows, columns), dtype=np.float32),
    exp=np.exp,
    integers=lambda array: array.astype(np.int64),
    count=_count_features,
)


def torch_backend(device: str) -> ArrayBackend:
    """Make the backend of a device of PyTorch."""
    import torch  # noqa: PLC0415  (only for those who have it, and slow to import)

    def count_features(features: Tensor, total: int) -> Tensor:
        counts = torch.zeros(len(features), total, device=device)
        return counts.scatter_add_(1, features, torch.ones_like(features, dtype=counts.dtype))

    return ArrayBackend(
        put=lambda array: torch.from_numpy(np.ascontiguousarray(array)).to(device),
        get=lambda tensor: tensor.detach().cpu().numpy(),
        zeros=lambda rows, columns: torch.zeros(rows, columns, device=device),
        exp=torch.exp,
        integers=lambda tensor: tensor.long(),
        count=count_features,
    )


def make_backend(device: str, *, allows_tf32: bool = False) -> ArrayBackend:
    """Make the backend of a device: NumPy for `cpu`, PyTorch for `cuda`.

    `auto` is `cuda` where PyTorch is installed and has a graphics processor, else `cpu`. Products
    in TensorFloat-32 are faster and less exact.
    """
    if device == "auto":
        device = "cuda" if _has_cuda() else "cpu"
    if device == "cpu":
        return NUMPY
    if allows_tf32:
        import torch  # noqa: PLC0415  (only for those who have it, and slow to import)

        torch.backends.cuda.matmul.allow_tf32 = True
    return torch_backend(device)


def _has_cuda() -> bool:
    """Return whether PyTorch is installed and has a graphics processor."""
    try:
        import torch  # noqa: PLC0415  (only for those who have it, and slow to import)
    except ImportError:
        return False
    return bool(torch.cuda.is_available())
