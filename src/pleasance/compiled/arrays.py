"""Arrays in one block of memory, without NumPy: what compiled code reads and writes.

An array of one dimension is a `ctypes` array: items are plain numbers, a slice is a list. Rows of
an array of two dimensions are views: `rows[1][2]` and `rows[1, 2]` are the same item. NumPy reads
both without a copy: `numpy.asarray(rows)`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from operator import index
from typing import Any, NamedTuple

from pleasance.compiled.signature import ArrayType, NumberType

ITEMS: dict[str, Any] = {
    "int8": ctypes.c_int8,
    "int16": ctypes.c_int16,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
}
"""The type of each item."""

ITEM_SIZES = {name: ctypes.sizeof(kind) for name, kind in ITEMS.items()}
"""The bytes of each item."""

_FORMATS = {"b": "int8", "h": "int16", "i": "int32", "l": "int64", "q": "int64"} | {
    "L": "uint64",
    "Q": "uint64",
    "f": "float32",
    "d": "float64",
}
"""The items by the letters of the buffer protocol, where a C long has 64 bits."""


class KernelArgumentError(TypeError):
    """An argument that compiled code must not be given: another type, or too short an array."""


def zeros(item: str, *shape: int) -> Any:
    """Make an array of zeros."""
    return _array_class(item, shape)()


def from_values(item: str, values: Sequence[float]) -> Any:
    """Make an array of one dimension that holds some numbers."""
    return _array_class(item, (len(values),))(*values)


def copy_of(array: Any) -> Any:
    """Copy an array of this module."""
    return type(array).from_buffer_copy(array)


def overwrite(target: Any, source: Any) -> None:
    """Copy an array of this module over another one of the same type and shape."""
    ctypes.memmove(target, source, ctypes.sizeof(target))


@cache
def _array_class(item: str, shape: tuple[int, ...]) -> Any:
    """Make the class of arrays of one type and shape."""
    if len(shape) == 1:
        base: Any = ITEMS[item] * shape[0]
        return type(f"{item}{list(shape)}", (base,), {"layout": Layout(item, shape)})
    base = _array_class(item, shape[1:]) * shape[0]
    extra = {
        "layout": Layout(item, shape),
        "__getitem__": lambda self, index: _get_item(base, self, index),
        "__setitem__": lambda self, index, value: _set_item(base, self, index, value),
    }
    return type(f"{item}{list(shape)}", (base,), extra)


def _get_item(base: Any, rows: Any, index: Any) -> Any:
    """Read a row, or an item by its row and column."""
    if isinstance(index, tuple):
        first, *rest = index
        row = base.__getitem__(rows, first)
        return row[rest[0] if len(rest) == 1 else tuple(rest)]
    return base.__getitem__(rows, index)


def _set_item(base: Any, rows: Any, index: Any, value: Any) -> None:
    """Write an item by its row and column."""
    first, *rest = index
    base.__getitem__(rows, first)[rest[0] if len(rest) == 1 else tuple(rest)] = value


class Layout(NamedTuple):
    """The type and the shape of an array at hand."""

    item: str
    shape: tuple[int, ...]


def describe(array: Any) -> Layout:
    """Describe an array of this module or of NumPy."""
    known = getattr(array, "layout", None)
    if isinstance(known, Layout):
        return known
    try:
        view = memoryview(array)
    except TypeError:
        raise KernelArgumentError(f"{type(array).__name__} is no array") from None
    letter = view.format.lstrip("<=@")
    item = _FORMATS.get(letter, "")
    if not view.c_contiguous or view.itemsize != ITEM_SIZES.get(item) or view.shape is None:
        raise KernelArgumentError(f"an array of {view.format} in this layout is not known")
    if view.readonly:
        raise KernelArgumentError("the array cannot be written to")
    return Layout(item, tuple(view.shape))


def address_of(array: Any) -> int:
    """Return where the first item of an array lies."""
    if hasattr(array, "layout"):
        return ctypes.addressof(array)
    return ctypes.addressof(ctypes.c_char.from_buffer(array))


def to_number(name: str, value: Any, described: NumberType) -> Any:
    """Return a number of the described type; refuse what is none, or would lose its fraction."""
    try:
        return index(value) if described.item == "int64" else value.__float__()
    except (TypeError, AttributeError):
        raise KernelArgumentError(f"{name} must be {described.item}, not {value!r}") from None


def check_array(name: str, array: Any, expected: ArrayType) -> tuple[int, ...]:
    """Return the shape of an array; refuse another type or an array that is too short.

    The first dimension may be longer than expected, the others must fit exactly.
    """
    found = describe(array)
    if tuple(found) == tuple(expected):
        return found.shape
    fits = found.item == expected.item and len(found.shape) == len(expected.shape)
    for place, (length, least) in enumerate(zip(found.shape, expected.shape, strict=False)):
        if least is not None:
            fits = fits and (length == least if place else length >= least)
    if not fits:
        asked = ["any" if length is None else length for length in expected.shape]
        raise KernelArgumentError(
            f"{name} must be {expected.item}{asked}, not {found.item}{list(found.shape)}"
        )
    return found.shape
