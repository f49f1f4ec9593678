"""Databases for tests are as new, also those that were used before."""

from __future__ import annotations

import psycopg
import pytest

from pleasance.server.store.store import Store
from server.postgres import Cluster
from server.stores import add, log_of, open_tables, try_append


def test_a_database_that_was_used_comes_back_empty(cluster: Cluster) -> None:
    with cluster.database("ready") as url:
        store = Store.open(url)
        open_tables(store, "a")
        try_append(store, add("a", 0, "one"))
        store.close()
    with cluster.database("ready") as again:
        assert again == url
        store = Store.open(again)
        open_tables(store, "a")
        assert log_of(store, "a") == []
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


def test_who_is_still_connected_is_sent_away(cluster: Cluster) -> None:
    with cluster.database("ready") as url:
        lingering = psycopg.connect(url)
        lingering.execute("LOCK TABLE mutes")
    with pytest.raises(psycopg.OperationalError):
        lingering.execute("SELECT 1")
    lingering.close()
