"""A worker process: `python -m pleasance.server.bots.bot_process`, started by a crew.

Orders come in by the standard input, reports go out by the standard output. When the input ends,
the crew has gone, however it died, and the worker goes too.
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
from threading import Lock, Thread
from time import monotonic, sleep
from types import FrameType
from typing import BinaryIO

from pleasance.server.bots.pipe_protocol import (
    Answer,
    Drop,
    Failed,
    Ready,
    Report,
    Think,
    Warm,
    pack,
    read_order,
)
from pleasance.server.bots.select_action import rehearse, think

_NICE = 10
"""How far a worker stands back for whoever serves sockets."""

_GROUP = Path("/proc/self/autogroup")
_LONGEST = 60.0
"""Seconds to try to be heard."""


class DroppedError(Exception):
    """Nobody wants to know any more."""


class Thinker:
    """Does one thought after the other, while its threads listen and get games ready."""

    def __init__(self, orders: BinaryIO, reports: BinaryIO) -> None:
        self._orders = orders
        self._reports = reports
        self._writing = Lock()
        self._thoughts: SimpleQueue[Think] = SimpleQueue()
        self._games: SimpleQueue[str] = SimpleQueue()
        self._current = 0
        self._dropped = 0
        """The numbers of what is being thought about and of what is not wanted; 0 for nothing."""

    def run(self) -> None:
        """Think until the crew goes."""
        signal.signal(signal.SIGINT, self._interrupt)
        for target in (self._listen, self._rehearse):
            Thread(target=target, daemon=True).start()
        while True:
            order = self._thoughts.get()
            try:
                report = self._think(order)
            except DroppedError:
                report = Failed(order.number, "dropped")
            self._report(report)

    def _think(self, order: Think) -> Report:
        try:
            self._current = order.number
            if self._dropped == order.number:
                raise DroppedError
            return Answer(order.number, think(order.thought))
        except DroppedError:
            raise
        except Exception as error:  # noqa: BLE001  (whatever a bot does wrong, the crew goes on)
            return Failed(order.number, tell(error))
        finally:
            self._current = 0

    def _interrupt(self, _signal: int, _frame: FrameType | None) -> None:
        """Break off the thought that is not wanted, unless it is over by now."""
        if self._current and self._current == self._dropped:
            raise DroppedError

    def _listen(self) -> None:
        while (order := read_order(self._orders)) is not None:
            match order:
                case Think():
                    self._thoughts.put(order)
                case Drop(number):
                    self._dropped = number
                    interrupt_main()
                case Warm(game):
                    self._games.put(game)
        os._exit(0)  # at once: a thought may still be running

    def _rehearse(self) -> None:
        while True:
            game = self._games.get()
            try:
                rehearse(game)
                self._report(Ready(game))
            except Exception as error:  # noqa: BLE001  (another bot will stand in)
                self._report(Ready(game, tell(error)))

    def _report(self, report: Report) -> None:
        try:
            with self._writing:
                self._reports.write(pack(report))
                self._reports.flush()
        except OSError:
            os._exit(0)  # nobody is there to be told


def tell(error: BaseException) -> str:
    """Say what went wrong and where, but not with which cards.

    >>> tell(ValueError("a hidden card"))
    'ValueError'
    """
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    name = type(error).__name__
    if place is None:
        return name
    return f"{name} in {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"


def main() -> None:
    """Take the pipes, stand back, and think."""
    orders = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    reports = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a bot prints is no report
    for stop in _stops():
        signal.signal(stop, signal.SIG_IGN)  # the crew decides when a worker goes
    _stand_back()
    Thinker(orders, reports).run()


def _stand_back() -> None:
    """Let whoever serves sockets and draws boards go first.

    Linux may share a computer evenly between sessions, and being nice then counts only inside one:
    we are a session of our own, which has to stand back as well.
    """
    nice: Callable[[int], int] | None = getattr(os, "nice", None)
    if nice is not None:
        nice(_NICE)
    Thread(target=_stand_back_as_group, daemon=True).start()


def _stand_back_as_group() -> None:
    """Be nice as a session; others may be about the same, and only one at a time is heard."""
    until = monotonic() + _LONGEST
    with suppress(OSError):  # not every system has such groups
        while monotonic() < until:
            try:
                _GROUP.write_text(str(_NICE), encoding="ascii")
            except BlockingIOError:
                sleep(0.1 + 0.2 * random())
            else:
                return


def _stops() -> list[signal.Signals]:
    """List what a terminal or a service manager sends to everybody at once."""
    names = ("SIGTERM", "SIGHUP")
    return [signal.Signals[name] for name in names if name in signal.Signals.__members__]


if __name__ == "__main__":
    main()
