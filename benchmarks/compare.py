"""Hold the compiled twin of Sanssouci against the same game in C, in one process.

Both play the same random games by the same luck. Before anything is timed, their final positions
and scores must be the same, number by number, in every configuration. Then they take turns.

    python benchmarks/compare.py [--seconds 2] [--json]
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

import numpy as np

from pleasance.bench.kernel_speed import Batch, clock
from pleasance.bench.measure import Setting
from pleasance.core.game import AnyGame, configurations
from pleasance.games import find_game
from pleasance.games.sanssouci.rules.setup import COVERED

SOURCE = Path(__file__).with_name("sanssouci.c")
FLAGS = {"-O3": ["-O3"], "-O3 -march=native": ["-O3", "-march=native"]}
GAMES = 500
CHECKED = 300
"""So many games of each configuration are compared before the timing."""

NUMBERS = np.ctypeslib.ndpointer(np.int64, flags="C_CONTIGUOUS")
LUCK = np.ctypeslib.ndpointer(np.uint64, flags="C_CONTIGUOUS")


def find_compiler() -> str:
    """Find the system's C compiler."""
    for name in (os.environ.get("CC", "cc"), "cc", "gcc", "clang"):
        if path := shutil.which(name):
            return path
    sys.exit("compare.py: no C compiler found; install gcc or clang, or name one in CC")


def compile_c(folder: Path, flags: list[str]) -> Any:
    """Compile the C version and load it."""
    library = folder / f"sanssouci{len(list(folder.iterdir()))}.so"
    command = [find_compiler(), "-std=c11", *flags, "-shared", "-fPIC", "-o", str(library)]
    subprocess.run([*command, str(SOURCE)], check=True)  # noqa: S603  (our own source)
    loaded = ctypes.CDLL(str(library))
    number = ctypes.c_int64
    loaded.playouts.argtypes = [NUMBERS, NUMBERS, number, LUCK, number]
    loaded.playouts.restype = None
    loaded.scores.argtypes = [NUMBERS, NUMBERS, NUMBERS]
    loaded.scores.restype = None
    return loaded


def play_in_c(library: Any, batch: Batch) -> None:
    """Lay out all games of a batch and play them to the end in C."""
    batch.reset()
    games = len(batch.positions)
    library.playouts(batch.kernel.box, batch.positions, games, batch.luck, COVERED)


def verify(library: Any, game: AnyGame, seats: int) -> int:
    """Play the same games in both ways; refuse any difference. Tell how many were compared."""
    batch = Batch(Setting(game, seats, 0.0), CHECKED)
    box = batch.kernel.box
    batch.play()
    twins, luck = batch.positions.copy(), batch.luck.copy()
    play_in_c(library, batch)
    assert np.array_equal(batch.luck, luck), (game.options, seats)
    assert np.array_equal(batch.positions, twins), (game.options, seats)
    ours, theirs = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    for position in twins:
        batch.kernel.steps.scores(box, position, ours)
        library.scores(box, position, theirs)
        assert np.array_equal(ours, theirs), (game.options, seats)
        assert tuple(ours[:seats].tolist()) == game.scores(batch.kernel.unpack(position))
    return len(twins)


def race(libraries: dict[str, Any], setting: Setting, seconds: float) -> Iterator[dict[str, Any]]:
    """Let the twin and each C version take turns, and compare turns a second."""
    batch = Batch(setting, GAMES)
    turns = batch.count()
    runs: dict[str, Callable[[], None]] = {"kernel": batch.play}
    for flags, library in libraries.items():
        runs[flags] = lambda library=library: play_in_c(library, batch)  # type: ignore[misc]  # bound now, not later
    times: dict[str, list[float]] = {name: [] for name in runs}
    # Two rounds at least, however slow the machine: one says nothing about how it swings.
    while sum(map(sum, times.values())) < seconds or not times["kernel"][1:]:
        for name, run in runs.items():
            times[name].append(clock(run))
    for flags in libraries:
        pairs = zip(times["kernel"], times[flags], strict=True)
        low, middle, high = quantiles([theirs / ours for ours, theirs in pairs], n=4)
        yield {
            "bench": "kernel_to_c",
            "game": setting.game.spec.name,
            "seats": setting.seats,
            "options": " ".join(setting.game.options),
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
    parser = argparse.ArgumentParser(description="Sanssouci: the compiled twin against C.")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each configuration")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    wanted = parser.parse_args()
    plain = find_game("sanssouci")
    fittings = (plain, plain.configure(tuple(plain.spec.options), None))
    with tempfile.TemporaryDirectory() as folder:
        libraries = {name: compile_c(Path(folder), flags) for name, flags in FLAGS.items()}
        same = 0
        for library in libraries.values():
            same += sum(verify(library, *config) for config in configurations(plain))
        print(f"{same:,} games end in the same positions and scores", file=sys.stderr)
        for fitted in fittings:
            for seats in (2, 4):
                for found in race(libraries, Setting(fitted, seats, 0.0), wanted.seconds):
                    print(json.dumps(found) if wanted.json else to_row(found))


def to_row(found: dict[str, Any]) -> str:
    """Write a comparison as a line of a table."""
    name = " ".join([str(found["seats"]), found["options"]])
    speeds = f"{found['kernel_turns_per_s']:>11,} {found['c_turns_per_s']:>11,} turns/s"
    low, high = found["quartiles"]
    spread = f"(median {found['median']:.2f}, middle half {low:.2f} to {high:.2f})"
    return f"{name:<16} {found['flags']:<18} {speeds}  ratio {found['ratio']:.2f} {spread}"


if __name__ == "__main__":
    main()
