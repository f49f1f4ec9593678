"""The store: the one interface to the database for the rest of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from sqlalchemy import Connection

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.appends import Append
from pleasance.server.store.batch_writer import TOPICS
from pleasance.server.store.database import Database, Fault, classify_error
from pleasance.server.store.database_url import connect_database
from pleasance.server.store.dispatcher import Listener, ResultDispatcher, Work, WriteJob
from pleasance.server.store.log_tailer import LogRows, LogTailer
from pleasance.server.store.migrate import migrate
from pleasance.server.store.reader import Reader
from pleasance.server.store.writer import Writer

T = TypeVar("T")


class Store:
    """The database: one writer thread with group commit, and a pool of readers.

    It is the same for SQLite and PostgreSQL. When the disk is full or the database is away, work
    is refused with an `UnavailableError`; the store recovers by itself.
    """

    def __init__(self, database: Database) -> None:
        self.is_shared = database.is_shared
        """Whether other processes may write too."""

        self._database = database
        self._dispatcher = ResultDispatcher()
        self._stop_listening = database.listen(lambda topics: self._dispatcher.dispatch((), topics))
        self._reader = Reader(database)
        self._writer = Writer(database, self._dispatcher)
        self._log_tailer = LogTailer(self._read_logs)

    @classmethod
    def open(cls, url: str, *, is_server: bool = True) -> Store:
        """Open the database at *url* and bring its schema up to date.

        A tool that is no server may open a file that a server has open.
        """
        database = connect_database(url, is_server=is_server)
        try:
            migrate(database)
            database.register_writer()
            return cls(database)
        except Exception as error:
            database.close()
            if classify_error(database, error) is Fault.STATEMENT:
                raise
            raise database.to_unavailable(error) from error

    @property
    def queued_jobs(self) -> int:
        """The number of writes that wait for the disk."""
        return self._writer.queued_jobs

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in a reader thread, on one snapshot of the database."""
        return await self._reader.submit(work)

    async def read_entries(self, table: str, after_seq: int) -> LogRows:
        """Read the entries of a log after *after_seq*."""
        return await self._log_tailer.read(table, after_seq)

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in this thread, on one snapshot of the database."""
        return self._reader.read(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in the writer thread; return once it is on disk.

        An exception rolls back this work and no other. It is run again if the database goes away
        before the commit, so its effects outside the database must be idempotent.
        """
        return cast("T", await self._submit(work))

    def write_now(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in the writer thread and wait for it here, without an event loop."""
        job = WriteJob(work, None)
        self._writer.submit(job)
        return cast("T", job.future.result())

    def append(self, append: Append) -> asyncio.Future[object]:
        """Append entries to the log of a table; they are queued at once and await the disk.

        If the log does not have the expected seq (optimistic concurrency), nothing is written and
        `AppendConflictError` is raised. All listeners get the topic `table:<id>:<seq>`.
        """
        return self._submit(append)

    def publish(self, connection: Connection, topic: str) -> None:
        """Publish *topic* to all listeners of all processes, once this write is on disk."""
        assert "\n" not in topic, f"{topic!r} has more than one line"
        topics: list[str] = connection.info[TOPICS]
        topics.append(topic)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call *listener* with each topic, in the running event loop; return how to unsubscribe.

        `TOPICS_MISSED` means that others may have been lost. Without an event loop the listener is
        called in a thread of the store.
        """
        return self._dispatcher.subscribe(listener)

    def close(self) -> None:
        """Finish all queued writes, then stop."""
        self._writer.close()
        self._stop_listening()
        self._reader.close()
        self._database.close()

    async def _read_logs(self, after: Mapping[str, int]) -> dict[str, LogRows]:
        def work(connection: Connection) -> dict[str, LogRows]:
            logs: dict[str, LogRows] = {}
            for table, seq, body, key in self._database.read_logs(connection, after):
                logs.setdefault(table, []).append((seq, body, key))
            return logs

        return await self.read(work)

    def _submit(self, task: Append | Work) -> asyncio.Future[object]:
        job = WriteJob(task, asyncio.get_running_loop())
        future = cast("asyncio.Future[object]", job.future)
        try:
            self._writer.submit(job)
        except UnavailableError as refusal:
            future.set_exception(refusal)
        return future
