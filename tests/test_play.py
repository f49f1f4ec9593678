"""Playing in the terminal: whole games, refusals, undo, crashes and going on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pleasance import cli
from pleasance.core.record import parse_record
from pleasance.terminal.saves import running_games, saves_folder

Capture = pytest.CaptureFixture[str]
Answers = Callable[[str], Iterator[str]]

COMMAND = [sys.executable, "-c", "from pleasance.cli import main; main()"]


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLEASANCE_HOME", str(tmp_path))
    monkeypatch.setenv("PLEASANCE_LANGUAGE", "en")


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


GAMES = [
    ("sanssouci", "--options", "rewards,boars"),
    ("sanssouci", "--seats", "4"),
    ("sakura",),
    ("sakura", "--options", "tactical"),
    ("sakura", "--seats", "5"),
    ("sakura", "--players", "human,human,greedy"),
]


@pytest.mark.parametrize("arguments", GAMES, ids=" ".join)
def test_a_whole_game_can_be_played_and_its_record_verifies(
    arguments: tuple[str, ...], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Typist(capsys).play(monkeypatch, *arguments)
    kept = re.search(r"The record is kept in (\S+\.txt)", shown)
    assert kept
    assert cli.run(["verify", kept[1]]) == 0
    assert running_games() == []
    assert "Result" in parse_record(Path(kept[1]).read_text()).tags
    if "human,human" not in " ".join(arguments):
        assert "Press Enter when you alone" not in shown


@pytest.mark.parametrize("language", ["es", "de"])
def test_a_game_can_be_played_in_every_language(
    language: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Typist(capsys, "?", "", "quit").play(monkeypatch, "sakura", "--language", language)
    assert {"es": "Puedes elegir", "de": "Du kannst wählen"}[language] in shown


def test_the_game_is_asked_for_where_none_is_named(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Typist(capsys, "", "chess", "s", "2", "quit").play(monkeypatch)
    assert "Which game?" in shown
    assert shown.count("Please type one of sakura, sanssouci") == 3
    assert "Main board" in shown
    assert Typist(capsys, "quit").play(monkeypatch).endswith("> ")


def test_help_board_record_and_refusals_choose_nothing(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ("?", "board", "record", "", "x9", "+ce", "@a6", "undo", "quit")
    shown = Typist(capsys, *lines).play(monkeypatch, "sanssouci", "--seed", "3")
    assert "takes your last choice back" in shown
    assert '[Game "sanssouci"]' in shown
    assert "“x9” cannot be read" in shown
    assert "+ce is a draw" in shown
    assert "a card and a tile are due" in shown
    assert "There is no choice of yours to take back" in shown
    seen = parse_record(next(saves_folder().glob("*.txt")).read_text())
    assert "Result" not in seen.tags
    assert "+?" in seen.texts()
    assert len(seen.tokens) == 21 or seen.texts()[0] == "+p2"


def test_a_choice_can_be_taken_back_until_something_is_drawn(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    typist = Typist(capsys, most=1)
    shown = typist.play(monkeypatch, "sanssouci", "--seed", "3")
    take = first_choice(shown.rpartition("Seat 1 >")[0].partition("Seat 1 >")[0])
    again = Typist(capsys, take, "undo", take, "-", "undo", "quit")
    shown = again.play(monkeypatch, "sanssouci", "--seed", "3")
    assert shown.count("Taken back.") == 1
    assert "cannot be taken back: something hidden has been shown" in shown


def test_several_choices_fit_in_one_line_and_the_case_is_forgiven(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Typist(capsys, "a", most=1).play(
        monkeypatch, "sanssouci", "--seed", "3", "--options", "rewards"
    )
    assert "Seat 1 turns side A of the rewards board up." in shown
    Typist(capsys, "quit").play(monkeypatch, "sanssouci", "--seed", "4")


def test_a_game_goes_on_where_it_was_left(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same choices, in one go or resumed after every one, end in the same record."""
    whole = Typist(capsys).play(monkeypatch, "sakura", "--seed", "5")
    Typist(capsys, most=1).play(monkeypatch, "sakura", "--seed", "5")
    for _ in range(200):
        if not running_games():
            break
        Typist(capsys, most=1).play(monkeypatch, "--resume")
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
        ("sakura", "--seats", "9"): "2 to 6 players",
    }
    for arguments, says in cases.items():
        assert cli.run(["play", *arguments]) == 2
        said = capsys.readouterr()
        assert says in said.err
        assert said.err.count("\n") == 1
    assert running_games() == []


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.text(max_size=12), max_size=8))
def test_whatever_is_typed_the_game_goes_on(
    lines: list[str], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    Typist(capsys, *lines, "quit", most=0).play(monkeypatch, "sakura", "--seed", "6")


class Program:
    """The real command in a process of its own."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [*COMMAND, "play", *arguments],
            env={**os.environ, "PLEASANCE_HOME": str(home), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
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


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_crash_or_ctrl_c_loses_nothing(
    how: signal.Signals, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program(tmp_path, "sakura", "--seed", "5", "--seats", "3")
    for _ in range(4):
        program.choose()
    status, errors = program.stop(how)
    assert status == (130 if how == signal.SIGINT else -signal.SIGKILL)
    assert not errors
    (log,) = running_games()
    assert log.read_text().count('"kind": "choose", "seat": 0') == 4
    log.write_bytes(log.read_bytes() + b'{"kind": "choose", "se')  # what a power cut may leave
    Typist(capsys).play(monkeypatch, "--resume")
    Typist(capsys).play(monkeypatch, "sakura", "--seed", "5", "--seats", "3")
    one, other = (parse_record(path.read_text()) for path in sorted(saves_folder().glob("*.txt")))
    assert one == other


def test_two_programs_cannot_go_on_with_one_game(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("fcntl", reason="this system has no such locks")
    program = Program(tmp_path, "sakura", "--seed", "5")
    program.choose()
    program.read()
    assert cli.run(["play", "--resume"]) == 2
    assert "is open in another program" in capsys.readouterr().err
    program.stop(signal.SIGINT)
