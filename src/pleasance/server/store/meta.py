"""Database helpers: the `MetaData` of all tables, new ids, INSERT … ON CONFLICT DO NOTHING."""

from __future__ import annotations

import base64
import secrets

from sqlalchemy import Connection, MetaData, Table
from sqlalchemy.dialects import postgresql, sqlite

metadata = MetaData(
    # A name for each constraint, so that migrations can drop it.
    naming_convention={
        "ix": "%(column_0_label)s_ix",
        "uq": "%(table_name)s_%(column_0_name)s_uq",
        "fk": "%(table_name)s_%(column_0_name)s_fk",
        "pk": "%(table_name)s_pk",
    }
)
"""All tables of the database, once `store.schema` is imported."""


def new_id() -> str:
    """Make a random id that cannot be guessed: twelve letters and digits, 60 bits."""
    return base64.b32encode(secrets.token_bytes(8)).decode("ascii").lower()[:12]


def insert_if_absent(
    connection: Connection, table: Table, row: dict[str, object], key: list[str]
) -> postgresql.Insert | sqlite.Insert:
    """Build the statement that inserts a row unless one with the same *key* exists."""
    dialect_insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return dialect_insert(table).values(row).on_conflict_do_nothing(index_elements=key)
