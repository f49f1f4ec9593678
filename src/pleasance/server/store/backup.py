"""Backup and restore: a backup is one SQLite file, whatever kind of database it comes from.

So a backup also moves a site from SQLite to PostgreSQL and back.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pleasance.core.errors import BadFileError
from pleasance.server.base.errors import ConflictError, UnavailableError
from pleasance.server.store.copy_rows import copy_rows, empty_tables, has_rows
from pleasance.server.store.database import Database, Fault, classify_error
from pleasance.server.store.database_url import connect_database, parse_database_url
from pleasance.server.store.migrate import HEAD_REVISION, migrate, read_revision
from pleasance.server.store.sqlite import SqliteDatabase, driver_of, lock_database
from pleasance.server.store.topics import TOPICS_MISSED


def make_backup(url: str, path: Path) -> None:
    """Write one snapshot of a database into a file while servers go on."""
    file = _sqlite_path(url)
    if file is not None and not file.exists():
        raise UnavailableError("database_unreadable", file=str(file))
    if file is not None and path.exists() and path.samefile(file):
        raise BadFileError("backup_onto_itself", file=str(path))
    with _opened(url) as database, _atomic_replacement(path) as temporary:
        if isinstance(database, SqliteDatabase):
            _copy_pages(database, temporary)
        else:
            _export_rows(database, temporary)


def restore_backup(url: str, path: Path, *, is_forced: bool = False) -> None:
    """Restore a backup into a database, all of it or nothing.

    Existing data is replaced only if *is_forced*.
    """
    file = _sqlite_path(url)
    if file is not None:
        _replace_file(file, path, is_forced=is_forced)
        return
    with (
        tempfile.TemporaryDirectory(prefix="pleasance") as folder,
        _opened(url) as database,
        _verified_copy(path, Path(folder, "unpacked")) as source,
    ):
        migrate(database)
        _import_rows(source, database, is_forced=is_forced)


def _sqlite_path(url: str) -> Path | None:
    """Return the file of a SQLite database, `None` for any other."""
    address = parse_database_url(url)
    return Path(address.database or "") if address.drivername == "sqlite" else None


@contextmanager
def _opened(url: str) -> Iterator[Database]:
    """Open a database beside the servers that may be running on it."""
    database = connect_database(url, is_server=False)
    try:
        yield database
    except Exception as error:
        if classify_error(database, error) is Fault.STATEMENT:
            raise
        raise database.to_unavailable(error) from error
    finally:
        database.close()


@contextmanager
def _atomic_replacement(path: Path) -> Iterator[Path]:
    """Yield a private temporary file to write; at the end it atomically replaces *path*."""
    try:
        with tempfile.TemporaryDirectory(prefix=".pleasance", dir=path.parent) as folder:
            temporary = Path(folder, "temporary")
            yield temporary
            temporary.chmod(0o600)
            _fsync(temporary)
            temporary.replace(path)
            _fsync(path.parent)
    except OSError as error:
        raise BadFileError("backup_unwritable", file=str(path)) from error


def _fsync(path: Path) -> None:
    """Sync a file, or the names in a folder, to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _copy_pages(database: SqliteDatabase, temporary: Path) -> None:
    """Copy one snapshot of a SQLite database; writers do not have to wait."""
    with database.reader.connect() as connection, closing(sqlite3.connect(temporary)) as target:
        connection.begin()
        driver_of(connection).backup(target)
        target.execute("PRAGMA journal_mode = delete")  # one file, with nothing beside it


def _export_rows(database: Database, temporary: Path) -> None:
    """Write the rows of a PostgreSQL database into a new SQLite database."""
    with database.reader.connect() as source:
        version = read_revision(source)
        if version != HEAD_REVISION:
            raise UnavailableError("database_version", version=version or "0", needed=HEAD_REVISION)
        copy = SqliteDatabase(temporary, is_server=False)
        try:
            migrate(copy)
            with copy.migration() as target:
                copy_rows(source, target)
        finally:
            copy.close()
    with closing(sqlite3.connect(temporary)) as target:
        target.execute("PRAGMA journal_mode = delete")


@contextmanager
def _verified_copy(path: Path, copy: Path) -> Iterator[SqliteDatabase]:
    """Yield a checked and migrated copy of a backup; the backup itself stays as it is."""
    if not path.is_file():
        raise BadFileError("backup_missing", file=str(path))
    try:
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            answer = target.execute("PRAGMA integrity_check(1)").fetchone()
            known = target.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'")
            is_sound = answer == ("ok",) and known.fetchone() is not None
    except sqlite3.DatabaseError as error:
        raise BadFileError("backup_broken", file=str(path)) from error
    if not is_sound:
        raise BadFileError("backup_broken", file=str(path))
    database = SqliteDatabase(copy, is_server=False)
    try:
        migrate(database)
        yield database
    finally:
        database.close()


def _import_rows(source: SqliteDatabase, database: Database, *, is_forced: bool) -> None:
    """Fill a PostgreSQL database in one transaction."""
    with database.migration() as target, source.reader.connect() as connection:
        if not is_forced and has_rows(target):
            raise ConflictError("restore_not_empty")
        empty_tables(target)
        copy_rows(connection, target)
        database.notify(target, [TOPICS_MISSED])


def _replace_file(file: Path, path: Path, *, is_forced: bool) -> None:
    """Replace a database file by a copy of a backup."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(lock_database(file)):
        if not is_forced and _has_data(file):
            raise ConflictError("restore_not_empty")
        with _atomic_replacement(file) as temporary:
            with _verified_copy(path, temporary):
                pass  # checked, and up to date
            _merge_wal(file)


def _has_data(file: Path) -> bool:
    """Return whether a file holds anything that a restored database would replace."""
    if not file.exists() or not file.stat().st_size:
        return False
    try:
        with _opened(f"sqlite:///{file}") as database, database.reader.connect() as connection:
            return read_revision(connection) is None or has_rows(connection)
    except Exception:  # noqa: BLE001  (no database of ours: only a person may discard it)
        return True


def _merge_wal(file: Path) -> None:
    """Remove the WAL and its index, so that the next database does not read them as its own."""
    if file.exists():
        try:
            with closing(sqlite3.connect(file)) as replaced:
                replaced.execute("PRAGMA journal_mode = delete")
        except sqlite3.OperationalError as error:  # it is read or written just now
            raise UnavailableError("database_in_use", file=str(file)) from error
        except sqlite3.DatabaseError:
            pass  # it is broken: that is why it is replaced
    for ending in ("-wal", "-shm"):
        file.with_name(file.name + ending).unlink(missing_ok=True)
