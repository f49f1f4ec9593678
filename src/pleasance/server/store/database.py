"""What SQLite and PostgreSQL each do their own way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import IntEnum
from typing import Final, Protocol, TypeAlias

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.appends import Append

MISSED: Final = "missed"
"""The topic that tells listeners that they may not have heard everything."""


class Fault(IntEnum):
    """Why a statement failed."""

    MISTAKE = 0
    """The statement itself is at fault: only the work it belongs to fails."""

    STUCK = 1
    """It took too long: another process is in the way of the work it belongs to."""

    CLASH = 2
    """Two processes got in each other's way: to be tried again."""

    SEALED = 3
    """It may only be read: so it is with a copy of a database, and with readers of ours."""

    AWAY = 4
    """The database does not answer."""

    FULL = 5
    """The disk is full."""

    @property
    def is_local(self) -> bool:
        """Tell whether other work in the same transaction is not concerned."""
        return self <= Fault.STUCK

    @property
    def code(self) -> str:
        """Name the refusal."""
        return "storage_full" if self is Fault.FULL else "storage_away"


Hear: TypeAlias = Callable[[list[str]], None]
"""Is told topics, in whatever thread they come in."""


class Database(Protocol):
    """One kind of database."""

    is_shared: bool
    """Whether other processes may write too."""

    patience: float
    """Seconds to wait for a database that has gone away, before giving work up."""

    writer: Engine
    """Makes the connection of the writer; a transaction begun on it may write."""

    reader: Engine
    """Makes connections for readers; each transaction sees one moment."""

    def enter(self) -> None:
        """Take a place among the processes that write."""

    def begin(
        self, connection: Connection, appends: Sequence[Append]
    ) -> tuple[int | None, list[bool]]:
        """Begin a transaction with what is added to logs; other processes will be told of it.

        Give a ticket to ask later what became of it, `None` if that is always known; and for each
        append whether it was taken.
        """

    def append(self, connection: Connection, appends: Sequence[Append]) -> list[bool]:
        """Add to logs in a transaction that has begun; tell for each whether it was taken."""

    def read_logs(
        self, connection: Connection, known: Mapping[str, int]
    ) -> Iterable[tuple[str, int, str, str | None]]:
        """Read the lines of logs after those *known* of each: table, number, body and key.

        Those of one log come in order.
        """

    def notify(self, connection: Connection, topics: Sequence[str]) -> None:
        """Tell other processes once this transaction is committed."""

    def was_committed(self, ticket: int) -> bool | None:
        """Find out what became of a transaction; `None` while it is not decided."""

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Pass on the topics that other processes tell; give back how to stop."""

    def judge(self, error: BaseException) -> Fault:
        """Tell why a statement failed."""

    def is_writing(self, connection: Connection) -> bool:
        """Tell whether the transaction of the writer is still open and sound."""

    def explain(self, error: Exception) -> UnavailableError:
        """Say why the database cannot be opened."""

    def migrating(self) -> AbstractContextManager[Connection]:
        """Begin a transaction that changes the schema; only one process may be in it."""

    def close(self) -> None:
        """Let go of all that is held."""


def bare(error: BaseException) -> BaseException:
    """Take the driver's own error out of its wrapping."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def find_fault(database: Database, error: BaseException) -> Fault:
    """Tell the worst that has led to *error*: a failed statement can make others fail after it."""
    worst = Fault.MISTAKE
    link: BaseException | None = error
    while link is not None:
        worst = max(worst, database.judge(link))
        link = link.__cause__ or link.__context__
    return worst
