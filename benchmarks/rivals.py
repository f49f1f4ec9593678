"""Choices a second of our server and of boardgame.io's, by turns in one run on one machine.

    npm ci --prefix benchmarks/boardgame_io
    python benchmarks/rivals.py

Both servers get as many tables with as many seats, and the same generator lets everybody choose as
soon as they may, over bare WebSockets. Ours carries out rules, writes what each seat may see and
has each choice on disk before anybody hears of it; theirs changes one cell of a board that all see,
in memory. Prints one JSON object a line: one for each server, then how many times ours does what
theirs does.
"""

# ruff: noqa: T201  (a script speaks by printing)

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import socket
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

sys.path.insert(0, str(Path(__file__).parent))

import cells
import crowd
from load import saturate, serve
from processes import running

THEIRS = Path(__file__).with_name("boardgame_io")
WARM_UP = 0.3
START = 4.0
"""Seconds that theirs runs before anything counts: it gets faster while it runs."""

PAUSE = 0.4
"""Seconds for what is under way to come to an end, before the other server's turn."""

Players: TypeAlias = Sequence[crowd.Guest | cells.Player]


@dataclass(slots=True)
class Rival:
    """One server, its players and what they have done."""

    name: str
    pid: int
    seat: Callable[[crowd.Totals], Awaitable[Players]]
    """Seats players at fresh tables."""

    totals: crowd.Totals = field(default_factory=crowd.Totals)
    players: Players = ()
    over: int = 0
    """Tables where the game had ended before the round did."""

    rounds: list[float] = field(default_factory=list)
    """Choices a second in each round."""

    costs: list[float] = field(default_factory=list)
    """Microseconds of a core that the server spent on a choice, in each round."""

    async def come(self) -> None:
        """Let players come, instead of those who were there."""
        for player in self.players:
            player.leave()
        self.players = await self.seat(self.totals)

    async def warm_up(self) -> None:
        """Play without counting."""
        await saturate(self.players, self.totals, [self.pid], seconds=0.0, warm_up=START)
        await asyncio.sleep(PAUSE)

    async def play(self, seconds: float) -> None:
        """Play one round."""
        totals, before = self.totals, self.totals.choices
        spent = await saturate(self.players, totals, [self.pid], seconds=seconds, warm_up=WARM_UP)
        choices = totals.choices - before
        self.rounds.append(choices / spent.seconds)
        self.costs.append(1e6 * spent.cpu / max(1, choices))
        self.over += len({each.desk for each in self.players if each.desk.is_over})
        await asyncio.sleep(PAUSE)

    def report(self) -> dict[str, object]:
        """Sum up all rounds."""
        return {
            "bench": "rivals",
            "server": self.name,
            "unit": "choices/s",
            "value": round(max(self.rounds)),
            "median": round(statistics.median(self.rounds)),
            "rounds": [round(value) for value in self.rounds],
            "server_us_a_choice": round(statistics.median(self.costs)),
            "messages_a_choice": round(self.totals.views / max(1, self.totals.choices), 2),
            "bytes_a_message": round(self.totals.bytes / max(1, self.totals.views)),
            "over": self.over,
        }


@contextmanager
def serve_cells(port: int) -> Iterator[int]:
    """Run boardgame.io's server; give its process number."""
    node = shutil.which("node")
    if node is None or not (THEIRS / "node_modules").is_dir():
        raise SystemExit(f"first: npm ci --prefix {THEIRS}")
    environment = {**os.environ, "NODE_ENV": "production"}
    command = [node, "server.js", str(port), str(cells.CELLS)]

    def look() -> None:
        socket.create_connection((crowd.HOST, port)).close()

    with running(command, look=look, env=environment, cwd=THEIRS) as pid:
        yield pid


def find_port() -> int:
    """Find a port where nobody listens."""
    with socket.socket() as free:
        free.bind((crowd.HOST, 0))
        return int(free.getsockname()[1])


async def compare(ours: Rival, theirs: Rival, options: argparse.Namespace) -> None:
    """Let both servers play by turns and print what came of it."""
    await theirs.come()
    await theirs.warm_up()
    for _ in range(options.sets):
        for rival in (ours, theirs):
            await rival.come()
        for n in range(options.rounds):
            for rival in (ours, theirs) if n % 2 else (theirs, ours):
                await rival.play(options.seconds)
                print(f"{rival.name}: {rival.rounds[-1]:.0f}", file=sys.stderr, flush=True)
    pairs = [mine / other for mine, other in zip(ours.rounds, theirs.rounds, strict=True)]
    ratio = {
        "bench": "rivals_ratio",
        "unit": "times",
        "value": round(statistics.median(pairs), 2),
        "best": round(max(ours.rounds) / max(theirs.rounds), 2),
        "rounds": [round(pair, 2) for pair in pairs],
        "tables": options.tables,
        "sockets": len(ours.players),
    }
    for line in (ours.report(), theirs.report(), ratio):
        print(json.dumps(line), flush=True)


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--sets", type=int, default=3, help="how often all sit down anew")
    parser.add_argument("--rounds", type=int, default=4, help="for each set")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each server and round")
    return parser.parse_args()


def main() -> None:
    """Start both servers, load them by turns, stop them."""
    options = read_options()
    here, there = find_port(), find_port()

    def sit_here(totals: crowd.Totals) -> Awaitable[Players]:
        return crowd.seat_all([here], options.tables, totals, bots=0)

    def sit_there(totals: crowd.Totals) -> Awaitable[Players]:
        return cells.seat_all(there, options.tables, totals)

    with (
        tempfile.TemporaryDirectory() as folder,
        serve(f"sqlite:///{folder}/load.db", here) as pid,
        serve_cells(there) as other,
    ):
        work = compare(
            Rival("pleasance", pid, sit_here), Rival("boardgame.io", other, sit_there), options
        )
        try:
            import uvloop  # noqa: PLC0415  (not everywhere)
        except ImportError:
            asyncio.run(work)
        else:
            uvloop.run(work)


if __name__ == "__main__":
    main()
