"""Killed writers leave every acknowledged entry once, and no gap in a log."""

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
from support.rows import open_tables, read_log

KILLS = 30
APPENDING = Path(__file__).with_name("append_forever.py")


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


def run_one(process: subprocess.Popen[str], url: str, after: int) -> list[str]:
    """Run a child and kill it *after* this many acknowledgments; return all of them."""
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
def test_kills_lose_and_double_nothing(database_url: str, appending: subprocess.Popen[str]) -> None:
    rng = Random(4)
    ids = [f"t{n}" for n in range(8)]
    store = Store.open(database_url)
    open_tables(store, *ids)
    store.close()
    acknowledged: list[str] = []
    for _ in range(KILLS):
        acknowledged += run_one(appending, database_url, rng.randrange(120))
        store = Store.open(database_url)
        logs = {table: read_log(store, table) for table in ids}  # checks the numbers too
        store.close()
        written = [f"{table} {body}" for table, log in logs.items() for body in log]
        assert len(set(written)) == len(written)
        assert set(acknowledged) <= set(written)
        assert all(
            [int(body.split()[1]) for body in log] == list(range(1, len(log) + 1))
            for log in logs.values()
        )
    assert len(set(acknowledged)) == len(acknowledged) > 20 * KILLS
