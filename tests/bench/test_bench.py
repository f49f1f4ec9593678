"""Benchmarks measure what they claim to measure."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from random import Random

import pytest

from conformance import CONFIGURATIONS, Configuration
from pleasance.bench.first_choice import choose_first
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
from pleasance.bench.startup import bench_start
from pleasance.core.errors import BadSetupError
from pleasance.games import find_game, game_names
from pleasance.players.registry import players_by_strength
from support.programs import run_program

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
GAMES_WITH_KERNEL = [name for name in game_names() if find_game(name).kernel is not None]
every_game_with_kernel = pytest.mark.parametrize("name", GAMES_WITH_KERNEL)
every_configuration_with_kernel = pytest.mark.parametrize(
    "config",
    [
        pytest.param(found, id=found.name)
        for found in CONFIGURATIONS
        if found.game.spec.name in GAMES_WITH_KERNEL
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
    expected = {"rules", "rules_tokens"}
    if name in GAMES_WITH_KERNEL:
        expected |= {"kernel", "kernel_threads"}
    assert {measure.bench for measure in found} == expected


def measure_kernel(name: str) -> tuple[Measure, Measure]:
    game = find_game(name)
    speed, threads = bench_kernel(BenchmarkCase(game, game.spec.seats[0], 1.5), 0.05)
    return speed, threads


@pytest.mark.slow
@every_game_with_kernel
def test_a_kernel_is_measured_in_one_thread_and_in_two(name: str) -> None:
    speed, threads = measure_kernel(name)
    assert (speed.bench, threads.bench) == ("kernel", "kernel_threads")
    assert speed.unit in {"turns/s", "cards/s"}
    assert 0 < speed.median <= speed.value
    assert threads.unit == "times"
    assert 0 < threads.value < 4


@every_configuration_with_kernel
def test_a_kernel_batch_counts_what_its_games_contain(config: Configuration) -> None:
    case = BenchmarkCase(config.game, config.seats, 1.0)
    counted = Batch(case, 20).count()
    assert counted > 20
    assert counted == Batch(case, 20).count()
    assert counted != Batch(case, 40).count()


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_a_start_is_timed_until_the_first_choice_of_the_strongest_bot(name: str) -> None:
    game = find_game(name)
    imported, chosen, *memory = bench_start((game,), runs=2)
    assert (imported.bench, imported.unit, imported.game) == ("import", "s", "")
    assert (chosen.bench, chosen.unit, chosen.game) == ("first_choice", "s", name)
    assert chosen.player == players_by_strength(game)[-1].named("200")
    assert 0 < imported.value < chosen.value <= chosen.median <= chosen.largest
    assert chosen.seats in game.spec.seats
    if Path("/proc/self/status").exists():
        assert [measure.bench for measure in memory] == ["memory", "peak_memory"]
        assert all(measure.unit == "MiB" and measure.value > 1 for measure in memory)


@pytest.mark.slow
def test_a_start_keeps_to_the_seats_of_all_options() -> None:
    game = find_game("sakura").configure(("tactical",), None)
    assert {measure.seats for measure in bench_start((game,), runs=1)} == {0, 2}
    with pytest.raises(BadSetupError, match="seats"):
        list(bench_start((game,), seats=4, runs=1))


def test_the_first_choice_is_made_where_there_is_one() -> None:
    game = find_game("sanssouci")
    assert choose_first(game, 2, "master:8") == choose_first(game, 2, "master:8")
    assert choose_first(game, 2, "random")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_c_program_plays_the_same_games() -> None:
    program = BENCHMARKS / "c_comparison.py"
    done = run_program(sys.executable, program, "--seconds", "0.05", "--json")
    assert done.returncode == 0, done.stderr
    assert "end in the same positions and scores" in done.stderr
    assert len(done.stdout.splitlines()) == 8


@pytest.mark.parametrize("name", game_names())
def test_a_wrong_number_of_seats_is_refused(name: str) -> None:
    with pytest.raises(BadSetupError, match="seats"):
        bench_rules(find_game(name), 1, 0.01)


@pytest.mark.parametrize(("number", "outcome"), [(0, "a"), (0.249, "a"), (0.25, "b"), (0.999, "b")])
def test_a_draw_follows_its_weights(number: float, outcome: str) -> None:
    assert _pick((("a", 1), ("b", 3)), number) == outcome


@pytest.mark.parametrize(("number", "outcome"), [(0, "a"), (0.49, "a"), (0.5, "b"), (0.999, "b")])
def test_a_draw_of_equal_weights_is_uniform(number: float, outcome: str) -> None:
    assert _pick((("a", 1), ("b", 1)), number) == outcome


@pytest.mark.slow
def test_move_times_are_listed_table_by_table() -> None:
    orders = ("sakura", "master:4", "--choices", "3", "--options", "tactical")
    done = run_program(sys.executable, BENCHMARKS / "move_times.py", *orders)
    assert done.returncode == 0, done.stderr
    head, rule, *lines = done.stdout.splitlines()
    assert head.count("|") == rule.count("|") == lines[0].count("|")
    assert [line.startswith("| 2 | tactical | 3 | ") for line in lines] == [True]


@pytest.mark.slow
def test_a_small_load_test_reports_every_measure(tmp_path: Path) -> None:
    small = {"tables": 60, "paced-tables": 8, "bots": 2, "rate": 40, "seconds": 1}
    orders = [f"--{name}={number}" for name, number in small.items()]
    environment = {**os.environ, "PLEASANCE_HOME": str(tmp_path)}
    done = run_program(sys.executable, BENCHMARKS / "load.py", *orders, env=environment)
    assert done.returncode == 0, done.stderr
    saturated, paced = map(json.loads, done.stdout.splitlines())
    assert saturated["bench"] == "server_saturated_embedded"
    assert paced["bench"] == "server_paced_embedded"
    for measure in (saturated, paced):
        assert measure["value"] > 0
        assert 0 < measure["ms_p50"] <= measure["ms_p99"]
        assert measure["refused"] == 0
        assert measure["kilobytes_a_table"] > measure["kilobytes_a_socket"]
        assert measure["is_compiled"] is False, "tests run the sources"
