"""Benchmarks the kernels: whole random games a second, on one thread and on two."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from pleasance.bench.measure import RUN_COUNT, BenchmarkCase, Measure
from pleasance.compiled.arrays import copy_of, overwrite, zeros
from pleasance.compiled.kernel import Kernel
from pleasance.compiled.rng import make_rng_state
from pleasance.core.game import check_seats

THREAD_COUNT = 2
_MAX_GAMES = 500
"""The largest batch; its positions fit into the processor's cache."""


class Batch:
    """A batch of random games that can be replayed, each with its own generator."""

    def __init__(self, case: BenchmarkCase, games: int, *, seed: str = "1") -> None:
        assert case.game.kernel is not None
        kernel = case.game.kernel()
        assert isinstance(kernel, Kernel)
        self.kernel = kernel
        self._starts, self._seeds = zeros("int64", games, kernel.size), zeros("uint64", games, 1)
        start = kernel.pack(case.game.start(case.seats))
        for number in range(games):
            overwrite(self._starts[number], start)
            overwrite(self._seeds[number], make_rng_state(f"{seed} {number}"))
        self.positions, self.rng_state = copy_of(self._starts), copy_of(self._seeds)
        """Arrays `[game, size]` and `[game, 1]`."""

    def reset(self) -> None:
        """Reset all games to the state before the first draw."""
        overwrite(self.positions, self._starts)
        overwrite(self.rng_state, self._seeds)

    def play(self) -> None:
        """Reset all games and play them to the end, without the interpreter lock."""
        self.reset()
        self.kernel.rules.playouts(self.kernel.constants, self.positions, self.rng_state)

    def count(self) -> int:
        """Count the units of these games; assert that the counted games are the same."""
        unit_counter = self.kernel.throughput_unit
        if unit_counter is None:
            return len(self.positions)
        self.play()
        played = bytes(self.positions)
        self.reset()
        total = 0
        for position, rng_state in zip(self.positions, self.rng_state, strict=True):
            total += int(unit_counter.count_playout(self.kernel.constants, position, rng_state))
        assert bytes(self.positions) == played, "the count played other games"
        return total


def time_call(work: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    started = perf_counter()
    work()
    return perf_counter() - started


def make_batch(case: BenchmarkCase, seconds: float, *, seed: str = "1") -> Batch:
    """Make a batch that takes about *seconds*, up to the largest size."""
    one = Batch(case, 1, seed=seed)
    one.play()  # loads the kernel
    needed = min(time_call(one.play) for _ in range(3))
    return Batch(case, max(1, min(_MAX_GAMES, int(seconds / needed))), seed=seed)


def bench_kernel(case: BenchmarkCase, seconds: float) -> Iterator[Measure]:
    """Measure the throughput of one thread, and the speedup by two.

    Runs with one and with two threads alternate, so that both see the same load.
    """
    check_seats(case.game, case.seats)
    first = make_batch(case, seconds / RUN_COUNT / THREAD_COUNT)
    second = Batch(case, len(first.positions), seed="2")
    works = (first.count(), second.count())
    alone: list[float] = []
    together: list[float] = []
    with _pinned_thread(0) as one, _pinned_thread(1) as other:

        def play_both() -> float:
            begun = [one.submit(_play_timed, first), other.submit(_play_timed, second)]
            starts, ends = zip(*[thread.result() for thread in begun], strict=True)
            return float(max(ends) - min(starts))

        play_both()  # begins the threads
        until = perf_counter() + seconds
        while len(alone) < RUN_COUNT or perf_counter() < until:
            alone.append(works[0] / time_call(first.play))
            together.append(sum(works) / play_both())
    unit_counter = first.kernel.throughput_unit
    unit = "games/s" if unit_counter is None else f"{unit_counter.name}/s"
    yield case.measure("kernel", unit, alone)
    ratios = [two / one for one, two in zip(alone, together, strict=True)]
    yield case.measure_ratio("kernel_threads", max(together) / max(alone), ratios)


def _play_timed(batch: Batch) -> tuple[float, float]:
    """Play a batch; return the start and end times."""
    started = perf_counter()
    batch.play()
    return started, perf_counter()


def _pinned_thread(number: int) -> ThreadPoolExecutor:
    """Start a thread pinned to a core of its own.

    On a busy machine threads with short tasks would share one core.
    """
    return ThreadPoolExecutor(1, initializer=_pin_to_core, initargs=(number,))


def _pin_to_core(number: int) -> None:
    """Pin this thread to a core, where the system supports it."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[number % len(cores)]})
