"""Opening a database: the right one, by one server, else a clear error."""

from __future__ import annotations

import stat
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.store import Store
from support import TIMEOUT_S
from support.postgres import Cluster
from support.rows import open_tables, read_log


def test_a_file_is_for_one_server_alone(sqlite_url: str) -> None:
    store = Store.open(sqlite_url)
    with pytest.raises(UnavailableError) as refused:
        Store.open(sqlite_url)
    assert refused.value.code == "database_in_use"
    assert refused.value.params == {"file": sqlite_url.removeprefix("sqlite:///")}
    tool = Store.open(sqlite_url, is_server=False)  # pleasance admin
    open_tables(tool, "by a tool")
    tool.close()
    assert read_log(store, "by a tool") == []
    store.close()
    Store.open(sqlite_url).close()


def test_a_new_file_is_readable_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "a b%20c?.db"
    store = Store.open(f"sqlite:///{tmp_path}/folder/a b%20c%3F.db")
    open_tables(store, "a")
    files = sorted(path.parent.iterdir())
    assert any(file.name.endswith("-wal") for file in files)
    assert {stat.S_IMODE(file.stat().st_mode) & 0o077 for file in files} == {0}
    store.close()


@pytest.mark.parametrize(
    "url", ["", "nonsense", "mysql://somewhere/db", "sqlite://", "sqlite:///:memory:"]
)
def test_an_address_that_names_no_database_is_refused(url: str) -> None:
    with pytest.raises(UnavailableError, match="database_url"):
        Store.open(url)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear friend, " * 1000)
    with pytest.raises(UnavailableError, match="database_unreadable"):
        Store.open(f"sqlite:///{path}")
    assert path.read_text().startswith("Dear friend")


def test_a_database_that_does_not_answer_is_refused_in_its_own_words(postgres_url: str) -> None:
    for url in (
        postgres_url.replace("/test", "/no_such_"),
        postgres_url.replace("host=/", "host=/nowhere/"),
    ):
        with pytest.raises(UnavailableError) as refused:
            Store.open(url)
        assert refused.value.code == "database_refused"
        assert "\n" not in str(refused.value)


def test_a_commit_waits_for_the_disk_in_any_database(store: Store, cluster: Cluster) -> None:
    if not store.is_shared:
        pragmas = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
        found = store.write_now(
            lambda c: {name: c.scalar(text(f"PRAGMA {name}")) for name in pragmas}
        )
        assert found == pragmas
        return
    name = store._database.writer.url.database
    cluster.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    again = Store.open(cluster.url(str(name)))
    assert again.write_now(lambda c: c.scalar(text("SHOW synchronous_commit"))) == "on"
    again.close()


@pytest.mark.slow
def test_what_is_written_ahead_gets_into_the_file_while_the_server_runs(sqlite_url: str) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    store = Store.open(sqlite_url)
    open_tables(store, "a needle in a haystack")
    end = time.monotonic() + TIMEOUT_S
    while b"a needle in a haystack" not in file.read_bytes():
        assert time.monotonic() < end
        time.sleep(0.02)  # a thread of the store does it, without a signal
    store.close()
