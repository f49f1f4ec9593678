"""Load on a server: many tables, full views, the log synced to disk; how many choices a second.

    python benchmarks/load.py                              embedded
    python benchmarks/load.py --database postgresql://…    two servers on one database

Starts its own servers on loopback, seats players over WebSockets at tables with two to four seats,
and prints one JSON object a line: `saturated` lets everybody choose as soon as they may, `paced`
so many times a second while bots think at some of the tables. Generator, servers and database
share the machine. Latency is from sending a choice until the last player of its table has the view
after it.
"""

# ruff: noqa: T201  (a script speaks by printing)

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parent))

from crowd import HOST, Chooser, Guest, Totals, seat_all
from processes import running

FIRST_PORT = 18040
WARM_UP = 1.0


@contextmanager
def serve(database: str, port: int) -> Iterator[int]:
    """Run one server with one process for bots; give its process number."""
    environment = {
        **os.environ,
        "PLEASANCE_LIMITS_FACTOR": "0",
        "PLEASANCE_LOG_LEVEL": "error",
        "PLEASANCE_BOT_PROCESSES": "1",
    }
    command = [sys.executable, "-m", "pleasance", "serve", "--no-browser"]
    command += ["--port", str(port), "--database", database]
    ready = f"http://{HOST}:{port}/health/ready"
    with running(command, look=lambda: urlopen(ready).close(), env=environment) as pid:
        yield pid


@contextmanager
def work(database: str) -> Iterator[None]:
    """Run one worker for the bots of servers that share a database."""
    command = [sys.executable, "-m", "pleasance", "worker", "--database", database]
    command += ["--processes", "1"]
    with running(command, look=lambda: None):
        yield


@dataclass(slots=True)
class Spent:
    """What a measurement took."""

    seconds: float = 0.0
    cpu: float = 0.0
    """Seconds of a core that the servers used."""


@contextmanager
def counting(totals: Totals, pids: Sequence[int]) -> Iterator[Spent]:
    """Count what happens meanwhile."""
    spent, used, started = Spent(), measure_cpu(pids), perf_counter()
    totals.is_counting = True
    yield spent
    totals.is_counting = False
    spent.seconds, spent.cpu = perf_counter() - started, measure_cpu(pids) - used


async def saturate(
    guests: Sequence[Chooser],
    totals: Totals,
    pids: Sequence[int],
    *,
    seconds: float,
    warm_up: float = WARM_UP,
) -> Spent:
    """Let everybody choose as soon as they may."""
    for guest in guests:
        guest.is_eager = True
        if guest.ready:
            guest.choose()
    await asyncio.sleep(warm_up)
    with counting(totals, pids) as spent:
        await asyncio.sleep(seconds)
    for guest in guests:
        guest.is_eager = False
    return spent


async def pace(
    guests: list[Guest], totals: Totals, pids: Sequence[int], *, seconds: float, rate: float
) -> Spent:
    """Let somebody choose so many times a second; wait a moment for the last views."""
    rng, done, started = Random(2), 0, perf_counter()
    with counting(totals, pids) as spent:
        while (now := perf_counter() - started) < seconds:
            while done < now * rate:
                some = rng.sample(guests, min(len(guests), 200))
                ready = next((guest for guest in some if guest.ready), None)
                if ready is None:
                    break
                ready.choose()
                done += 1
            await asyncio.sleep(0.002)
        await asyncio.sleep(WARM_UP)
    spent.seconds = seconds
    return spent


def is_compiled(port: int) -> bool:
    """Ask a server whether its busiest modules run compiled; `native run` says nothing of it."""
    with urlopen(f"http://{HOST}:{port}/metrics") as answer:
        told = re.search(
            r'^pleasance_build_info{.*compiled="(\w+)"', answer.read().decode(), re.MULTILINE
        )
    assert told, "a server tells what it is"
    return told[1] == "yes"


def measure_memory(pids: Sequence[int]) -> int:
    """Tell how many bytes processes hold."""
    texts = [Path(f"/proc/{pid}/status").read_text(encoding="ascii") for pid in pids]
    found = [re.search(r"VmRSS:\s+(\d+)", text) for text in texts]
    return sum(int(match[1]) * 1024 for match in found if match)


def measure_cpu(pids: Sequence[int]) -> float:
    """Tell how many seconds of a core processes have used."""
    texts = [Path(f"/proc/{pid}/stat").read_text(encoding="ascii") for pid in pids]
    fields = [text.rsplit(")", 1)[1].split() for text in texts]
    return sum(int(field[11]) + int(field[12]) for field in fields) / os.sysconf("SC_CLK_TCK")


def report(name: str, totals: Totals, spent: Spent, facts: dict[str, object]) -> None:
    """Print one line of JSON."""
    late, elapsed = sorted(totals.latencies), spent.seconds

    def pick(share: float) -> float | None:
        return round(1000 * late[int(share * (len(late) - 1))], 2) if late else None

    line = {
        "bench": name,
        "unit": "choices/s",
        "value": round(totals.choices / elapsed, 1),
        "ms_p50": pick(0.5),
        "ms_p95": pick(0.95),
        "ms_p99": pick(0.99),
        "ms_max": pick(1.0),
        "messages_per_second": round(totals.views / elapsed),
        "megabytes_per_second": round(totals.bytes / elapsed / 1e6, 2),
        "refused": totals.refused,
        "server_cores": round(spent.cpu / elapsed, 2),
        "server_us_a_choice": round(1e6 * spent.cpu / max(1, totals.choices)),
        **facts,
    }
    print(json.dumps(line), flush=True)


async def measure(options: argparse.Namespace, ports: list[int], pids: list[int]) -> None:
    """Measure what was asked for."""
    kind = "postgres" if options.database else "embedded"
    for name in options.measure:
        empty, totals = measure_memory(pids), Totals()
        is_paced = name == "paced"
        tables = options.paced_tables if is_paced else options.tables
        guests = await seat_all(ports, tables, totals, bots=options.bots if is_paced else 0)
        print(f"{name}: {len(guests)} players at {tables} tables", file=sys.stderr, flush=True)
        held = measure_memory(pids) - empty
        if is_paced:
            span = {"seconds": options.seconds, "rate": options.rate}
            spent = await pace(guests, totals, pids, **span)
        else:
            spent = await saturate(guests, totals, pids, seconds=options.seconds)
        facts: dict[str, object] = {
            "tables": tables,
            "sockets": len(guests),
            "servers": len(ports),
            "is_compiled": is_compiled(ports[0]),
            "kilobytes_a_table": round(held / 1024 / tables, 1),
            "kilobytes_a_socket": round(held / 1024 / len(guests), 1),
            "over": len({guest.desk for guest in guests if guest.desk.is_over}),
        }
        report(f"server_{name}_{kind}", totals, spent, facts)
        for guest in guests:
            guest.leave()


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--database", help="postgresql://…; else SQLite in a temporary folder")
    parser.add_argument("--servers", type=int, default=0, help="1, or 2 on PostgreSQL")
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--paced-tables", type=int, default=375)
    parser.add_argument("--rate", type=float, default=200.0, help="choices a second, for paced")
    parser.add_argument(
        "--bots", type=int, default=100, help="tables where a bot thinks, for paced"
    )
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--measure", nargs="*", default=["saturated", "paced"])
    return parser.parse_args()


def main() -> None:
    """Start servers, load them, stop them."""
    options = read_options()
    count = options.servers or (2 if options.database else 1)
    ports = [FIRST_PORT + n for n in range(count)]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        database = options.database or f"sqlite:///{folder}/load.db"
        pids = [stack.enter_context(serve(database, port)) for port in ports]
        if options.database:
            stack.enter_context(work(database))
        try:
            import uvloop  # noqa: PLC0415  (not everywhere)
        except ImportError:
            asyncio.run(measure(options, ports, pids))
        else:
            uvloop.run(measure(options, ports, pids))


if __name__ == "__main__":
    main()
