"""Copies all rows from one database to another, of either kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sqlalchemy import Column, Connection, Table, bindparam, insert, select, text, update

from pleasance.server.store.schema import metadata
from pleasance.server.store.schema.commit_markers import commit_markers

_ROWS_PER_BATCH: Final = 1_000
"""The most rows held in memory at a time."""


def all_tables() -> list[Table]:
    """List the tables that a backup holds, those first that others refer to."""
    return [table for table in metadata.sorted_tables if table is not commit_markers]


def copy_rows(source: Connection, target: Connection) -> None:
    """Copy all rows of *source* into *target*, whose tables are empty."""
    for table in all_tables():
        references = _self_references(table)
        nulls = {column.name: None for column in references}
        for rows in _read(source, table):
            # References within the table are filled in once all of its rows are there.
            target.execute(insert(table), [{**row, **nulls} for row in rows])
        for column in references:
            _fill_self_references(source, target, column)


def empty_tables(target: Connection) -> None:
    """Truncate all tables of PostgreSQL; they stay locked until the transaction ends."""
    quote = target.dialect.identifier_preparer.format_table
    target.execute(text(f"TRUNCATE {', '.join(map(quote, all_tables()))}"))


def has_rows(connection: Connection) -> bool:
    """Return whether any table has a row."""
    return any(
        connection.execute(select(table).limit(1)).first() is not None for table in all_tables()
    )


def _self_references(table: Table) -> list[Column[Any]]:
    """Find the columns that refer to other rows of the same table."""
    return [
        column
        for column in table.columns
        if any(key.column.table is table for key in column.foreign_keys)
    ]


def _read(source: Connection, table: Table) -> Iterator[list[Mapping[str, Any]]]:
    """Read a table in batches."""
    found = source.execution_options(yield_per=_ROWS_PER_BATCH).execute(select(table))
    for rows in found.mappings().partitions():
        yield [dict(row) for row in rows]


def _fill_self_references(source: Connection, target: Connection, column: Column[Any]) -> None:
    """Fill in a column that refers to other rows of the same table."""
    table = column.table
    (key,) = table.primary_key
    query = select(key.label("row"), column.label("other")).where(column.is_not(None))
    found = source.execution_options(yield_per=_ROWS_PER_BATCH).execute(query)
    change = update(table).where(key == bindparam("row")).values({column: bindparam("other")})
    for rows in found.mappings().partitions():
        target.execute(change, [dict(row) for row in rows])
