"""Commands for the host of a server: admin backup, restore, close, invite and so on."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pleasance.cli.serve_commands import DatabaseUrl, SettingsFile, server_error_context
from pleasance.core.errors import BadSetupError, extra_needed
from pleasance.terminal.output import find_language, one_line

if TYPE_CHECKING:
    from pleasance.i18n.catalog import MessageCatalog
    from pleasance.server.store.store import Store

admin = typer.Typer()

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file of the backup.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]


@admin.callback(invoke_without_command=True)
def check_installation(context: typer.Context) -> None:
    """Look after a server: back up, invite, close."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
    with server_error_context(), extra_needed("server"):
        import pleasance.server.store.store  # noqa: F401  (what these commands use)


def _words() -> MessageCatalog:
    from pleasance.server.base.translate import server_messages

    return server_messages(find_language())


def _find_database(database: str | None, settings: Path | None) -> str:
    from pleasance.server.base.settings import load_settings

    return load_settings(settings, given={"database": database}).database


@contextmanager
def _open_store(database: str | None, settings: Path | None) -> Iterator[Store]:
    """Open the database, which a running server may have open too."""
    from pleasance.server.store.store import Store

    with server_error_context():
        store = Store.open(_find_database(database, settings), is_server=False)
        try:
            yield store
        finally:
            store.close()


@admin.command()
def backup(
    file: BackupFile, *, database: DatabaseUrl = None, settings: SettingsFile = None
) -> None:
    """Write everything into one file, also while the server runs.

    \b
    Examples:
      pleasance admin backup monday.backup
    """
    from pleasance.server.store.backup import make_backup

    with server_error_context():
        make_backup(_find_database(database, settings), file)
    typer.echo(_words()("admin.backed_up", file=str(file)))


@admin.command()
def restore(
    file: BackupFile,
    *,
    force: Annotated[
        bool, typer.Option("--force", help="Replace what is in the database already.")
    ] = False,
    database: DatabaseUrl = None,
    settings: SettingsFile = None,
) -> None:
    """Put a backup back in place; the server must not be running.

    \b
    Examples:
      pleasance admin restore monday.backup
      pleasance admin restore monday.backup --database postgresql://pleasance@localhost/pleasance
    """
    from pleasance.server.base.single_instance import AlreadyRunningError, hold_address_file
    from pleasance.server.store.backup import restore_backup

    with server_error_context():
        url = _find_database(database, settings)
        try:
            with hold_address_file(url):
                restore_backup(url, file, is_forced=force)
        except AlreadyRunningError:
            raise BadSetupError("server_running") from None
    typer.echo(_words()("admin.restored", file=str(file)))


@admin.command()
def close(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Its number, as in its link.")],
    *,
    database: DatabaseUrl = None,
    settings: SettingsFile = None,
) -> None:
    """Close a table for good; its log is kept.

    \b
    Examples:
      pleasance admin close k3v9x2m7qd4t
    """
    from pleasance.server.admin.tables import close_table

    with _open_store(database, settings) as store:
        close_table(store, table, time.time())
    typer.echo(_words()("admin.closed", table=table))


@admin.command()
def invite(
    *,
    count: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="How many.")] = 1,
    database: DatabaseUrl = None,
    settings: SettingsFile = None,
) -> None:
    """Make invitations: each lets one new guest in, where the setting invitation_only asks for it.

    \b
    Examples:
      pleasance admin invite
      pleasance admin invite --count 10
    """
    from pleasance.server.admin.invitations import make_invitation

    with _open_store(database, settings) as store:
        now = time.time()
        for _ in range(count):
            typer.echo(store.write_now(lambda connection: make_invitation(connection, now)))


@admin.command()
def tables(
    *,
    status: Annotated[
        str | None, typer.Option(metavar="STATUS", help="Only open, running, over or closed ones.")
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="At most this many.")] = 50,
    as_json: AsJson = False,
    database: DatabaseUrl = None,
    settings: SettingsFile = None,
) -> None:
    """List the tables, those where something happened last first.

    \b
    Examples:
      pleasance admin tables
      pleasance admin tables --status running --json
    """
    from pleasance.server.admin.tables import list_tables

    with _open_store(database, settings) as store:
        rows = store.read_now(
            lambda connection: list_tables(connection, status=status, limit=limit)
        )
    for row in rows:
        if as_json:
            typer.echo(json.dumps(row._asdict()))
            continue
        lock = "" if row.is_public else "-"
        game = f"{row.game} {row.seats}{lock}"
        typer.echo(
            f"{row.id:<14}{game:<16}{row.status:<9}{row.seq:>6}  {_format_time(row.changed_at)}"
        )
    if not rows and not as_json:
        typer.echo(_words()("admin.no_tables"))


@admin.command()
def reports(
    *,
    close_one: Annotated[
        str | None, typer.Option("--close", metavar="REPORT", help="This one is dealt with.")
    ] = None,
    as_json: AsJson = False,
    database: DatabaseUrl = None,
    settings: SettingsFile = None,
) -> None:
    """List what players have reported, the oldest first, or close a report.

    \b
    Examples:
      pleasance admin reports
      pleasance admin reports --close 7hq2m4xv9ktd
    """
    from pleasance.server.admin.tables import close_report, list_reports

    words = _words()
    with _open_store(database, settings) as store:
        if close_one is not None:
            store.write_now(lambda connection: close_report(connection, close_one, time.time()))
            typer.echo(words("admin.report_closed", report=close_one))
            return
        rows = store.read_now(lambda connection: list(list_reports(connection)))
    for row in rows:
        if as_json:
            typer.echo(json.dumps(row._asdict(), ensure_ascii=False))
            continue
        facts = {"player": row.player or "?", "said": row.said, "table": row.table}
        typer.echo(f"{row.id:<14}{_format_time(row.at)}  {one_line(row.reason)}")
        typer.echo(f"  {one_line(words('admin.said', line=row.seq, **facts))}")
    if not rows and not as_json:
        typer.echo(words("admin.no_reports"))


@admin.command()
def guests(*, database: DatabaseUrl = None, settings: SettingsFile = None) -> None:
    """Count the guests, and those the server will remove because they left nothing behind.

    \b
    Examples:
      pleasance admin guests
    """
    from pleasance.server.app import PERSONAL_DATA_SOURCES
    from pleasance.server.base.settings import load_settings
    from pleasance.server.identity.personal_data import PersonalDataSources
    from pleasance.server.identity.retention import count_guests

    with _open_store(database, settings) as store:
        after = load_settings(settings).forget_guests_after
        before = time.time() - after if after else 0.0
        sources = PersonalDataSources(PERSONAL_DATA_SOURCES)
        count = store.read_now(lambda connection: count_guests(connection, sources, before))
    facts = {"guests": count.guests, "idle": count.idle, "days": round(after / 86_400)}
    typer.echo(_words()("admin.guests" if after else "admin.guests_kept", **facts))


@admin.command()
def migrate(*, database: DatabaseUrl = None, settings: SettingsFile = None) -> None:
    """Bring the database up to date; servers do it by themselves when they start.

    \b
    Examples:
      pleasance admin migrate
    """
    with _open_store(database, settings):
        typer.echo(_words()("admin.migrated"))


def _format_time(at: float) -> str:
    """Format a time in the local time zone."""
    return datetime.fromtimestamp(at).astimezone().isoformat(" ", "minutes")
