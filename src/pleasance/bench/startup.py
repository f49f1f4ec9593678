"""Benchmarks the start: a new process until the first choice of a bot, and its memory.

Each process has an empty home folder, as after an installation. Only the bytecode of Python is
there already, left by a process that is not counted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, mkdtemp
from time import perf_counter
from typing import Any, NamedTuple

from pleasance.bench.measure import calibrate, list_seat_counts
from pleasance.core.game import AnyGame, check_seats
from pleasance.players.registry import players_by_strength

START_RUNS = 10
"""The processes of each configuration."""

_BUDGET = "200"
_USUAL_SEATS = {"sakura": 4}
"""The seats at which a game is measured, where these are not the fewest."""

_IMPORT = ("-c", "import pleasance; print('{}', flush=True)")
_DECIMALS = {"s": 4, "MiB": 1}


class StartMeasure(NamedTuple):
    """One value of the start of a process, over all runs."""

    bench: str
    """`import`, `first_choice`, `memory` or `peak_memory`."""

    game: str
    seats: int
    options: str
    """The expansions and variants in play, separated by spaces."""

    player: str
    unit: str
    value: float
    """The least of all runs."""

    median: float
    largest: float
    calibration: float
    """The speed of the machine by `calibrate`."""


class StartCase(NamedTuple):
    """One configuration that processes are started for, with the speed of the machine."""

    calibration: float
    game: str = ""
    seats: int = 0
    options: str = ""
    player: str = ""

    def measure(self, bench: str, unit: str, values: Sequence[float]) -> StartMeasure:
        """Summarize the runs."""
        digits = _DECIMALS[unit]
        return StartMeasure(
            bench=bench,
            game=self.game,
            seats=self.seats,
            options=self.options,
            player=self.player,
            unit=unit,
            value=round(min(values), digits),
            median=round(median(values), digits),
            largest=round(max(values), digits),
            calibration=self.calibration,
        )


def bench_start(
    games: tuple[AnyGame, ...], *, seats: int | None = None, runs: int = START_RUNS
) -> Iterator[StartMeasure]:
    """Measure processes that import the package, then those that let the strongest bot choose."""
    calibration = calibrate()
    times = [found["seconds"] for found in _run_processes(_IMPORT, runs)]
    yield StartCase(calibration).measure("import", "s", times)
    for game in games:
        number = _usual_seats(game) if seats is None else seats
        check_seats(game, number)
        player = players_by_strength(game)[-1].named(_BUDGET)
        words = (game.spec.name, str(number), player, *game.options)
        found = list(_run_processes(("-m", "pleasance.bench.first_choice", *words), runs))
        case = StartCase(calibration, game.spec.name, number, " ".join(game.options), player)
        yield case.measure("first_choice", "s", [one["seconds"] for one in found])
        for bench in ("memory", "peak_memory"):
            if bench in found[0]:
                yield case.measure(bench, "MiB", [one[bench] for one in found])


def _usual_seats(game: AnyGame) -> int:
    """Return the usual number of seats, or the fewest."""
    usual, allowed = _USUAL_SEATS.get(game.spec.name), list_seat_counts(game)
    return usual if usual in allowed else allowed[0]


def _run_processes(command: tuple[str, ...], runs: int) -> Iterator[dict[str, Any]]:
    """Run a process once for its bytecode, then measure *runs* more."""
    with TemporaryDirectory() as folder:
        for number in range(runs + 1):
            found = _run_process(command, mkdtemp(dir=folder), Path(folder, "bytecode"))
            if number:
                yield found


def _run_process(command: tuple[str, ...], home: str, bytecode: Path) -> dict[str, Any]:
    """Run a process; return what it prints, with the seconds from its start until then."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith("XDG_")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment |= dict.fromkeys(("HOME", "USERPROFILE", "PLEASANCE_HOME"), home)
    environment["PYTHONPYCACHEPREFIX"] = str(bytecode)
    started = perf_counter()
    with subprocess.Popen(  # noqa: S603  (our own module, with names of games and options)
        [sys.executable, *command], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None, "the process was started with a pipe"
        line = process.stdout.readline()
        seconds = perf_counter() - started
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return {**json.loads(line), "seconds": seconds}
