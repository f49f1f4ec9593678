"""Server processes: tests start, read, stop or kill them, and none is left behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from time import perf_counter
from typing import IO, Any

from support import LIMITS_FACTOR
from support.cli import restore_ctrl_c

COMMAND = (sys.executable, "-c", "from pleasance.cli import main; main()")
_FORK_SERVER = Path(__file__).parent / "fork_server.py"
_TESTS = Path(__file__).parents[1]


@contextmanager
def run_process(command: Sequence[str], home: Path, **env: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command with its own data folder; kill it if it is still running at the end."""
    # The paths too: the process must run the same code as the test.
    names = ("PATH", "HOME", "TMPDIR", "PYTHONPATH")
    inherited = {name: os.environ[name] for name in names if name in os.environ}
    with (
        TemporaryFile("w+", encoding="utf-8") as errors,  # a full pipe would block the process
        subprocess.Popen(
            command,
            env={**inherited, "PLEASANCE_HOME": str(home), "PLEASANCE_LANGUAGE": "en", **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            preexec_fn=restore_ctrl_c,  # noqa: PLW1509  (it calls a single system function)
        ) as process,
    ):
        process.stderr = errors
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def read_until(process: subprocess.Popen[str], word: str) -> str:
    """Read the output of a process up to the line that contains *word*; return this line."""
    assert process.stdout
    lines = []
    for line in process.stdout:
        lines.append(line)
        if word in line:
            return line.rstrip("\n")
    raise AssertionError(f"no {word} in {''.join(lines)}; {_read_errors(process)}")


def finish(
    process: subprocess.Popen[str], signal_number: int | None = None
) -> tuple[int, str, str]:
    """Send a signal, if any, and wait for the end; return status, output and errors."""
    if signal_number is not None:
        process.send_signal(signal_number)
    assert process.stdout
    out = process.stdout.read()
    process.wait(timeout=60)
    return process.returncode, out, _read_errors(process)


def _read_errors(process: subprocess.Popen[str]) -> str:
    assert process.stderr
    process.stderr.seek(0)
    return process.stderr.read()


class KillableServer:
    """A server that can be killed and started again, each time on another port."""

    def __init__(self, name: str, database: str, group: ServerGroup) -> None:
        self.name = name
        self.link: str | None = None
        self.start_times: list[float] = []
        """Duration of each completed start, in seconds."""

        self._group = group
        self._settings = {
            "database": database,
            "port": 0,
            "bot_processes": 0,
            "limits_factor": LIMITS_FACTOR,
            "log_level": "error",
        }
        self._pid: int | None = None
        self._should_run = False
        self._started_at = 0.0
        self._reader: asyncio.Task[None] | None = None

    async def start(self, *, is_cold: bool = False) -> None:
        """Start the server: `pleasance serve` from scratch if *is_cold*, else as a fork."""
        self._started_at, self._should_run = perf_counter(), True
        if is_cold:
            self._reader = asyncio.create_task(self._run_command())
        else:
            self._group.request_fork({"name": self.name, "settings": self._settings})
        await self._group.wait_until(lambda: self._pid is not None)

    async def wait_until_ready(self) -> str:
        """Wait until the server can be reached; return its address."""
        await self._group.wait_until(lambda: self.link is not None)
        assert self.link is not None
        return self.link

    async def kill(self) -> None:
        """Kill the server without warning and wait until it is gone."""
        assert self._pid is not None, "the server is not running"
        self.link = None
        self._send_kill()
        await self._group.wait_until(lambda: self._pid is None)
        await self._finish_reading()

    async def end(self) -> None:
        """Kill the process if it is still running."""
        self._send_kill()
        await self._finish_reading()

    def _send_kill(self) -> None:
        self._should_run = False
        if self._pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)

    async def _finish_reading(self) -> None:
        if self._reader is not None:
            await self._reader
            self._reader = None

    def on_event(self, word: str, rest: str) -> None:
        """Handle a message about the process: `child PID`, `ready LINK` or `gone STATUS`."""
        match word:
            case "child":
                self._pid = int(rest)
            case "ready" if self._should_run:
                self.link = rest
                self.start_times.append(perf_counter() - self._started_at)
            case "gone":
                self._pid = self.link = None
                if self._should_run:
                    self._group.error = f"{self.name} ended by itself with {rest}"
            case _:
                pass
        self._group.notify()

    async def _run_command(self) -> None:
        env = {f"PLEASANCE_{name.upper()}": str(value) for name, value in self._settings.items()}
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            "serve",
            "--no-browser",
            env={**os.environ, **env},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._group.log,
        )
        assert process.stdout is not None
        self.on_event("child", str(process.pid))
        async for line in process.stdout:
            if b"http://" in line:
                self.on_event("ready", line.decode().split()[-1])
        self.on_event("gone", str(await process.wait()))


class ServerGroup:
    """Killable servers on one database, and the links of those that are up."""

    def __init__(self, fork_server: asyncio.subprocess.Process, log: IO[bytes]) -> None:
        self.servers: list[KillableServer] = []
        self.log = log
        self.error: str | None = None
        """The first failure that no test has caused."""

        self._fork_server = fork_server
        self._changed = asyncio.Event()

    async def find_link(self, rng: Random) -> str:
        """Return the link of a random server; wait while none is up."""
        await self.wait_until(lambda: bool(self.links))
        return rng.choice(self.links)

    @property
    def links(self) -> Sequence[str]:
        """The links of all servers that are up."""
        return [server.link for server in self.servers if server.link is not None]

    def request_fork(self, request: dict[str, Any]) -> None:
        """Make the fork server start a server."""
        assert self._fork_server.stdin is not None
        self._fork_server.stdin.write(json.dumps(request).encode() + b"\n")

    async def wait_until(self, is_true: Callable[[], bool]) -> None:
        """Wait until a condition on the servers holds."""
        while self.error is None and not is_true():
            self._changed.clear()
            await self._changed.wait()
        assert self.error is None, f"{self.error}: {self.read_log()}"

    def read_log(self) -> str:
        """Read the end of the error output of all servers."""
        return Path(self.log.name).read_text(encoding="utf-8")[-3000:]

    def notify(self) -> None:
        """Wake all tasks in `wait_until`."""
        self._changed.set()

    async def listen(self) -> None:
        """Pass on the messages of the fork server."""
        assert self._fork_server.stdout is not None
        async for line in self._fork_server.stdout:
            word, _, rest = line.decode().strip().partition(" ")
            name, _, what = rest.partition(" ")
            for server in self.servers:
                if server.name == name:
                    server.on_event(word, what)
        self.error = "the fork server has ended"
        self.notify()


@asynccontextmanager
async def open_servers(database: str, log: Path, count: int = 1) -> AsyncIterator[ServerGroup]:
    """Prepare *count* servers on one database; their error output goes to *log*."""
    with log.open("ab") as file:
        fork_server = await asyncio.create_subprocess_exec(
            sys.executable,
            str(_FORK_SERVER),
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(_TESTS), *sys.path])},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=file,
        )
        group = ServerGroup(fork_server, file)
        group.servers += [KillableServer(f"server{n}", database, group) for n in range(count)]
        listening = asyncio.create_task(group.listen())
        try:
            yield group
        finally:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening
            for server in group.servers:
                await server.end()
            fork_server.kill()
            await fork_server.wait()
