"""Servers that are killed and rise again, each in a real process on a real database."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from time import perf_counter
from typing import IO, Any

from server.processes import COMMAND

LAVISH = 100_000.0
"""How much more than usual may be asked for where a test is not about limits."""

_NEST = Path(__file__).parent / "nest.py"
_TESTS = Path(__file__).parents[1]


class Phoenix:
    """One server; it has another port each time it rises."""

    def __init__(self, name: str, database: str, flock: Flock) -> None:
        self.name = name
        self.link: str | None = None
        self.starts: list[float] = []
        """Seconds that each start took, of those that came to an end."""

        self._flock = flock
        self._settings = {
            "database": database,
            "port": 0,
            "bot_processes": 0,
            "limits_factor": LAVISH,
            "log_level": "error",
        }
        self._pid: int | None = None
        self._is_wanted = False
        self._since = 0.0
        self._reading: asyncio.Task[None] | None = None

    async def rise(self, *, is_cold: bool = False) -> None:
        """Start the server: `pleasance serve` from scratch if *is_cold*, else out of the nest."""
        self._since, self._is_wanted = perf_counter(), True
        if is_cold:
            self._reading = asyncio.create_task(self._run_command())
        else:
            self._flock.ask_nest({"name": self.name, "settings": self._settings})
        await self._flock.wait_until(lambda: self._pid is not None)

    async def is_ready(self) -> str:
        """Wait until the server can be reached; give its address."""
        await self._flock.wait_until(lambda: self.link is not None)
        assert self.link is not None
        return self.link

    async def kill(self) -> None:
        """Kill the server with no chance to finish anything; wait until it is gone."""
        self._is_wanted, self.link = False, None
        assert self._pid is not None, "it has risen"
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        await self._flock.wait_until(lambda: self._pid is None)
        if self._reading is not None:
            await self._reading
            self._reading = None

    async def end(self) -> None:
        """End the process, should it still run."""
        self._is_wanted = False
        if self._pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
        if self._reading is not None:
            await self._reading

    def hear(self, word: str, rest: str) -> None:
        """Note what has become of the process."""
        match word:
            case "child":
                self._pid = int(rest)
            case "ready" if self._is_wanted:
                self.link = rest
                self.starts.append(perf_counter() - self._since)
            case "gone":
                self._pid = self.link = None
                if self._is_wanted:
                    self._flock.trouble = f"{self.name} ended by itself with {rest}"
            case _:
                pass
        self._flock.tell()

    async def _run_command(self) -> None:
        told = {f"PLEASANCE_{name.upper()}": str(value) for name, value in self._settings.items()}
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            "serve",
            "--no-browser",
            env={**os.environ, **told},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._flock.log,
        )
        assert process.stdout is not None
        self.hear("child", str(process.pid))
        async for line in process.stdout:
            if b"http://" in line:
                self.hear("ready", line.decode().split()[-1])
        self.hear("gone", str(await process.wait()))


class Flock:
    """Servers on one database; tells clients where to go."""

    def __init__(self, nest: asyncio.subprocess.Process, log: IO[bytes]) -> None:
        self.servers: list[Phoenix] = []
        self.log = log
        self.trouble: str | None = None
        """What should never have happened."""

        self._nest = nest
        self._news = asyncio.Event()

    async def find_link(self, rng: Random) -> str:
        """Name a server that is up; wait while there is none."""
        await self.wait_until(lambda: bool(self.links))
        return rng.choice(self.links)

    @property
    def links(self) -> Sequence[str]:
        """Name all servers that are up."""
        return [one.link for one in self.servers if one.link is not None]

    def ask_nest(self, wish: dict[str, Any]) -> None:
        """Let the nest hatch a server."""
        assert self._nest.stdin is not None
        self._nest.stdin.write(json.dumps(wish).encode() + b"\n")

    async def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something that becomes of the servers."""
        while self.trouble is None and not is_so():
            self._news.clear()
            await self._news.wait()
        assert self.trouble is None, f"{self.trouble}: {self.read_log()}"

    def read_log(self) -> str:
        """Read the end of what the servers have complained about."""
        return Path(self.log.name).read_text(encoding="utf-8")[-3000:]

    def tell(self) -> None:
        """Wake whoever waits for news."""
        self._news.set()

    async def listen(self) -> None:
        """Pass on what the nest tells."""
        assert self._nest.stdout is not None
        async for line in self._nest.stdout:
            word, _, rest = line.decode().strip().partition(" ")
            name, _, what = rest.partition(" ")
            for one in self.servers:
                if one.name == name:
                    one.hear(word, what)
        self.trouble = "the nest has fallen"
        self.tell()


@asynccontextmanager
async def open_flock(database: str, log: Path, count: int = 1) -> AsyncIterator[Flock]:
    """Prepare so many servers on one database; what they complain about goes to *log*."""
    with log.open("ab") as file:
        nest = await asyncio.create_subprocess_exec(
            sys.executable,
            str(_NEST),
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(_TESTS), *sys.path])},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=file,
        )
        flock = Flock(nest, file)
        flock.servers += [Phoenix(f"server{n}", database, flock) for n in range(count)]
        listening = asyncio.create_task(flock.listen())
        try:
            yield flock
        finally:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening
            for one in flock.servers:
                await one.end()
            nest.kill()
            await nest.wait()
