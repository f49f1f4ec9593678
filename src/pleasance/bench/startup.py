"""Benchmarks the startup of kernels: in a new process, until every function has been called."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from pleasance.bench.measure import BenchmarkCase, Measure
from pleasance.core.game import AnyGame, Seat
from pleasance.games import find_game

_REPEATS = 2


def bench_startup(case: BenchmarkCase, *, is_cold: bool) -> Iterator[Measure]:
    """Measure the startup from the cache and, if *is_cold*, with an empty cache."""
    _time_in_new_process(case)  # fills the cache
    times = [_time_in_new_process(case) for _ in range(_REPEATS)]
    yield case.measure_time("kernel_start_cached", times)
    if is_cold:
        with tempfile.TemporaryDirectory() as folder:
            yield case.measure_time("kernel_start_cold", [_time_in_new_process(case, Path(folder))])


def _time_in_new_process(case: BenchmarkCase, cache: Path | None = None) -> float:
    """Start the kernel in a new process; return the seconds it took."""
    game = case.game
    environment = dict(os.environ)
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    command = [sys.executable, "-m", __name__, game.spec.name, str(case.seats), *game.options]
    done = subprocess.run(  # noqa: S603  (our own module, with names of games and options)
        command, env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def time_startup(game: AnyGame, seats: int) -> float:
    """Load the kernel and call each of its functions once; return the seconds it took."""
    started = perf_counter()
    import numpy as np  # noqa: PLC0415  (loading it belongs to the start)

    from pleasance.compiled.kernel import ALL, DRAW, Kernel  # noqa: PLC0415  (likewise)
    from pleasance.compiled.rng import make_rng_state  # noqa: PLC0415  (likewise)

    kernel = game.kernel() if game.kernel is not None else None
    assert isinstance(kernel, Kernel)
    constants, rules, rng_state = kernel.constants, kernel.rules, make_rng_state("1")
    state = game.start(seats)
    position = kernel.pack(state)
    numbers = np.zeros(max(kernel.max_choices, len(game.draws), 8), dtype=np.int64)
    weights = np.zeros(len(game.draws), dtype=np.int64)
    rules.chances(constants, position, weights)
    rules.reveal(constants, position, int(np.flatnonzero(weights)[0]))
    while rules.turn(position) == DRAW:
        rules.draw(constants, position, rng_state)
    chosen = np.zeros(8, dtype=np.int64)
    turn = rules.turn(position)
    for seat in range(seats) if turn == ALL else (turn,):
        rules.legal(constants, position, seat, numbers)
        chosen[seat] = numbers[0]
    rules.play(constants, position, chosen)
    rules.playout(constants, position, rng_state)
    rules.scores(constants, position, numbers)
    rules.shares(constants, position, np.zeros(8))
    rules.deal(constants, kernel.pack_view(game.view(state, Seat(0))), rng_state)
    rules.playouts(constants, kernel.pack(state)[np.newaxis], rng_state[np.newaxis])
    return perf_counter() - started


if __name__ == "__main__":
    name, number, *options = sys.argv[1:]
    print(time_startup(find_game(name).configure(tuple(options), None), int(number)))  # noqa: T201  (read by the parent process)
