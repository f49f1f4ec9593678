"""Append requests to the event log of tables, with optimistic concurrency.

A batch of appends becomes a few bulk statements. An append names the seq it expects the log to have
and is refused if another writer was faster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection

from pleasance.server.store.topics import TABLE_PREFIX

TransactionWork: TypeAlias = Callable[[Connection], None]
"""Further writes in the transaction of an append."""


class NewEntry(NamedTuple):
    """One entry to be added to a log."""

    body: str
    """JSON of the entry."""

    key: str | None = None
    """The player and idempotency key of a request, on the first entry that the request caused."""


@dataclass(frozen=True, slots=True)
class Append:
    """Entries to add to the log of a table, all or none."""

    table: str
    expected_seq: int
    """The seq of the newest entry the log must have; the new entries are numbered from there."""

    entries: tuple[NewEntry, ...]
    columns: Mapping[str, object] = field(default_factory=dict)
    """Columns of `tables` to set in the same transaction."""

    also: TransactionWork | None = None

    @property
    def seq(self) -> int:
        """The seq of the log's newest entry once these are added."""
        return self.expected_seq + len(self.entries)

    @property
    def topic(self) -> str:
        """The topic published to listeners."""
        return f"{TABLE_PREFIX}{self.table}:{self.seq}"


@dataclass(slots=True)
class AppendRows:
    """The rows that a batch of appends writes."""

    entries: list[tuple[str, int, str, str | None]] = field(default_factory=list)
    """Table, seq, body and key of each new entry."""

    columns: dict[str, dict[str, object]] = field(default_factory=dict)
    """For each table the columns to set, `seq` among them."""

    is_accepted: list[bool] = field(default_factory=list)
    """For each append, in order, whether its log had the expected seq."""

    def by_columns(self) -> dict[tuple[str, ...], list[tuple[object, ...]]]:
        """Group table rows by the columns they set: one statement each; the id comes last."""
        groups: dict[tuple[str, ...], list[tuple[object, ...]]] = {}
        for table, columns in self.columns.items():
            groups.setdefault(tuple(columns), []).append((*columns.values(), table))
        return groups


def plan_appends(appends: Sequence[Append], seqs: Mapping[str, int]) -> AppendRows:
    """Compute the rows of *appends*, given the current seq of each log."""
    rows = AppendRows()
    current = dict(seqs)
    for append in appends:
        table, seq = append.table, append.expected_seq
        is_next = current.get(table) == seq
        rows.is_accepted.append(is_next)
        if is_next:
            for entry in append.entries:
                seq += 1
                rows.entries.append((table, seq, entry.body, entry.key))
            current[table] = seq
            columns = rows.columns.setdefault(table, {})
            columns.update(append.columns)
            columns["seq"] = seq
    return rows
