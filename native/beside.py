"""Building beside a game: quietly, at the lowest priority, and no longer than the game."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import sleep

from builds import build, locking
from computer import read_number

_AFTER = 10.0
"""Seconds until a game has begun: a build must not make its start slower."""

_NICENESS = 19
"""How far a build stands back; 0 is not at all."""

_SELF = (sys.executable, str(Path(__file__).resolve().parent))
_NOTHING = subprocess.DEVNULL


def begin_beside() -> None:
    """Let a process of its own build meanwhile; it ends with this one, whatever that becomes."""
    game, held = os.pipe()
    os.set_inheritable(held, True)  # the system closes it when the game ends, however it does
    subprocess.run(
        [*_SELF, "beside"],
        stdin=game,
        stdout=_NOTHING,
        stderr=_NOTHING,
        start_new_session=True,  # Ctrl-C is for the game alone
        check=False,
    )
    os.close(game)


def build_beside() -> None:
    """Let a builder work when the game has begun, and clear up after it, however it ends."""
    stand_back(int(read_number("NATIVE_NICENESS", _NICENESS)))
    if select.select([sys.stdin], [], [], read_number("NATIVE_AFTER", _AFTER))[0]:
        return  # the game is over, which closes our input
    with suppress(BlockingIOError), locking(waits=False) as lock:
        # It holds the lock and hears the game itself, in case that we are killed alone.
        handles = (lock.fileno(),)
        subprocess.run([*_SELF, "build"], process_group=0, pass_fds=handles, check=False)


def build_in_game() -> None:
    """Build until the game is over; then end at once, with all that were started for it."""
    Thread(target=_stop_with_game, daemon=True).start()
    try:
        build()
    finally:
        os.killpg(0, signal.SIGKILL)  # what a step has left that took too long


def _stop_with_game() -> None:
    os.read(sys.stdin.fileno(), 1)
    os.killpg(0, signal.SIGKILL)


def stand_back(niceness: int) -> None:
    """Take only time and memory that nobody else wants."""
    if not niceness:
        return
    os.nice(niceness)
    if sys.platform == "linux":
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        with suppress(OSError):
            _stand_back_as_session(niceness)


def _stand_back_as_session(niceness: int) -> None:
    """Be nice to other sessions, too, which is all that Linux heeds between them."""
    for _ in range(20):
        try:
            Path("/proc/self/autogroup").write_text(str(niceness), encoding="ascii")
        except BlockingIOError:  # only one session at a time is heard
            sleep(0.2)
        else:
            return
