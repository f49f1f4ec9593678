"""Runs exports by the shared library of their package.

A call hands over one block of numbers and addresses, as `build.wrappers` lays it out. The
interpreter lock is free meanwhile.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from pleasance.compiled.arrays import KernelArgumentError, address_of, check_array, to_number
from pleasance.compiled.export import Export, KernelError
from pleasance.compiled.library import open_library
from pleasance.compiled.signature import (
    ArrayType,
    NumberType,
    StructType,
    ValueType,
    slot_count,
)


class Block:
    """The arguments of a call, and its result, in one block of memory."""

    __slots__ = ("floats", "kept", "pointer", "slots")

    def __init__(self, size: int) -> None:
        self.slots = (ctypes.c_int64 * size)()
        self.floats = (ctypes.c_double * size).from_buffer(self.slots)
        self.pointer = ctypes.c_void_p(ctypes.addressof(self.slots))
        self.kept: list[Any] = []
        """Arrays and blocks that this block points to; they must not be freed before it."""

    def write(self, slot: int, name: str, value: Any, described: ValueType) -> None:
        """Write an argument from a slot on."""
        if isinstance(described, ArrayType):
            shape = check_array(name, value, described)
            self.kept.append(value)
            self.slots[slot : slot + 1 + len(shape)] = [address_of(value), *shape]
        elif isinstance(described, StructType):
            inner = Block(sum(slot_count(part) for _, part in described.fields))
            place = 0
            for (field, part), one in zip(described.fields, value, strict=True):
                inner.write(place, f"{name}.{field}", one, part)
                place += slot_count(part)
            self.kept.append(inner)
            self.slots[slot] = ctypes.addressof(inner.slots)
        elif described.item == "int64":
            self.slots[slot] = to_number(name, value, described)
        else:
            self.floats[slot] = to_number(name, value, described)


@cache
def block_layout(export: Export[..., Any]) -> tuple[dict[str, int], int]:
    """Find the first slot of each parameter, and the size of the block."""
    slots, slot = {}, 1
    for name, described in export.signature.parameters:
        slots[name] = slot
        slot += slot_count(described)
    return slots, slot


@cache
def find_function(export: Export[..., Any]) -> Any:
    """Find the wrapper of an export in its library."""
    function = open_library(export.package)[export.symbol]
    function.argtypes, function.restype = (ctypes.c_void_p,), ctypes.c_int32
    return function


def load(export: Export[..., Any]) -> Callable[..., Any]:
    """Return a function that hands its arguments over, whatever they are."""
    function, signature = find_function(export), export.signature
    slots, size = block_layout(export)

    def call(*arguments: Any, **named: Any) -> Any:
        block, given = Block(size), export.arrange(arguments, named)
        for (name, described), value in zip(signature.parameters, given, strict=True):
            block.write(slots[name], name, value, described)
        if function(block.pointer):
            raise _failure(export)
        return _result(block, signature.result)

    return call


def bind(export: Export[..., Any], arguments: Sequence[Any]) -> Callable[..., Any]:
    """Fix all arguments but those given as `...`: whole numbers that follow with each call."""
    function, signature = find_function(export), export.signature
    slots, size = block_layout(export)
    block, places = Block(size), []
    for (name, described), value in zip(signature.parameters, arguments, strict=True):
        if value is not ...:
            block.write(slots[name], name, value, described)
        elif described == NumberType("int64"):
            places.append(slots[name])
        else:
            raise KernelArgumentError(f"{export.name}: {name} is no whole number, so bind it")
    if len(places) == 1:
        return _call_with_one(export, function, block, places[0])
    row, pointer, kind = block.slots, block.pointer, signature.result

    def call(*numbers: int) -> Any:
        for place, number in zip(places, numbers, strict=True):
            row[place] = number
        if function(pointer):
            raise _failure(export)
        return _result(block, kind)

    return call


def _call_with_one(
    export: Export[..., Any], function: Any, block: Block, place: int
) -> Callable[[int], Any]:
    """Make the quick call with one number."""
    row, pointer, kind = block.slots, block.pointer, export.signature.result

    def call(number: int) -> Any:
        row[place] = number
        if function(pointer):
            raise _failure(export)
        return _result(block, kind)

    return call


def _result(block: Block, kind: NumberType | None) -> Any:
    """Read the result of a call."""
    if kind is None:
        return None
    return block.slots[0] if kind.item == "int64" else block.floats[0]


def _failure(export: Export[..., Any]) -> KernelError:
    """Make the error of a function that could not go on."""
    return KernelError(f"{export.name} failed")
