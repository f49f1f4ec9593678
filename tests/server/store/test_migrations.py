"""Migrations create the schema once, and refuse a newer database."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import produce_migrations, render_python_code
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.migrate import HEAD_REVISION, MIGRATIONS_FOLDER
from pleasance.server.store.schema import metadata
from pleasance.server.store.store import Store
from support.postgres import Cluster
from support.rows import open_tables, read_log

STARTING = "import sys; from pleasance.server.store.store import Store; Store.open(sys.argv[1])"


def test_the_migrations_make_what_the_program_needs(empty_url: str) -> None:
    store = Store.open(empty_url)

    def compare(connection: Connection) -> str:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        missing = produce_migrations(context, metadata).upgrade_ops
        assert missing is not None
        return "" if missing.is_empty() else render_python_code(missing)

    missing = store.read_now(compare)
    store.close()
    assert not missing, f"a migration must still do this:\n{missing}"


def test_there_is_one_newest_step_and_the_program_knows_it() -> None:
    assert ScriptDirectory(str(MIGRATIONS_FOLDER)).get_heads() == [HEAD_REVISION]


def test_no_table_counts_by_itself() -> None:
    """A backup brings rows into another database, which would not know how far it has counted."""
    assert [
        table.name for table in metadata.tables.values() if table.autoincrement_column is not None
    ] == []


def test_opening_twice_changes_nothing(empty_url: str) -> None:
    store = Store.open(empty_url)
    open_tables(store, "a")
    store.close()
    again = Store.open(empty_url)
    assert read_log(again, "a") == []
    again.close()


@pytest.mark.slow
def test_several_processes_may_start_on_an_empty_database_at_once(cluster: Cluster) -> None:
    with cluster.database() as url:
        starting = [subprocess.Popen([sys.executable, "-c", STARTING, url]) for _ in range(3)]
        assert [process.wait() for process in starting] == [0] * 3
        store = Store.open(url)
        open_tables(store, "a")
        store.close()


def test_a_database_of_a_newer_program_is_refused_and_left_alone(database_url: str) -> None:
    store = Store.open(database_url)
    change = text("UPDATE alembic_version SET version_num = '9999'")
    store.write_now(lambda connection: connection.execute(change))
    store.close()
    with pytest.raises(UnavailableError) as refused:
        Store.open(database_url)
    assert (refused.value.code, refused.value.params) == ("database_newer", {"version": "9999"})


def test_a_foreign_database_is_refused_and_left_alone(empty_url: str, cluster: Cluster) -> None:
    statement = "CREATE TABLE players (shoe_size INTEGER)"
    if empty_url.startswith("sqlite"):
        import sqlite3

        file = Path(empty_url.removeprefix("sqlite:///"))
        file.parent.mkdir()
        sqlite3.connect(file).execute(statement).connection.close()
    else:
        cluster.execute(statement, empty_url.split("/")[3].split("?", maxsplit=1)[0])
    with pytest.raises(UnavailableError) as refused:
        Store.open(empty_url)
    assert (refused.value.code, refused.value.params) == ("database_foreign", {"table": "players"})
