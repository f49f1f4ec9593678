"""Somebody who types at the prompt of a game."""

from __future__ import annotations

import pytest

from commands import Capture
from pleasance import cli


def first_choice(shown: str) -> str:
    """Find the first choice of the newest list."""
    return shown.rpartition("You may choose:\n")[2].split()[0]


class Typist:
    """Types at the prompt: some lines, then the first choice of each list until the end."""

    def __init__(self, capsys: Capture, *lines: str, most: int = 10_000) -> None:
        self._capsys = capsys
        self._lines = list(lines)
        self._left = most
        self.shown = ""

    def __call__(self, prompt: str) -> str:
        self.shown += self._capsys.readouterr().out + prompt
        if self._lines:
            return self._lines.pop(0)
        if self._left == 0:
            raise EOFError
        self._left -= 1
        return "" if "press enter" in prompt.lower() else first_choice(self.shown)

    def play(self, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
        """Run the command and give all that was shown."""
        monkeypatch.setattr("builtins.input", self)
        assert cli.run(["play", *arguments]) == 0, self._capsys.readouterr().err
        return self.shown + self._capsys.readouterr().out
