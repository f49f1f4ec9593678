"""What all parts of the database share."""

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
"""All tables of the database; each feature adds its own."""


def new_id() -> str:
    """Make up a short random name that nobody guesses: twelve letters and digits, 60 bits."""
    return base64.b32encode(secrets.token_bytes(8)).decode("ascii").lower()[:12]


def insert_unless_there(
    connection: Connection, table: Table, row: dict[str, object], key: list[str]
) -> postgresql.Insert | sqlite.Insert:
    """Write the statement that adds a row unless one with the same *key* is there."""
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return make(table).values(row).on_conflict_do_nothing(index_elements=key)
