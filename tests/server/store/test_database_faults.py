"""Database faults: restarts, dropped connections, a full disk; nothing is lost."""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store import batch_writer
from pleasance.server.store.postgres import PostgresDatabase
from pleasance.server.store.store import Store
from server.store.postgres_proxy import commit_dropper
from support.postgres import Cluster
from support.rows import (
    TopicRecorder,
    busy_writer,
    insert_tables,
    make_append,
    open_tables,
    read_log,
)

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_lost_commit_is_done_once(postgres_url: str, cluster: Cluster, moment: str) -> None:
    with commit_dropper(cluster.folder) as between:
        store = Store.open(postgres_url.replace(str(cluster.folder), between.folder))
        open_tables(store, "a", "b")
        recorder = TopicRecorder(store)
        between.arm(moment)
        await store.append(make_append("a", 0, "one", "two"))
        between.arm(moment)
        times = []

        def work(connection: Connection) -> None:
            times.append(1)
            insert_tables(connection, "c")

        await store.write(work)
        assert len(times) == (2 if moment == "before" else 1)
        assert read_log(store, "a") == ["one", "two"]
        await store.append(make_append("a", 2, "three"))
        await recorder.wait_for("table:a:3")
        assert recorder.topics == ["table:a:2", "table:a:3"]
        store.close()


async def test_unknown_outcomes_are_not_acknowledged(
    postgres_url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_writer, "_MAX_COMMIT_CHECK_S", 0.2)
    with commit_dropper(cluster.folder) as between:
        store = Store.open(postgres_url.replace(str(cluster.folder), between.folder))
        open_tables(store, "a")
        recorder = TopicRecorder(store)
        with monkeypatch.context() as patch:
            patch.setattr(PostgresDatabase, "was_committed", lambda *_: None)
            between.arm("after")
            with pytest.raises(UnavailableError, match="storage_away"):
                await store.append(make_append("a", 0, "one"))
        await recorder.wait_for("missed")  # so that the owner of the room reads its log
        assert read_log(store, "a") == ["one"]
        await store.append(make_append("a", 1, "two"))
        store.close()


async def play_on(store: Store, taken: dict[str, list[str]], table: str) -> None:
    """Append to a log without end; retry refused appends, as a player does."""
    for tries in count():
        body = f"{table} {tries}"
        try:
            await store.append(make_append(table, len(taken[table]), body))
            taken[table].append(body)
        except UnavailableError:
            await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["restart", "kill"])
async def test_a_database_that_goes_away_under_load_loses_and_doubles_nothing(
    postgres_url: str, cluster: Cluster, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_writer, "_MAX_COMMIT_CHECK_S", 300.0)  # for slow machines
    stores = [Store.open(postgres_url), Store.open(postgres_url)]
    ids = [f"t{n}" for n in range(24)]
    open_tables(stores[0], *ids)
    taken: dict[str, list[str]] = {table: [] for table in ids}
    async with asyncio.TaskGroup() as playing:
        tasks = [
            playing.create_task(play_on(stores[n % 2], taken, table)) for n, table in enumerate(ids)
        ]
        for _ in range(3):
            await asyncio.to_thread(getattr(cluster, fault))
            before = sum(map(len, taken.values()))
            while sum(map(len, taken.values())) < before + 200:
                await asyncio.sleep(0.01)  # until games go on
        for task in tasks:
            task.cancel()
    for store in stores:
        store.close()  # finishes what was taken from players who have gone
    again = Store.open(postgres_url)
    for table in ids:
        log = read_log(again, table)
        assert log[: len(taken[table])] == taken[table]
        assert len(log) <= len(taken[table]) + 1
    again.close()


async def test_a_database_that_is_away_refuses_at_once_and_comes_back(
    postgres_url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresDatabase, "reconnect_timeout_s", 0.3)
    store = Store.open(postgres_url)
    open_tables(store, "a")
    recorder = TopicRecorder(store)
    await asyncio.to_thread(cluster.stop)
    try:
        for asked in (
            store.append(make_append("a", 0, "x")),
            store.read(lambda c: c.scalar(text(""))),
        ):
            with pytest.raises(UnavailableError, match="storage_away"):
                await asked
    finally:
        await asyncio.to_thread(cluster.start)
    await store.append(make_append("a", 0, "y"))
    assert await store.read(lambda connection: connection.scalar(text("SELECT 1"))) == 1
    assert read_log(store, "a") == ["y"]
    await recorder.wait_for("missed")
    store.close()


async def test_short_outages_pass(
    postgres_url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresDatabase, "reconnect_timeout_s", 60.0)  # for slow machines
    store = Store.open(postgres_url)
    open_tables(store, "a")
    await asyncio.to_thread(cluster.stop)
    waiting = asyncio.gather(
        store.append(make_append("a", 0, "x")), store.read(lambda c: c.scalar(text("SELECT 1")))
    )
    await asyncio.to_thread(cluster.start)
    assert tuple(await waiting) == (None, 1)
    store.close()


def fill_up(store: Store, table: str, known: int) -> int:
    """Append until the store refuses; return the number of acknowledged entries."""

    async def run(known: int) -> int:
        body = "x" * 2000
        while known < 5000:
            batch_writer = [make_append(table, known + n, body) for n in range(20)]
            done = await asyncio.gather(
                *(store.append(append) for append in batch_writer), return_exceptions=True
            )
            known += sum(each is None for each in done)
            if refused := [each for each in done if each is not None]:
                assert {type(each) for each in refused} == {UnavailableError}
                refusals.update(str(each) for each in refused)
                return known
        raise AssertionError("the disk never got full")

    refusals: set[str] = set()
    known = asyncio.run(run(known))
    assert refusals <= {"storage_full", "storage_away"}
    return known


@contextmanager
def short_files(size: int) -> Iterator[None]:
    """Limit the files of this process to *size* bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_cannot_grow_loses_nothing_and_goes_on_when_it_can(sqlite_url: str) -> None:
    store = Store.open(sqlite_url)
    open_tables(store, "a")
    with short_files(2_000_000):
        known, before = fill_up(store, "a", 0), 0
        while known > before:  # what was written ahead may be brought into the file meanwhile
            assert len(read_log(store, "a")) == known  # reading still works
            known, before = fill_up(store, "a", known), known
    store.close()
    again = Store.open(sqlite_url)
    assert len(read_log(again, "a")) == known
    with pytest.raises(AssertionError, match="never got full"):
        fill_up(again, "a", known)
    again.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of two megabytes, if permitted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)]
    if sys.platform != "linux" or subprocess.run(mount, check=False).returncode:
        pytest.skip("no permission to mount")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_loses_nothing_and_goes_on_when_there_is_room(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    store = Store.open(f"sqlite:///{small_disk}/pleasance.db")
    open_tables(store, "a")
    ballast.write_bytes(b"x" * 1_000_000)
    known = fill_up(store, "a", 0)
    assert len(read_log(store, "a")) == known
    ballast.unlink()
    more = fill_up(store, "a", known)
    assert more > known
    assert len(read_log(store, "a")) == more
    store.close()


async def test_a_full_disk_of_postgresql_is_called_that(postgres_url: str) -> None:
    store = Store.open(postgres_url)
    open_tables(store, "a")
    full = "DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
    with busy_writer(store):
        waiting = asyncio.gather(
            store.append(make_append("a", 0, "x")),
            store.write(lambda connection: connection.execute(text(full))),
            return_exceptions=True,
        )
        await asyncio.sleep(0)
    assert [str(each) for each in await waiting] == ["storage_full"] * 2
    await store.append(make_append("a", 0, "y"))
    assert read_log(store, "a") == ["y"]
    store.close()


async def test_a_file_that_another_program_locks_is_away_for_that_time(sqlite_url: str) -> None:
    store = Store.open(sqlite_url)
    tool = Store.open(sqlite_url, is_server=False)
    open_tables(store, "a")
    store.write_now(lambda c: c.exec_driver_sql("PRAGMA busy_timeout = 100").all())
    with busy_writer(tool):
        with pytest.raises(UnavailableError, match="storage_away"):
            await store.append(make_append("a", 0, "x"))
        assert read_log(store, "a") == []  # readers do not mind
    await store.append(make_append("a", 0, "y"))
    assert read_log(store, "a") == ["y"]
    tool.close()
    store.close()
