"""A built docs site, and a small repository whose site is built in a second."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from support.programs import run_program

ROOT = Path(__file__).parents[2]
UP = "../"
PYTHON = ROOT / "build/docs-venv/bin/python"

Build: TypeAlias = Callable[[Path, Path], subprocess.CompletedProcess[str]]
"""Builds the site of a repository into a folder."""

PAGES = """
unlisted = []
navigation = ["index.md", { Read = ["page.md", "reference/*.md"] }]

[[reference]]
page = "reference/small.md"
title = "Small"
text = "A name."
names = ["small.double"]
"""
MODULE = '''
"""A small module."""

def double(number: int) -> int:
    """Double a number.

    >>> double(2)
    4
    """
    return 2 * number
'''


@pytest.fixture(scope="session")
def build() -> Build:
    if not PYTHON.exists():
        pytest.skip("what builds the docs is not installed: make docs")
    return lambda root, out: run_program(
        PYTHON, ROOT / "tools/build_docs.py", "--root", root, "--out", out
    )


@pytest.fixture(scope="session")
def site(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site of this repository."""
    out = tmp_path_factory.mktemp("docs")
    done = build(ROOT, out)
    assert done.returncode == 0, done.stderr
    return out / "site"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Make a repository with two pages, one picture and one documented name."""
    root = tmp_path / "small"
    (root / "docs/site").mkdir(parents=True)
    (root / "src").mkdir()
    (root / "docs/site/pages.toml").write_text(PAGES)
    (root / "README.md").write_text("# Small\n\n[A part](docs/page.md#a-part), ![](docs/box.svg)\n")
    (root / "docs/page.md").write_text(f"# Page\n\n## A part\n\n[The code]({UP}src/small.py)\n")
    (root / "src/small.py").write_text(MODULE.strip() + "\n")
    shutil.copy(ROOT / "web/public/icon.svg", root / "docs/box.svg")
    return root
