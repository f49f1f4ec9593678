"""The signatures of exported functions, read from their annotations: arrays, numbers, workspaces.

They are the one description of what crosses between Python and compiled code. The wrappers inside
a library, the calls from Python and the types of the just-in-time compiler all follow from it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints


class ArrayType(NamedTuple):
    """An array in one block of memory, the last index running fastest."""

    item: str
    """The type of an item, as NumPy names it: `int64`, `float32`."""

    shape: tuple[int | None, ...]
    """The length of each dimension, `None` where any will do."""


class NumberType(NamedTuple):
    """A single number."""

    item: str
    """`int64` or `float64`."""


class StructType(NamedTuple):
    """A workspace: a `NamedTuple` of arrays, numbers and other workspaces."""

    python_type: type
    fields: tuple[tuple[str, ValueType], ...]


ValueType: TypeAlias = ArrayType | NumberType | StructType


class Signature(NamedTuple):
    """The parameters and the result of an exported function."""

    parameters: tuple[tuple[str, ValueType], ...]
    result: NumberType | None


IntArray: TypeAlias = Annotated[Any, ArrayType("int64", (None,))]
"""An array of whole numbers: a position `[size]`, constants, codes or scores.

Its type is `Any` to mypy, which has no type that is an array in Python and has items that are
plain numbers in compiled code.
"""

IntRows: TypeAlias = Annotated[Any, ArrayType("int64", (None, None))]
"""Rows of whole numbers `[row, column]`."""

FloatArray: TypeAlias = Annotated[Any, ArrayType("float64", (None,))]
"""An array of float64."""

Float32Array: TypeAlias = Annotated[Any, ArrayType("float32", (None,))]
"""An array of float32: a network's weights or activations."""

Float32Rows: TypeAlias = Annotated[Any, ArrayType("float32", (None, None))]
"""Rows of float32 `[row, column]`."""

Int16Array: TypeAlias = Annotated[Any, ArrayType("int16", (None,))]
"""An array of small whole numbers."""

Int16Rows: TypeAlias = Annotated[Any, ArrayType("int16", (None, None))]
"""Rows of small whole numbers: features, one row for each garden."""

NUMBERS = {int: NumberType("int64"), bool: NumberType("int64"), float: NumberType("float64")}


@cache
def read_signature(function: Callable[..., Any]) -> Signature:
    """Read the signature of an exported function."""
    hints = get_type_hints(function, include_extras=True)
    result = hints.pop("return", None)
    if result not in (int, bool, float, type(None)):
        raise TypeError(f"{function.__qualname__} cannot return {result}")
    return Signature(
        parameters=tuple((name, read_type(name, hint)) for name, hint in hints.items()),
        result=NUMBERS.get(result),
    )


def read_type(name: str, hint: Any) -> ValueType:
    """Read one annotation."""
    if hint in NUMBERS:
        return NUMBERS[hint]
    if get_origin(hint) is Annotated:
        for extra in get_args(hint)[1:]:
            if isinstance(extra, ArrayType):
                return extra
    if isinstance(hint, type) and hasattr(hint, "_fields"):
        hints = get_type_hints(hint, include_extras=True)
        fields = ((field, read_type(field, hints[field])) for field in hints)
        return StructType(hint, tuple(fields))
    raise TypeError(f"{name}: {hint} is no type that compiled code knows")


def slot_count(described: ValueType) -> int:
    """Count the slots of an argument in a block: an array has its address and its lengths."""
    return 1 + len(described.shape) if isinstance(described, ArrayType) else 1
