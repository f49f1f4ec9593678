"""Compare the speed of random play here and in other libraries, in one run.

OpenSpiel, catanatron and rlcard are installed from the package index into a virtual environment in
the user's cache folder. Runs of ours and theirs alternate, so that they see the same load.

    python benchmarks/library_comparison.py [--seconds 0.5] [--rounds 3] [--json]
"""
# ruff: noqa: T201  (a script speaks by printing)

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from pleasance import __version__
from pleasance.bench.kernel_speed import bench_kernel
from pleasance.bench.measure import BenchmarkCase, Measure, bench_rules
from pleasance.games import find_game, game_names

LIBRARIES = ("open_spiel", "catanatron", "rlcard")
PLAY = Path(__file__).with_name("library_playouts.py")
INSTALL_LIMIT, PLAY_LIMIT = 180, 60


def call(command: list[str], limit: float) -> str | None:
    """Run a command; return its output, or print why it failed and return nothing."""
    try:
        done = subprocess.run(  # noqa: S603  (our own commands)
            command, capture_output=True, text=True, check=False, timeout=limit
        )
    except subprocess.TimeoutExpired:
        print(
            f"library_comparison.py: took longer than {limit} s: {' '.join(command)}",
            file=sys.stderr,
        )
        return None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        print(f"library_comparison.py: {' '.join(command[-3:])}: {last}", file=sys.stderr)
        return None
    return done.stdout


def install(folder: Path) -> Iterator[str]:
    """Make the environment if it is missing; yield the libraries that could be installed."""
    python = folder / "bin" / "python"
    if not python.exists() and call([sys.executable, "-m", "venv", str(folder)], 60) is None:
        return
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for library in LIBRARIES:
        if call([*pip, library], INSTALL_LIMIT) is not None:
            yield library


def play_theirs(python: Path, library: str, seconds: float) -> list[dict[str, Any]]:
    """Measure the games of another library."""
    printed = call([str(python), str(PLAY), library, str(seconds)], PLAY_LIMIT)
    return [json.loads(line) for line in (printed or "").splitlines()]


def play_ours(seconds: float) -> Iterator[dict[str, Any]]:
    """Measure our games with the fewest seats and with four: rules, then kernel."""
    for name in game_names():
        game = find_game(name)
        for seats in (game.spec.seats[0], 4):
            yield _show(bench_rules(game, seats, seconds, calibration=0.0)[0], "rules")
            yield _show(next(bench_kernel(BenchmarkCase(game, seats, 0.0), seconds)), "kernel")


def _show(measure: Measure, how: str) -> dict[str, Any]:
    """Convert one of our measures to the form of the other libraries."""
    game = f"{measure.game} {measure.seats}, {how}"
    found = {"library": "pleasance", "version": __version__, "game": game, "unit": measure.unit}
    return {**found, "value": round(measure.value), "median": round(measure.median)}


def merge(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep the best round of each game."""
    best: dict[tuple[str, str], dict[str, Any]] = {}
    for measure in found:
        key = (measure["library"], measure["game"])
        if key not in best or measure["value"] > best[key]["value"]:
            best[key] = measure
    return list(best.values())


def main() -> None:
    """Install, measure alternately and print the best of each."""
    parser = argparse.ArgumentParser(description="Random play here and in other libraries.")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each game in each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    wanted = parser.parse_args()
    version = ".".join(map(str, sys.version_info[:2]))
    folder = user_cache_path("pleasance") / "benchmarks" / f"others-{version}"
    libraries = list(install(folder))
    found: list[dict[str, Any]] = []
    for _ in range(wanted.rounds):
        found += play_ours(wanted.seconds)
        for library in libraries:
            found += play_theirs(folder / "bin" / "python", library, wanted.seconds)
    for measure in merge(found):
        print(json.dumps(measure) if wanted.json else to_row(measure))


def to_row(measure: dict[str, Any]) -> str:
    """Format a measure as a row."""
    library = f"{measure['library']} {measure['version']}"
    speed = f"{measure['value']:>11,} {measure['unit']} (median {measure['median']:,})"
    return f"{library:<20} {measure['game']:<28} {speed}"


if __name__ == "__main__":
    main()
