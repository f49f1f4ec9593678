"""Opens the kind of database that a URL names."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import URL
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from pleasance.core.errors import extra_needed
from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.database import Database

_KINDS: Final = {"sqlite": "sqlite", "postgresql": "postgresql", "postgres": "postgresql"}


def connect_database(url: str, *, is_server: bool = True) -> Database:
    """Prepare `sqlite:///path/to/file.db` or `postgresql://user@host/database` for use."""
    parsed = parse_database_url(url)
    if parsed.drivername == "sqlite":
        from pleasance.server.store.sqlite import SqliteDatabase  # noqa: PLC0415  (only where used)

        assert parsed.database, "the URL of a file names it"
        return SqliteDatabase(Path(parsed.database), is_server=is_server)
    with extra_needed("postgres"):
        from pleasance.server.store.postgres import PostgresDatabase  # noqa: PLC0415  (the same)

    return PostgresDatabase(parsed)


def parse_database_url(url: str) -> URL:
    """Parse the URL of a database; its scheme becomes the kind, without a driver."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise UnavailableError("database_url") from error  # never quoted: it may hold a password
    kind = _KINDS.get(parsed.drivername.split("+")[0])
    if kind is None or parsed.database in {None, "", ":memory:"}:
        raise UnavailableError("database_url")
    return parsed.set(drivername=kind)
