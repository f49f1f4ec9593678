"""Starts, awaits and stops the processes of a benchmark."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

STARTUP_TIMEOUT_S = 60.0


@contextmanager
def running(
    command: Sequence[str],
    *,
    probe: Callable[[], object],
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Iterator[int]:
    """Run a command; yield its process id once *probe* raises no `OSError`."""
    process = subprocess.Popen(command, env=env, cwd=cwd, stdout=subprocess.DEVNULL)  # noqa: S603  (our own commands)
    try:
        _wait_until(probe, command)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(STARTUP_TIMEOUT_S)


def _wait_until(probe: Callable[[], object], command: Sequence[str]) -> None:
    give_up = perf_counter() + STARTUP_TIMEOUT_S
    while perf_counter() < give_up:
        try:
            probe()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"within a minute this did not come up: {' '.join(command)}")
