"""Faults: servers are killed with no warning while people play, and every promise must be kept.

    python benchmarks/faults.py --kills 500                one server, SQLite
    python benchmarks/faults.py --kills 100 --servers 2    two servers, a PostgreSQL of its own

Players over real WebSockets choose at random, resend what was not answered, and write down every
answer. Servers are killed (SIGKILL) while they start, under load, and just when they have answered;
each rises again at once. The kills go in rounds; at the end of each round all games are played out,
everybody must agree with everybody, and the database must hold each acknowledged request once, at
the number that was promised. Prints one JSON object for each round and one for all: `lost` and
`doubled` are counted in the logs, and the first broken promise ends it with an error that names the
seed. Needs the packages of the tests.
"""

# ruff: noqa: T201  (a script speaks by printing)

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.casino import Casino
from server.havoc import PARTIES, Havoc, wreak
from server.postgres import Cluster


@contextmanager
def find_database(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """Give the address of the database: the one that was named, or a fresh one."""
    if options.database:
        yield options.database
    elif options.servers == 1:
        yield f"sqlite:///{folder / 'faults.db'}"
    else:
        cluster = Cluster()
        try:
            cluster.execute("CREATE DATABASE faults")
            yield cluster.url("faults")
        finally:
            cluster.close()


def tell(done: int, casino: Casino) -> None:
    """Say now and then how far it is."""
    if done % 10 == 0:
        print(f"{done} kills, {casino.ledger.choices} choices", file=sys.stderr, flush=True)


def report(name: str, havoc: Havoc, seconds: float, facts: dict[str, object]) -> None:
    """Print one line of JSON."""
    line = {
        "bench": name,
        "unit": "kills",
        "value": havoc.kills.total(),
        "moments": dict(havoc.kills),
        **havoc.facts,
        "seconds": round(seconds, 1),
        "start_seconds_median": round(median(havoc.starts), 2),
        "start_seconds_max": round(max(havoc.starts), 2),
        **facts,
    }
    print(json.dumps(line), flush=True)


def add(total: Havoc, havoc: Havoc) -> None:
    """Add what came of one round to what came of all."""
    total.kills += havoc.kills
    total.starts += havoc.starts
    for name, value in havoc.facts.items():
        if isinstance(value, dict):
            total.facts[name] = dict(Counter(total.facts.get(name, {})) + Counter(value))
        else:
            total.facts[name] = total.facts.get(name, 0) + value


def run(options: argparse.Namespace, database: str, folder: Path) -> None:
    """Wreak havoc in rounds, on one and the same database."""
    kind = "sqlite" if database.startswith("sqlite") else "postgres"
    started, total, seed = perf_counter(), Havoc(), options.seed
    while (left := options.kills - total.kills.total()) > 0:
        if perf_counter() - started > options.seconds:
            print("the time is up", file=sys.stderr)
            break
        begun, log = perf_counter(), folder / "log"
        kills = min(left, options.round)
        # Servers that share a database leave bots to workers, and there is none here.
        parties = PARTIES if kind == "sqlite" else tuple(p for p in PARTIES if p.bot is None)
        plan = {"seed": seed, "servers": options.servers, "parties": parties}
        work = wreak(database, log, kills=kills, tell=tell, **plan)
        havoc = asyncio.run(work)
        report(f"server_kills_{kind}_round", havoc, perf_counter() - begun, {"seed": seed})
        add(total, havoc)
        seed += 1
    facts: dict[str, object] = {"servers": options.servers, "wanted": options.kills}
    report(f"server_kills_{kind}", total, perf_counter() - started, facts)


def main() -> None:
    """Read the command line and begin."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--servers", type=int, default=1, help="2 for PostgreSQL")
    parser.add_argument("--database", help="postgresql://…; else a fresh one")
    parser.add_argument("--round", type=int, default=50, help="kills between two checks")
    parser.add_argument("--seconds", type=float, default=1800.0, help="begin no round after that")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, find_database(options, Path(folder)) as database:
        run(options, database, Path(folder))


if __name__ == "__main__":
    main()
