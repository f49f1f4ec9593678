"""Tuning: better weights are found, and a search goes on where it stopped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pleasance.games import find_game
from pleasance.tuning import planner_weights
from pleasance.tuning.planner_weights import TuningSettings, begin


def test_the_search_finds_the_top_of_a_hill() -> None:
    settings = TuningSettings(game="none", rounds=40, candidates=24, elite=6, spread=1.0)
    search = begin(settings, np.zeros(3))
    top = np.array([1.0, -2.0, 0.5])
    for _ in range(settings.rounds):
        search.step(settings, lambda weights, _games, _seed: -float(((weights - top) ** 2).sum()))
    assert np.abs(search.mean - top).max() < 0.1


@pytest.mark.slow
def test_a_search_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three rounds at once, or one and then two more, end in the same weights."""
    few = ["--candidates", "11", "--games", "8", "--seed", "5"]
    planner_weights.main(
        ["sanssouci", "--out", str(tmp_path / "whole.json"), "--rounds", "3", *few]
    )
    for rounds in ("1", "3"):
        planner_weights.main(
            ["sanssouci", "--out", str(tmp_path / "parts.json"), "--rounds", rounds, *few]
        )
    assert (tmp_path / "whole.json").read_text() == (tmp_path / "parts.json").read_text()
    assert "round 3 of 3" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="other settings"):
        planner_weights.main(["sanssouci", "--out", str(tmp_path / "parts.json"), "--rounds", "3"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess"], "There is no game chess"),
        (["sanssouci", "--rounds", "0"], "Give at least 1 round"),
        (["sanssouci", "--candidates", "0"], "Give at least 1 round"),
        (["sanssouci", "--games", "1"], "Give at least 1 round"),
    ],
)
def test_what_cannot_be_searched_is_one_line(
    arguments: list[str], says: str, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match=says):
        planner_weights.main([*arguments, "--out", str(tmp_path / "new.json")])
    broken = tmp_path / "broken.json"
    broken.write_text("nothing")
    with pytest.raises(SystemExit, match="is no search"):
        planner_weights.main(["sakura", "--out", str(broken)])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("sanssouci", 5.0), ("sakura", 0.0)])
def test_the_weights_in_use_do_better_than_none(name: str, least: float) -> None:
    heuristics = find_game(name).heuristics
    assert heuristics is not None
    assert heuristics.tuning_score is not None
    assert heuristics.planner_weights is not None
    ours = heuristics.planner_weights()
    none = [0.0] * len(ours)
    assert heuristics.tuning_score(ours, 200, "t") - heuristics.tuning_score(none, 200, "t") > least
