"""The libraries for arm64 Macs are signed ad hoc: the system refuses to load others."""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path
from typing import Any

import lief
import pytest

from conformance.kernels import WITH_KERNEL
from pleasance import games

lief.disable_leak_warning()

GAMES = sorted({config.game.spec.name for config in WITH_KERNEL})
SUPER_BLOB, CODE_DIRECTORY = 0xFADE0CC0, 0xFADE0C02
AD_HOC, SHA_256 = 0x2, 2


def read_code_directory(signature: bytes) -> bytes:
    """Find the directory of code in a signature."""
    magic, _, count = struct.unpack_from(">3I", signature)
    assert magic == SUPER_BLOB
    for place in range(count):
        _, offset = struct.unpack_from(">2I", signature, 12 + 8 * place)
        if struct.unpack_from(">I", signature, offset)[0] == CODE_DIRECTORY:
            return signature[offset:]
    raise AssertionError("a signature without a directory of code")


@pytest.mark.parametrize("game", GAMES)
def test_the_signature_matches_every_page(game: str) -> None:
    content = (Path(games.__path__[0]) / game / "lib" / "macos-arm64.dylib").read_bytes()
    binary: Any = lief.parse(list(content))
    signed = binary.code_signature
    directory = read_code_directory(content[signed.data_offset :][: signed.data_size])
    _, _, _, flags, hashes, _, _, pages, limit = struct.unpack_from(">9I", directory)
    hash_size, hash_type, _, page_bits = struct.unpack_from("4B", directory, 36)
    assert flags & AD_HOC
    assert (hash_type, hash_size, limit) == (SHA_256, 32, signed.data_offset)
    size = 1 << page_bits
    assert pages == -(-limit // size)
    for page in range(pages):
        found = directory[hashes + 32 * page : hashes + 32 * (page + 1)]
        assert (
            found == hashlib.sha256(content[page * size : min(page * size + size, limit)]).digest()
        )
