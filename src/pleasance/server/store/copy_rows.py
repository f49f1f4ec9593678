"""Copies all rows from one database to another, whatever kind each of them is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sqlalchemy import Column, Connection, Table, bindparam, insert, select, text, update

from pleasance.server.store.schema import metadata
from pleasance.server.store.schema.commit_markers import receipts

_ROWS: Final = 1_000
"""How many rows are in memory at a time."""


def all_tables() -> list[Table]:
    """Name all tables worth keeping, those first that others refer to."""
    return [table for table in metadata.sorted_tables if table is not receipts]


def copy_rows(source: Connection, target: Connection) -> None:
    """Put all rows of *source* into *target*, whose tables are empty."""
    for table in all_tables():
        own = _own_references(table)
        blank = {column.name: None for column in own}
        for rows in _read(source, table):
            # What refers to rows of the same table waits until all of these are there.
            target.execute(insert(table), [{**row, **blank} for row in rows])
        for column in own:
            _refer(source, target, column)


def empty_tables(target: Connection) -> None:
    """Remove all rows from PostgreSQL, and keep everybody out until the transaction ends."""
    quote = target.dialect.identifier_preparer.format_table
    target.execute(text(f"TRUNCATE {', '.join(map(quote, all_tables()))}"))


def find_rows(connection: Connection) -> bool:
    """Tell whether there is anything in any table."""
    return any(
        connection.execute(select(table).limit(1)).first() is not None for table in all_tables()
    )


def _own_references(table: Table) -> list[Column[Any]]:
    """Find the columns that refer to other rows of the same table."""
    return [
        column
        for column in table.columns
        if any(key.column.table is table for key in column.foreign_keys)
    ]


def _read(source: Connection, table: Table) -> Iterator[list[Mapping[str, Any]]]:
    """Read a table bit by bit."""
    found = source.execution_options(yield_per=_ROWS).execute(select(table))
    for rows in found.mappings().partitions():
        yield [dict(row) for row in rows]


def _refer(source: Connection, target: Connection, column: Column[Any]) -> None:
    """Fill in a column that refers to other rows of the same table."""
    table = column.table
    (key,) = table.primary_key
    wanted = select(key.label("row"), column.label("other")).where(column.is_not(None))
    found = source.execution_options(yield_per=_ROWS).execute(wanted)
    change = update(table).where(key == bindparam("row")).values({column: bindparam("other")})
    for rows in found.mappings().partitions():
        target.execute(change, [dict(row) for row in rows])
