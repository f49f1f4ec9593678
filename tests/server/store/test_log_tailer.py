"""The log tailer reads new entries of many logs at once, and never returns stale logs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.log_tailer import LogRows, LogTailer

pytestmark = pytest.mark.anyio


class StubLogs:
    """Logs whose reads wait for the test."""

    def __init__(self) -> None:
        self.logs: dict[str, list[str]] = {}
        self.requests: list[dict[str, int]] = []
        self.gate = asyncio.Event()
        self.trouble: Exception | None = None

    async def read(self, known: Mapping[str, int]) -> dict[str, LogRows]:
        self.requests.append(dict(known))
        found: dict[str, LogRows] = {
            table: [(n, body, None) for n, body in enumerate(self.logs[table], 1) if n > count]
            for table, count in known.items()
            if table in self.logs
        }
        await self.gate.wait()
        if self.trouble is not None:
            raise self.trouble
        return found


async def test_what_is_asked_for_meanwhile_is_read_together() -> None:
    logs = StubLogs()
    logs.logs = {"a": ["a1"], "b": ["b1", "b2"], "c": []}
    follower = LogTailer(logs.read)
    first = asyncio.create_task(follower.read("a", 0))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    others = [
        asyncio.create_task(follower.read(table, known))
        for table, known in (("a", 1), ("b", 1), ("b", 0), ("c", 0), ("d", 0))
    ]
    await asyncio.sleep(0)
    logs.logs["a"].append("a2")
    logs.gate.set()
    assert await first == [(1, "a1", None)]
    assert await asyncio.gather(*others) == [
        [(2, "a2", None)],
        [(2, "b2", None)],
        [(1, "b1", None), (2, "b2", None)],
        [],
        [],
    ]
    assert logs.requests == [{"a": 0}, {"a": 1, "b": 0, "c": 0, "d": 0}]


async def test_an_error_reaches_all_waiting_readers_and_no_later_one() -> None:
    logs = StubLogs()
    logs.logs = {"a": ["a1"], "b": ["b1"]}
    logs.trouble = UnavailableError("storage_away")
    logs.gate.set()
    follower = LogTailer(logs.read)
    results = await asyncio.gather(
        follower.read("a", 0), follower.read("b", 0), return_exceptions=True
    )
    assert [type(each) for each in results] == [UnavailableError, UnavailableError]
    logs.trouble = None
    assert await follower.read("a", 0) == [(1, "a1", None)]


async def test_a_cancelled_waiter_blocks_no_answer() -> None:
    logs = StubLogs()
    logs.logs = {"a": ["a1"], "b": ["b1"]}
    follower = LogTailer(logs.read)
    gone = asyncio.create_task(follower.read("a", 0))
    stays = asyncio.create_task(follower.read("b", 0))
    await asyncio.sleep(0)
    gone.cancel()
    logs.gate.set()
    assert await stays == [(1, "b1", None)]
    with pytest.raises(asyncio.CancelledError):
        await gone
