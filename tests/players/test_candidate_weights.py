"""A candidate's weights play beside those that ship, so that the arena can tell them apart."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random
from shutil import copytree

import numpy as np
import pytest

from conformance import find_configuration, random_game
from pleasance.core.errors import BadFileError, BadSetupError
from pleasance.core.game import Choose
from pleasance.players.subprocess_player import resolve_player, weight_files
from support.cli import Capture, run_command, run_refused

SHIPPED = Path(str(files("pleasance.games.sakura") / "weights"))


pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture
def candidate(tmp_path: Path) -> Path:
    """Make networks that think the opposite of those that ship."""
    folder = tmp_path / "candidate"
    copytree(SHIPPED, folder)
    value = dict(np.load(folder / "value.npz"))
    value["third"] = -value["third"]
    np.savez_compressed(folder / "value.npz", allow_pickle=False, **value)
    return folder


def test_a_name_leads_to_the_files_of_its_weights(candidate: Path) -> None:
    both = (candidate / "policy.npz", candidate / "value.npz")
    assert weight_files(f"master@{candidate}:0.1s") == both
    assert weight_files(f"network@{both[0]}") == (both[0],)
    assert weight_files("network") == weight_files("exec@2s:a@b") == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["network{}", "master{}:20", "foreman{}"])
def test_players_with_other_weights_choose_by_them(name: str, candidate: Path) -> None:
    """And those with a copy of what ships choose as those that ship."""
    config = find_configuration("sakura-3")
    players = [
        resolve_player(name.format(path), config.game)
        for path in ("", f"@{SHIPPED}", f"@{candidate}")
    ]
    differs = 0
    for place, (state, turn) in enumerate(random_game(config, 2)):
        if isinstance(turn, Choose) and len(turn.seats) > 1:
            view = config.game.view(state, turn.seats[0])
            shipped, same, other = (player(view, Random(place)) for player in players)
            assert shipped == same
            differs += shipped != other
    assert differs > 3


@pytest.mark.slow
def test_sanssouci_too_is_played_with_other_weights(tmp_path: Path) -> None:
    """A copy of what ships chooses as what ships; a network turned upside down does not."""
    shipped = Path(str(files("pleasance.games.sanssouci") / "weights" / "points.npz"))
    parts = dict(np.load(shipped))
    np.savez_compressed(tmp_path / "points.npz", **{**parts, "outer": -parts["outer"]})
    config = find_configuration("sanssouci-2")
    names = ("network", f"network@{shipped}", f"network@{tmp_path}")
    players = [resolve_player(name, config.game) for name in names]
    differs = 0
    for place, (state, turn) in enumerate(random_game(config, 3)):
        if isinstance(turn, Choose):
            view = config.game.view(state, turn.seats[0])
            usual, same, other = (player(view, Random(place)) for player in players)
            assert usual == same
            differs += usual != other
    assert differs > 10


def test_what_holds_no_weights_is_refused_in_one_line(tmp_path: Path, capsys: Capture) -> None:
    game = find_configuration("sakura-2").game
    with pytest.raises(BadFileError, match="file_missing"):
        resolve_player(f"network@{tmp_path / 'nowhere'}", game)
    for name in ("value.npz", "policy.npz"):
        (tmp_path / name).write_bytes(b"no weights")
    with pytest.raises(BadFileError, match="weights_none"):
        resolve_player(f"network@{tmp_path}", game)
    with pytest.raises(BadSetupError, match="player_needs_heuristics"):
        resolve_player("network@here", replace(game, heuristics=None))
    players = f"network@{tmp_path},greedy"
    said = run_refused(capsys, "arena", "sakura", "--seats", "2", "--players", players)
    assert "holds no weights of sakura" in said


@pytest.mark.slow
def test_the_arena_tells_a_worse_candidate_from_what_ships(
    candidate: Path, tmp_path: Path, capsys: Capture
) -> None:
    """And goes on with what it kept only while the weights are the same."""
    arguments = ["arena", "sakura", "--seats", "2", "--players", f"network@{candidate},network"]
    arguments += ["--until-significant", "--games", "400", "--workers", "1"]
    arguments += ["--out", str(tmp_path / "kept")]
    found = json.loads(run_command(capsys, *arguments, "--json"))
    assert found["test"]["verdict"] == "below"
    value = (candidate / "value.npz").read_bytes()
    (candidate / "value.npz").write_bytes((SHIPPED / "value.npz").read_bytes())
    assert "weights" in run_refused(capsys, *arguments)
    (candidate / "value.npz").write_bytes(value)
    assert json.loads(run_command(capsys, *arguments, "--json")) == found
