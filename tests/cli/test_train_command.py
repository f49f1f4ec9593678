"""`pleasance train` hands over to the script of a game, and says in one line what is wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from pleasance.cli import app, train_commands
from pleasance.games import find_game
from pleasance.games.sakura.training import train
from support.cli import Capture, printed, refused


@pytest.fixture(autouse=True)
def _speak_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLEASANCE_LANGUAGE", "en")


def test_what_follows_the_game_is_handed_to_its_script(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    told: list[str] = []
    monkeypatch.setattr(train, "main", told.extend)
    assert not printed(capsys, "train", "sakura", "--out", "there", "--seconds", "5")
    assert told == ["--out", "there", "--seconds", "5"]


@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
def test_the_settings_of_a_game_can_be_listed(game: str, capsys: Capture) -> None:
    said = printed(capsys, "train", game, "--", "--help")
    assert "--out" in said
    assert "--seconds" in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess"], "chess"),
        (["sakura"], "--out"),
        (["sakura", "--out", "x", "--seconds", "soon"], "invalid float value: 'soon'"),
        (["sanssouci", "--out", "x", "--speed", "9"], "unrecognized arguments: --speed 9"),
    ],
)
def test_a_training_that_cannot_begin_is_refused_in_one_line(
    arguments: list[str], says: str, capsys: Capture
) -> None:
    assert says in refused(capsys, "train", *arguments)


def test_weights_that_are_none_are_refused_in_one_line(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "value.npz").write_bytes(b"")
    (tmp_path / "policy.npz").write_bytes(b"")
    folder = str(tmp_path)
    said = refused(capsys, "train", "sakura", "--out", folder, "--start", folder)
    assert "weights to begin from" in said


def test_a_game_that_nobody_trains_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    untrained = replace(find_game("sakura"), train=None)
    monkeypatch.setattr(train_commands, "find_game", lambda _: untrained)
    assert "Nothing trains sakura" in refused(capsys, "train", "sakura", "--out", "x")


def test_who_stops_a_training_is_told_what_remains(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def stop(_: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(train, "main", stop)
    with pytest.raises(KeyboardInterrupt):
        train_commands.train(typer.Context(get_command(app)), "sakura")
    assert "--start begins a new run" in capsys.readouterr().err
