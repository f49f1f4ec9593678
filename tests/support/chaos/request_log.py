"""A log of all requests and answers, compared with the event logs of the database."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from pleasance.core.record import parse_record, write_record
from pleasance.core.verify import verify
from pleasance.server.live.room_repository import RoomRepository
from pleasance.server.live.table_configs import decode_table_config
from pleasance.server.store.schema.rooms import entries, tables
from pleasance.server.store.store import Store
from pleasance.table.entries import ChooseEntry, Entry, TakeOverEntry, from_json

RETRYABLE = frozenset({"storage_away", "storage_busy", "storage_closed", "storage_full"})
"""Refusals that do not depend on the request: the client repeats it."""

EXPECTED_REFUSALS = {
    "choose": {"already_chosen", "game_over", "not_your_turn", "stale"},
    "undo": {"cannot_undo", "game_over", "nothing_to_undo"},
}
"""Refusals allowed per command, because another client was faster; no others are."""


class SentRequest(NamedTuple):
    """A request with the player who sent it."""

    table: str
    player: str
    command: dict[str, Any]


class LogRow(NamedTuple):
    """One entry of an event log, with its idempotency key."""

    seq: int
    entry: Entry
    key: str | None


@dataclass
class RequestLog:
    """All sent requests and their answers, by idempotency key."""

    sent: dict[str, SentRequest] = field(default_factory=dict)
    accepted: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    codes: Counter[str] = field(default_factory=Counter)
    """Number of refusals by code."""

    def send(self, key: str, table: str, player: str, command: dict[str, Any]) -> None:
        """Record a request; no key may be used twice."""
        assert key not in self.sent
        self.sent[key] = SentRequest(table, player, command)

    def accept(self, key: str, seq: int) -> None:
        """Record an acknowledgment; the same key must always get the same seq."""
        assert key not in self.refused, f"{key} was refused and then accepted"
        assert self.accepted.setdefault(key, seq) == seq, f"{key} has two seqs"

    def refuse(self, key: str, code: str) -> bool:
        """Record a refusal; return whether it is final."""
        self.codes[code] += 1
        if code in RETRYABLE:
            return False
        assert key not in self.accepted, f"{key} was accepted and then refused: {code}"
        command = self.sent[key].command if key in self.sent else {"kind": "nothing"}
        assert code in EXPECTED_REFUSALS.get(command["kind"], ()), f"{command} was refused: {code}"
        self.refused[key] = code
        return True

    @property
    def choices(self) -> int:
        """The number of acknowledged choices."""
        return sum(self.sent[key].command["kind"] == "choose" for key in self.accepted)

    def count_faults(self, logs: Mapping[str, Sequence[LogRow]]) -> dict[str, int]:
        """Count the acknowledged requests that the logs miss or hold twice."""
        written = Counter(row.key for log in logs.values() for row in log if row.key is not None)
        found = [written[f"{self.sent[key].player}:{key}"] for key in self.accepted]
        return {"lost": found.count(0), "doubled": sum(times > 1 for times in found)}

    def check_database(self, url: str) -> dict[str, list[LogRow]]:
        """Compare all answers with the database; return its event logs."""
        store = Store.open(url, is_server=False)
        try:
            known = {sent.table for sent in self.sent.values()}
            logs = {table: _check_log(store, table) for table in sorted(known)}
        finally:
            store.close()
        for table, log in logs.items():
            self._compare(table, log)
        return logs

    def _compare(self, table: str, log: list[LogRow]) -> None:
        """Compare the event log of a table with the answers."""
        written = {row.key: row for row in log if row.key is not None}
        assert len(written) == sum(row.key is not None for row in log), (
            f"{table}: two entries have the same key"
        )
        for key, sent in self.sent.items():
            if sent.table != table:
                continue
            row = written.pop(f"{sent.player}:{key}", None)
            if key in self.accepted:
                assert row is not None, f"{table}: {key} was acknowledged and is lost"
                assert row.seq == self.accepted[key], f"{table}: {key} has seq {row.seq}"
            assert row is None or key not in self.refused, f"{table}: {key} was refused"
            assert row is None or _matches_command(row.entry, sent.command), (sent, row)
        assert not written, f"{table}: no client sent {written}"


def _matches_command(entry: Entry, command: dict[str, Any]) -> bool:
    """Return whether an entry is the result of a command."""
    kind = type(entry).__name__.removesuffix("Entry").lower()
    names = {"choose": ("seat", "token", "ply"), "say": ("text",), "start": ()}
    sent_kind = "sit" if command["kind"] == "seat_bot" else command["kind"]
    fields = names.get(sent_kind, ("seat",))
    return kind == sent_kind and all(getattr(entry, name) == command[name] for name in fields)


def _check_log(store: Store, table: str) -> list[LogRow]:
    """Read and fold an event log; verify the record of a finished game."""

    def read(connection: Connection) -> tuple[Any, list[tuple[int, str, str | None]]]:
        found = connection.execute(select(tables).where(tables.c.id == table)).one()
        wanted = select(entries.c.seq, entries.c.body, entries.c.idempotency_key).order_by(
            entries.c.seq
        )
        rows = connection.execute(wanted.where(entries.c.table_id == table)).all()
        return found, [(row.seq, row.body, row.idempotency_key) for row in rows]

    fact, rows = store.read_now(read)
    assert [n for n, _, _ in rows] == list(range(1, len(rows) + 1)), f"{table}: the log has a gap"
    assert fact.seq == len(rows)
    room = RoomRepository(store, time.time).fold(decode_table_config(fact.config), rows).room
    assert fact.status == room.status
    log = [LogRow(n, from_json(body), key) for n, body, key in rows]
    times = [row.entry.at for row in log]
    assert times == sorted(times), f"{table}: time goes back"
    if room.ending is not None:
        assert room.table is not None
        record = parse_record(write_record(room.table.full_record(is_owner=True)))
        assert verify(room.game, record).draws > 0
    _check_choices(table, log, {n for n, place in enumerate(room.places) if place.bot})
    return log


def _check_choices(table: str, log: list[LogRow], bots: set[int]) -> None:
    """Assert that every choice without a request belongs to a bot on its own seat."""
    taken_over = {row.entry.seat for row in log if isinstance(row.entry, TakeOverEntry)}
    for row in log:
        if isinstance(row.entry, ChooseEntry) and row.key is None:
            assert row.entry.seat in bots | taken_over, f"{table}: entry {row.seq} has no request"
