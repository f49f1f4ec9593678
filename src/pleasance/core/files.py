"""Atomic file writes (fsync and rename), and locks against a second writing program."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import BinaryIO

from pleasance.core.errors import BadFileError

_RETRY_DELAY_S = 0.02
"""The time between two attempts to lock a file."""


def write_atomically(path: Path, text: str) -> None:
    """Write a file atomically: a new file is synced to disk (fsync), then renamed."""
    fresh = path.with_name(path.name + ".new")
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def lock_file(file: BinaryIO, refusal: BadFileError, *, timeout_s: float = 0.0) -> None:
    """Lock *file* against other programs; raise *refusal* where another holds the lock.

    A program killed while it started a child leaves its locks to the child for a moment; where that
    may happen, retry for *timeout_s*.
    """
    with suppress(ImportError):  # not every system has such locks
        import fcntl  # noqa: PLC0415  (not on every system)

        until = monotonic() + timeout_s
        while True:
            try:
                return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if monotonic() >= until:
                    raise refusal from error
            sleep(_RETRY_DELAY_S)
