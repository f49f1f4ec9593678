"""How fast compiled twins play whole random games, from the first draw to the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import numpy as np

from pleasance.bench.measure import RUNS, Measure, Setting
from pleasance.compiled.kernel import Kernel
from pleasance.compiled.rng import make_luck
from pleasance.core.game import check_seats

THREADS = 2
_MOST_GAMES = 500
"""So many positions still fit into a processor's own memory."""


class Batch:
    """Random games that can be played again and again, each by its own luck."""

    def __init__(self, setting: Setting, games: int, *, seed: str = "1") -> None:
        assert setting.game.kernel is not None
        kernel = setting.game.kernel()
        assert isinstance(kernel, Kernel)
        self.kernel = kernel
        self._start = kernel.pack(setting.game.start(setting.seats))
        self._seeds = np.array(
            [make_luck(f"{seed} {number}") for number in range(games)], dtype=np.uint64
        )
        self.positions = np.empty((games, kernel.size), dtype=np.int64)
        self.luck = np.empty_like(self._seeds)

    def reset(self) -> None:
        """Lay out all games anew, before the first draw."""
        self.positions[:] = self._start
        self.luck[:] = self._seeds

    def play(self) -> None:
        """Lay out all games and play them to the end; other threads may run meanwhile."""
        self.reset()
        self.kernel.steps.playouts(self.kernel.box, self.positions, self.luck)

    def count(self) -> int:
        """Count what is done in these games, and make sure that it is these games."""
        pace = self.kernel.pace
        if pace is None:
            return len(self.positions)
        self.play()
        played = self.positions.copy()
        self.reset()
        total = 0
        for position, luck in zip(self.positions, self.luck, strict=True):
            total += int(pace.tally(self.kernel.box, position, luck))
        assert np.array_equal(self.positions, played), "the count played other games"
        return total


def clock(work: Callable[[], object]) -> float:
    """Tell how many seconds something takes."""
    started = perf_counter()
    work()
    return perf_counter() - started


def make_batch(setting: Setting, seconds: float, *, seed: str = "1") -> Batch:
    """Make a batch that takes about so many *seconds*, or less if that is much."""
    one = Batch(setting, 1, seed=seed)
    one.play()  # compiles
    needed = min(clock(one.play) for _ in range(3))
    return Batch(setting, max(1, min(_MOST_GAMES, int(seconds / needed))), seed=seed)


def bench_kernel(setting: Setting, seconds: float) -> Iterator[Measure]:
    """Measure what one thread does, and how many times more two do.

    Runs with one and with two threads take turns, so that both see the same machine.
    """
    check_seats(setting.game, setting.seats)
    first = make_batch(setting, seconds / RUNS / THREADS)
    second = Batch(setting, len(first.positions), seed="2")
    works = (first.count(), second.count())
    alone: list[float] = []
    together: list[float] = []
    with _hire(0) as one, _hire(1) as other:

        def play_both() -> float:
            begun = [one.submit(_play_timed, first), other.submit(_play_timed, second)]
            starts, ends = zip(*[thread.result() for thread in begun], strict=True)
            return float(max(ends) - min(starts))

        play_both()  # begins the threads
        until = perf_counter() + seconds
        while len(alone) < RUNS or perf_counter() < until:
            alone.append(works[0] / clock(first.play))
            together.append(sum(works) / play_both())
    pace = first.kernel.pace
    unit = "games/s" if pace is None else f"{pace.unit}/s"
    yield setting.measure("kernel", unit, alone)
    ratios = [two / one for one, two in zip(alone, together, strict=True)]
    yield setting.measure_ratio("kernel_threads", max(together) / max(alone), ratios)


def _play_timed(batch: Batch) -> tuple[float, float]:
    """Play a batch; tell when it began and when it ended."""
    started = perf_counter()
    batch.play()
    return started, perf_counter()


def _hire(number: int) -> ThreadPoolExecutor:
    """Make a thread that keeps to a core of its own.

    Where many programs run, threads that work only for moments would share one core by turns.
    """
    return ThreadPoolExecutor(1, initializer=_keep_to_core, initargs=(number,))


def _keep_to_core(number: int) -> None:
    """Bind this thread to one of the cores, where the system lets it."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[number % len(cores)]})
