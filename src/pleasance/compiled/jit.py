"""Marks of functions that are compiled, and what they share: bit counts and copies.

A function marked with `jit` is called by other marked functions only; one marked with `export` by
Python too. Both stay plain Python here: how they are compiled is decided when Python first calls
an export, see `export`. They work on signed 64-bit integers and on float64; mixing in unsigned
integers would turn sums into floats. They allocate no arrays, and contain no `raise` or `assert`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

COMPILED: set[Any] = set()
"""Every marked function."""


def jit(function: F) -> F:
    """Mark a function that compiled code calls."""
    COMPILED.add(function)
    return function


@jit
def count_bits(mask: int) -> int:
    """Count the members of a bitmask (popcount)."""
    return int(mask).bit_count()


@jit
def lowest_bit(mask: int) -> int:
    """Find the lowest member of a set that has one."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


@jit
def nth_bit(mask: int, place: int) -> int:
    """Find the member of a set with *place* smaller members."""
    for _ in range(place):
        mask &= mask - 1
    return lowest_bit(mask)


@jit
def nth_bit_branchless(mask: int, place: int) -> int:
    """Find the same member as `nth_bit` without branches.

    Faster where *place* is random, so that a processor could not predict branches.
    """
    first = 0
    for width in (32, 16, 8):
        low = count_bits(mask & ((1 << width) - 1))
        is_high = place >= low
        place -= low * is_high
        mask >>= width * is_high
        first += width * is_high
    for skipped in range(7):
        mask &= mask - (skipped < place)
    return first + lowest_bit(mask)


@jit
def copy_into(target: Any, source: Any) -> None:
    """Copy an array into another; what does not fit is left out."""
    for place in range(min(len(target), len(source))):
        target[place] = source[place]
