"""Runs the schema migrations (Alembic), also when several processes start at once."""

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

HEAD_REVISION: Final = "0001"
"""The newest revision; most starts find it in place and then skip loading Alembic."""

MIGRATIONS_FOLDER: Final = Path(__file__).parent / "migrations"


def migrate(database: Database) -> None:
    """Create all tables, or migrate them to the newest revision."""
    with database.reader.connect() as connection:
        is_current = read_revision(connection) == HEAD_REVISION
    if not is_current:
        with database.migration() as connection:  # other processes wait here, then find it current
            refuse_unknown_revision(connection)
            _upgrade(connection)


def read_revision(connection: Connection) -> str | None:
    """Read the revision of the schema; `None` for an empty database."""
    inspector = inspect(connection)
    if inspector.has_table("alembic_version"):
        version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return version
    existing = set(inspector.get_table_names()) & metadata.tables.keys()
    if existing:
        raise UnavailableError("database_foreign", table=min(existing))
    return None


def refuse_unknown_revision(connection: Connection) -> None:
    """Refuse a database with a revision that only a newer version of the program knows."""
    version = read_revision(connection)
    if version is not None and version not in {
        step.revision for step in _script_directory().walk_revisions()
    }:
        raise UnavailableError("database_newer", version=version)


def _script_directory() -> ScriptDirectory:
    from alembic.script import ScriptDirectory  # noqa: PLC0415  (slow, and seldom needed)

    return ScriptDirectory(str(MIGRATIONS_FOLDER))


def _upgrade(connection: Connection) -> None:
    """Run the revisions that are missing."""
    from alembic.config import Config  # noqa: PLC0415  (slow, and seldom needed)
    from alembic.runtime.environment import EnvironmentContext  # noqa: PLC0415  (the same)
    from alembic.runtime.migration import MigrationStep  # noqa: PLC0415  (the same)

    scripts = _script_directory()

    def find_missing(reached: Sequence[str], _: MigrationContext) -> list[RevisionStep]:
        missing = list(scripts.iterate_revisions("head", tuple(reached)))
        return [
            MigrationStep.upgrade_from_script(scripts.revision_map, revision)
            for revision in reversed(missing)
        ]

    with EnvironmentContext(Config(), scripts, fn=find_missing) as environment:
        environment.configure(connection, target_metadata=metadata, render_as_batch=True)
        environment.run_migrations()
