"""The pool's handle of one bot process: start it, send it commands, await its replies."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

from pleasance.server.bots import pipe_protocol as protocol
from pleasance.server.bots.pool import MoveRequest

_THREAD_SETTINGS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
"""Set to one: arrays are small here, and threads inside a process would only compete."""


class LostProcessError(Exception):
    """The process has died."""


class BotProcessHandle:
    """One bot process; it computes one request at a time."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._number = 0
        self._reply: asyncio.Future[protocol.Selected | protocol.RequestFailed] | None = None
        self._is_killed = False
        self.request_count = 0
        """How many requests it was sent."""

        self.lost: asyncio.Task[None] = asyncio.create_task(self._read_replies())
        """Done when the process has died."""

    @classmethod
    async def start(cls) -> BotProcessHandle:
        """Start a process."""
        starting = asyncio.create_task(_start_process())
        try:
            return cls(await asyncio.shield(starting))
        except asyncio.CancelledError:
            await cls(await starting).end()  # it must not be left alone
            raise

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_lost(self) -> bool:
        """Return whether it has died, or is being killed."""
        return self.lost.done() or self._is_killed

    async def select_action(
        self, request: MoveRequest, timeout_s: float
    ) -> protocol.Selected | protocol.RequestFailed:
        """Send a request and await the reply; raise `TimeoutError` or `LostProcessError`."""
        self._number += 1
        self.request_count += 1
        self._reply = asyncio.get_running_loop().create_future()
        self._send(protocol.encode_frame(protocol.SelectAction(self._number, request)))
        if self.is_lost:
            raise LostProcessError
        async with asyncio.timeout(timeout_s):
            return await self._reply

    def cancel(self) -> None:
        """Ask it to stop the request in progress."""
        self._send(protocol.encode_frame(protocol.Cancel(self._number)))

    def kill(self) -> None:
        """Kill the process; it has no state to save."""
        self._is_killed = True
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """Kill the process and wait until it has exited, even if this call is cancelled."""
        self.kill()
        exiting = asyncio.create_task(self._wait_for_exit())
        try:
            await asyncio.shield(exiting)
        except asyncio.CancelledError:
            await exiting
            raise

    async def _wait_for_exit(self) -> None:
        await self._process.wait()
        await self.lost
        assert self._process.stdin is not None, "bot processes are started with pipes"
        self._process.stdin.close()
        with suppress(BrokenPipeError, ConnectionResetError):
            await self._process.stdin.wait_closed()

    def _send(self, frame: bytes) -> None:
        assert self._process.stdin is not None, "bot processes are started with pipes"
        if not self.lost.done():
            self._process.stdin.write(frame)

    async def _read_replies(self) -> None:
        """Read replies until the process dies."""
        pipe = self._process.stdout
        assert pipe is not None, "bot processes are started with pipes"
        with suppress(asyncio.IncompleteReadError, ConnectionResetError):
            while True:
                size = int.from_bytes(await pipe.readexactly(protocol.LENGTH_BYTES), "big")
                reply = protocol.decode_reply(await pipe.readexactly(size))
                if reply.number == self._number and self._is_awaited:
                    assert self._reply is not None, "a reply is awaited"
                    self._reply.set_result(reply)
        if self._is_awaited and self._reply is not None:
            self._reply.set_exception(LostProcessError())

    @property
    def _is_awaited(self) -> bool:
        return self._reply is not None and not self._reply.done()


async def _start_process() -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "pleasance.server.bots.bot_process",
        stdin=PIPE,
        stdout=PIPE,
        env={**os.environ, **dict.fromkeys(_THREAD_SETTINGS, "1")},
        start_new_session=True,  # so that Ctrl-C is for the server alone
    )
