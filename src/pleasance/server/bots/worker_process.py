"""A worker process, as the crew sees it."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress

from pleasance.server.bots.pipe_protocol import (
    HEAD,
    Answer,
    Drop,
    Failed,
    Ready,
    Think,
    Warm,
    pack,
    read_report,
)
from pleasance.server.bots.pool import Thought

_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Arrays are small here: threads inside a worker would only get into each other's way."""


class LostError(Exception):
    """The worker has died."""


class Child:
    """One worker process; it does one thought at a time."""

    def __init__(self, process: Process, on_ready: Callable[[Child, Ready], None]) -> None:
        self._process = process
        self._on_ready = on_ready
        self._number = 0
        self._reply: asyncio.Future[Answer | Failed] | None = None
        self._is_killed = False
        self.thoughts = 0
        """How many it has been asked for."""

        self.told: set[str] = set()
        """Games it was asked to get ready."""

        self.ready: set[str] = set()
        """Games whose compiled rules are ready there."""

        self.lost: asyncio.Task[None] = asyncio.create_task(self._listen())
        """Done when the worker has died."""

    @classmethod
    async def start(cls, on_ready: Callable[[Child, Ready], None]) -> Child:
        """Start a process; *on_ready* hears of games that are ready."""
        starting = asyncio.create_task(cls._start())
        try:
            return cls(await asyncio.shield(starting), on_ready)
        except asyncio.CancelledError:
            await cls(await starting, on_ready).end()  # it must not be left alone
            raise

    @staticmethod
    async def _start() -> Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "pleasance.server.bots.bot_process",
            stdin=PIPE,
            stdout=PIPE,
            env={**os.environ, **dict.fromkeys(_THREADS, "1")},
            start_new_session=True,  # so that Ctrl-C is for the server alone
        )

    @property
    def pid(self) -> int:
        """Tell the number of the process."""
        return self._process.pid

    @property
    def has_worked(self) -> bool:
        """Tell whether it has ever reported anything."""
        return self.thoughts > 0 or bool(self.ready)

    @property
    def is_lost(self) -> bool:
        """Tell whether it has died, or is being killed."""
        return self.lost.done() or self._is_killed

    def warm(self, game: str) -> None:
        """Ask it to get a game ready."""
        self.told.add(game)
        self._send(pack(Warm(game)))

    async def think(self, thought: Thought, limit: float) -> Answer | Failed:
        """Ask for a choice; raise `TimeoutError` or `LostError` when none comes."""
        self._number += 1
        self.thoughts += 1
        self._reply = asyncio.get_running_loop().create_future()
        self._send(pack(Think(self._number, thought)))
        if self.is_lost:
            raise LostError
        async with asyncio.timeout(limit):
            return await self._reply

    def drop(self) -> None:
        """Tell it that the thought it is about is not wanted any more."""
        self._send(pack(Drop(self._number)))

    def kill(self) -> None:
        """Kill the process; it has nothing to put in order."""
        self._is_killed = True
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """End the process and wait until it has gone, even if we are cancelled meanwhile."""
        self.kill()
        going = asyncio.create_task(self._go())
        try:
            await asyncio.shield(going)
        except asyncio.CancelledError:
            await going
            raise

    async def _go(self) -> None:
        await self._process.wait()
        await self.lost
        assert self._process.stdin is not None, "workers are started with pipes"
        self._process.stdin.close()
        with suppress(BrokenPipeError, ConnectionResetError):
            await self._process.stdin.wait_closed()

    def _send(self, frame: bytes) -> None:
        assert self._process.stdin is not None, "workers are started with pipes"
        if not self.lost.done():
            self._process.stdin.write(frame)

    async def _listen(self) -> None:
        """Hear what the process reports until it dies."""
        pipe = self._process.stdout
        assert pipe is not None, "workers are started with pipes"
        with suppress(asyncio.IncompleteReadError, ConnectionResetError):
            while True:
                size = int.from_bytes(await pipe.readexactly(HEAD), "big")
                report = read_report(await pipe.readexactly(size))
                if isinstance(report, Ready):
                    self._on_ready(self, report)
                elif report.number == self._number and self._is_awaited:
                    assert self._reply is not None, "a reply is awaited"
                    self._reply.set_result(report)
        if self._is_awaited and self._reply is not None:
            self._reply.set_exception(LostError())

    @property
    def _is_awaited(self) -> bool:
        return self._reply is not None and not self._reply.done()
