"""A library of the toy game, built once for this machine."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import build_kernels
import pytest

from pleasance.compiled import export, library, library_backend
from pleasance.compiled.library import MANIFEST, find_names, open_library

PACKAGE = "support.toy_game"


@pytest.fixture(scope="session")
def toy_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the library of the toy game for this machine once, with its manifest."""
    pytest.importorskip("ziglang", reason="make kernels installs the linker")
    name, folder = find_names()[-1], tmp_path_factory.mktemp("toy")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        hashes = build_kernels.build(PACKAGE, [name.partition(".")[0]], folder)
    build_kernels.write_manifest(PACKAGE, hashes, folder)
    return folder / name


@pytest.fixture
def toy_library(toy_build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let a copy of the library be the one of its package."""

    def forget() -> None:
        open_library.cache_clear()
        export._find_backend.cache_clear()
        library_backend.find_function.cache_clear()

    for path in (toy_build, toy_build.parent / MANIFEST):
        shutil.copy(path, tmp_path)
    find = library.find_folder
    monkeypatch.setattr(
        library, "find_folder", lambda package: tmp_path if package == PACKAGE else find(package)
    )
    monkeypatch.delenv("PLEASANCE_KERNELS", raising=False)
    forget()
    yield tmp_path / toy_build.name
    forget()
