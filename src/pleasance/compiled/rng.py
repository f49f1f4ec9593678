"""The random number generator of compiled code: xorshift64, its state one number in an array."""

from __future__ import annotations

import hashlib
from random import Random
from typing import Any, TypeAlias

import numpy as np

from pleasance.compiled.jit import jit

RngState: TypeAlias = Any
"""The state of a generator, an array `[1]` of uint64, never 0; see `IntArray` for the type."""

_SHIFTS = (np.uint64(13), np.uint64(7), np.uint64(17))
_UPPER_HALF = np.uint64(32)
_FRACTION_STEPS = 1 << 30


def make_rng_state(seed: str) -> RngState:
    """Seed a generator by a text."""
    state = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")
    return np.array([state or 1], dtype=np.uint64)


def fork_rng_state(rng: Random) -> RngState:
    """Seed a generator by the next number of another one."""
    return np.array([rng.getrandbits(64) or 1], dtype=np.uint64)


@jit
def randbelow(rng_state: RngState, limit: int) -> int:
    """Choose a whole number from 0 up to but not including *limit*.

    The upper half of the state is scaled, so that for the limits of these games no outcome is
    favored by more than one in ten million.
    """
    state = rng_state[0]
    state ^= state << _SHIFTS[0]
    state ^= state >> _SHIFTS[1]
    state ^= state << _SHIFTS[2]
    rng_state[0] = state
    return np.int64(((state >> _UPPER_HALF) * np.uint64(limit)) >> _UPPER_HALF)  # type: ignore[return-value]  # a plain number once compiled


@jit
def random_fraction(rng_state: RngState) -> float:
    """Choose a fraction from 0 up to but not including 1."""
    return randbelow(rng_state, _FRACTION_STEPS) / _FRACTION_STEPS
