"""PostgreSQL: many processes on many machines write into one database and hear of each other."""

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
from pleasance.server.store.appends import Append, Sheet, plan_appends
from pleasance.server.store.database import Fault, Hear, bare
from pleasance.server.store.meta import new_id
from pleasance.server.store.notify_listener import CHANNEL, Driver, Ears
from pleasance.server.store.schema.rooms import tables

PAYLOAD: Final = 7_900
"""Bytes of one notification; PostgreSQL takes less than 8000."""

_ARGUMENTS: Final = {
    "connect_timeout": 5,
    # A machine that is gone without a word is found out within half a minute.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}

_SETTINGS: Final = (
    # A process that hangs must not hold up all others.
    "SET lock_timeout = '5s'",
    "SET statement_timeout = '30s'",
    "SET idle_in_transaction_session_timeout = '15s'",
    # What is acknowledged is on disk, whatever the database is set to.
    """SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'""",
)

_COUNT: Final = (
    # In one order everywhere, so that two processes never wait for each other.
    "SELECT id, lines FROM tables WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"
)
_ADD: Final = (
    "INSERT INTO entries (table_id, n, body, key) SELECT t, n, b, k"
    " FROM json_to_recordset(%s) AS new(t text, n bigint, b text, k text)"
)
_MORE: Final = (
    # Log by log: to plan this in another way could mean to read all there are.
    "SELECT t, n, body, key FROM json_to_recordset(%s) AS wanted(t text, k bigint), LATERAL"
    " (SELECT n, body, key FROM entries WHERE table_id = t AND n > k ORDER BY n) AS more"
)
_TYPES: Final = {str: "text", int: "bigint", float: "float8", bool: "boolean"}

_MIGRATING: Final = 0x506C6561
"""Names the lock of whoever changes the schema; no other program should happen to take it."""

_SIGN: Final = """
    INSERT INTO receipts (writer, batch, at) VALUES (%s, %s, extract(epoch FROM now()))
    ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, at = excluded.at
"""
_LOOK: Final = "SELECT batch FROM receipts WHERE writer = %s FOR UPDATE"
_FORGET: Final = (
    "DELETE FROM receipts WHERE writer = %s OR at < extract(epoch FROM now()) - 30 * 86400"
)

_KNOWN: Final = {
    "53100": Fault.FULL,
    "25006": Fault.SEALED,
    "40001": Fault.CLASH,  # transactions that cannot be put into an order
    "40P01": Fault.CLASH,  # a deadlock
    "55P03": Fault.STUCK,  # locked for too long
    "57014": Fault.STUCK,  # it simply took too long
}
_AWAY: Final = ("08", "53", "57", "58")
"""No connection, no resources, shut down, a broken system."""


class PostgresDatabase:
    """A database that many processes share."""

    is_shared = True
    patience = 5.0  # as long as a restart takes

    def __init__(self, url: URL) -> None:
        url = url.set(drivername="postgresql+psycopg")
        self.name = new_id()
        """Signs what this process tells others, so that it does not listen to itself."""

        self._batch = 0
        self.writer = _make_engine(url, connections=1)
        self.reader: Engine = _make_engine(url, connections=8).execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    def enter(self) -> None:
        """Take a place among the processes that write."""
        with self.writer.connect() as connection:
            self.begin(connection, ())
            connection.commit()

    def begin(
        self, connection: Connection, appends: Sequence[Append]
    ) -> tuple[int | None, list[bool]]:
        """Begin a transaction with a receipt, and with what is added to logs."""
        connection.begin()
        self._batch += 1
        with _secret(driver_of(connection)) as driver:
            driver.execute(_SIGN, (self.name, self._batch))
            taken = _append(driver, appends) if appends else []
            each = zip(appends, taken, strict=True)
            self._notify(driver, [append.topic for append, is_taken in each if is_taken])
        return self._batch, taken

    def append(self, connection: Connection, appends: Sequence[Append]) -> list[bool]:
        """Add to logs; tell for each append whether it was taken."""
        with _secret(driver_of(connection)) as driver:
            return _append(driver, appends)

    def read_logs(
        self, connection: Connection, known: Mapping[str, int]
    ) -> Iterable[tuple[str, int, str, str | None]]:
        """Read the lines of logs after those *known* of each: table, number, body and key."""
        wanted = json.dumps([{"t": table, "k": count} for table, count in known.items()])
        return driver_of(connection).execute(_MORE, (wanted,)).fetchall()

    def notify(self, connection: Connection, topics: Sequence[str]) -> None:
        """Tell other processes once this transaction is committed."""
        self._notify(driver_of(connection), topics)

    def was_committed(self, ticket: int) -> bool | None:
        """Find out what became of a transaction: its receipt is there or not.

        While the database is still at it, this waits: the row is locked.
        """
        with self.writer.begin() as connection:
            found = driver_of(connection).execute(_LOOK, (self.name,)).fetchone()
        return found is not None and found[0] == ticket

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Pass on the topics that other processes tell; give back how to stop."""
        ears = Ears(self._connect, self.name, hear)
        return ears.close

    def is_writing(self, connection: Connection) -> bool:
        """Tell whether the transaction is still open and sound."""
        return driver_of(connection).info.transaction_status == TransactionStatus.INTRANS

    def judge(self, error: BaseException) -> Fault:
        """Tell why a statement failed."""
        found = bare(error)
        if not isinstance(found, psycopg.Error):
            return Fault.MISTAKE
        code = found.sqlstate
        if code is None:  # the driver's own: it has no connection, or was misused
            away = (psycopg.OperationalError, psycopg.InterfaceError)
            return Fault.AWAY if isinstance(found, away) else Fault.MISTAKE
        if code in _KNOWN:
            return _KNOWN[code]
        return Fault.AWAY if code.startswith(_AWAY) else Fault.MISTAKE

    def explain(self, error: Exception) -> UnavailableError:
        """Say why the database cannot be opened, in its own words: they name no password."""
        reason, *_ = str(bare(error)).splitlines() or [""]
        return UnavailableError("database_refused", reason=reason)

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Begin a transaction that changes the schema; only one process may be in it."""
        with self.writer.begin() as connection:
            # However long another process takes, and however long this one will.
            for limit in ("lock", "statement", "idle_in_transaction_session"):
                connection.execute(text(f"SET LOCAL {limit}_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
            yield connection

    def close(self) -> None:
        """Give the place up and let go of all connections."""
        if self._batch:
            with suppress(SQLAlchemyError, psycopg.Error), self.writer.begin() as connection:
                driver_of(connection).execute(_FORGET, (self.name,))
            self._batch = 0
        self.reader.dispose()
        self.writer.dispose()

    def _notify(self, driver: Driver, topics: Sequence[str]) -> None:
        for payload in pack(self.name, topics):
            driver.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))

    def _connect(self) -> Driver:
        """Make a connection of its own for whoever listens."""
        words, arguments = self.writer.dialect.create_connect_args(self.writer.url)
        return psycopg.connect(*words, **{**_ARGUMENTS, **arguments}, autocommit=True)


def driver_of(connection: Connection) -> Driver:
    """Reach the driver's connection, for what is too slow or not possible otherwise."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    return driver


@contextmanager
def _secret(driver: Driver) -> Iterator[Driver]:
    """Send statements without waiting for each answer; let no error tell what is in a row."""
    try:
        with driver.pipeline():
            yield driver
    except psycopg.Error as error:
        _keep_rows_secret(error)
        raise


def pack(name: str, topics: Sequence[str]) -> Iterator[str]:
    """Put *topics* into as few notifications as hold them, each signed with *name*.

    >>> [parcel.split() for parcel in pack("me", ["table:a:1", "table:b:7"])]
    [['me', 'table:a:1', 'table:b:7']]
    """
    parcel, size = [name], len(name)
    for topic in topics:
        length = len(topic.encode()) + 1
        if size + length > PAYLOAD:
            yield "\n".join(parcel)
            parcel, size = [name], len(name)
        parcel.append(topic)
        size += length
    if topics:
        yield "\n".join(parcel)


def _make_engine(url: URL, *, connections: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        connect_args=_ARGUMENTS,
        hide_parameters=True,  # they may be secret, and errors are logged
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "handle_error", _keep_secret)
    return engine


def _keep_secret(context: ExceptionContext) -> None:
    """Cut short what an error of the database tells."""
    _keep_rows_secret(context.original_exception)
    _keep_rows_secret(context.sqlalchemy_exception)


def _keep_rows_secret(error: BaseException | None) -> None:
    """Keep the first line of an error: others show the row it is about, and errors are logged."""
    if error is not None and error.args:
        error.args = (str(error.args[0]).partition("\n")[0], *error.args[1:])


def _prepare(driver: Driver, _: object) -> None:
    for setting in _SETTINGS:
        driver.execute(setting.encode())
    driver.commit()


def _append(driver: Driver, appends: Sequence[Append]) -> list[bool]:
    ids = list({append.table for append in appends})
    counts: dict[str, int] = dict(driver.execute(_COUNT, (ids,)).fetchall())
    sheet = plan_appends(appends, counts)
    if sheet.facts:
        _write(driver, sheet)
    return sheet.is_taken


def _write(driver: Driver, sheet: Sheet) -> None:
    """Send all rows; few statements, whose answers are waited for together."""
    names = ("t", "n", "b", "k")
    driver.execute(
        _ADD, (json.dumps([dict(zip(names, row, strict=True)) for row in sheet.entries]),)
    )
    for columns, rows in sheet.by_columns().items():
        keys = (*columns, "id")
        records = [dict(zip(keys, row, strict=True)) for row in rows]
        driver.execute(_setting(columns), (json.dumps(records),))


@cache
def _setting(columns: tuple[str, ...]) -> bytes:
    """Write the statement that sets *columns* of many tables."""
    changes = ", ".join(f"{name} = new.{name}" for name in columns)
    fields = ", ".join(f"{name} {_TYPES[tables.c[name].type.python_type]}" for name in columns)
    return (
        f"UPDATE tables SET {changes}"  # noqa: S608  (names of columns only)
        f" FROM json_to_recordset(%s) AS new(id text, {fields}) WHERE tables.id = new.id"
    ).encode()
