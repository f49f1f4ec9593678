"""Lists of tables and chat reports for administrators, and closing a table."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, and_, select, update

from pleasance.server.base.errors import AppendConflictError, ConflictError, NotFoundError
from pleasance.server.store.appends import Append, NewEntry
from pleasance.server.store.schema.rooms import entries, reports, tables
from pleasance.server.store.store import Store
from pleasance.table.entries import CloseEntry, SayEntry, from_json, to_json

_MAX_ATTEMPTS = 5


class TableSummary(NamedTuple):
    """A listed table, without secrets of its game."""

    id: str
    game: str
    seats: int
    status: str
    is_public: bool
    seq: int
    changed_at: float


class ChatReport(NamedTuple):
    """A reported chat entry."""

    id: str
    table: str
    seq: int
    reporter: str
    reason: str
    at: float
    player: str
    """The author of the entry."""

    said: str


def list_tables(
    connection: Connection, *, status: str | None = None, limit: int = 50
) -> list[TableSummary]:
    """List tables by their last change, the newest first."""
    columns = [tables.c[name] for name in TableSummary._fields]
    query = select(*columns).order_by(tables.c.changed_at.desc()).limit(limit)
    if status is not None:
        query = query.where(tables.c.status == status)
    return [TableSummary(*row) for row in connection.execute(query)]


def list_reports(connection: Connection) -> Iterator[ChatReport]:
    """List the open reports, the oldest first."""
    at_seq = and_(entries.c.table_id == reports.c.table_id, entries.c.seq == reports.c.seq)
    query = (
        select(reports, entries.c.body)
        .join(entries, at_seq, isouter=True)
        .where(reports.c.closed_at.is_(None))
        .order_by(reports.c.at)
    )
    for row in connection.execute(query):
        entry = from_json(row.body) if row.body else None
        player, said = (entry.player, entry.text) if isinstance(entry, SayEntry) else ("", "")
        yield ChatReport(
            row.id, row.table_id, row.seq, row.reporter_id, row.reason, row.at, player, said
        )


def close_report(connection: Connection, report: str, now: float) -> None:
    """Close a report."""
    closed = connection.execute(
        update(reports)
        .where(reports.c.id == report, reports.c.closed_at.is_(None))
        .values(closed_at=now)
    )
    if closed.rowcount != 1:
        raise NotFoundError("report_unknown", report=report)


def close_table(store: Store, table: str, now: float) -> None:
    """Close a table by an entry in its log, which running servers read."""
    asyncio.run(_close_table(store, table, now))


async def _close_table(store: Store, table: str, now: float) -> None:
    for _ in range(_MAX_ATTEMPTS):
        row = await store.read(lambda connection: _find(connection, table))
        if row is None:
            raise NotFoundError("table_unknown", table=table)
        status, seq = row
        if status in {"over", "closed"}:
            raise ConflictError("table_done", table=table)
        try:
            await store.append(_closing_append(table, seq, now))
        except AppendConflictError:
            continue  # another process appended meanwhile
        return
    raise ConflictError("busy")


def _find(connection: Connection, table: str) -> tuple[str, int] | None:
    query = select(tables.c.status, tables.c.seq).where(tables.c.id == table)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.status, row.seq)


def _closing_append(table: str, seq: int, now: float) -> Append:
    body = to_json(CloseEntry("closed", now))
    columns = {
        "status": "closed",
        "changed_at": now,
        "due_at": None,
        "waits_for_bot": False,
        "waits_for": "",
    }
    return Append(table, seq, (NewEntry(body),), columns)
