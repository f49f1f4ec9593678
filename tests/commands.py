"""What the tests of the command line share."""

from __future__ import annotations

import signal

import pytest

from pleasance import cli

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *arguments: str) -> str:
    """Run a command that should do well; give what it prints."""
    assert cli.run([*arguments]) == 0, capsys.readouterr().err
    said = capsys.readouterr()
    assert not said.err
    return said.out


def refused(capsys: Capture, *arguments: str, status: int = 2) -> str:
    """Run a command that should be refused; give its one line."""
    assert cli.run([*arguments]) == status
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    assert "Traceback" not in said
    return said.rstrip("\n")


def heed_ctrl_c() -> None:
    """Undo what a shell does to programs in the background: let them ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
