"""Benchmarks count what they say they count."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from conformance import CONFIGURATIONS, Configuration
from pleasance.bench.kernel_speed import Batch, bench_kernel
from pleasance.bench.measure import (
    BenchmarkCase,
    Measure,
    _pick,
    bench_rules,
    calibrate,
    play_random_game,
)
from pleasance.bench.run import bench_games
from pleasance.bench.startup import time_startup
from pleasance.compiled.jit import HAS_COMPILER
from pleasance.core.errors import BadSetupError
from pleasance.games import find_game, game_names

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
TWINS = [name for name in game_names() if find_game(name).kernel is not None]
every_twin = pytest.mark.parametrize("name", TWINS)
every_configuration = pytest.mark.parametrize(
    "config",
    [
        pytest.param(found, id=found.name)
        for found in CONFIGURATIONS
        if found.game.spec.name in TWINS
    ],
)


def test_calibration_is_a_speed() -> None:
    assert calibrate(repeats=1) > 0


@pytest.mark.parametrize("name", game_names())
def test_a_random_game_counts_choices_and_draws(name: str) -> None:
    game = find_game(name)
    seats = game.spec.seats[0]
    counted = play_random_game(game, seats, Random(1))
    assert 0 < counted.decisions < counted.tokens
    assert counted == play_random_game(game, seats, Random(1))


@pytest.mark.parametrize("name", game_names())
def test_the_rules_are_measured_in_decisions_and_in_tokens(name: str) -> None:
    game = find_game(name)
    decisions, tokens = bench_rules(game, game.spec.seats[-1], 0.01, calibration=1.5)
    assert (decisions.unit, tokens.unit) == ("decisions/s", "tokens/s")
    assert 0 < decisions.value < tokens.value
    assert 0 < decisions.median <= decisions.value
    assert decisions.calibration == 1.5
    assert decisions.game == name


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_the_fewest_and_the_most_seats_are_measured(name: str) -> None:
    game = find_game(name)
    found = list(bench_games((game,), 0.01))
    assert {measure.seats for measure in found} == {game.spec.seats[0], game.spec.seats[-1]}
    wanted = {"rules", "rules_tokens"}
    if name in TWINS:
        wanted |= {"kernel", "kernel_threads", "kernel_start_cached"}
    assert {measure.bench for measure in found} == wanted


def measure_twin(name: str) -> tuple[Measure, Measure]:
    game = find_game(name)
    speed, threads = bench_kernel(BenchmarkCase(game, game.spec.seats[0], 1.5), 0.05)
    return speed, threads


@every_twin
def test_a_twin_is_measured_alone_and_in_two_threads(name: str) -> None:
    speed, threads = measure_twin(name)
    assert (speed.bench, threads.bench) == ("kernel", "kernel_threads")
    assert speed.unit in {"turns/s", "cards/s"}
    assert 0 < speed.median <= speed.value
    assert threads.unit == "times"
    assert 0 < threads.value < 4


@every_configuration
def test_what_a_twin_counts_are_the_games_that_it_plays(config: Configuration) -> None:
    case = BenchmarkCase(config.game, config.seats, 1.0)
    games = 20 if HAS_COMPILER else 2
    counted = Batch(case, games).count()
    assert counted > games
    assert counted == Batch(case, games).count()
    assert counted != Batch(case, 2 * games).count()


@every_twin
def test_a_twin_starts_with_all_its_functions(name: str) -> None:
    game = find_game(name)
    assert time_startup(game, game.spec.seats[-1]) > 0


@pytest.mark.slow
def test_a_cold_start_takes_longer_than_one_from_disk() -> None:
    game = find_game(TWINS[0])
    times = {
        measure.bench: measure.value
        for measure in bench_games((game,), 0.01, seats=game.spec.seats[0], is_cold=True)
        if measure.unit == "s"
    }
    assert 0 < times["kernel_start_cached"] < times["kernel_start_cold"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_game_in_c_is_the_same_game() -> None:
    command = [sys.executable, str(BENCHMARKS / "c_comparison.py"), "--seconds", "0.05", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "end in the same positions and scores" in done.stderr
    assert len(done.stdout.splitlines()) == 8


@pytest.mark.parametrize("name", game_names())
def test_a_wrong_number_of_seats_is_refused(name: str) -> None:
    with pytest.raises(BadSetupError, match="seats"):
        bench_rules(find_game(name), 1, 0.01)


@pytest.mark.parametrize(("luck", "outcome"), [(0, "a"), (0.249, "a"), (0.25, "b"), (0.999, "b")])
def test_a_draw_follows_its_weights(luck: float, outcome: str) -> None:
    assert _pick((("a", 1), ("b", 3)), luck) == outcome


@pytest.mark.parametrize(("luck", "outcome"), [(0, "a"), (0.49, "a"), (0.5, "b"), (0.999, "b")])
def test_a_draw_of_equal_weights_is_uniform(luck: float, outcome: str) -> None:
    assert _pick((("a", 1), ("b", 1)), luck) == outcome


@pytest.mark.slow
def test_the_time_of_choices_is_told_table_by_table() -> None:
    command = [sys.executable, str(BENCHMARKS / "move_times.py"), "sakura", "master:4"]
    more = ["--choices", "3", "--options", "tactical"]
    done = subprocess.run([*command, *more], check=True, capture_output=True, text=True)
    head, rule, *lines = done.stdout.splitlines()
    assert head.count("|") == rule.count("|") == lines[0].count("|")
    assert [line.startswith("| 2 | tactical | 3 | ") for line in lines] == [True]


@pytest.mark.slow
def test_a_little_load_is_measured_with_all_that_is_promised(tmp_path: Path) -> None:
    small = [
        "--tables",
        "60",
        "--paced-tables",
        "8",
        "--bots",
        "2",
        "--rate",
        "40",
        "--seconds",
        "1",
    ]
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "load.py"), *small],
        capture_output=True,
        check=True,
        text=True,
        env={**os.environ, "PLEASANCE_HOME": str(tmp_path)},
    )
    saturated, paced = map(json.loads, done.stdout.splitlines())
    assert saturated["bench"] == "server_saturated_embedded"
    assert paced["bench"] == "server_paced_embedded"
    for told in (saturated, paced):
        assert told["value"] > 0
        assert 0 < told["ms_p50"] <= told["ms_p99"]
        assert told["refused"] == 0
        assert told["kilobytes_a_table"] > told["kilobytes_a_socket"]
        assert told["is_compiled"] is False, "tests run the sources"
