"""The page about a game of one's own: its files are the sample game, and its commands work.

`UPDATE_GUIDE=1` copies the files of the sample game into the page.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from repository.your_game import (
    GAME,
    PAGE,
    ROOT,
    fill_page,
    read_files,
    read_steps,
    write_files,
)
from support.programs import run_program

TRANSLATIONS = {"messages/es.json", "messages/de.json"}
"""The page says what they are for, and does not show them."""

PROSE_WORDS = 1500
BOARD = "unset PLEASANCE_GAMES"
"""The first command of the part that tests/browser/test_your_game.py follows."""


@pytest.fixture
def reader(tmp_path: Path) -> dict[str, str]:
    """Make an environment in which `pleasance` and `python` are called by their names."""
    folder = tmp_path / "bin"
    folder.mkdir()
    call = f'exec "{sys.executable}"'
    programs = {
        "pleasance": f'{call} -c "from pleasance.cli import main; main()" "$@"',
        # The tests of all games lie in the clone.
        "python": f'cd "{ROOT}" && {call} "$@" -p no:xdist -p no:cacheprovider',
    }
    for name, text in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    (tmp_path / "home").mkdir()
    return {
        **os.environ,
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PLEASANCE_HOME": str(tmp_path / "home"),
        "PLEASANCE_LANGUAGE": "en",
    }


def test_the_page_shows_the_sample_game() -> None:
    if os.environ.get("UPDATE_GUIDE"):
        fill_page()
    files = {
        str(path.relative_to(GAME)): path.read_text(encoding="utf-8")
        for path in GAME.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    shown = read_files()
    assert set(files) - set(shown) == TRANSLATIONS
    for name, text in shown.items():
        assert text == files[name], f"{name}: UPDATE_GUIDE=1 copies it into the page"


def test_the_page_can_be_read_in_an_hour() -> None:
    prose = "".join(PAGE.read_text(encoding="utf-8").split("```")[::2])
    assert len(prose.split()) <= PROSE_WORDS


@pytest.mark.slow
def test_a_game_in_a_folder_of_its_own_plays(tmp_path: Path, reader: dict[str, str]) -> None:
    write_files(tmp_path / "mine" / "pond")
    (tmp_path / "empty").mkdir()
    folders = f"{tmp_path / 'empty'}{os.pathsep}mine"
    for language in ("en", "de"):  # without a translation it speaks English
        reader |= {"PLEASANCE_GAMES": folders, "PLEASANCE_LANGUAGE": language}
        command = "pleasance record pond --seats 2 --players greedy --seed 1 | pleasance show -"
        done = run_program("sh", "-c", command, cwd=tmp_path, env=reader)
        assert (done.returncode, done.stderr) == (0, "")
        assert "keep the fish" in done.stdout


def test_a_folder_without_games_changes_nothing(tmp_path: Path, reader: dict[str, str]) -> None:
    reader |= {"PLEASANCE_GAMES": str(tmp_path)}
    done = run_program("pleasance", "rules", "pond", cwd=tmp_path, env=reader)
    assert done.returncode == 2
    assert "the games are: sakura, sanssouci" in done.stderr


@pytest.mark.parametrize(
    ("package", "command", "expected"),
    [
        ("", "pleasance rules sakura", "names the folder"),
        ("sakura", "pleasance rules sakura", "There is a game sakura already"),
        ("notes", "pleasance rules notes", "defines no GAME"),
        ("notes", "pleasance serve --no-browser --port 0", "defines no GAME"),
    ],
)
def test_a_folder_that_holds_no_games_of_yours_is_refused_in_one_line(
    package: str, command: str, expected: str, tmp_path: Path, reader: dict[str, str]
) -> None:
    if package:
        (tmp_path / "mine" / package).mkdir(parents=True)
        (tmp_path / "mine" / package / "__init__.py").touch()
    reader |= {"PLEASANCE_GAMES": "mine"}
    done = run_program("sh", "-c", command, cwd=tmp_path, env=reader)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert expected in done.stderr
    assert run_program("pleasance", "--help", cwd=tmp_path, env=reader).returncode == 0


@pytest.mark.slow
def test_whoever_follows_the_page_gets_what_it_says(tmp_path: Path, reader: dict[str, str]) -> None:
    steps = read_steps()
    last = next(n for n, step in enumerate(steps) if step.commands.startswith(BOARD))
    script = ["set -e"]
    for number, step in enumerate(steps[:last]):
        # The server is started by the test in a browser: it does not end by itself.
        lines = step.commands.replace("pleasance serve\n", "")
        script += [f"echo '== {number}'", lines]
    write_files(tmp_path / "games" / "pond")
    (tmp_path / "script").write_text("\n".join(script))
    done = run_program(
        "sh", "script", cwd=tmp_path, env=reader, stdin=subprocess.DEVNULL, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-2000:]
    outputs = done.stdout.split("== ")[1:]
    for step, output in zip(steps, outputs, strict=False):
        place = 0
        for line in step.printed:
            found = output.find(line, place)
            assert found >= 0, f"{line!r} is not in {output}"
            place = found + len(line)
    assert "passed" in outputs[-1]
