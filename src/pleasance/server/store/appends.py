"""What is added to the logs of tables: many appends become few statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection

Also: TypeAlias = Callable[[Connection], None]
"""More work in the transaction of an append."""


class LogLine(NamedTuple):
    """One line of a log."""

    body: str
    """JSON of one entry."""

    key: str | None = None
    """Whose request it was and the key it had, on the first line of what a request caused."""


@dataclass(frozen=True, slots=True)
class Append:
    """Lines to add to the log of a table, all or none."""

    table: str
    known: int
    """How many lines the log must have; the new ones get the numbers after it."""

    lines: tuple[LogLine, ...]
    facts: Mapping[str, object] = field(default_factory=dict)
    """Columns of `tables` to set in the same transaction."""

    also: Also | None = None

    @property
    def count(self) -> int:
        """Count the lines of the log once these are added."""
        return self.known + len(self.lines)

    @property
    def topic(self) -> str:
        """Name what listeners are told."""
        return f"table:{self.table}:{self.count}"


@dataclass(slots=True)
class Sheet:
    """The rows that a batch of appends comes to."""

    entries: list[tuple[str, int, str, str | None]] = field(default_factory=list)
    """Table, number, body and key of each new line."""

    facts: dict[str, dict[str, object]] = field(default_factory=dict)
    """For each table the columns to set, the number of its lines among them."""

    is_taken: list[bool] = field(default_factory=list)
    """For each append, in order, whether its log had the lines it should have."""

    def by_columns(self) -> dict[tuple[str, ...], list[tuple[object, ...]]]:
        """Group the facts by the columns they set: one statement each; the id comes last."""
        groups: dict[tuple[str, ...], list[tuple[object, ...]]] = {}
        for table, facts in self.facts.items():
            groups.setdefault(tuple(facts), []).append((*facts.values(), table))
        return groups


def plan_appends(appends: Sequence[Append], counts: Mapping[str, int]) -> Sheet:
    """Lay out the rows of *appends*, given how many lines each log has now."""
    sheet = Sheet()
    now = dict(counts)
    for append in appends:
        table, n = append.table, append.known
        is_next = now.get(table) == n
        sheet.is_taken.append(is_next)
        if is_next:
            for line in append.lines:
                n += 1
                sheet.entries.append((table, n, line.body, line.key))
            now[table] = n
            facts = sheet.facts.setdefault(table, {})
            facts.update(append.facts)
            facts["lines"] = n
    return sheet
