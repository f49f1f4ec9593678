"""Rate the levels of a game for each number of seats: what its `ratings.toml` holds.

    python benchmarks/ratings.py sakura --results kept --workers 2

All levels meet at mixed tables, each a run of `pleasance arena` that is kept in a folder of its
own; the same command goes on where it was stopped. What is printed belongs into the folder of the
game: that is what bots begin with on a server. `master` thinks for as many simulations as usual;
what it gains by more time is less than such a rating can tell.
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
"""Who meets: the bots for people, and one that knows nothing."""

HEAD = "# How strong bots are: Plackett-Luce ratings of all together; everyone starts at 25."


def command(game: str, seats: int, games: int) -> list[str]:
    """Write the run that rates all bots among so many seats."""
    words = ["arena", game, "--seats", str(seats), "--mixed", "--games", str(games)]
    return [*words, "--players", ",".join(BOTS)]


def play(words: list[str], folder: Path, workers: int) -> dict[str, Any]:
    """Play what is missing, and read what was found."""
    how = ["--json", "--out", str(folder), "--workers", str(workers)]
    done = subprocess.run(  # noqa: S603  (our own command)
        [sys.executable, "-m", "pleasance", *words, *how],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def write(words: list[str], found: dict[str, Any]) -> str:
    """Write the part of the file for one number of seats: rating and standard deviation."""
    lines = [f"# {found['games']} games: pleasance {' '.join(words)}", f"[{found['seats']}]"]
    for one in found["standings"]:
        kind, rating = one["player"].partition(":")[0], one["rating"]
        lines.append(f"{kind} = [{rating['mu']:.1f}, {rating['sigma']:.1f}]")
    return "\n".join(lines)


def main() -> None:
    """Rate at every table and print the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", choices=game_names())
    parser.add_argument("--results", type=Path, required=True, help="where runs are kept")
    parser.add_argument("--games", type=int, default=300, help="games for each number of seats")
    parser.add_argument("--workers", type=int, default=1, help="matches at the same time")
    given = parser.parse_args()
    parts = [f"{HEAD}\n# Made by: python benchmarks/ratings.py {given.game} --results kept"]
    for seats in find_game(given.game).spec.seats:
        words = command(given.game, seats, given.games)
        folder = given.results / f"{given.game}{seats}"
        parts.append(write(words, play(words, folder, given.workers)))
    sys.stdout.write("\n\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
