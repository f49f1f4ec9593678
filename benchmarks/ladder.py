"""The ladder of players: measures whether each beats the one below it, in every configuration.

    python benchmarks/ladder.py --results kept --workers 2
    python benchmarks/ladder.py --results kept sakura 5

Each pair is a run of `pleasance arena`, kept in its own folder; the same command resumes it and
prints the table of docs/strength.md. A game and numbers of seats select a part of the table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple


class Rung(NamedTuple):
    """A player, the one below it, and the number of games to compare them."""

    player: str
    below: str
    games: int


LADDERS = {
    "sakura": (
        Rung("greedy", "random", 120),
        Rung("planner", "greedy", 600),
        Rung("flat:300", "planner", 180),
        Rung("ismcts:200", "flat:300", 60),
    ),
    "sanssouci": (
        Rung("greedy", "random", 120),
        Rung("planner", "greedy", 400),
        Rung("flat:100", "planner", 96),
        Rung("ismcts:100", "flat:100", 60),
    ),
}
TABLES = {"sakura": range(2, 7), "sanssouci": range(2, 5)}

HEAD = (
    "game",
    "seats",
    "player",
    "against",
    "games",
    "win share",
    "equals",
    "beats",
    "points",
)


class Pair(NamedTuple):
    """One row of the table."""

    game: str
    seats: int
    rung: Rung

    def find(self, results: Path) -> Path:
        """Return the folder of this pair."""
        name = f"{self.game}-{self.seats}-{self.rung.player}-{self.rung.below}"
        return results / name.replace(":", "_")


def list_pairs(game: str | None, seats: list[int]) -> Iterator[Pair]:
    """List the pairs of the table, or a part of them."""
    for name in [game] if game else LADDERS:
        for table in seats or TABLES[name]:
            for rung in LADDERS[name]:
                yield Pair(name, table, rung)


def play(pair: Pair, results: Path, workers: int) -> None:
    """Play the missing games of one pair, unless its report covers enough."""
    folder = pair.find(results)
    report = folder / "report.json"
    player, below, games = pair.rung
    if report.exists() and json.loads(report.read_text(encoding="utf-8"))["games"] >= games:
        return
    command = [sys.executable, "-m", "pleasance", "arena", pair.game, "--seats", str(pair.seats)]
    command += ["--players", f"{player},{below}", "--games", str(games), "--json"]
    command += ["--out", str(folder), "--workers", str(workers)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)  # noqa: S603  (our own command)
    report.write_text(done.stdout, encoding="utf-8")


def to_row(pair: Pair, report: dict[str, Any]) -> str:
    """Format one row of the table."""
    best = report["standings"][0]
    share, chance = best["win_share"], report["chance"]
    low, high = share["low"], share["high"]
    beats = "yes" if low > chance else "no" if high < chance else "open"
    cells = (
        pair.game,
        pair.seats,
        pair.rung.player,
        pair.rung.below,
        report["games"],
        f"{share['mean']:.1%} [{low:.1%}, {high:.1%}]",
        f"{chance:.1%}",
        beats,
        f"{best['score']['mean']:.1f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Play the missing games and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("game", nargs="?", choices=list(LADDERS))
    parser.add_argument("seats", nargs="*", type=int)
    parser.add_argument("--results", type=Path, required=True, help="where runs are kept")
    parser.add_argument("--workers", type=int, default=1, help="matches at the same time")
    options = parser.parse_args()
    lines = [f"| {' | '.join(HEAD)} |", f"|{'---|' * len(HEAD)}"]
    for pair in list_pairs(options.game, options.seats):
        play(pair, options.results, options.workers)
        report = (pair.find(options.results) / "report.json").read_text(encoding="utf-8")
        lines.append(to_row(pair, json.loads(report)))
        sys.stderr.write(lines[-1] + "\n")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
