"""Games in progress on disk: crashes, broken files, going on."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pleasance import cli
from pleasance.core.files import write_atomically
from pleasance.core.record import parse_record
from pleasance.terminal.saves import running_games, saves_folder
from support.cli import Capture, Play, Typist, first_choice, restore_ctrl_c

COMMAND = [sys.executable, "-m", "pleasance"]


@pytest.mark.parametrize("seed", ["a\u2028b\x85c", "\udcff", "x" * 5000])
def test_any_seed_can_be_saved_and_resumed(seed: str, play: Play) -> None:
    play("sakura", "--seed", seed, most=1)
    play("--resume", lines=("quit",))


BROKEN = {
    "data": 5,
    "options": [[1]],
    "game": ["x"],
    "rules": None,
    "players": ["greedy", "greedy"],
    "nonces": [],
    "secret": "xyz",
}


@pytest.mark.parametrize("field", BROKEN)
def test_a_broken_save_is_refused_in_one_line(field: str, play: Play, capsys: Capture) -> None:
    play("sakura", "--seed", "5", most=1)
    (log,) = running_games()
    first, rest = log.read_text().split("\n", 1)
    log.write_text(json.dumps({**json.loads(first), field: BROKEN[field]}) + "\n" + rest)
    assert cli.run(["play", "--resume"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "is not a saved game" in said


def test_an_altered_log_is_refused_without_telling_what_is_hidden(
    play: Play, capsys: Capture
) -> None:
    play("sakura", "--seed", "5", most=1)
    (log,) = running_games()
    lines = log.read_text().split("\n")
    lines[8] = re.sub(r"\+\d+", "+60", lines[8])
    log.write_text("\n".join(lines))
    assert cli.run(["play", "--resume"]) == 2
    said = capsys.readouterr().err
    assert said.endswith("Entry 8 of the log does not follow from those before it.\n")


def test_a_failed_write_leaves_the_old_file_whole(tmp_path: Path) -> None:
    old = tmp_path / "game.txt"
    write_atomically(old, "whole\n")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(old, "half \udcff")
    assert old.read_text() == "whole\n"
    assert list(tmp_path.iterdir()) == [old]


@pytest.mark.slow
def test_a_game_goes_on_where_it_was_left(play: Play) -> None:
    """The same choices, in one go or resumed after every one, end in the same record."""
    whole = play("sakura", "--seed", "5")
    play("sakura", "--seed", "5", most=1)
    for _ in range(200):
        if not running_games():
            break
        play("--resume", most=1)
    records = [parse_record(path.read_text()) for path in sorted(saves_folder().glob("*.txt"))]
    assert len(records) == 2
    assert records[0] == records[1]
    assert "The record is kept" in whole


def test_only_what_makes_sense_can_be_asked_of_a_game_that_goes_on(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("builtins.input", Typist(capsys))
    broken = tmp_path / "broken.log"
    broken.write_text("nothing\n")
    cases = {
        ("--resume",): "There is no game to go on with",
        ("sakura", "--resume"): "leave out GAME",
        ("--resume", "--seed", "3"): "leave out --seed",
        ("--resume", "--save", str(broken)): "is not a saved game",
        ("--resume", "--save", str(tmp_path / "none.log")): "There is no file",
        ("sakura", "--players", "greedy,greedy"): "name human among the players",
        ("sakura", "--players", "human,deepblue"): "There is no player deepblue",
        ("sanssouci", "--edition", "third"): "the editions are: first, second",
        ("sakura", "--seats", "9"): "2-6 players",
    }
    for arguments, says in cases.items():
        assert cli.run(["play", *arguments]) == 2
        said = capsys.readouterr()
        assert says in said.err
        assert said.err.count("\n") == 1
    assert running_games() == []


class Program:
    """The real command in a process of its own."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [*COMMAND, "play", *arguments],
            env={**os.environ, "PLEASANCE_HOME": str(home), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=restore_ctrl_c,  # noqa: PLW1509  (no threads are running here)
        )
        self.shown = ""

    def read(self) -> None:
        """Read on until the program waits for a line."""
        assert self._process.stdout
        while not self.shown.endswith("> "):
            piece = os.read(self._process.stdout.fileno(), 65536)
            assert piece, self.shown
            self.shown += piece.decode()

    def choose(self) -> None:
        """Type the first choice."""
        assert self._process.stdin
        self.read()
        line = first_choice(self.shown)
        self.shown = ""
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

    def stop(self, how: signal.Signals) -> tuple[int, str]:
        """Send a signal; give the exit status and what was complained about."""
        self.read()
        self._process.send_signal(how)
        shown, errors = self._process.communicate()
        self.shown += shown.decode()
        return self._process.returncode, errors.decode()


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_crash_or_ctrl_c_loses_nothing(how: signal.Signals, tmp_path: Path, play: Play) -> None:
    program = Program(tmp_path, "sakura", "--seed", "5", "--seats", "3")
    for _ in range(4):
        program.choose()
    status, errors = program.stop(how)
    assert status == (130 if how == signal.SIGINT else -signal.SIGKILL)
    assert not errors
    (log,) = running_games()
    assert log.read_text().count('"kind": "choose", "seat": 0') == 4
    log.write_bytes(log.read_bytes() + b'{"kind": "choose", "se')  # what a power cut may leave
    play("--resume")
    play("sakura", "--seed", "5", "--seats", "3")
    one, other = (parse_record(path.read_text()) for path in sorted(saves_folder().glob("*.txt")))
    assert one == other


@pytest.mark.slow
def test_two_programs_cannot_go_on_with_one_game(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("fcntl", reason="this system has no such locks")
    program = Program(tmp_path, "sakura", "--seed", "5")
    program.choose()
    program.read()
    assert cli.run(["play", "--resume"]) == 2
    assert "is open in another program" in capsys.readouterr().err
    program.stop(signal.SIGINT)


def test_an_empty_file_does_not_hide_the_game_before_it(play: Play) -> None:
    """A file cut short by a full disk."""
    play("sakura", "--seed", "5", most=1)
    (saves_folder() / "sakura-20991231-000000.log").touch()
    assert "Going on with" in play("--resume", lines=("quit",))


def test_a_game_that_nobody_has_begun_is_not_kept(play: Play) -> None:
    assert "there is nothing to keep" in play("sanssouci", lines=("quit",))
    assert list(saves_folder().iterdir()) == []
