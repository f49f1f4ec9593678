"""Background builds: at the lowest priority, and no longer than the game they start with."""

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

from build_requirements import read_number
from builds import build, build_lock

_START_DELAY_S = 10.0
"""The delay of a build, so that it does not slow the start of the game."""

_DEFAULT_NICENESS = 19
"""The niceness of a build; 0 leaves the priority unchanged."""

_SELF = (sys.executable, str(Path(__file__).resolve().parent))
_DEVNULL = subprocess.DEVNULL


def start_background_build() -> None:
    """Start a background build, which ends with this process or the command that replaces it."""
    game, held = os.pipe()
    os.set_inheritable(held, True)  # the system closes it when the game ends
    subprocess.run(
        [*_SELF, "background"],
        stdin=game,
        stdout=_DEVNULL,
        stderr=_DEVNULL,
        start_new_session=True,  # Ctrl-C is for the game alone
        check=False,
    )
    os.close(game)


def run_background_build() -> None:
    """Run a builder after the start of the game, and remove its leftovers."""
    lower_priority(int(read_number("NATIVE_NICENESS", _DEFAULT_NICENESS)))
    if select.select([sys.stdin], [], [], read_number("NATIVE_AFTER", _START_DELAY_S))[0]:
        return  # the game is over, which closes our input
    with suppress(BlockingIOError), build_lock(waits=False) as lock:
        # It inherits the lock and the pipe to the game, in case only this process is killed.
        handles = (lock.fileno(),)
        subprocess.run([*_SELF, "build"], process_group=0, pass_fds=handles, check=False)


def build_until_parent_exits() -> None:
    """Build until the game ends, then kill the process group."""
    Thread(target=_stop_with_parent, daemon=True).start()
    try:
        build()
    finally:
        os.killpg(0, signal.SIGKILL)  # with the rest of a step that timed out


def _stop_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)
    os.killpg(0, signal.SIGKILL)


def lower_priority(niceness: int) -> None:
    """Lower the priority of this process for processor and memory."""
    if not niceness:
        return
    os.nice(niceness)
    if sys.platform == "linux":
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        with suppress(OSError):
            _lower_session_priority(niceness)


def _lower_session_priority(niceness: int) -> None:
    """Lower the priority of the session, which is all that Linux compares between sessions."""
    for _ in range(20):
        try:
            Path("/proc/self/autogroup").write_text(str(niceness), encoding="ascii")
        except BlockingIOError:  # only one session at a time may set it
            sleep(0.2)
        else:
            return
