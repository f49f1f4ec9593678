"""Compares choices a second of our server and of boardgame.io's, alternately on one machine.

    npm ci --prefix benchmarks/boardgame_io
    python benchmarks/server_comparison.py

Both servers get the same number of tables and seats, and the same generator chooses as soon as it
can, over bare WebSockets. Ours executes rules, serializes views for all seats and syncs a choice to
disk before it is visible; theirs changes one cell of a shared board in memory. Prints one JSON
object a line: one for each server, then their ratio.
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

import boardgame_io_clients
from load import saturate, serve
from load_clients import HOST, Client, Counters, seat_all
from processes import running

THEIRS = Path(__file__).with_name("boardgame_io")
WARM_UP_S = 0.3
START_UP_S = 4.0
"""The warm-up of their server, which gets faster while it runs."""

SETTLE_TIME_S = 0.4
"""The time for pending requests to finish before the other server's turn."""

Players: TypeAlias = Sequence[Client | boardgame_io_clients.Player]


@dataclass(slots=True)
class TestedServer:
    """One benchmarked server, its players and its results."""

    name: str
    pid: int
    seat: Callable[[Counters], Awaitable[Players]]
    """Seats players at fresh tables."""

    counters: Counters = field(default_factory=Counters)
    players: Players = ()
    over: int = 0
    """The number of tables whose game ended before the round."""

    rounds: list[float] = field(default_factory=list)
    """Choices a second in each round."""

    costs: list[float] = field(default_factory=list)
    """The processor microseconds of the server for a choice, in each round."""

    async def seat_players(self) -> None:
        """Replace the players by new ones."""
        for player in self.players:
            player.leave()
        self.players = await self.seat(self.counters)

    async def warm_up(self) -> None:
        """Play without counting."""
        await saturate(self.players, self.counters, [self.pid], seconds=0.0, warm_up=START_UP_S)
        await asyncio.sleep(SETTLE_TIME_S)

    async def play(self, seconds: float) -> None:
        """Play one round."""
        counters, before = self.counters, self.counters.choices
        used = await saturate(
            self.players, counters, [self.pid], seconds=seconds, warm_up=WARM_UP_S
        )
        choices = counters.choices - before
        self.rounds.append(choices / used.seconds)
        self.costs.append(1e6 * used.cpu / max(1, choices))
        self.over += len({each.table for each in self.players if each.table.is_over})
        await asyncio.sleep(SETTLE_TIME_S)

    def report(self) -> dict[str, object]:
        """Summarize all rounds."""
        return {
            "bench": "server_comparison",
            "server": self.name,
            "unit": "choices/s",
            "value": round(max(self.rounds)),
            "median": round(statistics.median(self.rounds)),
            "rounds": [round(value) for value in self.rounds],
            "server_us_a_choice": round(statistics.median(self.costs)),
            "messages_a_choice": round(self.counters.views / max(1, self.counters.choices), 2),
            "bytes_a_message": round(self.counters.bytes / max(1, self.counters.views)),
            "over": self.over,
        }


@contextmanager
def serve_cells(port: int) -> Iterator[int]:
    """Run boardgame.io's server; yield its process id."""
    node = shutil.which("node")
    if node is None or not (THEIRS / "node_modules").is_dir():
        raise SystemExit(f"first: npm ci --prefix {THEIRS}")
    environment = {**os.environ, "NODE_ENV": "production"}
    command = [node, "server.js", str(port), str(boardgame_io_clients.CELLS)]

    def probe() -> None:
        socket.create_connection((HOST, port)).close()

    with running(command, probe=probe, env=environment, cwd=THEIRS) as pid:
        yield pid


def find_port() -> int:
    """Find a free port."""
    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])


async def compare(ours: TestedServer, theirs: TestedServer, options: argparse.Namespace) -> None:
    """Load both servers alternately and print the results."""
    await theirs.seat_players()
    await theirs.warm_up()
    for _ in range(options.sets):
        for server in (ours, theirs):
            await server.seat_players()
        for n in range(options.rounds):
            for server in (ours, theirs) if n % 2 else (theirs, ours):
                await server.play(options.seconds)
                print(f"{server.name}: {server.rounds[-1]:.0f}", file=sys.stderr, flush=True)
    pairs = [mine / other for mine, other in zip(ours.rounds, theirs.rounds, strict=True)]
    ratio = {
        "bench": "server_comparison_ratio",
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
    parser.add_argument("--sets", type=int, default=3, help="how often all tables are replaced")
    parser.add_argument("--rounds", type=int, default=4, help="for each set")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each server and round")
    return parser.parse_args()


def main() -> None:
    """Start both servers, load them alternately, stop them."""
    options = read_options()
    here, there = find_port(), find_port()

    def sit_here(counters: Counters) -> Awaitable[Players]:
        return seat_all([here], options.tables, counters, bots=0)

    def sit_there(counters: Counters) -> Awaitable[Players]:
        return boardgame_io_clients.seat_all(there, options.tables, counters)

    with (
        tempfile.TemporaryDirectory() as folder,
        serve(f"sqlite:///{folder}/load.db", here) as pid,
        serve_cells(there) as other,
    ):
        work = compare(
            TestedServer("pleasance", pid, sit_here),
            TestedServer("boardgame.io", other, sit_there),
            options,
        )
        try:
            import uvloop  # noqa: PLC0415  (not everywhere)
        except ImportError:
            asyncio.run(work)
        else:
            uvloop.run(work)


if __name__ == "__main__":
    main()
