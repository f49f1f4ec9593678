"""What whoever runs the server sees of tables and reports, and how a table is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, and_, select, update

from pleasance.server.base.errors import ConflictError, OvertakenError, UnknownError
from pleasance.server.store.appends import Append, LogLine
from pleasance.server.store.schema.rooms import entries, reports, tables
from pleasance.server.store.store import Store
from pleasance.table.entries import CloseEntry, SayEntry, from_json, to_json

_ATTEMPTS = 5


class TableLine(NamedTuple):
    """What is listed of a table; nothing of what its players may not know."""

    id: str
    game: str
    seats: int
    status: str
    is_public: bool
    lines: int
    changed_at: float


class Report(NamedTuple):
    """What somebody found should not have been said."""

    id: str
    table: str
    line: int
    by: str
    reason: str
    at: float
    player: str
    """Who said it."""

    said: str


def list_tables(
    connection: Connection, *, status: str | None = None, limit: int = 50
) -> list[TableLine]:
    """List the tables, those where something happened last first."""
    columns = [tables.c[name] for name in TableLine._fields]
    query = select(*columns).order_by(tables.c.changed_at.desc()).limit(limit)
    if status is not None:
        query = query.where(tables.c.status == status)
    return [TableLine(*row) for row in connection.execute(query)]


def list_reports(connection: Connection) -> Iterator[Report]:
    """List the reports that nobody has dealt with, the oldest first."""
    at_line = and_(entries.c.table_id == reports.c.table_id, entries.c.n == reports.c.line)
    query = (
        select(reports, entries.c.body)
        .join(entries, at_line, isouter=True)
        .where(reports.c.closed_at.is_(None))
        .order_by(reports.c.at)
    )
    for row in connection.execute(query):
        entry = from_json(row.body) if row.body else None
        player, said = (entry.player, entry.text) if isinstance(entry, SayEntry) else ("", "")
        yield Report(row.id, row.table_id, row.line, row.by, row.reason, row.at, player, said)


def close_report(connection: Connection, report: str, now: float) -> None:
    """Note that a report has been dealt with."""
    closed = connection.execute(
        update(reports)
        .where(reports.c.id == report, reports.c.closed_at.is_(None))
        .values(closed_at=now)
    )
    if closed.rowcount != 1:
        raise UnknownError("report_unknown", report=report)


def close_table(store: Store, table: str, now: float) -> None:
    """Put a table away for good: a line in its log says so, and a running server reads it there."""
    asyncio.run(_close_table(store, table, now))


async def _close_table(store: Store, table: str, now: float) -> None:
    for _ in range(_ATTEMPTS):
        row = await store.read(lambda connection: _find(connection, table))
        if row is None:
            raise UnknownError("table_unknown", table=table)
        status, lines = row
        if status in {"over", "closed"}:
            raise ConflictError("table_done", table=table)
        try:
            await store.append(_make_closing(table, lines, now))
        except OvertakenError:
            continue  # somebody chose meanwhile
        return
    raise ConflictError("busy")


def _find(connection: Connection, table: str) -> tuple[str, int] | None:
    query = select(tables.c.status, tables.c.lines).where(tables.c.id == table)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.status, row.lines)


def _make_closing(table: str, lines: int, now: float) -> Append:
    body = to_json(CloseEntry("closed", now))
    facts = {
        "status": "closed",
        "changed_at": now,
        "due_at": None,
        "waits_for_bot": False,
        "waits_for": "",
    }
    return Append(table, lines, (LogLine(body),), facts)
