"""The load test of the server: choices a second and latencies at many tables, with a synced log.

    python benchmarks/load.py                              embedded
    python benchmarks/load.py --database postgresql://…    two servers on one database

Starts its own servers on loopback, seats players over WebSockets at tables with two to four seats,
and prints one JSON object a line. With `saturated` all players choose as soon as they can, with
`paced` at a fixed rate while bots search at some of the tables. Generator, servers and database
share the machine. The latency of a choice ends when the last player of its table has the new view.
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

from load_clients import HOST, Client, Counters, LoadPlayer, seat_all
from processes import running

FIRST_PORT = 18040
WARM_UP_S = 1.0


@contextmanager
def serve(database: str, port: int) -> Iterator[int]:
    """Run one server with one bot process; yield its process id."""
    environment = {
        **os.environ,
        "PLEASANCE_LIMITS_FACTOR": "0",
        "PLEASANCE_LOG_LEVEL": "error",
        "PLEASANCE_BOT_PROCESSES": "1",
    }
    command = [sys.executable, "-m", "pleasance", "serve", "--no-browser"]
    command += ["--port", str(port), "--database", database]
    ready = f"http://{HOST}:{port}/health/ready"
    with running(command, probe=lambda: urlopen(ready).close(), env=environment) as pid:
        yield pid


@contextmanager
def work(database: str) -> Iterator[None]:
    """Run one worker for the bots of servers that share a database."""
    command = [sys.executable, "-m", "pleasance", "worker", "--database", database]
    command += ["--processes", "1"]
    with running(command, probe=lambda: None):
        yield


@dataclass(slots=True)
class ResourceUse:
    """The resources used by a measurement."""

    seconds: float = 0.0
    cpu: float = 0.0
    """The processor seconds of the servers."""


@contextmanager
def counting(counters: Counters, pids: Sequence[int]) -> Iterator[ResourceUse]:
    """Activate the counters during the context."""
    used, cpu_before, started = ResourceUse(), measure_cpu(pids), perf_counter()
    counters.is_counting = True
    yield used
    counters.is_counting = False
    used.seconds, used.cpu = perf_counter() - started, measure_cpu(pids) - cpu_before


async def saturate(
    clients: Sequence[LoadPlayer],
    counters: Counters,
    pids: Sequence[int],
    *,
    seconds: float,
    warm_up: float = WARM_UP_S,
) -> ResourceUse:
    """Let all players choose as soon as they can."""
    for client in clients:
        client.is_eager = True
        if client.ready:
            client.choose()
    await asyncio.sleep(warm_up)
    with counting(counters, pids) as used:
        await asyncio.sleep(seconds)
    for client in clients:
        client.is_eager = False
    return used


async def pace(
    clients: list[Client],
    counters: Counters,
    pids: Sequence[int],
    *,
    seconds: float,
    rate: float,
) -> ResourceUse:
    """Let players choose at a fixed rate; wait a moment for the last views."""
    rng, done, started = Random(2), 0, perf_counter()
    with counting(counters, pids) as used:
        while (now := perf_counter() - started) < seconds:
            while done < now * rate:
                some = rng.sample(clients, min(len(clients), 200))
                ready = next((client for client in some if client.ready), None)
                if ready is None:
                    break
                ready.choose()
                done += 1
            await asyncio.sleep(0.002)
        await asyncio.sleep(WARM_UP_S)
    used.seconds = seconds
    return used


def is_compiled(port: int) -> bool:
    """Read from a server's metrics whether its modules are compiled."""
    with urlopen(f"http://{HOST}:{port}/metrics") as answer:
        match = re.search(
            r'^pleasance_build_info{.*compiled="(\w+)"', answer.read().decode(), re.MULTILINE
        )
    assert match, "a server tells what it is"
    return match[1] == "yes"


def measure_memory(pids: Sequence[int]) -> int:
    """Return the resident bytes of processes."""
    texts = [Path(f"/proc/{pid}/status").read_text(encoding="ascii") for pid in pids]
    found = [re.search(r"VmRSS:\s+(\d+)", text) for text in texts]
    return sum(int(match[1]) * 1024 for match in found if match)


def measure_cpu(pids: Sequence[int]) -> float:
    """Return the processor seconds used by processes."""
    texts = [Path(f"/proc/{pid}/stat").read_text(encoding="ascii") for pid in pids]
    fields = [text.rsplit(")", 1)[1].split() for text in texts]
    return sum(int(field[11]) + int(field[12]) for field in fields) / os.sysconf("SC_CLK_TCK")


def report(name: str, counters: Counters, used: ResourceUse, facts: dict[str, object]) -> None:
    """Print one line of JSON."""
    latencies, elapsed = sorted(counters.latencies), used.seconds

    def pick(share: float) -> float | None:
        return round(1000 * latencies[int(share * (len(latencies) - 1))], 2) if latencies else None

    line = {
        "bench": name,
        "unit": "choices/s",
        "value": round(counters.choices / elapsed, 1),
        "ms_p50": pick(0.5),
        "ms_p95": pick(0.95),
        "ms_p99": pick(0.99),
        "ms_max": pick(1.0),
        "messages_per_second": round(counters.views / elapsed),
        "megabytes_per_second": round(counters.bytes / elapsed / 1e6, 2),
        "refused": counters.refused,
        "server_cores": round(used.cpu / elapsed, 2),
        "server_us_a_choice": round(1e6 * used.cpu / max(1, counters.choices)),
        **facts,
    }
    print(json.dumps(line), flush=True)


async def measure(options: argparse.Namespace, ports: list[int], pids: list[int]) -> None:
    """Run the selected measurements."""
    kind = "postgres" if options.database else "embedded"
    for name in options.measure:
        empty, counters = measure_memory(pids), Counters()
        is_paced = name == "paced"
        tables = options.paced_tables if is_paced else options.tables
        clients = await seat_all(ports, tables, counters, bots=options.bots if is_paced else 0)
        print(f"{name}: {len(clients)} players at {tables} tables", file=sys.stderr, flush=True)
        held = measure_memory(pids) - empty
        if is_paced:
            span = {"seconds": options.seconds, "rate": options.rate}
            used = await pace(clients, counters, pids, **span)
        else:
            used = await saturate(clients, counters, pids, seconds=options.seconds)
        facts: dict[str, object] = {
            "tables": tables,
            "sockets": len(clients),
            "servers": len(ports),
            "is_compiled": is_compiled(ports[0]),
            "kilobytes_a_table": round(held / 1024 / tables, 1),
            "kilobytes_a_socket": round(held / 1024 / len(clients), 1),
            "over": len({client.table for client in clients if client.table.is_over}),
        }
        report(f"server_{name}_{kind}", counters, used, facts)
        for client in clients:
            client.leave()


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--database", help="postgresql://…; else SQLite in a temporary folder")
    parser.add_argument("--servers", type=int, default=0, help="1, or 2 on PostgreSQL")
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--paced-tables", type=int, default=375)
    parser.add_argument("--rate", type=float, default=200.0, help="choices a second, for paced")
    parser.add_argument("--bots", type=int, default=100, help="tables with a bot, for paced")
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
