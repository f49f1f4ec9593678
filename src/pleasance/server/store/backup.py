"""Backups: everything in one file, which is a SQLite database whatever kind it comes from.

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
from pleasance.server.store.copy_rows import copy_rows, empty_tables, find_rows
from pleasance.server.store.database import MISSED, Database, Fault, find_fault
from pleasance.server.store.database_url import find_database, read_address
from pleasance.server.store.migrate import HEAD, find_version, migrate
from pleasance.server.store.sqlite import SqliteDatabase, driver_of, lock_database


def make_backup(url: str, path: Path) -> None:
    """Write all of a database into one file, as it is at one moment, while servers go on."""
    file = _file_of(url)
    if file is not None and not file.exists():
        raise UnavailableError("database_unreadable", file=str(file))
    if file is not None and path.exists() and path.samefile(file):
        raise BadFileError("backup_onto_itself", file=str(path))
    with _opened(url) as database, _fresh(path) as fresh:
        if isinstance(database, SqliteDatabase):
            _copy_pages(database, fresh)
        else:
            _copy_out(database, fresh)


def restore_backup(url: str, path: Path, *, is_forced: bool = False) -> None:
    """Put what is in a backup into a database, all of it or nothing.

    What is there already is replaced only if *is_forced*.
    """
    file = _file_of(url)
    if file is not None:
        _put_in_place(file, path, is_forced=is_forced)
        return
    with (
        tempfile.TemporaryDirectory(prefix="pleasance") as folder,
        _opened(url) as database,
        _unpacked(path, Path(folder, "unpacked")) as source,
    ):
        migrate(database)
        _copy_in(source, database, is_forced=is_forced)


def _file_of(url: str) -> Path | None:
    """Name the file of a database that is one."""
    address = read_address(url)
    return Path(address.database or "") if address.drivername == "sqlite" else None


@contextmanager
def _opened(url: str) -> Iterator[Database]:
    """Use a database beside the servers that may be running on it."""
    database = find_database(url, is_server=False)
    try:
        yield database
    except Exception as error:
        if find_fault(database, error) is Fault.MISTAKE:
            raise
        raise database.explain(error) from error
    finally:
        database.close()


@contextmanager
def _fresh(path: Path) -> Iterator[Path]:
    """Name a file to write that nobody else can read; in the end it takes its place."""
    try:
        with tempfile.TemporaryDirectory(prefix=".pleasance", dir=path.parent) as folder:
            fresh = Path(folder, "fresh")
            yield fresh
            fresh.chmod(0o600)
            _sync(fresh)
            fresh.replace(path)
            _sync(path.parent)
    except OSError as error:
        raise BadFileError("backup_unwritable", file=str(path)) from error


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _copy_pages(database: SqliteDatabase, fresh: Path) -> None:
    """Copy a SQLite database as it is at one moment; whoever writes does not have to wait."""
    with database.reader.connect() as connection, closing(sqlite3.connect(fresh)) as target:
        connection.begin()
        driver_of(connection).backup(target)
        target.execute("PRAGMA journal_mode = delete")  # one file, with nothing beside it


def _copy_out(database: Database, fresh: Path) -> None:
    """Write the rows of another kind of database into a new SQLite database."""
    with database.reader.connect() as source:
        version = find_version(source)
        if version != HEAD:
            raise UnavailableError("database_version", version=version or "0", needed=HEAD)
        copy = SqliteDatabase(fresh, is_server=False)
        try:
            migrate(copy)
            with copy.migrating() as target:
                copy_rows(source, target)
        finally:
            copy.close()
    with closing(sqlite3.connect(fresh)) as done:
        done.execute("PRAGMA journal_mode = delete")


@contextmanager
def _unpacked(path: Path, copy: Path) -> Iterator[SqliteDatabase]:
    """Make a sound copy of a backup, brought up to date; the backup itself stays as it is."""
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


def _copy_in(source: SqliteDatabase, database: Database, *, is_forced: bool) -> None:
    """Fill a database that many processes share, in one transaction."""
    with database.migrating() as target, source.reader.connect() as connection:
        if not is_forced and find_rows(target):
            raise ConflictError("restore_not_empty")
        empty_tables(target)
        copy_rows(connection, target)
        database.notify(target, [MISSED])


def _put_in_place(file: Path, path: Path, *, is_forced: bool) -> None:
    """Let a copy of a backup take the place of a database file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(lock_database(file)):
        if not is_forced and _is_used(file):
            raise ConflictError("restore_not_empty")
        with _fresh(file) as fresh:
            with _unpacked(path, fresh):
                pass  # checked, and up to date
            _fold(file)


def _is_used(file: Path) -> bool:
    """Tell whether there is anything in a file that a restored database would replace."""
    if not file.exists() or not file.stat().st_size:
        return False
    try:
        with _opened(f"sqlite:///{file}") as database, database.reader.connect() as connection:
            return find_version(connection) is None or find_rows(connection)
    except Exception:  # noqa: BLE001  (it is no database of ours: somebody should look at it)
        return True


def _fold(file: Path) -> None:
    """Leave nothing beside a database file that would be taken for a part of the next one."""
    if file.exists():
        try:
            with closing(sqlite3.connect(file)) as old:
                old.execute("PRAGMA journal_mode = delete")
        except sqlite3.OperationalError as error:  # it is read or written just now
            raise UnavailableError("database_in_use", file=str(file)) from error
        except sqlite3.DatabaseError:
            pass  # it is broken: that is why it is replaced
    for ending in ("-wal", "-shm"):
        file.with_name(file.name + ending).unlink(missing_ok=True)
