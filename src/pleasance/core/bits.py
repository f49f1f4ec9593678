"""Sets of small numbers, each kept in the bits of one integer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

_BYTE = 8
_FULL = (1 << _BYTE) - 1


def bits(mask: int) -> Iterator[int]:
    """Walk through the members of *mask*, lowest first.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def mask_of(members: Iterable[int]) -> int:
    """Gather *members* in one integer.

    >>> bin(mask_of([1, 2, 4]))
    '0b10110'
    """
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


class Roster(Generic[T]):
    """One item for each bit; picks the items of a whole set at once.

    Legal choices and possible draws are listed at every step of a game. Looking up eight bits at a
    time in a table makes that several times faster than asking bit by bit.

    >>> Roster("abcdefghij").pick(0b1000000101)
    ('a', 'c', 'j')
    """

    __slots__ = ("_tables",)

    def __init__(self, items: Sequence[T]) -> None:
        self._tables = tuple(
            _list_subsets(items[start : start + _BYTE]) for start in range(0, len(items), _BYTE)
        )

    def pick(self, mask: int) -> tuple[T, ...]:
        """List the items whose bit is set in *mask*; bits beyond the last item mean nothing."""
        picked: tuple[T, ...] = ()
        for table in self._tables:
            if byte := mask & _FULL:
                picked += table[byte]
            mask >>= _BYTE
        return picked


def _list_subsets(items: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    """List the items of each of the 256 sets that a byte can mean."""
    return tuple(
        tuple(item for bit, item in enumerate(items) if byte >> bit & 1)
        for byte in range(1 << _BYTE)
    )
