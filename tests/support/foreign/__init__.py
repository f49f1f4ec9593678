"""Records calls of this machine's libraries and repeats them on other machines, emulated.

A call is recorded as an image of the memory that it reads and writes, before and after.
"""

from __future__ import annotations

import ctypes
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from runpy import run_path
from typing import Any, NamedTuple

import pytest

from pleasance.compiled import library_backend
from pleasance.compiled.arrays import ITEM_SIZES
from pleasance.compiled.export import EXPORTS, Export
from pleasance.compiled.signature import ArrayType, StructType, ValueType, slot_count

FOLDER = Path(__file__).parent
BUILD = FOLDER.parents[2] / "web" / "build.py"
ALIGNMENT = 64


class Call(NamedTuple):
    """One call: what memory held before and after."""

    symbol: str
    before: bytes
    after: bytes
    block: int
    """The beginning of the block of arguments."""

    addresses: tuple[tuple[int, int], ...]
    """The slots that hold addresses, and what they point to."""

    def encode(self) -> bytes:
        """Write the call for `run_calls`."""
        name = self.symbol.encode()
        header = struct.pack("<4Q", len(name), len(self.before), self.block, len(self.addresses))
        pairs = b"".join(struct.pack("<2Q", *pair) for pair in self.addresses)
        return header + name + pairs + self.before


class _Walk:
    """The pieces of memory that a call uses, and the slots that point to them."""

    def __init__(self, export: Export[..., Any], pointer: int) -> None:
        self.pieces: dict[int, int] = {}
        self.slots: dict[int, int] = {}
        types = [described for _, described in export.signature.parameters]
        self._walk(pointer, [None, *types])
        self.block = pointer

    def _walk(self, block: int, types: Sequence[ValueType | None]) -> None:
        slots = sum(1 if described is None else slot_count(described) for described in types)
        self._add(block, 8 * slots)
        place = block
        for described in types:
            if isinstance(described, ArrayType | StructType):
                target = _number_at(place)
                self.slots[place] = target
                if isinstance(described, ArrayType):
                    size = ITEM_SIZES[described.item]
                    for side in range(len(described.shape)):
                        size *= _number_at(place + 8 + 8 * side)
                    self._add(target, size)
                else:
                    self._walk(target, [part for _, part in described.fields])
            place += 8 * (1 if described is None else slot_count(described))

    def _add(self, start: int, size: int) -> None:
        self.pieces[start] = max(size, self.pieces.get(start, 0))

    def arrange(self) -> dict[int, tuple[int, int]]:
        """Give each piece of memory its place in the image; pieces that overlap stay together."""
        arranged: dict[int, tuple[int, int]] = {}
        merged: list[list[int]] = []
        for start, size in sorted(self.pieces.items()):
            if merged and start < merged[-1][0] + merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], start + size - merged[-1][0])
            else:
                merged.append([start, size])
        place = 0
        for start, size in merged:
            arranged[start] = (place, size)
            place += (size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        return arranged


def _number_at(address: int) -> int:
    return ctypes.c_uint64.from_address(address).value


def _snapshot(arranged: dict[int, tuple[int, int]]) -> bytes:
    """Copy all pieces to one image."""
    image = bytearray()
    for start, (place, size) in arranged.items():
        image += bytes(place - len(image)) + ctypes.string_at(start, size)
    return bytes(image)


@contextmanager
def recorded_calls() -> Iterator[list[Call]]:
    """Record every call of a library."""
    calls: list[Call] = []
    find = library_backend.find_function

    def find_recorder(export: Export[..., Any]) -> Any:
        function = find(export)

        def call(pointer: ctypes.c_void_p) -> int:
            assert pointer.value is not None
            walk = _Walk(export, pointer.value)
            arranged = walk.arrange()
            before = _snapshot(arranged)
            status = int(function(pointer))
            calls.append(_make_call(export.symbol, walk, arranged, before))
            return status

        return call

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library_backend, "find_function", find_recorder)
        _forget()
        yield calls
    _forget()


def _forget() -> None:
    for export in EXPORTS.values():
        export.forget()


def _make_call(
    symbol: str, walk: _Walk, arranged: dict[int, tuple[int, int]], before: bytes
) -> Call:
    """Write all addresses as places in the image."""

    def place_of(address: int) -> int:
        start = max(each for each in arranged if each <= address)
        return arranged[start][0] + address - start

    addresses = tuple((place_of(slot), place_of(to)) for slot, to in walk.slots.items())
    after = _snapshot(arranged)
    return Call(symbol, before, after, place_of(walk.block), addresses)


def compare(calls: Sequence[Call], command: Sequence[str | Path]) -> int:
    """Repeat calls on another machine; every byte of every array must be the same after each.

    Return how many calls were compared.
    """
    text = b"".join(call.encode() for call in calls)
    done = subprocess.run(list(map(str, command)), input=text, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
    place = 0
    for number, call in enumerate(calls):
        (status,) = struct.unpack_from("<q", done.stdout, place)
        found = bytearray(done.stdout[place + 8 : place + 8 + len(call.after)])
        expected = bytearray(call.after)
        for slot, _ in call.addresses:
            found[slot : slot + 8] = expected[slot : slot + 8] = bytes(8)
        assert (status, found) == (0, expected), f"call {number} of {call.symbol} differs"
        place += 8 + len(call.after)
    assert place == len(done.stdout)
    return len(calls)


def build_runner(folder: Path, target: str) -> Path:
    """Compile the program that repeats calls for another machine."""
    pytest.importorskip("ziglang", reason="make kernels installs the linker")
    output = folder / f"run_calls-{target}"
    command = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-O2"]
    subprocess.run([*command, "-o", output, FOLDER / "run_calls.c"], check=True)
    return output


def find_emulator(*names: str, package: str) -> str:
    """Find a program that runs the programs of another machine, or skip the test."""
    for name in names:
        if path := shutil.which(name):
            return path
    pytest.skip(f"{names[0]} is not installed: install {package}")


def find_node() -> str:
    """Find the Node that builds the app for browsers, or skip the test."""
    folder = run_path(str(BUILD))["find_installed"]()
    if folder is None:
        pytest.skip("there is no Node with npm: make page installs them")
    return str(shutil.which("node", path=str(folder)))
