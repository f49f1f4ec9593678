"""Files that are never half written and never written by two programs at once."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import BinaryIO

from pleasance.core.errors import BadFileError

_PAUSE = 0.02
"""Seconds between two tries to lock a file."""


def write_whole(path: Path, text: str) -> None:
    """Write a file so that at no time half of it is there."""
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


def lock_file(file: BinaryIO, refusal: BadFileError, *, patience: float = 0.0) -> None:
    """Keep a second program from writing into *file*; raise *refusal* where one does already.

    A program that was killed while it started another one leaves its locks to that one until it has
    begun; where that may happen, wait so many seconds of *patience* for it.
    """
    with suppress(ImportError):  # a system without such locks has to do without
        import fcntl  # noqa: PLC0415  (not on every system)

        until = monotonic() + patience
        while True:
            try:
                return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if monotonic() >= until:
                    raise refusal from error
            sleep(_PAUSE)
