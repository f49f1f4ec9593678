"""Serves move requests in a bot process: `python -m pleasance.server.bots.bot_process`.

Commands arrive on standard input, replies leave on standard output. The process exits when its
input ends, since the bot pool that started it is then gone, however it died.
"""

from __future__ import annotations

import os
import signal
import sys
from _thread import interrupt_main
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from random import random
from threading import Thread
from time import monotonic, sleep
from types import FrameType
from typing import BinaryIO, assert_never

from pleasance.server.bots import pipe_protocol as protocol
from pleasance.server.bots.select_action import select_action

_NICENESS = 10
"""The scheduling priority given up in favor of the processes that serve sockets."""

_AUTOGROUP = Path("/proc/self/autogroup")
_AUTOGROUP_TIMEOUT_S = 60.0


class CancelledRequestError(Exception):
    """Interrupts a search whose result the pool no longer wants."""


class BotProcess:
    """Answers one move request at a time; a thread reads commands meanwhile."""

    def __init__(self, commands: BinaryIO, replies: BinaryIO) -> None:
        self._commands = commands
        self._replies = replies
        self._requests: SimpleQueue[protocol.SelectAction] = SimpleQueue()
        self._current = 0
        self._cancelled = 0
        """The numbers of the request in progress and of the one cancelled; 0 for none."""

    def run(self) -> None:
        """Answer requests until the input ends."""
        signal.signal(signal.SIGINT, self._interrupt)
        Thread(target=self._read_commands, daemon=True).start()
        while True:
            command = self._requests.get()
            try:
                reply = self._answer(command)
            except CancelledRequestError:
                reply = protocol.RequestFailed(command.number, "cancelled")
            self._reply(reply)

    def _answer(self, command: protocol.SelectAction) -> protocol.PipeReply:
        try:
            self._current = command.number
            if self._cancelled == command.number:
                raise CancelledRequestError
            return protocol.Selected(command.number, select_action(command.request))
        except CancelledRequestError:
            raise
        except Exception as error:  # noqa: BLE001  (whatever a bot does wrong, the pool goes on)
            return protocol.RequestFailed(command.number, describe_error(error))
        finally:
            self._current = 0

    def _interrupt(self, _signal: int, _frame: FrameType | None) -> None:
        """Interrupt the cancelled request, unless it has finished by now."""
        if self._current and self._current == self._cancelled:
            raise CancelledRequestError

    def _read_commands(self) -> None:
        command: protocol.PipeCommand | None
        while (command := protocol.read_command(self._commands)) is not None:
            match command:
                case protocol.SelectAction():
                    self._requests.put(command)
                case protocol.Cancel(number):
                    self._cancelled = number
                    interrupt_main()
                case _:
                    assert_never(command)
        os._exit(0)  # at once: a search may still be running

    def _reply(self, reply: protocol.PipeReply) -> None:
        try:
            self._replies.write(protocol.encode_frame(reply))
            self._replies.flush()
        except OSError:
            os._exit(0)  # the pool is gone


def describe_error(error: BaseException) -> str:
    """Name an error and its line without its message, which could hold hidden cards.

    >>> describe_error(ValueError("a hidden card"))
    'ValueError'
    """
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    name = type(error).__name__
    if frame is None:
        return name
    return f"{name} in {Path(frame.tb_frame.f_code.co_filename).name}:{frame.tb_lineno}"


def main() -> None:
    """Take over the standard streams, lower the priority, and serve requests."""
    commands = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a bot prints is no reply
    # A terminal or a service manager signals all processes at once; the pool decides when we stop.
    for name in ("SIGTERM", "SIGHUP"):
        if name in signal.Signals.__members__:
            signal.signal(signal.Signals[name], signal.SIG_IGN)
    _lower_priority()
    BotProcess(commands, replies).run()


def _lower_priority() -> None:
    """Lower the scheduling priority below the processes that serve sockets and draw boards.

    With autogroups Linux shares the CPU evenly between sessions and applies niceness only within
    one. This process is a session of its own, so the session's priority must be lowered as well.
    """
    nice: Callable[[int], int] | None = getattr(os, "nice", None)
    if nice is not None:
        nice(_NICENESS)
    Thread(target=_lower_session_priority, daemon=True).start()


def _lower_session_priority() -> None:
    """Set the niceness of the session, retrying while the kernel is busy with another process."""
    deadline = monotonic() + _AUTOGROUP_TIMEOUT_S
    with suppress(OSError):  # not every system has autogroups
        while monotonic() < deadline:
            try:
                _AUTOGROUP.write_text(str(_NICENESS), encoding="ascii")
            except BlockingIOError:
                sleep(0.1 + 0.2 * random())
            else:
                return


if __name__ == "__main__":
    main()
