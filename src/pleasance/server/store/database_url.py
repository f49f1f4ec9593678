"""Finds the kind of database that an address names."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import URL
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.database import Database

_KINDS: Final = {"sqlite": "sqlite", "postgresql": "postgresql", "postgres": "postgresql"}


def find_database(url: str, *, is_server: bool = True) -> Database:
    """Prepare `sqlite:///path/to/file.db` or `postgresql://user@host/database` for use."""
    address = read_address(url)
    if address.drivername == "sqlite":
        from pleasance.server.store.sqlite import SqliteDatabase  # noqa: PLC0415  (only where used)

        assert address.database, "an address of a file names it"
        return SqliteDatabase(Path(address.database), is_server=is_server)
    from pleasance.server.store.postgres import PostgresDatabase  # noqa: PLC0415  (the same)

    return PostgresDatabase(address)


def read_address(url: str) -> URL:
    """Read the address of a database; what kind it is stands in front, with no driver behind it."""
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise UnavailableError("database_url") from error  # it may hold a password: do not tell
    kind = _KINDS.get(address.drivername.split("+")[0])
    if kind is None or address.database in {None, "", ":memory:"}:
        raise UnavailableError("database_url")
    return address.set(drivername=kind)
