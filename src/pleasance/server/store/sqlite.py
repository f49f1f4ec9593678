"""SQLite: one file, one server; a write-ahead log (WAL), synced in full at each commit."""

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
from pleasance.server.store.database import Fault, ReceiveTopics, driver_error
from pleasance.server.store.wal_checkpoints import WalCheckpointer

_PRAGMAS: Final = (
    "PRAGMA busy_timeout = 5000",  # a tool may be writing into the same file
    "PRAGMA journal_mode = wal",
    "PRAGMA synchronous = full",
    "PRAGMA foreign_keys = on",
    "PRAGMA wal_autocheckpoint = 16384",  # 64 MB; a thread of its own does it far earlier
    "PRAGMA journal_size_limit = 67108864",  # a log grown during a long backup shrinks again
)

_encode = msgspec.json.Encoder().encode

_MIN_FREE_BYTES: Final = 1 << 20
"""With fewer bytes free than this, a failed write means that the disk is full."""

_LOCK_TIMEOUT_S: Final = 0.2
"""How long to wait for the lock: a killed server's child process may still hold it."""

_UNAVAILABLE_CODES: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PROTOCOL,
}

# Each batch is one JSON text and one statement: between the rows of `executemany` the driver
# releases the GIL, and gets it back only when a busy event loop lets go of it.
_SELECT_SEQS: Final = (
    "SELECT json_group_object(tables.id, seq) FROM tables"
    " WHERE id IN (SELECT value FROM json_each(?))"
)
_SELECT_ENTRIES_AFTER: Final = (
    "SELECT table_id, seq, body, idempotency_key FROM json_each(?) JOIN entries"
    " ON table_id = json_extract(value, '$[0]') AND seq > json_extract(value, '$[1]')"
    " ORDER BY table_id, seq"
)
_INSERT_ENTRIES: Final = (
    "INSERT INTO entries (table_id, seq, body, idempotency_key)"
    " SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),"
    " json_extract(value, '$[2]'), json_extract(value, '$[3]') FROM json_each(?)"
)


class SqliteDatabase:
    """A database in one file; a second server is refused, readers and tools are not."""

    is_shared = False
    reconnect_timeout_s = 0.0  # the busy timeout is enough

    def __init__(self, path: Path, *, is_server: bool = True) -> None:
        self.path = path
        _create_private_file(path)
        self._lock = lock_database(path) if is_server else None
        self.writer = make_engine(path, "BEGIN IMMEDIATE")
        self.reader = make_engine(path, "BEGIN", "PRAGMA query_only = on", connections=8)
        self._checkpointer: WalCheckpointer | None = None

    def register_writer(self) -> None:
        """Start checkpoints, if this is the server."""
        if self._lock is not None:
            self._checkpointer = WalCheckpointer(self.path)

    def begin(
        self, connection: Connection, appends: Sequence[Append]
    ) -> tuple[int | None, list[bool]]:
        """Begin a transaction; no marker is needed, for a COMMIT always reports its outcome."""
        connection.begin()
        if self._checkpointer is not None:
            self._checkpointer.schedule()
        return None, self.append(connection, appends) if appends else []

    def append(self, connection: Connection, appends: Sequence[Append]) -> list[bool]:
        """Append to logs; return for each append whether it was accepted."""
        driver = driver_of(connection)
        ids = [append.table for append in appends]
        (seqs,) = driver.execute(_SELECT_SEQS, (_to_json(ids),)).fetchone()
        planned = plan_appends(appends, json.loads(seqs))
        driver.execute(_INSERT_ENTRIES, (_to_json(planned.entries),))
        for columns, rows in planned.by_columns().items():
            driver.execute(_update_statement(columns), (_to_json(rows),))
        return planned.is_accepted

    def read_logs(
        self, connection: Connection, after: Mapping[str, int]
    ) -> Iterable[tuple[str, int, str, str | None]]:
        """Read log entries *after* a seq of each table: table, seq, body and key."""
        wanted = json.dumps([*after.items()])
        return driver_of(connection).execute(_SELECT_ENTRIES_AFTER, (wanted,)).fetchall()

    def notify(self, connection: Connection, topics: Sequence[str]) -> None:
        """Do nothing: there is no other process."""

    def was_committed(self, marker: int) -> bool | None:
        """Fail: a COMMIT always reports its outcome here, so no marker exists."""
        raise AssertionError(f"no transaction has the marker {marker}")

    def listen(self, receive: ReceiveTopics) -> Callable[[], None]:  # noqa: ARG002  (PostgreSQL's)
        """Do nothing: there is no other process."""
        return lambda: None

    def is_in_transaction(self, connection: Connection) -> bool:
        """Return whether the transaction is still open: some faults end it."""
        return driver_of(connection).in_transaction

    def classify(self, error: BaseException) -> Fault:
        """Return why a statement failed."""
        found = driver_error(error)
        if not isinstance(found, sqlite3.Error):
            return Fault.STATEMENT
        code = getattr(found, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            return Fault.DISK_FULL
        if code == sqlite3.SQLITE_READONLY:
            return Fault.READ_ONLY
        if code not in _UNAVAILABLE_CODES:
            return Fault.STATEMENT
        is_full = shutil.disk_usage(self.path.parent).free < _MIN_FREE_BYTES
        return Fault.DISK_FULL if is_full else Fault.UNAVAILABLE

    def to_unavailable(self, error: Exception) -> UnavailableError:
        """Convert *error* into the refusal that says why the file cannot be opened."""
        if self.classify(error) is Fault.DISK_FULL:
            return UnavailableError("storage_full")
        return UnavailableError("database_unreadable", file=str(self.path))

    @contextmanager
    def migration(self) -> Iterator[Connection]:
        """Begin a transaction that changes the schema; only one process may be in it."""
        # Recreating a table must not delete the rows that refer to it.
        engine = make_engine(self.path, "BEGIN IMMEDIATE", "PRAGMA foreign_keys = off")
        try:
            with engine.begin() as connection:
                yield connection
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
                assert not broken, f"{len(broken)} rows violate a foreign key"
        finally:
            engine.dispose()

    def close(self) -> None:
        """Close all connections and release the lock."""
        if self._checkpointer is not None:
            self._checkpointer.close()
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
    # Straight to the driver: this runs for every write.
    event.listen(engine, "begin", lambda connection: driver_of(connection).execute(begin))
    return engine


def driver_of(connection: Connection) -> sqlite3.Connection:
    """Return the driver's connection, for statements that are too slow through SQLAlchemy."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _to_json(rows: Sequence[object]) -> str:
    return _encode(rows).decode()


@cache
def _update_statement(columns: tuple[str, ...]) -> str:
    """Build the statement that sets *columns* of many tables; the id comes last."""
    *changes, is_it = [
        f"{name} = json_extract(value, '$[{n}]')" for n, name in enumerate((*columns, "tables.id"))
    ]
    return f"UPDATE tables SET {', '.join(changes)} FROM json_each(?) WHERE {is_it}"  # noqa: S608  (names of columns only)


def _create_private_file(path: Path) -> None:
    """Create the file with mode 600: it holds the secrets of draws."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise UnavailableError("database_unreadable", file=str(path)) from error


def lock_database(path: Path) -> BinaryIO:
    """Lock the file against a second server, for as long as the returned file stays open."""
    beside = path.with_name(path.name + ".lock")
    try:
        file = os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT, 0o600), "wb")
    except OSError as error:
        raise UnavailableError("database_unreadable", file=str(path)) from error
    try:
        lock_file(file, BadFileError("database_in_use", file=str(path)), timeout_s=_LOCK_TIMEOUT_S)
    except BadFileError as held:
        file.close()
        raise UnavailableError(held.code, **held.params) from held
    return file
