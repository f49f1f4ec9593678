"""Processes that a benchmark starts, waits for and stops."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

PATIENCE = 60.0


@contextmanager
def running(
    command: Sequence[str],
    *,
    look: Callable[[], object],
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Iterator[int]:
    """Run a command; give its process number once *look* finds it up, and no `OSError`."""
    process = subprocess.Popen(command, env=env, cwd=cwd, stdout=subprocess.DEVNULL)  # noqa: S603  (our own commands)
    try:
        _wait_until(look, command)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


def _wait_until(look: Callable[[], object], command: Sequence[str]) -> None:
    give_up = perf_counter() + PATIENCE
    while perf_counter() < give_up:
        try:
            look()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"within a minute this did not come up: {' '.join(command)}")
