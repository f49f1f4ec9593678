"""Measure the synced appends a second of the store, on SQLite and on PostgreSQL.

Each client appends one entry to the log of its own table, waits for the sync and appends the next.
All clients share one process, so that concurrent appends form a group commit. Processor time is
that of the whole process, clients included, and of the event loop's thread alone. Prints one JSON
object a line.

    python benchmarks/store.py [--seconds 2] [--folder DIR] [--postgres URL]

Without a URL it starts a PostgreSQL of its own, as in the tests.
"""
# ruff: noqa: T201  (a script speaks by printing)

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from sqlalchemy import Connection, insert

from pleasance.server.store.appends import Append, NewEntry
from pleasance.server.store.meta import new_id
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.store import Store

CLIENTS = (1, 64, 256)
BODY = json.dumps({"kind": "choose", "seat": 1, "ply": 12, "token": "a5", "at": 1750000000.25})
PLAN = json.dumps({"secret": "0" * 64, "options": ["x" * 20] * 20})


def say(**facts: object) -> None:
    """Print one JSON object."""
    print(json.dumps(facts), flush=True)


def measure_sync(folder: Path, size: int, times: int = 200) -> None:
    """Measure the time to sync *size* bytes appended to a file."""
    taken = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(times):
            file.write(os.urandom(size))
            file.flush()
            start = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - start)
    taken.sort()
    slow = taken[int(0.99 * times)]
    say(what="fsync", bytes=size, median_us=round(1e6 * median(taken)), p99_us=round(1e6 * slow))


def open_tables(connection: Connection, ids: list[str]) -> None:
    """Insert tables like those of real games."""
    facts = {"config": PLAN, "game": "sakura", "seats": 4, "is_public": True, "is_rated": False}
    times = {"created_at": 0.0, "changed_at": 0.0, "due_at": None, "waits_for_bot": False}
    rows = [
        {"id": table, "owner": "x", "status": "running", "seq": 0, **facts, **times}
        for table in ids
    ]
    connection.execute(insert(tables), rows)


async def run_clients(store: Store, clients: int, seconds: float) -> dict[str, object]:
    """Let clients append for a time; return the results."""
    ids = [new_id() for _ in range(clients)]
    await store.write(lambda connection: open_tables(connection, ids))
    taken: list[float] = []
    end = time.perf_counter() + seconds

    async def play(table: str) -> None:
        known, now = 0, time.perf_counter()
        while now < end:
            facts = {"status": "running", "changed_at": now, "due_at": now, "waits_for_bot": True}
            await store.append(Append(table, known, (NewEntry(BODY, f"{table}:{known}"),), facts))
            known, before, now = known + 1, now, time.perf_counter()
            taken.append(now - before)

    start, all_threads, this_thread = time.perf_counter(), time.process_time(), time.thread_time()
    await asyncio.gather(*(play(table) for table in ids))
    wall = time.perf_counter() - start
    all_threads, this_thread = time.process_time() - all_threads, time.thread_time() - this_thread
    taken.sort()
    return {
        "clients": clients,
        "appends_per_second": round(len(taken) / wall),
        "median_ms": round(1e3 * median(taken), 2),
        "p99_ms": round(1e3 * taken[int(0.99 * len(taken))], 2),
        "cpu_us": round(1e6 * all_threads / len(taken), 1),
        "loop_cpu_us": round(1e6 * this_thread / len(taken), 1),
    }


@contextmanager
def find_postgres(url: str | None) -> Iterator[str]:
    """Yield the URL of a PostgreSQL database; start a server if none is given."""
    if url is not None:
        yield url
        return
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from support.postgres import Cluster  # noqa: PLC0415  (only where it is needed)

    cluster = Cluster()
    try:
        with cluster.database() as fresh:
            yield fresh
    finally:
        cluster.close()


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each number")
    parser.add_argument("--folder", type=Path, help="where the file goes; its disk is measured")
    parser.add_argument("--postgres", metavar="URL", help="an empty database")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for size in (4096, 65536):
            measure_sync(Path(folder), size)
        with find_postgres(options.postgres) as postgres:
            for url in (f"sqlite:///{folder}/pleasance.db", postgres):
                store = Store.open(url)
                for clients in CLIENTS:
                    numbers = asyncio.run(run_clients(store, clients, options.seconds))
                    say(what="append", database=url.split(":")[0], **numbers)
                store.close()


if __name__ == "__main__":
    main()
