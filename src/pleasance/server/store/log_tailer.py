"""Following logs that others write: what is asked for meanwhile is read together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

Lines: TypeAlias = "list[tuple[int, str, str | None]]"
"""Lines of one log in order: number, body and key of each."""

ReadLogs: TypeAlias = Callable[[Mapping[str, int]], Awaitable[dict[str, Lines]]]
"""Reads the lines of many logs, each after as many as are known of it."""


class Follower:
    """Reads what is new in logs; one reading at a time, however many ask.

    One that comes while another is on its way waits for the next: it must see what was written
    before it was asked for.
    """

    def __init__(self, read: ReadLogs) -> None:
        self._read = read
        self._wanted: list[tuple[str, int, asyncio.Future[Lines]]] = []
        self._reading: asyncio.Task[None] | None = None

    async def read(self, table: str, known: int) -> Lines:
        """Read the lines of a log after the first *known*."""
        answer: asyncio.Future[Lines] = asyncio.get_running_loop().create_future()
        self._wanted.append((table, known, answer))
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_all())
        return await answer

    async def _read_all(self) -> None:
        try:
            while self._wanted:
                wanted, self._wanted = self._wanted, []
                await self._answer(wanted)
        finally:
            self._reading = None

    async def _answer(self, wanted: list[tuple[str, int, asyncio.Future[Lines]]]) -> None:
        known: dict[str, int] = {}
        for table, n, _ in wanted:
            known[table] = min(n, known.get(table, n))
        try:
            logs = await self._read(known)
        except Exception as error:  # noqa: BLE001  (whoever waits must be told, whatever it is)
            for _, _, answer in wanted:
                if not answer.done():
                    answer.set_exception(error)
            return
        for table, n, answer in wanted:
            if not answer.done():  # else who asked has gone
                answer.set_result([line for line in logs.get(table, ()) if line[0] > n])
