"""Run all benchmarks of some games: the rules, the kernels, and how long kernels take to start."""

from __future__ import annotations

from collections.abc import Iterator

from pleasance.bench.measure import BenchmarkCase, Measure, bench_rules, calibrate
from pleasance.core.game import AnyGame


def bench_games(
    games: tuple[AnyGame, ...], seconds: float, *, seats: int | None = None, is_cold: bool = False
) -> Iterator[Measure]:
    """Measure each game, with the fewest and the most seats or with *seats*.

    Measures the rules, the kernel where there is one, and its startup: from the cache and, if
    *is_cold*, with an empty cache, which takes about a minute.
    """
    calibration = calibrate()
    for game in games:
        numbers = _extreme_seat_counts(game) if seats is None else (seats,)
        for number in numbers:
            yield from bench_rules(game, number, seconds, calibration=calibration)
        if game.kernel is not None:
            yield from _bench_kernel(game, numbers, seconds, calibration, is_cold=is_cold)


def _bench_kernel(
    game: AnyGame, numbers: tuple[int, ...], seconds: float, calibration: float, *, is_cold: bool
) -> Iterator[Measure]:
    """Measure a kernel; the compiler is slow to load and loaded only here."""
    from pleasance.bench.kernel_speed import bench_kernel  # noqa: PLC0415  (slow to import)
    from pleasance.bench.startup import bench_startup  # noqa: PLC0415  (only wanted here)

    for number in numbers:
        yield from bench_kernel(BenchmarkCase(game, number, calibration), seconds)
    yield from bench_startup(BenchmarkCase(game, numbers[0], calibration), is_cold=is_cold)


def _extreme_seat_counts(game: AnyGame) -> tuple[int, ...]:
    """Find the fewest and the most seats that the game and all its options allow."""
    rooms = [game.spec.seats, *(game.spec.options[option] for option in game.options)]
    allowed = [number for number in game.spec.seats if all(number in room for room in rooms)]
    return tuple(sorted({allowed[0], allowed[-1]}))
