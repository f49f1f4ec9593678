"""Reads files of weights (`.npz`) without NumPy."""

from __future__ import annotations

import ast
import struct
from collections.abc import Mapping
from typing import NamedTuple
from zipfile import ZipFile

_MAGIC = b"\x93NUMPY"
_LETTERS = {
    "|i1": "b",
    "<i2": "h",
    "<i4": "i",
    "<i8": "q",
    "<f2": "e",
    "<f4": "f",
    "<f8": "d",
}
"""The types of items that weights are stored in, and the letters of `struct` for them."""


class StoredArray(NamedTuple):
    """An array as it was stored."""

    shape: tuple[int, ...]
    values: tuple[float, ...]
    """All items in order, the last index running fastest."""


def read_arrays(file: str | object) -> Mapping[str, StoredArray]:
    """Read all arrays of an `.npz` file by their names."""
    with ZipFile(file) as stored:  # type: ignore[arg-type]  # a path or an open file
        return {
            name.removesuffix(".npy"): read_array(stored.read(name)) for name in stored.namelist()
        }


def read_array(content: bytes) -> StoredArray:
    """Read an array in NumPy's format, version 1."""
    if not content.startswith(_MAGIC) or content[6] != 1:
        raise ValueError("no array in NumPy's format, version 1")
    (length,) = struct.unpack_from("<H", content, 8)
    header = ast.literal_eval(content[10 : 10 + length].decode("latin-1"))
    shape: tuple[int, ...] = header["shape"]
    letter = _LETTERS.get(header["descr"])
    if letter is None or (header["fortran_order"] and len(shape) > 1):
        raise ValueError(f"an array of {header['descr']} in this layout is not known")
    count = 1
    for side in shape:
        count *= side
    return StoredArray(shape, struct.unpack_from(f"<{count}{letter}", content, 10 + length))
