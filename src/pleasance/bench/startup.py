"""How long compiled twins take to start: in a new process, until every function has been called."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from pleasance.bench.measure import Measure, Setting
from pleasance.core.game import AnyGame, Seat
from pleasance.games import find_game

_REPEATS = 2


def bench_start(setting: Setting, *, is_cold: bool) -> Iterator[Measure]:
    """Measure the start from what is kept on disk and, if *is_cold*, with nothing kept."""
    _start_anew(setting)  # now everything is kept
    times = [_start_anew(setting) for _ in range(_REPEATS)]
    yield setting.measure_time("kernel_start_cached", times)
    if is_cold:
        with tempfile.TemporaryDirectory() as folder:
            yield setting.measure_time("kernel_start_cold", [_start_anew(setting, Path(folder))])


def _start_anew(setting: Setting, cache: Path | None = None) -> float:
    """Start the twin in a new process, which tells how many seconds it took."""
    game = setting.game
    environment = dict(os.environ)
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    command = [sys.executable, "-m", __name__, game.spec.name, str(setting.seats), *game.options]
    done = subprocess.run(  # noqa: S603  (our own module, with names of games and options)
        command, env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def start_kernel(game: AnyGame, seats: int) -> float:
    """Load the twin and call each of its functions once; tell how many seconds it took."""
    started = perf_counter()
    import numpy as np  # noqa: PLC0415  (loading it belongs to the start)

    from pleasance.compiled.kernel import ALL, DRAW, Kernel  # noqa: PLC0415  (likewise)
    from pleasance.compiled.rng import make_luck  # noqa: PLC0415  (likewise)

    kernel = game.kernel() if game.kernel is not None else None
    assert isinstance(kernel, Kernel)
    box, steps, luck = kernel.box, kernel.steps, make_luck("1")
    state = game.start(seats)
    position = kernel.pack(state)
    numbers = np.zeros(max(kernel.most_choices, len(game.draws), 8), dtype=np.int64)
    weights = np.zeros(len(game.draws), dtype=np.int64)
    steps.chances(box, position, weights)
    steps.reveal(box, position, int(np.flatnonzero(weights)[0]))
    while steps.turn(position) == DRAW:
        steps.draw(box, position, luck)
    chosen = np.zeros(8, dtype=np.int64)
    turn = steps.turn(position)
    for seat in range(seats) if turn == ALL else (turn,):
        steps.legal(box, position, seat, numbers)
        chosen[seat] = numbers[0]
    steps.play(box, position, chosen)
    steps.playout(box, position, luck)
    steps.scores(box, position, numbers)
    steps.shares(box, position, np.zeros(8))
    steps.deal(box, kernel.pack_view(game.view(state, Seat(0))), luck)
    steps.playouts(box, kernel.pack(state)[np.newaxis], luck[np.newaxis])
    return perf_counter() - started


if __name__ == "__main__":
    name, number, *options = sys.argv[1:]
    print(start_kernel(find_game(name).configure(tuple(options), None), int(number)))  # noqa: T201  (for the process that asked)
