"""A program that is asked line by line, and ended whatever it does."""

from __future__ import annotations

import os
import signal
import subprocess
import weakref
from collections import deque
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

LONGEST = 1 << 16
"""Bytes that a line may have."""

_GRACE = 1.0
"""Seconds that a program has to end by itself when its input has ended."""

_KEPT = 20
"""How many of the last lines it said on its standard error stream are kept."""


class Program:
    """Runs a command, without a shell, for as long as it is asked."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603  (whoever names it may start it anyway)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for us; the program ends with its input
        )
        self._asked: SimpleQueue[bytes] = SimpleQueue()
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._said: deque[str] = deque(maxlen=_KEPT)
        # The threads know nothing of this object, so that it can be forgotten while they wait.
        talk = (self._process, self._asked, self._answers)
        threads = [
            Thread(target=_talk, args=talk, daemon=True),
            Thread(target=_listen, args=(self._process.stderr, self._said), daemon=True),
        ]
        for thread in threads:
            thread.start()
        self._end = weakref.finalize(self, _end, self._process, threads, self._asked)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line and wait so long for one; it is empty when the program has ended."""
        self._asked.put(line)
        try:
            return self._answers.get(timeout=seconds)
        except Empty as error:
            raise TimeoutError from error

    def wait(self) -> int:
        """Tell the exit status of a program whose output has ended."""
        try:
            return self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return 0

    def end(self) -> str:
        """End the program at once; tell the last line it said on its standard error stream."""
        _kill(self._process)
        self._end()
        lines = [line for line in self._said if line.strip()]
        return lines[-1].strip() if lines else ""


def _talk(
    process: subprocess.Popen[bytes], asked: SimpleQueue[bytes], answers: SimpleQueue[bytes]
) -> None:
    """Send each line and read the answer, in a thread that may be kept waiting."""
    assert process.stdin is not None, "programs are started with pipes"
    assert process.stdout is not None, "programs are started with pipes"
    while line := asked.get():
        answer = b""
        with suppress(OSError, ValueError):  # it does not listen any more
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline(LONGEST)
        answers.put(answer)


def _listen(pipe: IO[bytes], said: deque[str]) -> None:
    """Keep the last lines of what the program says besides."""
    while line := pipe.readline(LONGEST):
        said.append(line.decode("utf-8", "backslashreplace"))


def _end(
    process: subprocess.Popen[bytes], threads: list[Thread], asked: SimpleQueue[bytes]
) -> None:
    """Close the input and wait a little; kill what is still there then."""
    asked.put(b"")
    assert process.stdin is not None, "programs are started with pipes"
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        _kill(process)
        process.wait()
    for thread in threads:
        thread.join(_GRACE)
    for pipe in (process.stdout, process.stderr):
        if pipe is not None and not any(thread.is_alive() for thread in threads):
            pipe.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and what it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
