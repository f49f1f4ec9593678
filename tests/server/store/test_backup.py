"""Backups are complete and portable between both kinds of database."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select, text

from pleasance.core.errors import BadFileError
from pleasance.server.base.errors import ConflictError, UnavailableError
from pleasance.server.store.backup import make_backup, restore_backup
from pleasance.server.store.copy_rows import all_tables
from pleasance.server.store.schema.bots import jobs
from pleasance.server.store.schema.identity import players
from pleasance.server.store.store import Store
from support.rows import TopicRecorder, append_now, make_append, open_tables, read_log

pytestmark = pytest.mark.anyio


def fill(store: Store) -> None:
    """Write something of every type, and rows that refer to later rows of the same table."""
    open_tables(store, "a", "b")
    for n in range(3):
        append_now(store, make_append("a", n, f"line {n} ¡olé! \N{CHERRY BLOSSOM}", due_at=0.1 + n))
    person = {"kind": "guest", "language": "en", "created_at": 0.1, "seen_at": 1e9 + 0.25}
    rows = [
        {"id": "a bot", "name": "Bot", "owner": "somebody", **person},
        {"id": "somebody", "name": "Müller", "owner": None, **person},
    ]
    job = {
        "key": "k",
        "table_id": "a",
        "request": bytes(range(256)),
        "is_quick": True,
        "due_at": 1.0,
        "created_at": 2.0,
        "leased_until": 0.0,
        "attempts": 0,
    }

    def work(connection: Connection) -> None:
        connection.execute(insert(players), rows[1])
        connection.execute(insert(players), rows[0])
        connection.execute(insert(jobs), job)

    store.write_now(work)


def contents(store: Store) -> dict[str, set[tuple[object, ...]]]:
    """Read all there is."""
    return store.read_now(
        lambda connection: {
            table.name: {tuple(row) for row in connection.execute(select(table))}
            for table in all_tables()
        }
    )


def test_a_backup_restores_into_any_database(store: Store, empty_url: str, tmp_path: Path) -> None:
    fill(store)
    path = tmp_path / "monday.backup"
    make_backup(str(_url_of(store)), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    restore_backup(empty_url, path)
    other = Store.open(empty_url)
    assert contents(other) == contents(store)
    assert sum(map(len, contents(other).values())) == 8
    append_now(other, make_append("a", 3, "it goes on"))
    other.close()
    assert {file.name for file in tmp_path.iterdir()} <= {
        *("monday.backup", "empty", "pleasance.db", "pleasance.db-wal", "pleasance.db-shm"),
        "pleasance.db.lock",
    }


def _url_of(store: Store) -> str:
    url = store._database.writer.url
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=False)


async def test_a_backup_during_writes_is_consistent(database_url: str, tmp_path: Path) -> None:
    store = Store.open(database_url)
    ids = [f"t{n}" for n in range(20)]
    open_tables(store, *ids)
    known = dict.fromkeys(ids, 0)
    is_over = False

    async def play(table: str) -> None:
        while not is_over:
            await store.append(make_append(table, known[table], "x", "y"))
            known[table] += 2

    playing = asyncio.gather(*(play(table) for table in ids))
    while min(known.values()) < 10:
        await asyncio.sleep(0.001)
    before = dict(known)
    await asyncio.to_thread(make_backup, database_url, tmp_path / "backup")
    is_over = True
    await playing
    store.close()
    restore_backup(f"sqlite:///{tmp_path}/copy.db", tmp_path / "backup")
    copy = Store.open(f"sqlite:///{tmp_path}/copy.db")
    for table in ids:
        assert before[table] <= len(read_log(copy, table)) <= known[table]
        assert len(read_log(copy, table)) % 2 == 0
    copy.close()


async def test_a_used_database_is_replaced_only_by_force(database_url: str, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    store = Store.open(database_url)
    open_tables(store, "old")
    make_backup(database_url, path)
    open_tables(store, "new")
    store.close()
    with pytest.raises(ConflictError, match="restore_not_empty"):
        restore_backup(database_url, path)
    again = Store.open(database_url)
    assert read_log(again, "new") == []
    again.close()
    restore_backup(database_url, path, is_forced=True)
    restored = Store.open(database_url)
    assert restored.read_now(lambda c: c.scalars(text("SELECT id FROM tables")).all()) == ["old"]
    restored.close()


async def test_postgres_servers_notice_a_restored_backup(postgres_url: str, tmp_path: Path) -> None:
    store = Store.open(postgres_url)
    make_backup(postgres_url, tmp_path / "backup")
    recorder = TopicRecorder(store)
    restore_backup(postgres_url, tmp_path / "backup")
    await recorder.wait_for("missed")
    assert await store.write(lambda _: 1) == 1  # and go on
    store.close()


def test_no_file_is_replaced_under_a_running_server(sqlite_url: str, tmp_path: Path) -> None:
    store = Store.open(sqlite_url)
    make_backup(sqlite_url, tmp_path / "backup")
    with pytest.raises(UnavailableError, match="database_in_use"):
        restore_backup(sqlite_url, tmp_path / "backup", is_forced=True)
    store.close()


def test_leftovers_of_a_crash_do_not_enter_a_restored_file(sqlite_url: str, tmp_path: Path) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    make_backup(sqlite_url, tmp_path / "backup")
    store = Store.open(sqlite_url)
    open_tables(store, "in the log ahead")
    left = {name: (file.parent / name).read_bytes() for name in (file.name, f"{file.name}-wal")}
    store.close()
    for name, data in left.items():  # as if the server had been killed
        (file.parent / name).write_bytes(data)
    restore_backup(sqlite_url, tmp_path / "backup", is_forced=True)
    assert not file.with_name(f"{file.name}-wal").exists()
    restored = Store.open(sqlite_url)
    assert not any(contents(restored).values())
    restored.close()


def test_a_broken_database_can_be_replaced(sqlite_url: str, tmp_path: Path) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    make_backup(sqlite_url, tmp_path / "backup")
    file.write_bytes(b"scrambled" * 1000)
    with pytest.raises(ConflictError):
        restore_backup(sqlite_url, tmp_path / "backup")
    restore_backup(sqlite_url, tmp_path / "backup", is_forced=True)
    Store.open(sqlite_url).close()


def _scramble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 : 4096 * 6] = bytes(4096 * 5)
    path.write_bytes(data)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5000])


def _replace(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes (name)")


@pytest.mark.parametrize("spoil", [_scramble, _cut, _replace])
def test_partial_backups_are_refused(
    database_url: str, ready_file: Path, tmp_path: Path, spoil: object
) -> None:
    path = tmp_path / "backup"
    shutil.copy(ready_file, path)
    assert callable(spoil)
    spoil(path)
    store = Store.open(database_url)
    open_tables(store, "a")
    store.close()
    with pytest.raises(BadFileError, match="backup_broken"):
        restore_backup(database_url, path, is_forced=True)
    again = Store.open(database_url)
    assert read_log(again, "a") == []
    again.close()


def test_a_backup_of_a_newer_program_is_refused(database_url: str, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    make_backup(database_url, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as backup:
        backup.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UnavailableError) as refused:
        restore_backup(database_url, path)
    assert (refused.value.code, refused.value.params) == ("database_newer", {"version": "9999"})


def test_files_that_cannot_be_used_are_named(sqlite_url: str, tmp_path: Path) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    with pytest.raises(BadFileError, match="backup_missing"):
        restore_backup(sqlite_url, tmp_path / "nowhere")
    with pytest.raises(BadFileError, match="backup_unwritable"):
        make_backup(sqlite_url, tmp_path / "no" / "folder")
    with pytest.raises(BadFileError, match="backup_onto_itself"):
        make_backup(sqlite_url, file)
    with pytest.raises(UnavailableError, match="database_unreadable"):
        make_backup(f"sqlite:///{tmp_path}/nothing.db", tmp_path / "backup")
    assert not (tmp_path / "nothing.db").exists()
