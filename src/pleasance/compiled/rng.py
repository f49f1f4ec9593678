"""Luck for compiled code: a small generator whose state is one number in an array."""

from __future__ import annotations

import hashlib
from typing import Any, TypeAlias

import numpy as np

from pleasance.compiled.jit import jit

Luck: TypeAlias = Any
"""The state of a generator, an array `[1]` of uint64, never 0; see `Flat` for why it is `Any`."""

_SHIFTS = (np.uint64(13), np.uint64(7), np.uint64(17))
_HALF = np.uint64(32)


def make_luck(seed: str) -> Luck:
    """Make a generator from a text; the same text gives the same luck."""
    state = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")
    return np.array([state or 1], dtype=np.uint64)


@jit
def below(luck: Luck, limit: int) -> int:
    """Choose a whole number from 0 up to but not including *limit*.

    This is xorshift64; the upper half of its state is scaled, which is as even as a 32-bit number
    can be: for the limits of these games no outcome is favored by more than one in ten million.
    """
    state = luck[0]
    state ^= state << _SHIFTS[0]
    state ^= state >> _SHIFTS[1]
    state ^= state << _SHIFTS[2]
    luck[0] = state
    return np.int64(((state >> _HALF) * np.uint64(limit)) >> _HALF)  # type: ignore[return-value]  # a plain number once compiled
