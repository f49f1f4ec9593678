"""`pleasance train` runs the training script of a game, and refuses bad arguments in one line."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from pleasance.cli import app, train_commands
from pleasance.games import find_game
from pleasance.games.sakura.training import train
from support.cli import Capture, run_command, run_refused
from support.programs import run_program

SAMPLE_GAME = Path(__file__).parents[1] / "sample_game" / "pond"


def test_arguments_after_the_game_are_passed_to_its_script(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    passed: list[str] = []
    monkeypatch.setattr(train, "main", passed.extend)
    assert not run_command(capsys, "train", "sakura", "--out", "there", "--seconds", "5")
    assert passed == ["--out", "there", "--seconds", "5"]


@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
def test_the_settings_of_a_game_can_be_listed(game: str, capsys: Capture) -> None:
    output = run_command(capsys, "train", game, "--", "--help")
    assert "--out" in output
    assert "--seconds" in output


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["chess"], "chess"),
        (["sakura"], "--out"),
        (["sakura", "--out", "x", "--seconds", "soon"], "invalid float value: 'soon'"),
        (["sanssouci", "--out", "x", "--speed", "9"], "unrecognized arguments: --speed 9"),
    ],
)
def test_bad_training_arguments_are_refused_in_one_line(
    arguments: list[str], expected: str, capsys: Capture
) -> None:
    assert expected in run_refused(capsys, "train", *arguments)


def test_files_that_hold_no_weights_are_refused_in_one_line(
    tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "value.npz").write_bytes(b"")
    (tmp_path / "policy.npz").write_bytes(b"")
    folder = str(tmp_path)
    output = run_refused(capsys, "train", "sakura", "--out", folder, "--start", folder)
    assert "weights to begin from" in output


def test_a_game_without_a_training_script_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    untrained = replace(find_game("sakura"), train=None)
    monkeypatch.setattr(train_commands, "find_game", lambda _: untrained)
    assert "Nothing trains sakura" in run_refused(capsys, "train", "sakura", "--out", "x")


def test_an_interrupted_training_says_how_to_continue(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def stop(_: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(train, "main", stop)
    with pytest.raises(KeyboardInterrupt):
        train_commands.train(typer.Context(get_command(app)), "sakura")
    assert "--start begins a new run" in capsys.readouterr().err


def test_a_module_that_a_game_of_yours_lacks_is_no_matter_of_an_extra(tmp_path: Path) -> None:
    game = shutil.copytree(SAMPLE_GAME, tmp_path / "pond")
    script = game / "training" / "train.py"
    text, start = script.read_text(), "    parser = argparse.ArgumentParser("
    assert start in text
    script.write_text(text.replace(start, f"    import a_module_of_yours\n{start}"))
    environment = {**os.environ, "PLEASANCE_GAMES": str(tmp_path)}
    command = (sys.executable, "-m", "pleasance", "train", "pond", "--out", "trained")
    done = run_program(*command, cwd=tmp_path, env=environment)
    assert done.returncode
    assert "No module named 'a_module_of_yours'" in done.stderr
    assert "pip install" not in done.stderr
