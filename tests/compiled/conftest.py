"""A library of the toy game, built once for this machine."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pleasance.compiled import export, library, library_backend
from pleasance.compiled.library import MANIFEST, find_names, open_library
from pleasance.compiled.sources import hash_sources

PACKAGE = "support.toy_game"


def build_toy(folder: Path) -> Path:
    """Build the library of the toy game for this machine into a folder, with its manifest."""
    pytest.importorskip("ziglang", reason="make kernels installs the linker")
    name = find_names()[-1]
    environment = {
        **os.environ,
        "PLEASANCE_KERNELS": "jit",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    for step in (
        ("compile", PACKAGE, folder / "toy.ll"),
        ("link", folder / "toy.ll", name.partition(".")[0], folder / name),
    ):
        command = [sys.executable, "-m", "pleasance.compiled.build", *map(str, step)]
        subprocess.run(command, env=environment, check=True)
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    manifest = {"sources": hash_sources(PACKAGE)[0], "libraries": {name: digest}, "files": {}}
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    return folder / name


@pytest.fixture(scope="session")
def toy_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the library once."""
    return build_toy(tmp_path_factory.mktemp("toy"))


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
