"""Writes the wrappers of exports in LLVM's language: each takes one block of numbers and addresses.

A block is a row of 64-bit slots: the result, then the arguments. An array takes a slot for its
address and one for each length, a number takes one slot, a workspace one for the address of a block
of its own (without a result). A wrapper keeps nothing, so threads share a library, and returns
whether the function failed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pleasance.compiled.arrays import ITEM_SIZES
from pleasance.compiled.export import Export
from pleasance.compiled.signature import ArrayType, StructType, ValueType, slot_count

_RESULTS = {"int64": "i64", "float64": "double", "bool": "i8", "none": "ptr"}


class Compiled(NamedTuple):
    """One export, compiled."""

    export: Export[..., Any]
    text: str
    """The module with all that it calls."""

    main: str
    """The name of the function that Numba made of it."""

    result: str
    """The type of its result, by Numba's name."""


class _Wrapper:
    """The text of one wrapper, line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0

    def let(self, expression: str) -> str:
        """Add an instruction; return the name of its value."""
        self.count += 1
        self.lines.append(f"  %v{self.count} = {expression}")
        return f"%v{self.count}"

    def load(self, block: str, slot: int, kind: str = "i64") -> str:
        """Load a slot of a block."""
        place = self.let(f"getelementptr i64, ptr {block}, i64 {slot}")
        return self.let(f"load {kind}, ptr {place}, align 8")

    def arguments(self, block: str, slot: int, described: ValueType) -> Iterator[str]:
        """Unpack an argument as Numba's functions take it."""
        if isinstance(described, ArrayType):
            yield from self._array(block, slot, described)
        elif isinstance(described, StructType):
            inner = self.let(f"inttoptr i64 {self.load(block, slot)} to ptr")
            place = 0
            for _, part in described.fields:
                yield from self.arguments(inner, place, part)
                place += slot_count(part)
        else:
            kind = "i64" if described.item == "int64" else "double"
            yield f"{kind} {self.load(block, slot, kind)}"

    def _array(self, block: str, slot: int, array: ArrayType) -> Iterator[str]:
        """Unpack an array: no owner, its size, where it lies, its lengths and its strides."""
        data = self.let(f"inttoptr i64 {self.load(block, slot)} to ptr")
        shape = [self.load(block, slot + 1 + place) for place in range(len(array.shape))]
        size = str(ITEM_SIZES[array.item])
        strides: list[str] = []
        for length in reversed(shape):
            strides.insert(0, size)
            size = self.let(f"mul i64 {size}, {length}")
        items = self.let(f"sdiv i64 {size}, {ITEM_SIZES[array.item]}")
        yield from ("ptr null", "ptr null", f"i64 {items}", f"i64 {ITEM_SIZES[array.item]}")
        yield f"ptr {data}"
        yield from (f"i64 {number}" for number in (*shape, *strides))


def write_wrappers(compiled: Sequence[Compiled], sources: str) -> str:
    """Write a module with the wrappers, and the hash of the sources."""
    size = len(sources) + 1
    lines = [f'@pleasance_sources = dllexport constant [{size} x i8] c"{sources}\\00"']
    for each in compiled:
        lines += _write_wrapper(each)
    return "\n".join(lines) + "\n"


def _write_wrapper(compiled: Compiled) -> list[str]:
    """Write one wrapper."""
    wrapper, slot = _Wrapper(), 1
    arguments: list[str] = []
    for _, described in compiled.export.signature.parameters:
        arguments += wrapper.arguments("%block", slot, described)
        slot += slot_count(described)
    kind, main = _RESULTS[compiled.result], f'@"{compiled.main}"'
    kinds = ["ptr", "ptr", *(argument.split()[0] for argument in arguments)]
    result, error = wrapper.let(f"alloca {kind}, align 8"), wrapper.let("alloca ptr, align 8")
    call = f"call i32 {main}({', '.join([f'ptr {result}', f'ptr {error}', *arguments])})"
    status = wrapper.let(call)
    if kind != "ptr":
        value = wrapper.let(f"load {kind}, ptr {result}, align 8")
        if kind == "i8":
            kind, value = "i64", wrapper.let(f"zext i8 {value} to i64")
        wrapper.lines.append(f"  store {kind} {value}, ptr %block, align 8")
    symbol = compiled.export.symbol
    return [
        f"declare i32 {main}({', '.join(kinds)})",
        f'define dllexport i32 @{symbol}(ptr %block) "wasm-export-name"="{symbol}" {{',
        *wrapper.lines,
        f"  ret i32 {status}",
        "}",
    ]
