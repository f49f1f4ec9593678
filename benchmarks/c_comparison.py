"""Compare the kernel of Sanssouci with the same game in C, in one process.

Both play the same random games with the same generator. First their final positions and scores must
be equal in every configuration; then timed runs alternate.

    python benchmarks/c_comparison.py [--seconds 2] [--json]
"""
# ruff: noqa: T201  (a script speaks by printing)

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import quantiles
from typing import Any

from pleasance.bench.kernel_speed import Batch, time_call
from pleasance.bench.measure import BenchmarkCase
from pleasance.compiled.arrays import copy_of, zeros
from pleasance.core.game import AnyGame, configurations
from pleasance.games import find_game
from pleasance.games.sanssouci.rules.setup import COVERED

SOURCE = Path(__file__).with_name("sanssouci.c")
FLAGS = {"-O3": ["-O3"], "-O3 -march=native": ["-O3", "-march=native"]}
GAMES = 500
CHECKED_GAMES = 300
"""The games of each configuration compared before the timing."""


def find_compiler() -> str:
    """Find the system's C compiler."""
    for name in (os.environ.get("CC", "cc"), "cc", "gcc", "clang"):
        if path := shutil.which(name):
            return path
    sys.exit("c_comparison.py: no C compiler found; install gcc or clang, or name one in CC")


def compile_c(folder: Path, flags: list[str]) -> Any:
    """Compile the C version and load it."""
    library = folder / f"sanssouci{len(list(folder.iterdir()))}.so"
    command = [find_compiler(), "-std=c11", *flags, "-shared", "-fPIC", "-o", str(library)]
    subprocess.run([*command, str(SOURCE)], check=True)  # noqa: S603  (our own source)
    loaded = ctypes.CDLL(str(library))
    number, array = ctypes.c_int64, ctypes.c_void_p
    loaded.playouts.argtypes = [array, array, number, array, number]
    loaded.playouts.restype = None
    loaded.scores.argtypes = [array, array, array]
    loaded.scores.restype = None
    return loaded


def play_in_c(library: Any, batch: Batch) -> None:
    """Reset all games of a batch and play them to the end in C."""
    batch.reset()
    games = len(batch.positions)
    library.playouts(batch.kernel.constants, batch.positions, games, batch.rng_state, COVERED)


def verify(library: Any, game: AnyGame, seats: int) -> int:
    """Play the same games in both implementations; return the number of equal games."""
    batch = Batch(BenchmarkCase(game, seats, 0.0), CHECKED_GAMES)
    constants = batch.kernel.constants
    batch.play()
    played, rng_state = copy_of(batch.positions), bytes(batch.rng_state)
    play_in_c(library, batch)
    assert bytes(batch.rng_state) == rng_state, (game.options, seats)
    assert bytes(batch.positions) == bytes(played), (game.options, seats)
    ours, theirs = zeros("int64", 4), zeros("int64", 4)
    for position in played:
        batch.kernel.rules.scores(constants, position, ours)
        library.scores(constants, position, theirs)
        assert ours[:] == theirs[:], (game.options, seats)
        assert tuple(ours[:seats]) == game.scores(batch.kernel.unpack(position))
    return len(played)


def race(builds: dict[str, Any], case: BenchmarkCase, seconds: float) -> Iterator[dict[str, Any]]:
    """Time the kernel and each C version alternately, in turns a second."""
    batch = Batch(case, GAMES)
    turns = batch.count()
    runs: dict[str, Callable[[], None]] = {"kernel": batch.play}
    for flags, library in builds.items():
        runs[flags] = lambda library=library: play_in_c(library, batch)  # type: ignore[misc]  # bound now, not later
    times: dict[str, list[float]] = {name: [] for name in runs}
    # At least two rounds, however slow the machine: one shows no variation.
    while sum(map(sum, times.values())) < seconds or not times["kernel"][1:]:
        for name, run in runs.items():
            times[name].append(time_call(run))
    for flags in builds:
        pairs = zip(times["kernel"], times[flags], strict=True)
        low, middle, high = quantiles([theirs / ours for ours, theirs in pairs], n=4)
        yield {
            "bench": "kernel_to_c",
            "game": case.game.spec.name,
            "seats": case.seats,
            "options": " ".join(case.game.options),
            "flags": flags,
            "kernel_turns_per_s": round(turns / min(times["kernel"])),
            "c_turns_per_s": round(turns / min(times[flags])),
            "ratio": round(min(times[flags]) / min(times["kernel"]), 2),
            "median": round(middle, 2),
            "quartiles": [round(low, 2), round(high, 2)],
            "runs": len(times[flags]),
        }


def main() -> None:
    """Verify all configurations, then time the plain game and the one with all options."""
    parser = argparse.ArgumentParser(description="Sanssouci: the kernel against C.")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each configuration")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    options = parser.parse_args()
    plain = find_game("sanssouci")
    variants = (plain, plain.configure(tuple(plain.spec.options), None))
    with tempfile.TemporaryDirectory() as folder:
        builds = {name: compile_c(Path(folder), flags) for name, flags in FLAGS.items()}
        same = 0
        for library in builds.values():
            same += sum(verify(library, *config) for config in configurations(plain))
        print(f"{same:,} games end in the same positions and scores", file=sys.stderr)
        for variant in variants:
            for seats in (2, 4):
                for result in race(builds, BenchmarkCase(variant, seats, 0.0), options.seconds):
                    print(json.dumps(result) if options.json else to_row(result))


def to_row(result: dict[str, Any]) -> str:
    """Write a comparison as a line of a table."""
    name = " ".join([str(result["seats"]), result["options"]])
    speeds = f"{result['kernel_turns_per_s']:>11,} {result['c_turns_per_s']:>11,} turns/s"
    low, high = result["quartiles"]
    spread = f"(median {result['median']:.2f}, middle half {low:.2f} to {high:.2f})"
    return f"{name:<16} {result['flags']:<18} {speeds}  ratio {result['ratio']:.2f} {spread}"


if __name__ == "__main__":
    main()
