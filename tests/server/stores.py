"""What tests of the store share: tables to write to, logs to look at, a writer that waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, event, insert, select

from pleasance.server.store.schema.rooms import entries, tables
from pleasance.server.store.store import Append, LogLine, Store
from server.patience import PATIENCE


def table_row(table: str) -> dict[str, object]:
    """Make up the facts of a new table."""
    return {
        "id": table,
        "plan": "{}",
        "game": "sakura",
        "seats": 2,
        "is_public": False,
        "is_rated": False,
        "owner": "somebody",
        "status": "open",
        "lines": 0,
        "created_at": 1.5,
        "changed_at": 1.5,
        "due_at": None,
        "waits_for_bot": False,
    }


def open_tables(store: Store, *ids: str) -> None:
    """Open tables with empty logs."""
    store.write_now(lambda connection: insert_tables(connection, *ids))


def insert_tables(connection: Connection, *ids: str) -> None:
    """Open tables with empty logs, in a transaction."""
    connection.execute(insert(tables), [table_row(table) for table in ids])


def add(table: str, known: int, *bodies: str, **facts: object) -> Append:
    """Make an append of lines without keys."""
    return Append(table, known, tuple(LogLine(body) for body in bodies), facts)


def log_of(store: Store, table: str) -> list[str]:
    """Read a log; check that its numbers have no gap and agree with the count."""

    def read(connection: Connection) -> tuple[list[tuple[int, str]], int | None]:
        wanted = select(entries.c.n, entries.c.body).where(entries.c.table_id == table)
        lines = [(row.n, row.body) for row in connection.execute(wanted.order_by(entries.c.n))]
        return lines, connection.scalar(select(tables.c.lines).where(tables.c.id == table))

    lines, count = store.read_now(read)
    assert [n for n, _ in lines] == list(range(1, len(lines) + 1))
    assert count == len(lines)
    return [body for _, body in lines]


def try_append(store: Store, append: Append) -> None:
    """Append from a test that has no event loop."""

    async def run() -> None:
        await store.append(append)

    asyncio.run(run())


@contextmanager
def busy_writer(store: Store) -> Iterator[None]:
    """Keep the writer busy, so that what is asked meanwhile becomes one batch."""
    begun, may_end = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        begun.set()
        assert may_end.wait(PATIENCE)

    holder = threading.Thread(target=store.write_now, args=(hold,))
    holder.start()
    assert begun.wait(PATIENCE)
    try:
        yield
    finally:
        may_end.set()
        holder.join()


@contextmanager
def counted_commits(store: Store) -> Iterator[list[object]]:
    """Note each commit of the writer."""
    seen: list[object] = []

    def note(connection: Connection) -> None:
        seen.append(connection)

    engine = store._database.writer
    event.listen(engine, "commit", note)
    try:
        yield seen
    finally:
        event.remove(engine, "commit", note)


class Ear:
    """Hears topics in an event loop and lets a test wait for one."""

    def __init__(self, store: Store) -> None:
        self.heard: list[str] = []
        self._news = asyncio.Event()
        self.stop = store.subscribe(self._hear)

    def _hear(self, topic: str) -> None:
        self.heard.append(topic)
        self._news.set()

    async def wait_for(self, topic: str) -> None:
        """Wait until *topic* is heard."""
        async with asyncio.timeout(PATIENCE):
            while topic not in self.heard:
                self._news.clear()
                await self._news.wait()
