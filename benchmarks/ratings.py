"""Rate the levels of a game for each number of seats, for its `ratings.toml`.

    python benchmarks/ratings.py sakura --results kept --workers 2

All levels play at mixed tables in a run of `pleasance arena` for each number of seats, kept in its
own folder; the same command resumes it. The output belongs into the folder of the game, where a
server reads the initial ratings of bots. `master` uses its default simulations; its gain by more
time is below the precision of such a rating.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from pleasance.core.levels import LEVELS
from pleasance.games import find_game, game_names

BOTS = ("random", *LEVELS, "master")
"""The rated bots: those for people, and the random one."""

HEAD = "# How strong bots are: Plackett-Luce ratings of all together; everyone starts at 25."


def command(game: str, seats: int, games: int) -> list[str]:
    """Return the arguments of the run for a number of seats."""
    words = ["arena", game, "--seats", str(seats), "--mixed", "--games", str(games)]
    return [*words, "--players", ",".join(BOTS)]


def play(words: list[str], folder: Path, workers: int) -> dict[str, Any]:
    """Play the missing games and return the report."""
    how = ["--json", "--out", str(folder), "--workers", str(workers)]
    done = subprocess.run(  # noqa: S603  (our own command)
        [sys.executable, "-m", "pleasance", *words, *how],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def write(words: list[str], report: dict[str, Any]) -> str:
    """Format the section of one number of seats: ratings and standard deviations."""
    lines = [f"# {report['games']} games: pleasance {' '.join(words)}", f"[{report['seats']}]"]
    for one in report["standings"]:
        kind, rating = one["player"].partition(":")[0], one["rating"]
        lines.append(f"{kind} = [{rating['mu']:.1f}, {rating['sigma']:.1f}]")
    return "\n".join(lines)


def main() -> None:
    """Rate for every number of seats and print the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", choices=game_names())
    parser.add_argument("--results", type=Path, required=True, help="where runs are kept")
    parser.add_argument("--games", type=int, default=300, help="games for each number of seats")
    parser.add_argument("--workers", type=int, default=1, help="matches at the same time")
    options = parser.parse_args()
    parts = [f"{HEAD}\n# Made by: python benchmarks/ratings.py {options.game} --results kept"]
    for seats in find_game(options.game).spec.seats:
        words = command(options.game, seats, options.games)
        folder = options.results / f"{options.game}{seats}"
        parts.append(write(words, play(words, folder, options.workers)))
    sys.stdout.write("\n\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
