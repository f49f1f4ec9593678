"""What is new in logs is read together; nobody is told less than was written when they asked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.log_tailer import Follower, Lines


class Shelf:
    """Logs that are read when somebody lets them be."""

    def __init__(self) -> None:
        self.logs: dict[str, list[str]] = {}
        self.asked: list[dict[str, int]] = []
        self.gate = asyncio.Event()
        self.trouble: Exception | None = None

    async def read(self, known: Mapping[str, int]) -> dict[str, Lines]:
        self.asked.append(dict(known))
        found: dict[str, Lines] = {
            table: [(n, body, None) for n, body in enumerate(self.logs[table], 1) if n > count]
            for table, count in known.items()
            if table in self.logs
        }
        await self.gate.wait()
        if self.trouble is not None:
            raise self.trouble
        return found


def test_what_is_asked_for_meanwhile_is_read_together() -> None:
    async def ask() -> None:
        shelf = Shelf()
        shelf.logs = {"a": ["a1"], "b": ["b1", "b2"], "c": []}
        follower = Follower(shelf.read)
        first = asyncio.create_task(follower.read("a", 0))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        others = [
            asyncio.create_task(follower.read(table, known))
            for table, known in (("a", 1), ("b", 1), ("b", 0), ("c", 0), ("d", 0))
        ]
        await asyncio.sleep(0)
        shelf.logs["a"].append("a2")
        shelf.gate.set()
        assert await first == [(1, "a1", None)]
        assert await asyncio.gather(*others) == [
            [(2, "a2", None)],
            [(2, "b2", None)],
            [(1, "b1", None), (2, "b2", None)],
            [],
            [],
        ]
        assert shelf.asked == [{"a": 0}, {"a": 1, "b": 0, "c": 0, "d": 0}]

    asyncio.run(ask())


def test_trouble_is_told_to_all_who_asked_and_to_nobody_after() -> None:
    async def ask() -> None:
        shelf = Shelf()
        shelf.logs = {"a": ["a1"], "b": ["b1"]}
        shelf.trouble = UnavailableError("storage_away")
        shelf.gate.set()
        follower = Follower(shelf.read)
        told = await asyncio.gather(
            follower.read("a", 0), follower.read("b", 0), return_exceptions=True
        )
        assert [type(each) for each in told] == [UnavailableError, UnavailableError]
        shelf.trouble = None
        assert await follower.read("a", 0) == [(1, "a1", None)]

    asyncio.run(ask())


def test_who_no_longer_waits_keeps_nobody_from_an_answer() -> None:
    async def ask() -> None:
        shelf = Shelf()
        shelf.logs = {"a": ["a1"], "b": ["b1"]}
        follower = Follower(shelf.read)
        gone = asyncio.create_task(follower.read("a", 0))
        stays = asyncio.create_task(follower.read("b", 0))
        await asyncio.sleep(0)
        gone.cancel()
        shelf.gate.set()
        assert await stays == [(1, "b1", None)]
        with pytest.raises(asyncio.CancelledError):
            await gone

    asyncio.run(ask())
