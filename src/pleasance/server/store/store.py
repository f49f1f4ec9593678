"""The store: what the rest of the server sees of the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from sqlalchemy import Connection

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.appends import Append, LogLine
from pleasance.server.store.batch_writer import TOPICS
from pleasance.server.store.database import MISSED, Database, Fault, find_fault
from pleasance.server.store.database_url import find_database
from pleasance.server.store.dispatcher import Job, Listener, Post, Work
from pleasance.server.store.log_tailer import Follower, Lines
from pleasance.server.store.migrate import migrate
from pleasance.server.store.reader import Reader
from pleasance.server.store.writer import Writer

__all__ = ["MISSED", "Append", "LogLine", "Store"]

T = TypeVar("T")


class Store:
    """The database: one writer thread with group commit, readers in a pool.

    It is the same for SQLite and PostgreSQL. When the disk is full or the database is away, work
    is refused with an `UnavailableError`; the store recovers by itself.
    """

    def __init__(self, database: Database) -> None:
        self.is_shared = database.is_shared
        """Whether other processes may write too."""

        self._database = database
        self._post = Post()
        self._stop_listening = database.listen(self._hear)
        self._reader = Reader(database)
        self._writer = Writer(database, self._post)
        self._follower = Follower(self._read_logs)

    @classmethod
    def open(cls, url: str, *, is_server: bool = True) -> Store:
        """Open the database at *url* and bring its schema up to date.

        A tool that is no server may open a file that a server has open.
        """
        database = find_database(url, is_server=is_server)
        try:
            migrate(database)
            database.enter()
            return cls(database)
        except Exception as error:
            database.close()
            if find_fault(database, error) is Fault.MISTAKE:
                raise
            raise database.explain(error) from error

    @property
    def waiting(self) -> int:
        """Count the jobs that wait for the disk."""
        return self._writer.waiting

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in a reader thread; it sees one moment of the database."""
        return await self._reader.read_soon(work)

    async def read_more(self, table: str, known: int) -> Lines:
        """Read the lines of a log after the first *known*."""
        return await self._follower.read(table, known)

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in this thread; it sees one moment of the database."""
        return self._reader.read(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in the writer thread; return once it is on disk.

        An exception rolls back this work and no other. It is run again if the database goes away
        before the commit, so what it does outside the database must bear that.
        """
        return cast("T", await self._ask(work))

    def write_now(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in the writer thread and wait for it here, without an event loop."""
        job = Job(work, None)
        self._writer.take(job)
        return cast("T", job.future.result())

    def append(self, append: Append) -> asyncio.Future[object]:
        """Add lines to the log of a table; they are taken at once, and await the disk.

        If the log does not have as many lines as were known, nothing is written and
        `OvertakenError` raised. All listeners are told the topic `table:<id>:<number of lines>`.
        """
        return self._ask(append)

    def publish(self, connection: Connection, topic: str) -> None:
        """Tell all listeners of all processes *topic*, once this write is on disk."""
        assert "\n" not in topic, f"{topic!r} has more than one line"
        topics: list[str] = connection.info[TOPICS]
        topics.append(topic)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell *listener* each topic, in the thread of this event loop; give back how to stop.

        The topic `missed` says that others may have been lost. Without an event loop the listener
        is called in a thread of the store.
        """
        return self._post.subscribe(listener)

    def close(self) -> None:
        """Finish what was taken, then stop."""
        self._writer.close()
        self._stop_listening()
        self._reader.close()
        self._database.close()

    async def _read_logs(self, known: Mapping[str, int]) -> dict[str, Lines]:
        def work(connection: Connection) -> dict[str, Lines]:
            logs: dict[str, Lines] = {}
            for table, n, body, key in self._database.read_logs(connection, known):
                logs.setdefault(table, []).append((n, body, key))
            return logs

        return await self.read(work)

    def _hear(self, topics: list[str]) -> None:
        self._post.deliver((), topics)

    def _ask(self, task: Append | Work) -> asyncio.Future[object]:
        job = Job(task, asyncio.get_running_loop())
        future = cast("asyncio.Future[object]", job.future)
        try:
            self._writer.take(job)
        except UnavailableError as refusal:
            future.set_exception(refusal)
        return future
