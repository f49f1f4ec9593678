"""The store keeps acknowledged writes, and a failing write affects no other."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import Connection, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from pleasance.server.base.errors import AppendConflictError, ConflictError, UnavailableError
from pleasance.server.store import writer
from pleasance.server.store.appends import Append, NewEntry
from pleasance.server.store.schema.rooms import entries, mutes, tables
from pleasance.server.store.store import Store
from support.rows import (
    TopicRecorder,
    append_now,
    busy_writer,
    insert_tables,
    make_append,
    open_tables,
    read_log,
    recorded_commits,
    table_row,
)

pytestmark = pytest.mark.anyio


def test_what_was_written_is_there_after_reopening(database_url: str) -> None:
    store = Store.open(database_url)
    open_tables(store, "a")
    append_now(store, make_append("a", 0, "one", "two", status="running", due_at=99.5))
    store.close()
    again = Store.open(database_url)
    assert read_log(again, "a") == ["one", "two"]
    wanted = select(tables.c.status, tables.c.due_at, tables.c.waits_for_bot)
    row = again.read_now(lambda connection: connection.execute(wanted).one())
    assert tuple(row) == ("running", 99.5, False)
    again.close()


async def test_an_entry_keeps_its_key_and_its_body(store: Store) -> None:
    open_tables(store, "a")
    words = 'Äpfel "¿qué?" \\u0000 \N{CHERRY BLOSSOM}\n\ttab'
    await store.append(Append("a", 0, (NewEntry(words, "player:key"), NewEntry("{}"))))
    wanted = select(entries.c.body, entries.c.idempotency_key).order_by(entries.c.seq)
    rows = await store.read(lambda connection: connection.execute(wanted).all())
    assert [tuple(row) for row in rows] == [(words, "player:key"), ("{}", None)]


@pytest.mark.parametrize("known", [0, 2, 3])
async def test_an_append_with_a_wrong_seq_is_refused(store: Store, known: int) -> None:
    open_tables(store, "a")
    await store.append(make_append("a", 0, "one"))
    with pytest.raises(AppendConflictError):
        await store.append(make_append("a", known, "late", status="over"))
    assert read_log(store, "a") == ["one"]
    assert await store.read(lambda connection: connection.scalar(select(tables.c.status))) == "open"


async def test_an_append_to_a_table_that_is_not_there_is_refused(store: Store) -> None:
    with pytest.raises(AppendConflictError):
        await store.append(make_append("nowhere", 0, "one"))


async def test_what_comes_at_the_same_time_is_committed_together(store: Store) -> None:
    ids = [f"t{n}" for n in range(50)]
    open_tables(store, *ids)
    with recorded_commits(store) as commits:
        with busy_writer(store):
            waiting = [
                asyncio.ensure_future(store.append(make_append(table, 0, "x"))) for table in ids
            ]
            waiting.append(
                asyncio.ensure_future(
                    store.write(lambda connection: insert_tables(connection, "z"))
                )
            )
            await asyncio.sleep(0)  # lets all of them ask
            assert store.queued_jobs == 51
        await asyncio.gather(*waiting)
    assert len(commits) == 2  # of the work that kept the writer busy, and of all the rest
    assert all(read_log(store, table) == ["x"] for table in ids)


async def test_appends_to_one_log_in_one_batch_follow_each_other(store: Store) -> None:
    open_tables(store, "a")
    with busy_writer(store):
        one = asyncio.ensure_future(
            store.append(make_append("a", 0, "1", status="running", due_at=5.0))
        )
        two = asyncio.ensure_future(store.append(make_append("a", 1, "2", "3", status="over")))
        late = asyncio.ensure_future(store.append(make_append("a", 1, "no", status="open")))
        await asyncio.sleep(0)
    done = await asyncio.gather(one, two, late, return_exceptions=True)
    assert (done[0], done[1]) == (None, None)
    assert isinstance(done[2], AppendConflictError)
    assert read_log(store, "a") == ["1", "2", "3"]
    row = await store.read(
        lambda connection: connection.execute(select(tables.c.status, tables.c.due_at)).one()
    )
    assert tuple(row) == ("over", 5.0)


async def test_a_failure_in_a_batch_affects_no_other_write(store: Store) -> None:
    open_tables(store, "a", "b", "c")
    await store.append(make_append("b", 0, "one"))

    def fail(connection: Connection) -> None:
        insert_tables(connection, "left behind")
        store.publish(connection, "never")
        raise ConflictError("some_code")

    recorder = TopicRecorder(store)
    with recorded_commits(store) as commits:
        with busy_writer(store):
            works = (
                store.append(make_append("a", 0, "good")),
                store.append(make_append("b", 0, "overtaken")),
                store.write(fail),
                store.write(lambda connection: insert_tables(connection, "a")),
                store.append(Append("c", 0, (NewEntry("no"),), {}, also=fail)),
                store.write(lambda connection: insert_tables(connection, "d")),
            )
            waiting = [asyncio.ensure_future(work) for work in works]
            await asyncio.sleep(0)
        done = await asyncio.gather(*waiting, return_exceptions=True)
    kinds = [
        type(None),
        AppendConflictError,
        ConflictError,
        IntegrityError,
        ConflictError,
        type(None),
    ]
    assert [type(each) for each in done] == kinds
    assert len(commits) == 2
    assert [read_log(store, table) for table in "abc"] == [["good"], ["one"], []]
    known = await store.read(lambda connection: set(connection.scalars(select(tables.c.id))))
    assert known == {"a", "b", "c", "d"}
    await recorder.wait_for("table:a:1")
    assert recorder.topics == ["table:a:1"]


@pytest.mark.parametrize(
    "bad",
    [
        make_append("b", 0, "lone \ud800 surrogate"),
        make_append("b", 0, "x", status=None),
        Append("b", 0, (NewEntry(None),)),  # type: ignore[arg-type]  # what must not be
    ],
    ids=["surrogate", "no status", "no body"],
)
async def test_an_append_that_cannot_be_stored_fails_alone(store: Store, bad: Append) -> None:
    ids = [f"t{n}" for n in range(63)]
    open_tables(store, "b", *ids)
    with recorded_commits(store) as commits:
        with busy_writer(store):
            appends = [make_append(table, 0, "x") for table in ids]
            appends.insert(20, bad)
            waiting = [asyncio.ensure_future(store.append(append)) for append in appends]
            await asyncio.sleep(0)
        done = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(done.pop(20), Exception)
    assert set(done) == {None}
    assert len(commits) <= 8  # it is found by halves
    assert read_log(store, "b") == []
    assert all(read_log(store, table) == ["x"] for table in ids)
    await store.append(make_append("b", 0, "y"))  # the connection still works


async def test_what_belongs_to_an_append_is_written_with_it(store: Store) -> None:
    open_tables(store, "a")

    def also(connection: Connection) -> None:
        connection.execute(insert(mutes).values(player_id="p", muted_id="q"))

    await store.append(Append("a", 0, (NewEntry("x"),), {"status": "over"}, also))
    assert read_log(store, "a") == ["x"]
    with pytest.raises(AppendConflictError):
        await store.append(Append("a", 0, (NewEntry("y"),), {}, also))
    assert len(await store.read(lambda connection: connection.execute(select(mutes)).all())) == 1


async def test_a_write_gives_back_what_its_work_gives(store: Store) -> None:
    assert await store.write(lambda _: 42) == 42
    assert store.write_now(lambda _: "now") == "now"
    assert await store.read(lambda connection: connection.scalar(text("SELECT 7"))) == 7


@pytest.mark.parametrize("raised", [StopIteration, asyncio.CancelledError, SystemExit])
async def test_no_work_stops_the_writer(store: Store, raised: type[BaseException]) -> None:
    def work(_: Connection) -> None:
        raise raised

    with pytest.raises(RuntimeError, match=raised.__name__):
        await store.write(work)
    assert await store.write(lambda _: 1) == 1


async def test_readers_cannot_write_and_see_one_snapshot(store: Store) -> None:
    open_tables(store, "a")
    with pytest.raises(DBAPIError):
        await store.read(lambda connection: insert_tables(connection, "b"))
    first, second = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def look_twice(connection: Connection) -> list[int]:
        counts = [len(connection.execute(select(tables.c.id)).all())]
        loop.call_soon_threadsafe(first.set)
        asyncio.run_coroutine_threadsafe(second.wait(), loop).result()
        return [*counts, len(connection.execute(select(tables.c.id)).all())]

    reading = asyncio.ensure_future(store.read(look_twice))
    await first.wait()
    await store.write(lambda connection: insert_tables(connection, "c"))
    second.set()
    assert await reading == [1, 1]


async def test_the_requester_may_disconnect(store: Store) -> None:
    open_tables(store, "a", "b")
    with busy_writer(store):
        gone = asyncio.ensure_future(store.append(make_append("a", 0, "x")))
        stays = asyncio.ensure_future(store.append(make_append("b", 0, "x")))
        await asyncio.sleep(0)
        gone.cancel()
    await stays
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert read_log(store, "a") == ["x"]


async def test_closing_finishes_what_was_taken(database_url: str) -> None:
    store = Store.open(database_url)
    ids = [f"t{n}" for n in range(2000)]  # more than one batch
    open_tables(store, *ids)
    waiting = [asyncio.ensure_future(store.append(make_append(table, 0, "x"))) for table in ids]
    await asyncio.sleep(0)
    store.close()
    await asyncio.gather(*waiting)
    for asked in (store.append(make_append("t0", 1, "y")), store.read(lambda _: None)):
        with pytest.raises(UnavailableError, match="storage_closed"):
            await asked
    store.close()  # once more does no harm
    again = Store.open(database_url)
    assert all(read_log(again, table) == ["x"] for table in ids[::100])
    lines = again.read_now(lambda connection: len(connection.execute(select(entries.c.seq)).all()))
    assert lines == len(ids)
    again.close()


async def test_a_full_queue_refuses_more(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MAX_QUEUED_JOBS", 10)
    with busy_writer(store):
        waiting = [asyncio.ensure_future(store.write(lambda _: 1)) for _ in range(10)]
        await asyncio.sleep(0)
        with pytest.raises(UnavailableError, match="storage_busy"):
            await store.write(lambda _: 1)
    assert await asyncio.gather(*waiting) == [1] * 10


async def test_an_error_tells_nothing_of_what_is_in_a_row(store: Store) -> None:
    row = {**table_row("a"), "config": "sesame", "owner": None}
    with pytest.raises(IntegrityError) as caught:
        await store.write(lambda connection: connection.execute(insert(tables).values(row)))
    assert "owner" in str(caught.value)
    assert "sesame" not in str(caught.value)
    assert "sesame" not in str(caught.value.orig)
    open_tables(store, "b")
    with pytest.raises(Exception, match="status") as refused:
        await store.append(make_append("b", 0, "x", config="sesame", status=None))
    assert "sesame" not in str(refused.value)
