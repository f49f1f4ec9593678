"""One server for one database file: a second one finds out where the first is.

Beside the database lies a small file with the address of the server that has it open. The server
holds a lock on it, which ends with the process however it ends, so the file never tells of a
server that is gone.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from sqlalchemy import make_url

from pleasance.core.errors import BadFileError
from pleasance.core.files import lock_file

_PATIENCE = 3.0
"""Seconds to wait for a server that has just begun to tell its address."""

_LINGER = 1.0
"""Seconds to wait for what a killed server has just begun to start; measured: up to 0.2."""

_LINGER_LONG = 20.0
"""Seconds to wait for it once the server is known to be gone: the machine may be very busy."""


class Running(NamedTuple):
    """A server that runs already."""

    link: str
    is_open: bool
    """Whether others in the network reach it."""


class AlreadyRunning(Exception):  # noqa: N818  (good news for who wants to play)
    """Tell that another process serves this database."""

    def __init__(self, running: Running | None) -> None:
        super().__init__(running)
        self.running = running


class Claim:
    """The file that tells which process serves a database, and where."""

    def __init__(self, file: BinaryIO | None) -> None:
        self._file = file
        self._write({})

    def tell(self, running: Running) -> None:
        """Write down where the server is."""
        self._write(running._asdict())

    def _write(self, told: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.seek(0)
            self._file.truncate()
            about = {"pid": os.getpid(), "host": platform.node(), **told}
            self._file.write(json.dumps(about).encode())
            self._file.flush()


def database_file(database: str) -> Path | None:
    """Name the file of a database that is one."""
    address = make_url(database)
    is_file = address.drivername.startswith("sqlite") and address.database
    return Path(address.database) if is_file and address.database else None


@contextmanager
def claim_database(database: str) -> Iterator[Claim]:
    """Keep a database file to this process; where another has it, tell which."""
    path = database_file(database)
    if path is None:
        yield Claim(None)
        return
    note = path.with_name(path.name + ".address")
    with _open_note(note) as file:
        _lock(file, note)
        try:
            yield Claim(file)
        finally:
            file.truncate(0)


def _open_note(note: Path) -> BinaryIO:
    try:
        note.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return note.open("a+b")
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadFileError("file_closed", file=str(note), reason=reason) from error


def _lock(file: BinaryIO, note: Path) -> None:
    """Lock the note, unless there is a server that has it locked."""
    for patience in (_LINGER, _LINGER_LONG):
        try:
            return lock_file(file, BadFileError("server_running"), patience=patience)
        except BadFileError:
            if not _is_gone(note):
                raise AlreadyRunning(_find_out(note)) from None
    raise AlreadyRunning(None)


def _is_gone(note: Path) -> bool:
    """Tell whether the server that wrote a note is known to be no more.

    A folder may be shared with another computer, whose processes nobody knows here.
    """
    try:
        told = json.loads(note.read_bytes())
        if told["host"] == platform.node():
            os.kill(int(told["pid"]), 0)
    except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        return isinstance(error, ProcessLookupError)
    return False


def _find_out(note: Path) -> Running | None:
    """Read where the other server is; wait a little if it has just begun."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        try:
            told = json.loads(note.read_bytes())
            return Running(str(told["link"]), told["is_open"] is True)
        except (ValueError, KeyError, TypeError):
            time.sleep(0.05)
    return None
