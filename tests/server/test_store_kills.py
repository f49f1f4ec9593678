"""Kill -9 at any moment: what was acknowledged is there, nothing is doubled, no log has a gap."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from pleasance.server.store.store import Store
from server.stores import log_of, open_tables

KILLS = 30
APPENDING = Path(__file__).parent / "appending.py"


@pytest.fixture
def appending() -> Iterator[subprocess.Popen[str]]:
    """Start the process that makes children to be killed."""
    with subprocess.Popen(
        [sys.executable, str(APPENDING)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield process
        assert process.stdin
        process.stdin.close()


def let_one_work(process: subprocess.Popen[str], url: str, after: int) -> list[str]:
    """Let a child work and kill it *after* so many acknowledgements; give all of them."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{url}\n")
    process.stdin.flush()
    acknowledged: list[str] = []
    child = None
    for line in process.stdout:
        word, _, rest = line.strip().partition(" ")
        if word == "gone":
            return acknowledged
        if word == "child":
            child = int(rest)
        else:
            acknowledged.append(line.strip())
        if child is not None and len(acknowledged) >= after:
            os.kill(child, signal.SIGKILL)
            child = None  # what it said before may still follow
    raise AssertionError("the process has ended")


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_and_doubles_nothing(
    database_url: str, appending: subprocess.Popen[str]
) -> None:
    rng = Random(4)
    ids = [f"t{n}" for n in range(8)]
    store = Store.open(database_url)
    open_tables(store, *ids)
    store.close()
    acknowledged: list[str] = []
    for _ in range(KILLS):
        acknowledged += let_one_work(appending, database_url, rng.randrange(120))
        store = Store.open(database_url)
        logs = {table: log_of(store, table) for table in ids}  # checks the numbers too
        store.close()
        written = [f"{table} {body}" for table, log in logs.items() for body in log]
        assert len(set(written)) == len(written)
        assert set(acknowledged) <= set(written)
        assert all(
            [int(body.split()[1]) for body in log] == list(range(1, len(log) + 1))
            for log in logs.values()
        )
    assert len(set(acknowledged)) == len(acknowledged) > 20 * KILLS
