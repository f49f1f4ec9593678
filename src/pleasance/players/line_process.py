"""A child process that answers one line for each line, with timeouts and a certain end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import weakref
from collections import deque
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

MAX_LINE_BYTES = 1 << 16
"""The longest line read from a program."""

_EXIT_TIMEOUT_S = 1.0
"""The grace period after the end of input before the program is killed."""

_MAX_STDERR_LINES = 20
"""The number of lines kept from the end of standard error."""

_ERROR = re.compile(r"error|exception|panic", re.IGNORECASE)
"""Marks the line that says why a program failed; interpreters write more after it."""


class LineProcess:
    """Runs a command without a shell and exchanges lines with it."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603  (the caller may start programs anyway)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for us; the program ends with its input
        )
        self._requests: SimpleQueue[bytes] = SimpleQueue()
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._stderr: deque[str] = deque(maxlen=_MAX_STDERR_LINES)
        # The threads hold no reference to this object, so that it can be collected while they wait.
        pipes = (self._process, self._requests, self._answers)
        threads = [
            Thread(target=_exchange_lines, args=pipes, daemon=True),
            Thread(target=_read_stderr, args=(self._process.stderr, self._stderr), daemon=True),
        ]
        for thread in threads:
            thread.start()
        self._shut_down = weakref.finalize(self, _shut_down, self._process, threads, self._requests)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line and wait for the answer; it is empty when the program has ended."""
        self._requests.put(line)
        try:
            return self._answers.get(timeout=seconds)
        except Empty as error:
            raise TimeoutError from error

    def wait(self) -> int:
        """Return the exit status of a program whose output has ended."""
        try:
            return self._process.wait(_EXIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return 0

    def kill(self) -> str:
        """Kill the program; return what it said on standard error: an error, else the last line."""
        _kill(self._process)
        self._shut_down()
        lines = [line.strip() for line in self._stderr if line.strip()]
        errors = [line for line in lines if _ERROR.search(line)]
        return (errors or lines or [""])[-1]


def _exchange_lines(
    process: subprocess.Popen[bytes], requests: SimpleQueue[bytes], answers: SimpleQueue[bytes]
) -> None:
    """Send each line and read the answer, in a thread that may block."""
    assert process.stdin is not None, "programs are started with pipes"
    assert process.stdout is not None, "programs are started with pipes"
    while line := requests.get():
        answer = b""
        with suppress(OSError, ValueError):  # its input is closed
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline(MAX_LINE_BYTES)
        answers.put(answer)


def _read_stderr(pipe: IO[bytes], lines: deque[str]) -> None:
    """Collect the last lines of standard error."""
    while line := pipe.readline(MAX_LINE_BYTES):
        lines.append(line.decode("utf-8", "backslashreplace"))


def _shut_down(
    process: subprocess.Popen[bytes], threads: list[Thread], requests: SimpleQueue[bytes]
) -> None:
    """Close the input, wait for the end, then kill the program."""
    requests.put(b"")
    assert process.stdin is not None, "programs are started with pipes"
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(_EXIT_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        _kill(process)
        process.wait()
    for thread in threads:
        thread.join(_EXIT_TIMEOUT_S)
    for pipe in (process.stdout, process.stderr):
        if pipe is not None and not any(thread.is_alive() for thread in threads):
            pipe.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program with its process group."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
