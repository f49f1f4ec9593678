"""Levels: the better a choice the likelier; none blunders; their losses stand in order."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import conformance
from conformance import (
    CONFIGURATIONS,
    Configuration,
    each_of,
    find_configuration,
    random_game,
)
from pleasance.core.errors import BadSetupError
from pleasance.core.game import Choose, Heuristics, Seat
from pleasance.core.levels import LEVELS, Level
from pleasance.games import find_game
from pleasance.players.levels import ActionValues, choice_likelihoods
from pleasance.players.registry import make_player
from pleasance.tuning import levels
from pleasance.tuning.levels import Decision, expected_loss, fit_level

POND = find_configuration("pond-2")
LEVELED = [c for c in CONFIGURATIONS if c.game.heuristics and c.game.heuristics.levels]


@pytest.mark.parametrize("name", conformance.LEVELED)
def test_levels_have_the_same_names_in_every_game_and_lose_less_and_less(name: str) -> None:
    heuristics = find_game(name).heuristics
    assert heuristics is not None
    levels = heuristics.levels
    assert tuple(level.name for level in levels) == LEVELS
    for weaker, stronger in pairwise(levels):
        assert weaker.loss > stronger.loss > 0
        assert weaker.max_loss > stronger.max_loss
    assert all(level.loss < level.max_loss for level in levels)


def test_a_level_takes_what_is_nearly_best_and_never_what_is_worse_than_its_cap() -> None:
    """In a game where every choice but the first is worth a little less than the one before."""
    level = Level(
        "apprentice", loss=1.0, max_loss=0.25, immediate_weight=0.0, simulations=0, temperature=5.0
    )
    config = find_configuration("sakura-3")
    game = replace(
        config.game,
        heuristics=Heuristics(
            immediate_values=lambda view, _: dict.fromkeys(view.legal, 0.0),
            network_values=lambda view, _: {each: -0.2 * n for n, each in enumerate(view.legal)},
            levels=(level,),
        ),
    )
    player = make_player("apprentice", game)
    state = next(state for state, turn in random_game(config, 3) if isinstance(turn, Choose))
    view = game.view(state, Seat(0))
    assert len(view.legal) > 2
    assert {player(view, Random(seed)) for seed in range(40)} == set(view.legal[:2])


def test_haste_makes_what_pays_at_once_likelier_but_lifts_nothing_over_the_cap() -> None:
    values = ActionValues(
        network=(3.0, 2.5, 0.0), search=(3.0, 2.5, 0.0), immediate=(0.0, 4.0, 90.0)
    )
    calm = Level(
        "foreman", loss=0.1, max_loss=1.0, immediate_weight=0.0, simulations=0, temperature=0.5
    )
    hasty = calm._replace(immediate_weight=0.5)
    assert choice_likelihoods(calm, values)[1] < choice_likelihoods(calm, values)[0]
    assert choice_likelihoods(hasty, values)[1] > choice_likelihoods(hasty, values)[0]
    assert choice_likelihoods(hasty, values)[2] == 0


@pytest.mark.parametrize("name", LEVELS)
def test_a_game_without_a_network_has_no_levels(name: str) -> None:
    with pytest.raises(BadSetupError, match="player_needs_heuristics"):
        make_player(name, POND.game)


@pytest.mark.slow
@each_of(LEVELED)
def test_no_level_chooses_worse_than_its_cap_at_any_table(config: Configuration) -> None:
    """And each chooses the same again with the same luck."""
    game = config.game
    heuristics = game.heuristics
    assert heuristics is not None
    assert heuristics.network_values is not None
    for level in heuristics.levels:
        player = make_player(level.name, game)
        for place, (state, turn) in enumerate(random_game(config, 5)):
            if not isinstance(turn, Choose) or place % 9:
                continue
            view = game.view(state, turn.seats[-1])
            choice = player(view, Random(place))
            worths = heuristics.network_values(view, Random(place))
            assert worths[choice] >= max(worths.values()) - level.max_loss
            assert player(view, Random(place)) == choice


def test_a_heat_is_found_with_which_a_level_loses_what_it_is_meant_to() -> None:
    rng = Random(2)
    decisions = []
    for _ in range(50):
        worths = tuple(rng.gauss(0, 1) for _ in range(6))
        losses = tuple(max(worths) - worth for worth in worths)
        decisions.append(Decision(losses, {"foreman": ActionValues(worths, worths, (0.0,) * 6)}))
    level = Level(
        "foreman", loss=0.4, max_loss=2.0, immediate_weight=0.0, simulations=0, temperature=1.0
    )
    fitted = fit_level(decisions, level)
    assert fitted.mean == pytest.approx(0.4, rel=0.01)
    assert fitted.error > 0
    assert expected_loss(decisions[0], fitted.level._replace(temperature=1e-6)) == pytest.approx(0)


@pytest.mark.slow
def test_calibrating_writes_the_file_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "levels.toml"
    few = ["--games", "1", "--every", "50", "--judge", "4", "--out", str(path)]
    levels.main(["sakura", *few])
    text = path.read_text()
    assert [line for line in text.splitlines() if line.startswith("[")] == [
        f"[levels.{name}]" for name in LEVELS
    ]
    assert "sakura --games 1 --every 50 --judge 4 --seed 1" in text
    with pytest.raises(SystemExit, match="chess"):
        levels.main(["chess"])
    with pytest.raises(SystemExit, match="at least 1"):
        levels.main(["sakura", "--games", "0"])
