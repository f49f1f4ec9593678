"""Bitmasks: sets of small numbers as the bits of one integer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


def bits(mask: int) -> Iterator[int]:
    """Iterate over the members of *mask*, lowest first.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def mask_of(members: Iterable[int]) -> int:
    """Combine *members* into a mask.

    >>> bin(mask_of([1, 2, 4]))
    '0b10110'
    """
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


class SubsetLookup(Generic[T]):
    """A lookup table of subsets: lists the items of a mask, *width* bits at a time.

    Legal choices and possible draws are listed at every step of a game. A table lookup for several
    bits is several times faster than a test of each bit; a larger *width* makes it faster and the
    tables larger.

    >>> SubsetLookup("abcdefghij").pick(0b1000000101)
    ('a', 'c', 'j')
    """

    __slots__ = ("_full", "_tables", "_width")

    def __init__(self, items: Sequence[T], *, width: int = 8) -> None:
        self._width = width
        self._full = (1 << width) - 1
        self._tables = tuple(
            _list_subsets(items[start : start + width], width)
            for start in range(0, len(items), width)
        )

    def pick(self, mask: int) -> tuple[T, ...]:
        """List the items whose bit is set in *mask*; bits beyond the last item are ignored."""
        picked: tuple[T, ...] = ()
        width, full = self._width, self._full
        for table in self._tables:
            picked += table[mask & full]
            mask >>= width
        return picked


def _list_subsets(items: Sequence[T], width: int) -> list[tuple[T, ...]]:
    """List the items of every mask of *width* bits; there may be fewer items than bits."""
    subsets: list[tuple[T, ...]] = [()]
    for item in items:
        subsets += [(*subset, item) for subset in subsets]
    return subsets * (1 << width - len(items))
