"""Fault injection: servers are killed under load, and no acknowledged request may get lost.

    python benchmarks/faults.py --kills 500                one server, SQLite
    python benchmarks/faults.py --kills 100 --servers 2    two servers, a PostgreSQL of its own

Players over real WebSockets choose at random, resend unanswered requests and record every answer.
Servers are killed (SIGKILL) while they start, under load and just after an answer; each restarts at
once. Each round ends with all games played out: all clients must agree, and the database must
contain each acknowledged request once, at its acknowledged number. Prints one JSON object for each
round and one for all, with `lost` and `doubled` counted in the logs. The first violation ends it
with an error that names the seed. Needs the packages of the tests.
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

from support.chaos.clients import ClientPool
from support.chaos.killer import GROUPS, KillReport, kill_servers
from support.postgres import Cluster


@contextmanager
def find_database(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """Provide the URL of the named database, or of a fresh one."""
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


def on_kill(done: int, pool: ClientPool) -> None:
    """Print progress every ten kills."""
    if done % 10 == 0:
        print(f"{done} kills, {pool.request_log.choices} choices", file=sys.stderr, flush=True)


def report(name: str, result: KillReport, seconds: float, facts: dict[str, object]) -> None:
    """Print one line of JSON."""
    line = {
        "bench": name,
        "unit": "kills",
        "value": result.kills.total(),
        "moments": dict(result.kills),
        **result.facts,
        "seconds": round(seconds, 1),
        "start_seconds_median": round(median(result.start_times), 2),
        "start_seconds_max": round(max(result.start_times), 2),
        **facts,
    }
    print(json.dumps(line), flush=True)


def add(total: KillReport, result: KillReport) -> None:
    """Add the result of one round to the total."""
    total.kills += result.kills
    total.start_times += result.start_times
    for name, value in result.facts.items():
        if isinstance(value, dict):
            total.facts[name] = dict(Counter(total.facts.get(name, {})) + Counter(value))
        else:
            total.facts[name] = total.facts.get(name, 0) + value


def run(options: argparse.Namespace, database: str, folder: Path) -> None:
    """Kill servers in rounds, on one and the same database."""
    kind = "sqlite" if database.startswith("sqlite") else "postgres"
    started, total, seed = perf_counter(), KillReport(), options.seed
    while (left := options.kills - total.kills.total()) > 0:
        if perf_counter() - started > options.seconds:
            print("the time is up", file=sys.stderr)
            break
        begun, log = perf_counter(), folder / "log"
        kills = min(left, options.round)
        # Servers that share a database leave bots to workers, and there is none here.
        groups = GROUPS if kind == "sqlite" else tuple(p for p in GROUPS if p.bot is None)
        plan = {"seed": seed, "servers": options.servers, "groups": groups}
        work = kill_servers(database, log, kills=kills, on_kill=on_kill, **plan)
        result = asyncio.run(work)
        report(f"server_kills_{kind}_round", result, perf_counter() - begun, {"seed": seed})
        add(total, result)
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
