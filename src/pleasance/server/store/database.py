"""The interface that SQLite and PostgreSQL each implement, and the classification of faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import IntEnum
from typing import Protocol, TypeAlias

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.appends import Append


class Fault(IntEnum):
    """Why a statement failed."""

    STATEMENT = 0
    """The statement itself is at fault: only the work it belongs to fails."""

    TIMEOUT = 1
    """It took too long: another process blocks the work it belongs to."""

    CONFLICT = 2
    """Two processes conflicted: the transaction is to be retried."""

    READ_ONLY = 3
    """It may only be read, as a copy of a database or a connection of the readers."""

    UNAVAILABLE = 4
    """The database does not answer."""

    DISK_FULL = 5

    @property
    def is_local(self) -> bool:
        """True if other work in the same transaction is unaffected."""
        return self <= Fault.TIMEOUT

    @property
    def code(self) -> str:
        """The code of the refusal."""
        return "storage_full" if self is Fault.DISK_FULL else "storage_away"


ReceiveTopics: TypeAlias = Callable[[list[str]], None]
"""Receives topics, in whatever thread they come in."""


class Database(Protocol):
    """One kind of database."""

    is_shared: bool
    """Whether other processes may write too."""

    reconnect_timeout_s: float
    """How long to wait for a database that has gone away, before work is refused."""

    writer: Engine
    """Makes the connection of the writer; a transaction begun on it may write."""

    reader: Engine
    """Makes connections for readers; each transaction reads one snapshot."""

    def register_writer(self) -> None:
        """Register this process among those that write."""

    def begin(
        self, connection: Connection, appends: Sequence[Append]
    ) -> tuple[int | None, list[bool]]:
        """Begin a transaction with *appends*; their topics are published to other processes.

        Return a marker to check the outcome of the COMMIT later, `None` if that is always known;
        and for each append whether it was accepted.
        """

    def append(self, connection: Connection, appends: Sequence[Append]) -> list[bool]:
        """Append to logs in an open transaction; return for each whether it was accepted."""

    def read_logs(
        self, connection: Connection, after: Mapping[str, int]
    ) -> Iterable[tuple[str, int, str, str | None]]:
        """Read log entries *after* a seq of each table: table, seq, body and key.

        Those of one log come in order.
        """

    def notify(self, connection: Connection, topics: Sequence[str]) -> None:
        """Publish *topics* to other processes once this transaction is committed."""

    def was_committed(self, marker: int) -> bool | None:
        """Return whether a transaction was committed; `None` while it is undecided."""

    def listen(self, receive: ReceiveTopics) -> Callable[[], None]:
        """Pass on the topics of other processes; return how to stop."""

    def classify(self, error: BaseException) -> Fault:
        """Return why a statement failed."""

    def is_in_transaction(self, connection: Connection) -> bool:
        """Return whether the transaction of the writer is still open and sound."""

    def to_unavailable(self, error: Exception) -> UnavailableError:
        """Convert *error* into the refusal that says why the database cannot be opened."""

    def migration(self) -> AbstractContextManager[Connection]:
        """Begin a transaction that changes the schema; only one process may be in it."""

    def close(self) -> None:
        """Close all connections and locks."""


def driver_error(error: BaseException) -> BaseException:
    """Unwrap the driver's own error."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def classify_error(database: Database, error: BaseException) -> Fault:
    """Return the worst fault in the chain of *error*: one failed statement can fail others."""
    worst = Fault.STATEMENT
    link: BaseException | None = error
    while link is not None:
        worst = max(worst, database.classify(link))
        link = link.__cause__ or link.__context__
    return worst
