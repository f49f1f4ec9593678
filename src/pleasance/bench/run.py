"""Run the benchmarks of some games: the rules and the kernels."""

from __future__ import annotations

from collections.abc import Iterator

from pleasance.bench.kernel_speed import bench_kernel
from pleasance.bench.measure import BenchmarkCase, Measure, bench_rules, calibrate, list_seat_counts
from pleasance.core.game import AnyGame


def bench_games(
    games: tuple[AnyGame, ...], seconds: float, *, seats: int | None = None
) -> Iterator[Measure]:
    """Measure each game, with the fewest and the most seats or with *seats*.

    Measures the rules, and the kernel where there is one.
    """
    calibration = calibrate()
    for game in games:
        allowed = list_seat_counts(game)
        numbers = sorted({allowed[0], allowed[-1]}) if seats is None else [seats]
        for number in numbers:
            yield from bench_rules(game, number, seconds, calibration=calibration)
        for number in numbers if game.kernel is not None else []:
            yield from bench_kernel(BenchmarkCase(game, number, calibration), seconds)
