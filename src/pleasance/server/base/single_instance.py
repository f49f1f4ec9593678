"""A lock that admits one server per database file and shows a second one the first one's URL.

Beside the database lies a small file with the address of the server that has it open. The server
holds a lock on it. The operating system releases the lock when the process dies, so a leftover file
is ignored.
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

_ADDRESS_TIMEOUT_S = 3.0
"""Seconds to wait for the address of a server that has just started."""

_LOCK_TIMEOUT_S = 1.0
"""Seconds to wait for child processes of a killed server; measured: up to 0.2."""

_DEAD_OWNER_LOCK_TIMEOUT_S = 20.0
"""Seconds to wait once the server is known to be dead: the machine may be very busy."""


class RunningServer(NamedTuple):
    """The server that holds the lock."""

    link: str
    is_open: bool
    """Whether the network can reach it."""


class AlreadyRunningError(Exception):
    """Another process serves this database."""

    def __init__(self, running: RunningServer | None) -> None:
        super().__init__(running)
        self.running = running


class AddressFile:
    """The file that names the process that serves a database, and its URL."""

    def __init__(self, file: BinaryIO | None) -> None:
        self._file = file
        self._write({})

    def write(self, running: RunningServer) -> None:
        """Write the address of this server."""
        self._write(running._asdict())

    def _write(self, fields: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.seek(0)
            self._file.truncate()
            content = {"pid": os.getpid(), "host": platform.node(), **fields}
            self._file.write(json.dumps(content).encode())
            self._file.flush()


def database_file(database: str) -> Path | None:
    """Return the file of a SQLite database, `None` for any other."""
    address = make_url(database)
    is_file = address.drivername.startswith("sqlite") and address.database
    return Path(address.database) if is_file and address.database else None


@contextmanager
def hold_address_file(database: str) -> Iterator[AddressFile]:
    """Hold the lock of a database file; raise `AlreadyRunningError` if another server has it."""
    path = database_file(database)
    if path is None:
        yield AddressFile(None)
        return
    address_path = path.with_name(path.name + ".address")
    with _open_address_file(address_path) as file:
        _lock_address_file(file, address_path)
        try:
            yield AddressFile(file)
        finally:
            file.truncate(0)


def _open_address_file(path: Path) -> BinaryIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return path.open("a+b")
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadFileError("file_closed", file=str(path), reason=reason) from error


def _lock_address_file(file: BinaryIO, path: Path) -> None:
    """Lock the address file, unless a server has locked it."""
    for timeout_s in (_LOCK_TIMEOUT_S, _DEAD_OWNER_LOCK_TIMEOUT_S):
        try:
            return lock_file(file, BadFileError("server_running"), timeout_s=timeout_s)
        except BadFileError:
            if not _has_exited(path):
                raise AlreadyRunningError(_read_address(path)) from None
    raise AlreadyRunningError(None)


def _has_exited(path: Path) -> bool:
    """Return whether the server that wrote an address file is known to have exited.

    A folder may be shared with another computer, whose processes cannot be checked.
    """
    try:
        content = json.loads(path.read_bytes())
        if content["host"] == platform.node():
            os.kill(int(content["pid"]), 0)
    except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        return isinstance(error, ProcessLookupError)
    return False


def _read_address(path: Path) -> RunningServer | None:
    """Read the address of the other server; wait a little if it has just started."""
    deadline = time.monotonic() + _ADDRESS_TIMEOUT_S
    while time.monotonic() < deadline:
        try:
            content = json.loads(path.read_bytes())
            return RunningServer(str(content["link"]), content["is_open"] is True)
        except (ValueError, KeyError, TypeError):
            time.sleep(0.05)
    return None
