"""Rows for tests: players, ratings, tables and logs; and observers of a store."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, event, insert, select

from pleasance.core.game import Seat
from pleasance.server.store.appends import Append, NewEntry
from pleasance.server.store.schema.identity import players
from pleasance.server.store.schema.ratings import ratings
from pleasance.server.store.schema.rooms import entries, tables
from pleasance.server.store.store import Store
from pleasance.table.standings import Holder, Standing, make_standings
from support import TIMEOUT_S


def add_person(
    connection: Connection,
    name: str,
    *,
    kind: str = "guest",
    owner: str | None = None,
    language: str = "en",
) -> str:
    """Insert a player whose id is the name in lower case."""
    row = {"id": name.lower(), "name": name, "kind": kind, "language": language, "owner": owner}
    connection.execute(insert(players).values(**row, created_at=0.0, seen_at=0.0))
    return name.lower()


def add_people(connection: Connection, *names: str) -> None:
    """Insert several players."""
    for name in names:
        add_person(connection, name)


def table_row(table: str, **columns: object) -> dict[str, object]:
    """Build the row of a new table."""
    row = {"id": table, "config": "{}", "game": "sakura", "seats": 2, "owner": "ada", "seq": 0}
    flags = dict.fromkeys(("is_public", "is_rated", "waits_for_bot"), False)
    times = {"created_at": 1.5, "changed_at": 1.5, "due_at": None}
    return {**row, **flags, **times, "status": "open", **columns}


def add_table(connection: Connection, table: str, *, is_public: bool = True) -> None:
    """Insert a running rated table."""
    row = table_row(table, is_public=is_public, is_rated=True, status="running")
    connection.execute(insert(tables).values(**row))


def build_standings(*subjects: str, left: Sequence[int] = ()) -> tuple[Standing, ...]:
    """Build standings: the first subject has won, each next one has ten points less."""
    holders = [
        Holder(None, name.removeprefix("bot:")) if name.startswith("bot:") else Holder(name, None)
        for name in subjects
    ]
    scores = [100 - 10 * place for place in range(len(subjects))]
    return make_standings(holders, winners=(Seat(0),), scores=scores, left=[*map(Seat, left)])


def add_rating(connection: Connection, subject: str, ordinal: float, games: int = 9) -> None:
    """Insert the rating of a subject at Sakura for two."""
    facts = {"mu": ordinal + 6.0, "sigma": 2.0, "ordinal": ordinal, "wins": 3, "updated_at": 0.0}
    place = {"game": "sakura", "seats": 2, "subject": subject, "games": games}
    connection.execute(insert(ratings).values(**place, **facts))


def open_tables(store: Store, *ids: str) -> None:
    """Insert open tables with empty logs."""
    store.write_now(lambda connection: insert_tables(connection, *ids))


def insert_tables(connection: Connection, *ids: str) -> None:
    """Insert open tables with empty logs, in a transaction."""
    connection.execute(insert(tables), [table_row(table) for table in ids])


def make_append(table: str, expected_seq: int, *bodies: str, **columns: object) -> Append:
    """Build an append of entries without keys."""
    return Append(table, expected_seq, tuple(NewEntry(body) for body in bodies), columns)


def read_log(store: Store, table: str) -> list[str]:
    """Read a log; assert that its seqs have no gap and agree with the table."""

    def read(connection: Connection) -> tuple[list[tuple[int, str]], int | None]:
        wanted = select(entries.c.seq, entries.c.body).where(entries.c.table_id == table)
        rows = [(row.seq, row.body) for row in connection.execute(wanted.order_by(entries.c.seq))]
        return rows, connection.scalar(select(tables.c.seq).where(tables.c.id == table))

    rows, last_seq = store.read_now(read)
    assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1))
    assert last_seq == len(rows)
    return [body for _, body in rows]


def append_now(store: Store, append: Append) -> None:
    """Append entries in a test without an event loop."""

    async def run() -> None:
        await store.append(append)

    asyncio.run(run())


@contextmanager
def busy_writer(store: Store) -> Iterator[None]:
    """Keep the writer busy, so that all writes in this context become one batch."""
    begun, may_end = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        begun.set()
        assert may_end.wait(TIMEOUT_S)

    holder = threading.Thread(target=store.write_now, args=(hold,))
    holder.start()
    assert begun.wait(TIMEOUT_S)
    try:
        yield
    finally:
        may_end.set()
        holder.join()


@contextmanager
def recorded_commits(store: Store) -> Iterator[list[object]]:
    """Record the commits of the writer."""
    commits: list[object] = []

    def record(connection: Connection) -> None:
        commits.append(connection)

    engine = store._database.writer
    event.listen(engine, "commit", record)
    try:
        yield commits
    finally:
        event.remove(engine, "commit", record)


class TopicRecorder:
    """Records published topics in an event loop; a test can wait for one."""

    def __init__(self, store: Store) -> None:
        self.topics: list[str] = []
        self._changed = asyncio.Event()
        self.stop = store.subscribe(self._record)

    def _record(self, topic: str) -> None:
        self.topics.append(topic)
        self._changed.set()

    async def wait_for(self, topic: str) -> None:
        """Wait until *topic* is published."""
        async with asyncio.timeout(TIMEOUT_S):
            while topic not in self.topics:
                self._changed.clear()
                await self._changed.wait()
