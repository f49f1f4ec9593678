"""Compare the ways to run compiled code: the library for each processor, Numba's JIT, and C.

First all must play the same random games, position by position; then timed runs alternate. Then
players choose by the library and by the JIT. C plays Sanssouci only (see sanssouci.c).

    python benchmarks/kernel_backends.py [--seconds 20] [--choices 60] [--json]
"""
# ruff: noqa: T201  (a script speaks by printing)

from __future__ import annotations

import argparse
import ctypes
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

from c_comparison import SOURCE, find_compiler

from pleasance.compiled import library, library_backend
from pleasance.compiled.arrays import copy_of, overwrite, zeros
from pleasance.compiled.export import EXPORTS, use_backend
from pleasance.compiled.kernel import Kernel
from pleasance.compiled.rng import make_rng_state
from pleasance.core.game import AnyGame, Choose, Draw, Over
from pleasance.games import find_game
from pleasance.games.sanssouci.rules.setup import COVERED
from pleasance.players.registry import make_player

TABLES = (("sanssouci", 2), ("sanssouci", 4), ("sakura", 2), ("sakura", 4))
GAMES = 500
SAMPLE_SHARE = 0.2
"""The part of the decisions in which players choose."""

PLAYERS = ("network", "master:32", "ismcts:16", "flat:16")
C_FLAGS = ("-std=c11", "-O3", "-march=x86-64-v3", "-shared", "-fPIC")


@contextmanager
def using_library(name: str) -> Iterator[None]:
    """Load the library of one file name instead of the best one for this machine."""
    find = library.find_names

    def forget() -> None:
        library.open_library.cache_clear()
        library_backend.find_function.cache_clear()
        for export in EXPORTS.values():
            export.forget()

    library.find_names = lambda: (name,)
    forget()
    try:
        with use_backend("library"):
            yield
    finally:
        library.find_names = find
        forget()


def make_batch(game: AnyGame, seats: int) -> tuple[Any, Any]:
    """Lay out the start of many games, each with its own random numbers."""
    kernel = load_kernel(game)
    positions, rng_states = zeros("int64", GAMES, kernel.size), zeros("uint64", GAMES, 1)
    start = list(kernel.pack(game.start(seats)))
    for number in range(GAMES):
        positions[number][:] = start
        rng_states[number][0] = make_rng_state(str(number))[0]
    return positions, rng_states


def load_kernel(game: AnyGame) -> Kernel:
    """Load the kernel of a game."""
    assert game.kernel is not None
    kernel = game.kernel()
    assert isinstance(kernel, Kernel)
    return kernel


def bind_runs(game: AnyGame, positions: Any, rng_states: Any) -> dict[str, Any]:
    """Bind the same random games for every way to run them."""
    kernel = load_kernel(game)
    arguments = (kernel.constants, positions, rng_states)
    runs: dict[str, Any] = {}
    for name in library.find_names():
        with using_library(name):
            runs[name.partition(".")[0]] = kernel.rules.playouts.bind(*arguments)
    with use_backend("jit"):
        runs["jit"] = kernel.rules.playouts.bind(*arguments)
    if game.spec.name == "sanssouci":
        runs["C -O3 -march=x86-64-v3"] = bind_c(*arguments)
    return runs


def bind_c(constants: Any, positions: Any, rng_states: Any) -> Callable[[], None]:
    """Compile the same game in C and bind its random games."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sanssouci.so"
        subprocess.run([find_compiler(), *C_FLAGS, "-o", path, SOURCE], check=True)  # noqa: S603  (our own source)
        loaded = ctypes.CDLL(str(path))
    loaded.playouts.argtypes = [ctypes.c_void_p] * 2 + [
        ctypes.c_int64,
        ctypes.c_void_p,
        ctypes.c_int64,
    ]
    loaded.playouts.restype = None

    def play() -> None:
        loaded.playouts(constants, positions, GAMES, rng_states, COVERED)

    return play


def compare_games(game: AnyGame, seats: int, seconds: float) -> Iterator[dict[str, Any]]:
    """Hold all ways to the same positions, then time them by turns."""
    positions, rng_states = make_batch(game, seats)
    first, seeds = copy_of(positions), copy_of(rng_states)
    runs = bind_runs(game, positions, rng_states)
    ends, times = [], {name: [] for name in runs}  # type: ignore[var-annotated]  # filled below
    until = perf_counter() + seconds
    while perf_counter() < until or len(ends) < 2 * len(runs):
        for name, run in runs.items():
            overwrite(positions, first)
            overwrite(rng_states, seeds)
            began = perf_counter()
            run()
            times[name].append(perf_counter() - began)
            ends.append(bytes(positions) + bytes(rng_states))
            assert ends[-1] == ends[0], f"{name} played other games"
            ends[2 * len(runs) :] = []
    for name, found in times.items():
        yield {
            "bench": "random_games",
            "game": game.spec.name,
            "seats": seats,
            "by": name,
            "games_per_s": round(GAMES / min(found)),
            "median": round(GAMES / median(found)),
            "to_jit": round(min(times["jit"]) / min(found), 2),
            "to_jit_median": round(median(times["jit"]) / median(found), 2),
            "runs": len(found),
        }


def sample_views(game: AnyGame, seats: int, count: int) -> list[Any]:
    """Collect views in which a seat chooses, from random games."""
    views: list[Any] = []
    rng, state = Random(1), game.start(seats)
    while len(views) < count:
        match game.turn(state):
            case Choose(seats=choosing):
                if len(game.legal(state, choosing[0])) > 1 and rng.random() < SAMPLE_SHARE:
                    views.append(game.view(state, choosing[0]))
                state = game.play(state, [rng.choice(game.legal(state, seat)) for seat in choosing])
            case Draw():
                outcomes, weights = zip(*game.chances(state), strict=True)
                state = game.reveal(state, rng.choices(outcomes, weights)[0])
            case Over():
                state = game.start(seats)
    return views


def compare_players(game: AnyGame, seats: int, count: int) -> Iterator[dict[str, Any]]:
    """Let each player choose in the same positions by the library and by the JIT, by turns."""
    views = sample_views(game, seats, count)
    for name in PLAYERS:
        times: dict[str, list[float]] = {"library": [], "jit": []}
        chosen: dict[str, list[Any]] = {}
        for _ in range(4):  # the first compiles, and is not counted
            for backend, found in times.items():
                with use_backend(backend):  # type: ignore[arg-type]  # one of two backends
                    player = make_player(name, game)
                    began = process_time()
                    chosen[backend] = [player(view, Random(7)) for view in views]
                    found.append(process_time() - began)
        assert chosen["library"] == chosen["jit"], f"{name} chose otherwise"
        best = {backend: min(found[1:]) for backend, found in times.items()}
        yield {
            "bench": "choices",
            "game": game.spec.name,
            "seats": seats,
            "player": name,
            "library_per_s": round(count / best["library"], 1),
            "jit_per_s": round(count / best["jit"], 1),
            "to_jit": round(best["jit"] / best["library"], 2),
        }


def main() -> None:
    """Compare random games, then players."""
    parser = argparse.ArgumentParser(description="Compiled code: libraries, JIT and C.")
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="of random games for each table"
    )
    parser.add_argument("--choices", type=int, default=60, help="of each player; 0 leaves them out")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    given = parser.parse_args()
    for name, seats in TABLES:
        game = find_game(name)
        results = [compare_games(game, seats, given.seconds)]
        if given.choices and seats in (2, 4):
            results.append(compare_players(game, seats, given.choices))
        for result in (line for lines in results for line in lines):
            print(json.dumps(result) if given.json else "  ".join(map(str, result.values())))


if __name__ == "__main__":
    main()
