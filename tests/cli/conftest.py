"""Fixtures of the command line: English output, and a file of records."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.cli import Capture, run_command


@pytest.fixture(autouse=True)
def _english(english: None) -> None:
    """Make every command print English."""


@pytest.fixture
def games(tmp_path: Path, capsys: Capture) -> Path:
    """Write a file of two records."""
    file = tmp_path / "games.txt"
    arguments = ("record", "sanssouci", "--seats", "2", "--seed", "spring", "--games", "2")
    file.write_text(run_command(capsys, *arguments))
    return file
