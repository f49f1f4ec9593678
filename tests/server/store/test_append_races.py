"""Append races of two servers: each seq of a log goes to exactly one of them."""

from __future__ import annotations

import asyncio
import threading
from functools import partial

import pytest
from sqlalchemy import Connection, select, text, update

from pleasance.server.base.errors import AppendConflictError, UnavailableError
from pleasance.server.store import postgres
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.store import Store
from support import TIMEOUT_S
from support.rows import make_append, open_tables, read_log

pytestmark = pytest.mark.anyio


def count_lines(connection: Connection, table: str) -> int | None:
    return connection.scalar(select(tables.c.seq).where(tables.c.id == table))


@pytest.mark.slow
async def test_of_two_stores_exactly_one_wins_each_number(pair: tuple[Store, Store]) -> None:
    ids = ["a", "b", "c"]
    open_tables(pair[0], *ids)
    taken: dict[str, list[str]] = {table: [] for table in ids}

    def is_decided(table: str, known: int) -> bool:
        """Return whether a race may end: it is long enough, and both servers have won appends."""
        return known >= 60 and {body[0] for body in taken[table]} == {"0", "1"}

    async def race(store: Store, name: str, table: str) -> None:
        known = 0
        while not is_decided(table, known) and known < 2000:
            body = f"{name} {known + 1}"
            try:
                await store.append(make_append(table, known, body, owner=name))
                taken[table].append(body)
                known += 1
            except AppendConflictError:
                now = await store.read(partial(count_lines, table=table))
                assert isinstance(now, int)
                assert now > known
                known = now

    await asyncio.gather(
        *(
            race(store, f"{n}{k}", table)
            for n, store in enumerate(pair)
            for table in ids
            for k in range(2)
        )
    )
    for table in ids:
        log = read_log(pair[1], table)
        assert len(log) >= 60
        assert sorted(log) == sorted(taken[table])
        assert [int(body.split()[1]) for body in log] == list(range(1, len(log) + 1))
        assert {body[0] for body in log} == {"0", "1"}  # both have won some


async def test_batches_over_the_same_tables_never_deadlock(pair: tuple[Store, Store]) -> None:
    ids = [f"t{n:02}" for n in range(40)]
    open_tables(pair[0], *ids)

    async def write_all(store: Store, order: list[str]) -> int:
        done = await asyncio.gather(
            *(store.append(make_append(table, 0, "x")) for table in order), return_exceptions=True
        )
        assert {type(each) for each in done} <= {type(None), AppendConflictError}
        return sum(each is None for each in done)

    won = await asyncio.gather(write_all(pair[0], ids), write_all(pair[1], ids[::-1]))
    assert sum(won) == len(ids)
    assert all(read_log(pair[0], table) == ["x"] for table in ids)


@pytest.mark.slow
async def test_deadlocked_writes_are_retried_in_turn(pair: tuple[Store, Store]) -> None:
    open_tables(pair[0], "a", "b")
    is_held = {"a": threading.Event(), "b": threading.Event()}
    begun: list[str] = []

    def move(first: str, second: str, connection: Connection) -> None:
        begun.append(first)
        count = {"seats": tables.c.seats + 1}
        connection.execute(update(tables).where(tables.c.id == first).values(count))
        is_held[first].set()
        assert is_held[second].wait(TIMEOUT_S)
        connection.execute(update(tables).where(tables.c.id == second).values(count))

    await asyncio.gather(
        pair[0].write(lambda connection: move("a", "b", connection)),
        pair[1].write(lambda connection: move("b", "a", connection)),
    )
    assert len(begun) == 3  # one of them had to begin again
    rows = await pair[0].read(lambda connection: connection.scalars(select(tables.c.seats)).all())
    assert rows == [4, 4]


@pytest.mark.slow
async def test_hung_writers_block_few(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_SESSION_SETTINGS", ("SET lock_timeout = '200ms'",))
    pair = Store.open(postgres_url), Store.open(postgres_url)
    open_tables(pair[0], "a", "b")
    holds, may_go = threading.Event(), threading.Event()

    def hang(connection: Connection) -> None:
        connection.execute(text("SELECT * FROM tables WHERE id = 'a' FOR UPDATE"))
        holds.set()
        assert may_go.wait(TIMEOUT_S)

    hanging = asyncio.ensure_future(pair[0].write(hang))
    assert await asyncio.to_thread(holds.wait, TIMEOUT_S)
    stuck, free = await asyncio.gather(
        pair[1].append(make_append("a", 0, "x")),
        pair[1].append(make_append("b", 0, "x")),
        return_exceptions=True,
    )
    assert isinstance(stuck, UnavailableError)
    assert stuck.code == "storage_away"
    assert free is None
    may_go.set()
    await hanging
    await pair[1].append(make_append("a", 0, "x"))
    assert [read_log(pair[1], table) for table in ("a", "b")] == [["x"], ["x"]]
    for store in pair:
        store.close()
