"""Fixtures of games in the terminal: a home of their own, and a player at the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from support.cli import Capture, Play, Typist


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLEASANCE_HOME", str(tmp_path))
    monkeypatch.setenv("PLEASANCE_LANGUAGE", "en")


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Play:
    """Run the command with a typist; return all its output."""

    def run(*arguments: str, lines: Sequence[str] = (), most: int = 10_000) -> str:
        return Typist(capsys, *lines, most=most).play(monkeypatch, *arguments)

    return run
