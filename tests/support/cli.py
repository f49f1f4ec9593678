"""The command line in this process: commands that succeed or are refused, and play at a prompt."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import Protocol

import pytest

from pleasance import cli

Capture = pytest.CaptureFixture[str]


def run_command(capsys: Capture, *arguments: str) -> str:
    """Run a command that must succeed; return its output."""
    assert cli.run([*arguments]) == 0, capsys.readouterr().err
    captured = capsys.readouterr()
    assert not captured.err
    return captured.out


def run_refused(capsys: Capture, *arguments: str, status: int = 2) -> str:
    """Run a command that must be refused; return its one line of error."""
    assert cli.run([*arguments]) == status
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    assert "Traceback" not in error
    return error.rstrip("\n")


def restore_ctrl_c() -> None:
    """Restore the handling of Ctrl-C, which shells disable for background processes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def first_choice(shown: str) -> str:
    """Find the first choice of the newest list on screen."""
    return shown.rpartition("You may choose:\n")[2].split()[0]


class Play(Protocol):
    """Plays in the terminal: enters *lines*, then the first choice of up to *most* lists."""

    def __call__(self, *arguments: str, lines: Sequence[str] = (), most: int = 10_000) -> str: ...


class Typist:
    """A player at the prompt: enters some lines, then the first choice of each list."""

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
        """Run the command and return all its output."""
        monkeypatch.setattr("builtins.input", self)
        assert cli.run(["play", *arguments]) == 0, self._capsys.readouterr().err
        return self.shown + self._capsys.readouterr().out
