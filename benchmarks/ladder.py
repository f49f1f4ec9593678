"""The ladders of players and levels: measures whether each beats the one below it.

    python benchmarks/ladder.py --results kept --workers 2 > reports.jsonl
    python benchmarks/ladder.py --results kept sakura 5

Each pair is a run of `pleasance arena`, kept in its own folder; the same command resumes it. Prints
one report a line, and on standard error the tables of docs/strength.md. A game and numbers of seats
select a part.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from pleasance.arena.plan import Plan, plan_to_json


class Rung(NamedTuple):
    """A player, the one below it, and the number of games to compare them."""

    player: str
    below: str
    games: int


Ladder: TypeAlias = Mapping[str, Sequence[Rung]]
"""The rungs of each game."""

PLAYERS: Final[Ladder] = {
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
LEVELS: Final[Ladder] = {
    "sakura": (
        Rung("apprentice", "random", 400),
        Rung("journeyman", "apprentice", 400),
        Rung("foreman", "journeyman", 400),
        Rung("headgardener", "foreman", 400),
        Rung("master:200", "headgardener", 400),
    ),
    "sanssouci": (
        Rung("apprentice", "random", 200),
        Rung("journeyman", "apprentice", 200),
        Rung("foreman", "journeyman", 200),
        Rung("headgardener", "foreman", 200),
        Rung("master:200", "headgardener", 100),
    ),
}
SEATS = {"sakura": range(2, 7), "sanssouci": range(2, 5)}
LEVEL_SEATS = (2,)


class Pair(NamedTuple):
    """One cell of a table."""

    game: str
    seats: int
    rung: Rung

    def find(self, results: Path) -> Path:
        """Return the folder of this pair."""
        name = f"{self.game}-{self.seats}-{self.rung.player}-{self.rung.below}"
        return results / name.replace(":", "_")


def play(pair: Pair, results: Path, workers: int) -> dict[str, Any]:
    """Play the missing games of one pair, unless its report covers enough; return the report.

    What an older program or other weights have played is moved aside, and all is played again.
    """
    report = pair.find(results) / "report.json"
    player, below, games = pair.rung
    kept = json.loads(report.read_text(encoding="utf-8")) if report.exists() else None
    if kept is not None and not is_current(kept, pair):
        report.parent.rename(f"{report.parent}-{kept['version']}-{kept['weights']}")
        kept = None
    if kept is None or kept["games"] < games:
        command = [sys.executable, "-m", "pleasance", "arena", pair.game, "--seats"]
        command += [str(pair.seats), "--players", f"{player},{below}", "--games", str(games)]
        command += ["--json", "--out", str(report.parent), "--workers", str(workers)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)  # noqa: S603  (our own command)
        report.write_text(done.stdout, encoding="utf-8")
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found


def is_current(report: Mapping[str, Any], pair: Pair) -> bool:
    """Return whether this program, with its weights and rules, would play what a report tells."""
    plan = Plan(game=pair.game, seats=pair.seats, players=(pair.rung.player, pair.rung.below))
    return all(report.get(name) == value for name, value in plan_to_json(plan).items())


def to_cell(report: Mapping[str, Any]) -> str:
    """Format the win share of the first player, in percent with its 95 % interval."""
    share = report["standings"][0]["win_share"]
    mean, low, high = (f"{100 * share[name]:.1f}" for name in ("mean", "low", "high"))
    return f"{mean} [{low}, {high}]"


def measure(
    ladder: Ladder, rows: Iterable[tuple[str, int]], results: Path, workers: int
) -> Iterator[dict[str, Any]]:
    """Play one ladder at each table; print its rows and yield the reports."""
    names = [rung.player.partition(":")[0] for rung in ladder["sakura"]]
    sys.stderr.write(f"| game | seats | {' | '.join(names)} |\n|---|--:|{'---|' * len(names)}\n")
    for game, seats in rows:
        reports = [play(Pair(game, seats, rung), results, workers) for rung in ladder[game]]
        yield from reports
        sys.stderr.write(f"| {game} | {seats} | {' | '.join(map(to_cell, reports))} |\n")


def main() -> None:
    """Play the missing games, print the reports and the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("game", nargs="?", choices=list(SEATS))
    parser.add_argument("seats", nargs="*", type=int)
    parser.add_argument("--results", type=Path, required=True, help="where runs are kept")
    parser.add_argument("--workers", type=int, default=1, help="matches at the same time")
    wanted = parser.parse_args()
    games = [wanted.game] if wanted.game else list(SEATS)
    rows = [(game, seats) for game in games for seats in wanted.seats or SEATS[game]]
    level_rows = [row for row in rows if row[1] in LEVEL_SEATS]
    for ladder, part in ((PLAYERS, rows), (LEVELS, level_rows)):
        for report in measure(ladder, part, wanted.results, wanted.workers):
            sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main()
