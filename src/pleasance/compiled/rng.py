"""The random number generator of compiled code: xorshift64, its state one number in an array."""

from __future__ import annotations

import hashlib
from random import Random
from typing import Annotated, Any, TypeAlias

from pleasance.compiled.arrays import from_values
from pleasance.compiled.jit import jit
from pleasance.compiled.signature import ArrayType

RngState: TypeAlias = Annotated[Any, ArrayType("uint64", (1,))]
"""The state of a generator, an array `[1]` of uint64, never 0; see `IntArray` for the type."""

RngStates: TypeAlias = Annotated[Any, ArrayType("uint64", (None, 1))]
"""The states of many generators `[generator, 1]`."""

_MASK = (1 << 64) - 1
_FRACTION_STEPS = 1 << 30


def make_rng_state(seed: str) -> RngState:
    """Seed a generator by a text."""
    state = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")
    return from_values("uint64", [state or 1])


def fork_rng_state(rng: Random) -> RngState:
    """Seed a generator by the next number of another one."""
    return from_values("uint64", [rng.getrandbits(64) or 1])


@jit
def next_state(rng_state: RngState) -> int:
    """Advance the generator; return the upper half of its state."""
    state = int(rng_state[0])
    state ^= (state << 13) & _MASK
    state ^= state >> 7
    state ^= (state << 17) & _MASK
    rng_state[0] = state
    return state >> 32


@jit
def randbelow(rng_state: RngState, limit: int) -> int:
    """Choose a whole number from 0 up to but not including *limit*.

    The upper half of the state is scaled, so that for the limits of these games no outcome is
    favored by more than one in ten million.
    """
    return (next_state(rng_state) * limit) >> 32


@jit
def random_fraction(rng_state: RngState) -> float:
    """Choose a fraction from 0 up to but not including 1."""
    return randbelow(rng_state, _FRACTION_STEPS) / _FRACTION_STEPS
