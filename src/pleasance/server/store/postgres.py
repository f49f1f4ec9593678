"""PostgreSQL: many processes on many machines write into one database and notify each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Final

import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.appends import Append, AppendRows, plan_appends
from pleasance.server.store.database import Fault, ReceiveTopics, driver_error
from pleasance.server.store.meta import new_id
from pleasance.server.store.notify_listener import CHANNEL, Driver, NotifyListener
from pleasance.server.store.schema.rooms import tables

MAX_PAYLOAD_BYTES: Final = 7_900
"""Bytes of one notification; PostgreSQL takes less than 8000."""

_CONNECT_ARGUMENTS: Final = {
    "connect_timeout": 5,
    # A machine that vanishes without closing the connection is detected within half a minute.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}

_SESSION_SETTINGS: Final = (
    # A process that hangs must not block all others.
    "SET lock_timeout = '5s'",
    "SET statement_timeout = '30s'",
    "SET idle_in_transaction_session_timeout = '15s'",
    # Acknowledged commits are on disk, whatever the database is set to.
    """SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'""",
)

_SELECT_SEQS: Final = (
    # Locked in one order everywhere, so that two processes never deadlock.
    "SELECT id, seq FROM tables WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"
)
_INSERT_ENTRIES: Final = (
    "INSERT INTO entries (table_id, seq, body, idempotency_key) SELECT t, n, b, k"
    " FROM json_to_recordset(%s) AS new(t text, n bigint, b text, k text)"
)
_SELECT_ENTRIES_AFTER: Final = (
    # LATERAL forces one index scan for each log: another plan could read the whole table.
    "SELECT t, seq, body, idempotency_key FROM json_to_recordset(%s) AS wanted(t text, k bigint),"
    " LATERAL (SELECT seq, body, idempotency_key FROM entries"
    " WHERE table_id = t AND seq > k ORDER BY seq) AS more"
)
_SQL_TYPES: Final = {str: "text", int: "bigint", float: "float8", bool: "boolean"}

_MIGRATION_LOCK_KEY: Final = 0x506C6561
"""Key of the advisory lock for migrations; no other program should use it."""

_UPSERT_MARKER: Final = """
    INSERT INTO commit_markers (writer, batch, at) VALUES (%s, %s, extract(epoch FROM now()))
    ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, at = excluded.at
"""
_SELECT_MARKER: Final = "SELECT batch FROM commit_markers WHERE writer = %s FOR UPDATE"
_DELETE_MARKERS: Final = (
    "DELETE FROM commit_markers WHERE writer = %s OR at < extract(epoch FROM now()) - 30 * 86400"
)

_FAULT_BY_SQLSTATE: Final = {
    "53100": Fault.DISK_FULL,
    "25006": Fault.READ_ONLY,
    "40001": Fault.CONFLICT,  # a serialization failure
    "40P01": Fault.CONFLICT,  # a deadlock
    "55P03": Fault.TIMEOUT,  # locked for too long
    "57014": Fault.TIMEOUT,  # the statement timeout
}
_UNAVAILABLE_CLASSES: Final = ("08", "53", "57", "58")
"""SQLSTATE classes: no connection, no resources, shut down, system error."""


class PostgresDatabase:
    """A database that many processes share."""

    is_shared = True
    reconnect_timeout_s = 5.0  # as long as a restart takes

    def __init__(self, url: URL) -> None:
        url = url.set(drivername="postgresql+psycopg")
        self.name = new_id()
        """The sender of this process's notifications, by which it ignores its own."""

        self._batch = 0
        self.writer = _make_engine(url, connections=1)
        self.reader: Engine = _make_engine(url, connections=8).execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    def register_writer(self) -> None:
        """Write this process's first commit marker."""
        with self.writer.connect() as connection:
            self.begin(connection, ())
            connection.commit()

    def begin(
        self, connection: Connection, appends: Sequence[Append]
    ) -> tuple[int | None, list[bool]]:
        """Begin a transaction with a commit marker and *appends*."""
        connection.begin()
        self._batch += 1
        with _redacted_pipeline(driver_of(connection)) as driver:
            driver.execute(_UPSERT_MARKER, (self.name, self._batch))
            accepted = _append(driver, appends) if appends else []
            each = zip(appends, accepted, strict=True)
            self._notify(driver, [append.topic for append, is_accepted in each if is_accepted])
        return self._batch, accepted

    def append(self, connection: Connection, appends: Sequence[Append]) -> list[bool]:
        """Append to logs; return for each append whether it was accepted."""
        with _redacted_pipeline(driver_of(connection)) as driver:
            return _append(driver, appends)

    def read_logs(
        self, connection: Connection, after: Mapping[str, int]
    ) -> Iterable[tuple[str, int, str, str | None]]:
        """Read log entries *after* a seq of each table: table, seq, body and key."""
        wanted = json.dumps([{"t": table, "k": seq} for table, seq in after.items()])
        return driver_of(connection).execute(_SELECT_ENTRIES_AFTER, (wanted,)).fetchall()

    def notify(self, connection: Connection, topics: Sequence[str]) -> None:
        """NOTIFY other processes of *topics* once this transaction is committed."""
        self._notify(driver_of(connection), topics)

    def was_committed(self, marker: int) -> bool | None:
        """Return whether a transaction was committed: its marker is stored or not.

        While the transaction is still open, this waits: the row is locked.
        """
        with self.writer.begin() as connection:
            found = driver_of(connection).execute(_SELECT_MARKER, (self.name,)).fetchone()
        return found is not None and found[0] == marker

    def listen(self, receive: ReceiveTopics) -> Callable[[], None]:
        """LISTEN to the topics of other processes; return how to stop."""
        return NotifyListener(self._connect, self.name, receive).close

    def is_in_transaction(self, connection: Connection) -> bool:
        """Return whether the transaction is still open and sound."""
        return driver_of(connection).info.transaction_status == TransactionStatus.INTRANS

    def classify(self, error: BaseException) -> Fault:
        """Return why a statement failed, by its SQLSTATE."""
        found = driver_error(error)
        if not isinstance(found, psycopg.Error):
            return Fault.STATEMENT
        code = found.sqlstate
        if code is None:  # the driver's own: it has no connection, or was misused
            no_connection = (psycopg.OperationalError, psycopg.InterfaceError)
            return Fault.UNAVAILABLE if isinstance(found, no_connection) else Fault.STATEMENT
        if code in _FAULT_BY_SQLSTATE:
            return _FAULT_BY_SQLSTATE[code]
        return Fault.UNAVAILABLE if code.startswith(_UNAVAILABLE_CLASSES) else Fault.STATEMENT

    def to_unavailable(self, error: Exception) -> UnavailableError:
        """Quote why the database cannot be opened; its message names no password."""
        reason, *_ = str(driver_error(error)).splitlines() or [""]
        return UnavailableError("database_refused", reason=reason)

    @contextmanager
    def migration(self) -> Iterator[Connection]:
        """Begin a transaction that changes the schema; only one process may be in it."""
        with self.writer.begin() as connection:
            # Another process may take long, and so may this one.
            for limit in ("lock", "statement", "idle_in_transaction_session"):
                connection.execute(text(f"SET LOCAL {limit}_timeout = 0"))
            connection.execute(
                text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK_KEY}
            )
            yield connection

    def close(self) -> None:
        """Delete the commit marker of this process and close all connections."""
        if self._batch:
            with suppress(SQLAlchemyError, psycopg.Error), self.writer.begin() as connection:
                driver_of(connection).execute(_DELETE_MARKERS, (self.name,))
            self._batch = 0
        self.reader.dispose()
        self.writer.dispose()

    def _notify(self, driver: Driver, topics: Sequence[str]) -> None:
        for payload in pack_payloads(self.name, topics):
            driver.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))

    def _connect(self) -> Driver:
        """Open a connection for the listener."""
        words, arguments = self.writer.dialect.create_connect_args(self.writer.url)
        return psycopg.connect(*words, **{**_CONNECT_ARGUMENTS, **arguments}, autocommit=True)


def driver_of(connection: Connection) -> Driver:
    """Return the driver's connection, for statements SQLAlchemy is too slow for or cannot send."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    return driver


@contextmanager
def _redacted_pipeline(driver: Driver) -> Iterator[Driver]:
    """Pipeline statements without waiting for each answer; redact rows from errors."""
    try:
        with driver.pipeline():
            yield driver
    except psycopg.Error as error:
        _keep_first_line(error)
        raise


def pack_payloads(name: str, topics: Sequence[str]) -> Iterator[str]:
    """Pack *topics* into as few notifications as hold them, each with the sender *name* first.

    >>> [payload.split() for payload in pack_payloads("me", ["table:a:1", "table:b:7"])]
    [['me', 'table:a:1', 'table:b:7']]
    """
    lines, size = [name], len(name)
    for topic in topics:
        length = len(topic.encode()) + 1
        if size + length > MAX_PAYLOAD_BYTES:
            yield "\n".join(lines)
            lines, size = [name], len(name)
        lines.append(topic)
        size += length
    if topics:
        yield "\n".join(lines)


def _make_engine(url: URL, *, connections: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        connect_args=_CONNECT_ARGUMENTS,
        hide_parameters=True,  # they may be secret, and errors are logged
    )
    event.listen(engine, "connect", _configure_session)
    event.listen(engine, "handle_error", _redact_database_error)
    return engine


def _redact_database_error(context: ExceptionContext) -> None:
    _keep_first_line(context.original_exception)
    _keep_first_line(context.sqlalchemy_exception)


def _keep_first_line(error: BaseException | None) -> None:
    """Keep the first line of an error: others quote the row, and errors are logged."""
    if error is not None and error.args:
        error.args = (str(error.args[0]).partition("\n")[0], *error.args[1:])


def _configure_session(driver: Driver, _: object) -> None:
    for setting in _SESSION_SETTINGS:
        driver.execute(setting.encode())
    driver.commit()


def _append(driver: Driver, appends: Sequence[Append]) -> list[bool]:
    ids = list({append.table for append in appends})
    seqs: dict[str, int] = dict(driver.execute(_SELECT_SEQS, (ids,)).fetchall())
    planned = plan_appends(appends, seqs)
    if planned.columns:
        _write_rows(driver, planned)
    return planned.is_accepted


def _write_rows(driver: Driver, planned: AppendRows) -> None:
    """Send all rows in few statements, whose answers are awaited together."""
    names = ("t", "n", "b", "k")
    entries = [dict(zip(names, row, strict=True)) for row in planned.entries]
    driver.execute(_INSERT_ENTRIES, (json.dumps(entries),))
    for columns, rows in planned.by_columns().items():
        keys = (*columns, "id")
        records = [dict(zip(keys, row, strict=True)) for row in rows]
        driver.execute(_update_statement(columns), (json.dumps(records),))


@cache
def _update_statement(columns: tuple[str, ...]) -> bytes:
    """Build the statement that sets *columns* of many tables."""
    changes = ", ".join(f"{name} = new.{name}" for name in columns)
    fields = ", ".join(f"{name} {_SQL_TYPES[tables.c[name].type.python_type]}" for name in columns)
    return (
        f"UPDATE tables SET {changes}"  # noqa: S608  (names of columns only)
        f" FROM json_to_recordset(%s) AS new(id text, {fields}) WHERE tables.id = new.id"
    ).encode()
