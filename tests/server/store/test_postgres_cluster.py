"""Reused test databases are as good as new."""

from __future__ import annotations

import psycopg
import pytest

from pleasance.server.store.store import Store
from support.postgres import Cluster
from support.rows import append_now, make_append, open_tables, read_log


def test_a_database_that_was_used_comes_back_empty(cluster: Cluster) -> None:
    with cluster.database("ready") as url:
        store = Store.open(url)
        open_tables(store, "a")
        append_now(store, make_append("a", 0, "one"))
        store.close()
    with cluster.database("ready") as again:
        assert again == url
        store = Store.open(again)
        open_tables(store, "a")
        assert read_log(store, "a") == []
        store.close()


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TABLE more (number int)",
        "ALTER TABLE mutes ADD COLUMN more int",
        "UPDATE alembic_version SET version_num = 'another'",
        "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET jit = off'; END $$",
    ],
)
def test_a_database_that_was_changed_does_not_come_back(cluster: Cluster, change: str) -> None:
    with cluster.database("ready") as url, psycopg.connect(url) as connection:
        connection.execute(change.encode())
    with cluster.database("ready") as another:
        assert another != url


def test_open_connections_are_closed(cluster: Cluster) -> None:
    with cluster.database("ready") as url:
        lingering = psycopg.connect(url)
        lingering.execute("LOCK TABLE mutes")
    with pytest.raises(psycopg.OperationalError):
        lingering.execute("SELECT 1")
    lingering.close()
