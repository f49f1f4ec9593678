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
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TypeAlias

sys.path.insert(0, str(Path(__file__).parent))

import cells
import crowd
from load import PATIENCE, saturate, serve

THEIRS = Path(__file__).with_name("boardgame_io")
Players: TypeAlias = Sequence[crowd.Guest | cells.Player]
Seating: TypeAlias = Callable[[crowd.Totals, int], Awaitable[Players]]
"""Seats players for a round of this number."""


@dataclass(slots=True)
class Rival:
    """One server and what it has done."""

    name: str
    pid: int
    seat: Seating
    rounds: list[float] = field(default_factory=list)
    """Choices a second in each round."""

    costs: list[float] = field(default_factory=list)
    """Microseconds of a core that the server spent on a choice, in each round."""

    sizes: list[float] = field(default_factory=list)
    """Bytes of a message, on average, in each round."""

    async def play(self, seconds: float) -> None:
        """Play one round at fresh tables."""
        totals = crowd.Totals()
        players = await self.seat(totals, len(self.rounds))
        spent = await saturate(players, totals, [self.pid], seconds=seconds)
        for player in players:
            player.leave()
        self.rounds.append(totals.choices / spent.seconds)
        self.costs.append(1e6 * spent.cpu / max(1, totals.choices))
        self.sizes.append(totals.bytes / max(1, totals.views))

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
            "bytes_a_message": round(statistics.mean(self.sizes)),
        }


@contextmanager
def serve_cells(port: int) -> Iterator[int]:
    """Run boardgame.io's server; give its process number."""
    node = shutil.which("node")
    if node is None or not (THEIRS / "node_modules").is_dir():
        raise SystemExit(f"first: npm ci --prefix {THEIRS}")
    environment = {**os.environ, "NODE_ENV": "production"}
    command = [node, "server.js", str(port), str(cells.CELLS)]
    process = subprocess.Popen(command, cwd=THEIRS, env=environment)  # noqa: S603  (our own command)
    try:
        _wait_for(port)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


def _wait_for(port: int) -> None:
    give_up = perf_counter() + PATIENCE
    while perf_counter() < give_up:
        try:
            socket.create_connection((crowd.HOST, port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("boardgame.io did not come up within a minute")


def find_port() -> int:
    """Find a port where nobody listens."""
    with socket.socket() as free:
        free.bind((crowd.HOST, 0))
        return int(free.getsockname()[1])


async def compare(ours: Rival, theirs: Rival, options: argparse.Namespace) -> None:
    """Let both play by turns and print what came of it."""
    for n in range(options.rounds):
        for rival in (ours, theirs) if n % 2 else (theirs, ours):
            await rival.play(options.seconds)
            print(f"{rival.name}: {rival.rounds[-1]:.0f}", file=sys.stderr, flush=True)
    pairs = [mine / other for mine, other in zip(ours.rounds, theirs.rounds, strict=True)]
    ratio = {
        "bench": "rivals_ratio",
        "unit": "times",
        "value": round(max(ours.rounds) / max(theirs.rounds), 2),
        "median": round(statistics.median(pairs), 2),
        "rounds": [round(pair, 2) for pair in pairs],
        "tables": options.tables,
    }
    for line in (ours.report(), theirs.report(), ratio):
        print(json.dumps(line), flush=True)


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each server and round")
    return parser.parse_args()


def main() -> None:
    """Start both servers, load them by turns, stop them."""
    options = read_options()
    here, there = find_port(), find_port()

    def sit_here(totals: crowd.Totals, _: int) -> Awaitable[Players]:
        return crowd.seat_all([here], options.tables, totals, bots=0)

    def sit_there(totals: crowd.Totals, n: int) -> Awaitable[Players]:
        return cells.seat_all(there, options.tables, totals, name=f"round{n}")

    with (
        tempfile.TemporaryDirectory() as folder,
        serve(f"sqlite:///{folder}/load.db", here) as pid,
        serve_cells(there) as other,
    ):
        ours = Rival("pleasance", pid, sit_here)
        theirs = Rival("boardgame.io", other, sit_there)
        try:
            import uvloop  # noqa: PLC0415  (not everywhere)
        except ImportError:
            asyncio.run(compare(ours, theirs, options))
        else:
            uvloop.run(compare(ours, theirs, options))


if __name__ == "__main__":
    main()
