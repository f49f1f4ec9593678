"""SQLite: one file, one server; written ahead and synced in full at each commit."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from pleasance.core.errors import BadFileError
from pleasance.core.files import lock_file
from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.appends import Append, plan_appends
from pleasance.server.store.database import Fault, Hear, bare
from pleasance.server.store.wal_checkpoints import Checkpoints

_PRAGMAS: Final = (
    "PRAGMA busy_timeout = 5000",  # a tool may be writing into the same file
    "PRAGMA journal_mode = wal",
    "PRAGMA synchronous = full",
    "PRAGMA foreign_keys = on",
    "PRAGMA wal_autocheckpoint = 16384",  # 64 MB; a thread of its own does it far earlier
    "PRAGMA journal_size_limit = 67108864",  # what a long backup has let grow shrinks again
)

_encode = msgspec.json.Encoder().encode

_ROOM: Final = 1 << 20
"""With fewer bytes free than this, a failed write means that the disk is full."""

_LINGER: Final = 0.2
"""Seconds to wait for what a killed server has just begun to start."""

_AWAY: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PROTOCOL,
}

# Each batch is one text and one statement: between the rows of many, the driver lets other threads
# have their turn, and gets its own back only when a busy event loop lets go of it.
_COUNT: Final = (
    "SELECT json_group_object(tables.id, lines) FROM tables"
    " WHERE id IN (SELECT value FROM json_each(?))"
)
_MORE: Final = (
    "SELECT table_id, n, body, entries.key FROM json_each(?) JOIN entries"
    " ON table_id = json_extract(value, '$[0]') AND n > json_extract(value, '$[1]')"
    " ORDER BY table_id, n"
)
_ADD: Final = (
    "INSERT INTO entries (table_id, n, body, key)"
    " SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),"
    " json_extract(value, '$[2]'), json_extract(value, '$[3]') FROM json_each(?)"
)


class SqliteDatabase:
    """A database in one file; a second server is refused, readers and tools are not."""

    is_shared = False
    patience = 0.0  # the busy timeout is patience enough

    def __init__(self, path: Path, *, is_server: bool = True) -> None:
        self.path = path
        _make_file(path)
        self._lock = lock_database(path) if is_server else None
        self.writer = make_engine(path, "BEGIN IMMEDIATE")
        self.reader = make_engine(path, "BEGIN", "PRAGMA query_only = on", connections=8)
        self._checkpoints: Checkpoints | None = None

    def enter(self) -> None:
        """Begin to look after the file, if this is the server."""
        if self._lock is not None:
            self._checkpoints = Checkpoints(self.path)

    def begin(
        self, connection: Connection, appends: Sequence[Append]
    ) -> tuple[int | None, list[bool]]:
        """Begin a transaction; it needs no ticket, for a COMMIT always tells how it ended."""
        connection.begin()
        if self._checkpoints is not None:
            self._checkpoints.note()
        return None, self.append(connection, appends) if appends else []

    def append(self, connection: Connection, appends: Sequence[Append]) -> list[bool]:
        """Add to logs; tell for each append whether it was taken."""
        driver = driver_of(connection)
        ids = [append.table for append in appends]
        (counts,) = driver.execute(_COUNT, (_to_json(ids),)).fetchone()
        sheet = plan_appends(appends, json.loads(counts))
        driver.execute(_ADD, (_to_json(sheet.entries),))
        for columns, rows in sheet.by_columns().items():
            driver.execute(_setting(columns), (_to_json(rows),))
        return sheet.is_taken

    def read_logs(
        self, connection: Connection, known: Mapping[str, int]
    ) -> Iterable[tuple[str, int, str, str | None]]:
        """Read the lines of logs after those *known* of each: table, number, body and key."""
        return driver_of(connection).execute(_MORE, (json.dumps([*known.items()]),)).fetchall()

    def notify(self, connection: Connection, topics: Sequence[str]) -> None:
        """Tell nobody: there is no other process."""

    def was_committed(self, ticket: int) -> bool | None:
        """Refuse to tell what nobody has to ask."""
        raise AssertionError(f"nobody has the ticket {ticket}")

    def listen(self, hear: Hear) -> Callable[[], None]:  # noqa: ARG002  (PostgreSQL needs it)
        """Listen to nobody: there is no other process."""
        return lambda: None

    def is_writing(self, connection: Connection) -> bool:
        """Tell whether the transaction is still open: some faults end it."""
        return driver_of(connection).in_transaction

    def judge(self, error: BaseException) -> Fault:
        """Tell why a statement failed."""
        found = bare(error)
        if not isinstance(found, sqlite3.Error):
            return Fault.MISTAKE
        code = getattr(found, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            return Fault.FULL
        if code == sqlite3.SQLITE_READONLY:
            return Fault.SEALED
        if code not in _AWAY:
            return Fault.MISTAKE
        return Fault.FULL if shutil.disk_usage(self.path.parent).free < _ROOM else Fault.AWAY

    def explain(self, error: Exception) -> UnavailableError:
        """Say why the file cannot be opened."""
        if self.judge(error) is Fault.FULL:
            return UnavailableError("storage_full")
        return UnavailableError("database_unreadable", file=str(self.path))

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Begin a transaction that changes the schema; only one process may be in it."""
        # A table that is made anew must not take with it what refers to it.
        engine = make_engine(self.path, "BEGIN IMMEDIATE", "PRAGMA foreign_keys = off")
        try:
            with engine.begin() as connection:
                yield connection
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
                assert not broken, f"{len(broken)} rows refer to nothing"
        finally:
            engine.dispose()

    def close(self) -> None:
        """Let go of the file."""
        if self._checkpoints is not None:
            self._checkpoints.close()
        self.reader.dispose()
        self.writer.dispose()
        if self._lock is not None:
            self._lock.close()


def make_engine(path: Path, begin: str, *pragmas: str, connections: int = 1) -> Engine:
    """Make an engine for a file; each transaction starts with *begin*."""
    engine = create_engine(
        URL.create("sqlite+pysqlite", database=str(path)),
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        hide_parameters=True,  # they may be secret, and errors are logged
        # The driver starts no transaction on its own, so that changes of the schema are in it too.
        connect_args={"isolation_level": None, "check_same_thread": False},
    )

    def prepare(driver: sqlite3.Connection, _: object) -> None:
        for pragma in (*_PRAGMAS, *pragmas):
            driver.execute(pragma)

    event.listen(engine, "connect", prepare)
    # Straight to the driver: this is on the way of every write.
    event.listen(engine, "begin", lambda connection: driver_of(connection).execute(begin))
    return engine


def driver_of(connection: Connection) -> sqlite3.Connection:
    """Reach the driver's connection, for what is too slow otherwise."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _to_json(rows: Sequence[object]) -> str:
    return _encode(rows).decode()


@cache
def _setting(columns: tuple[str, ...]) -> str:
    """Write the statement that sets *columns* of many tables; the id comes last."""
    *changes, is_it = [
        f"{name} = json_extract(value, '$[{n}]')" for n, name in enumerate((*columns, "tables.id"))
    ]
    return f"UPDATE tables SET {', '.join(changes)} FROM json_each(?) WHERE {is_it}"  # noqa: S608  (names of columns only)


def _make_file(path: Path) -> None:
    """Make the file, readable for nobody else: it holds the secrets of draws."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise UnavailableError("database_unreadable", file=str(path)) from error


def lock_database(path: Path) -> BinaryIO:
    """Keep a second server off the file, for as long as what is given back stays open."""
    beside = path.with_name(path.name + ".lock")
    try:
        file = os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT, 0o600), "wb")
    except OSError as error:
        raise UnavailableError("database_unreadable", file=str(path)) from error
    try:
        lock_file(file, BadFileError("database_in_use", file=str(path)), patience=_LINGER)
    except BadFileError as held:
        file.close()
        raise UnavailableError(held.code, **held.params) from held
    return file
