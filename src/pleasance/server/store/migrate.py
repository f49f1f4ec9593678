"""Brings the schema of a database up to date, also when several processes start at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect, text

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.database import Database
from pleasance.server.store.schema import metadata

if TYPE_CHECKING:
    from alembic.runtime.migration import MigrationContext, RevisionStep
    from alembic.script import ScriptDirectory

HEAD: Final = "0004"
"""The newest step; most starts find it in place and need no more than that."""

FOLDER: Final = Path(__file__).parent / "migrations"


def migrate(database: Database) -> None:
    """Make all tables, or change them to what this version of the program needs."""
    with database.reader.connect() as connection:
        is_current = find_version(connection) == HEAD
    if not is_current:
        with database.migrating() as connection:  # others wait here, and then find all done
            check_version(connection)
            _upgrade(connection)


def find_version(connection: Connection) -> str | None:
    """Tell which step the schema has reached; `None` for an empty database."""
    known = inspect(connection)
    if known.has_table("alembic_version"):
        version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return version
    taken = set(known.get_table_names()) & metadata.tables.keys()
    if taken:
        raise UnavailableError("database_foreign", table=min(taken))
    return None


def check_version(connection: Connection) -> None:
    """Refuse a database that a newer version of the program has changed."""
    version = find_version(connection)
    if version is not None and version not in {step.revision for step in _steps().walk_revisions()}:
        raise UnavailableError("database_newer", version=version)


def _steps() -> ScriptDirectory:
    from alembic.script import ScriptDirectory  # noqa: PLC0415  (slow, and seldom needed)

    return ScriptDirectory(str(FOLDER))


def _upgrade(connection: Connection) -> None:
    """Take the steps that are missing."""
    from alembic.config import Config  # noqa: PLC0415  (slow, and seldom needed)
    from alembic.runtime.environment import EnvironmentContext  # noqa: PLC0415  (the same)
    from alembic.runtime.migration import MigrationStep  # noqa: PLC0415  (the same)

    steps = _steps()

    def find_missing(reached: Sequence[str], _: MigrationContext) -> list[RevisionStep]:
        missing = list(steps.iterate_revisions("head", tuple(reached)))
        return [
            MigrationStep.upgrade_from_script(steps.revision_map, step)
            for step in reversed(missing)
        ]

    with EnvironmentContext(Config(), steps, fn=find_missing) as environment:
        environment.configure(connection, target_metadata=metadata, render_as_batch=True)
        environment.run_migrations()
