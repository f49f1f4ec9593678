"""A decoder of small QR codes drawn as text, independent of the encoder's library."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Mask: TypeAlias = Callable[[int, int], bool]

_DOTS = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
_MASKS: tuple[Mask, ...] = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, _column: row % 2 == 0,
    lambda _row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)
_BYTES = 0b0100
_FORMAT_MASK = 0b101010000010010


def read_code(text: str) -> str:
    """Read what a code of version 1 or 2 says: bytes in one block, whatever its level."""
    dots = _read_dots(text)
    size = len(dots)
    assert size in {21, 25}, "a larger code has several blocks"
    mask = _read_mask(dots)
    bits = [dots[row][column] ^ mask(row, column) for row, column in _path(size)]
    number = int("".join(map(str, map(int, bits))), 2)
    total = len(bits)

    def take(start: int, count: int) -> int:
        return number >> (total - start - count) & ((1 << count) - 1)

    assert take(0, 4) == _BYTES, "not a text of bytes"
    return bytes(take(12 + 8 * n, 8) for n in range(take(4, 8))).decode()


def _read_dots(text: str) -> list[list[int]]:
    """Turn half blocks into modules, without the quiet zone."""
    rows: list[list[int]] = []
    for line in text.splitlines():
        pairs = [_DOTS[char] for char in line]
        rows += [[upper for upper, _ in pairs], [lower for _, lower in pairs]]
    rows = [row for row in rows if any(row)]
    first = min(row.index(1) for row in rows)
    return [row[first : first + len(rows)] for row in rows]


def _read_mask(dots: list[list[int]]) -> Mask:
    """Read which mask lies over the dots, from beside the upper left corner."""
    shown = [dots[8][column] for column in (0, 1, 2, 3, 4, 5, 7, 8)]
    shown += [dots[row][8] for row in (7, 5, 4, 3, 2, 1, 0)]
    form = int("".join(map(str, shown)), 2) ^ _FORMAT_MASK
    return _MASKS[form >> 10 & 0b111]


def _is_fixed(row: int, column: int, size: int) -> bool:
    """Return whether a module is fixed: finder, timing, alignment, format."""
    near_end = size - 8
    if row == 6 or column == 6 or (row < 9 and (column < 9 or column >= near_end)):
        return True
    if row >= near_end and column < 9:
        return True
    return size > 21 and abs(row - (size - 7)) <= 2 and abs(column - (size - 7)) <= 2


def _path(size: int) -> list[tuple[int, int]]:
    """List the data modules: up and down in pairs of columns, from the right."""
    found, is_up = [], True
    for right in (*range(size - 1, 6, -2), 5, 3, 1):
        rows = range(size - 1, -1, -1) if is_up else range(size)
        found += [(row, column) for row in rows for column in (right, right - 1)]
        is_up = not is_up
    return [(row, column) for row, column in found if not _is_fixed(row, column, size)]
