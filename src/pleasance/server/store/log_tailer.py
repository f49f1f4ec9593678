"""Tails event logs that other processes append to, coalescing concurrent reads into one query."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

LogRows: TypeAlias = "list[tuple[int, str, str | None]]"
"""Entries of one log in order: seq, body and key of each."""

ReadLogs: TypeAlias = Callable[[Mapping[str, int]], Awaitable[dict[str, LogRows]]]
"""Reads the entries of many logs, each after the seq given for it."""


class LogTailer:
    """Reads new log entries with one query at a time, however many callers there are.

    A request that arrives during a query waits for the next one: its caller must get everything
    written before it asked.
    """

    def __init__(self, read: ReadLogs) -> None:
        self._read = read
        self._requests: list[tuple[str, int, asyncio.Future[LogRows]]] = []
        self._reading: asyncio.Task[None] | None = None

    async def read(self, table: str, after_seq: int) -> LogRows:
        """Read the entries of a log after *after_seq*."""
        future: asyncio.Future[LogRows] = asyncio.get_running_loop().create_future()
        self._requests.append((table, after_seq, future))
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_all())
        return await future

    async def _read_all(self) -> None:
        try:
            while self._requests:
                requests, self._requests = self._requests, []
                await self._answer(requests)
        finally:
            self._reading = None

    async def _answer(self, requests: list[tuple[str, int, asyncio.Future[LogRows]]]) -> None:
        after: dict[str, int] = {}
        for table, seq, _ in requests:
            after[table] = min(seq, after.get(table, seq))
        try:
            logs = await self._read(after)
        except Exception as error:  # noqa: BLE001  (every caller must learn of it)
            for _, _, future in requests:
                if not future.done():
                    future.set_exception(error)
            return
        for table, seq, future in requests:
            if not future.done():  # else the caller was cancelled
                future.set_result([entry for entry in logs.get(table, ()) if entry[0] > seq])
