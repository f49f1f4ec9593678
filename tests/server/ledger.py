"""What servers have promised to players, and whether it is so."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from pleasance.core.record import parse_record, write_record
from pleasance.core.verify import verify
from pleasance.server.live.room_repository import StoreKeeper
from pleasance.server.live.table_configs import read_plan
from pleasance.server.store.schema.rooms import entries, tables
from pleasance.server.store.store import Store
from pleasance.table.entries import ChooseEntry, Entry, TakeOverEntry, from_json

UNDECIDED = frozenset({"storage_away", "storage_busy", "storage_closed", "storage_full"})
"""Refusals that say nothing about the request: the same one is sent again."""

FITTING = {
    "choose": {"already_chosen", "game_over", "not_your_turn", "stale"},
    "undo": {"cannot_undo", "game_over", "nothing_to_undo"},
}
"""By what a request may be refused because somebody else was faster; no other ever may."""


class Sent(NamedTuple):
    """A request that somebody has sent."""

    table: str
    player: str
    command: dict[str, Any]


class Row(NamedTuple):
    """One line of a log in the database."""

    n: int
    entry: Entry
    key: str | None


@dataclass
class Ledger:
    """Every request that was sent, and what each was answered."""

    sent: dict[str, Sent] = field(default_factory=dict)
    accepted: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    codes: Counter[str] = field(default_factory=Counter)
    """How often each refusal was given."""

    def send(self, key: str, table: str, player: str, command: dict[str, Any]) -> None:
        """Note a request; no key is used for two."""
        assert key not in self.sent
        self.sent[key] = Sent(table, player, command)

    def accept(self, key: str, seq: int) -> None:
        """Note a promise; the same request must always be answered the same."""
        assert key not in self.refused, f"{key} was refused and then accepted"
        assert self.accepted.setdefault(key, seq) == seq, f"{key} has two numbers"

    def refuse(self, key: str, code: str) -> bool:
        """Note a refusal; tell whether it is the last word."""
        self.codes[code] += 1
        if code in UNDECIDED:
            return False
        assert key not in self.accepted, f"{key} was accepted and then refused: {code}"
        asked = self.sent[key].command if key in self.sent else {"kind": "nothing"}
        assert code in FITTING.get(asked["kind"], ()), f"{asked} was refused: {code}"
        self.refused[key] = code
        return True

    @property
    def choices(self) -> int:
        """Count the choices that were acknowledged."""
        return sum(self.sent[key].command["kind"] == "choose" for key in self.accepted)

    def count_faults(self, logs: Mapping[str, Sequence[Row]]) -> dict[str, int]:
        """Count the acknowledged requests that logs do not have, and those they have twice."""
        written = Counter(row.key for log in logs.values() for row in log if row.key is not None)
        found = [written[f"{self.sent[key].player}:{key}"] for key in self.accepted]
        return {
            "lost": sum(times == 0 for times in found),
            "doubled": sum(times > 1 for times in found),
        }

    def check(self, url: str) -> dict[str, list[Row]]:
        """Compare all promises with the database; give the logs that it has."""
        store = Store.open(url, is_server=False)
        try:
            known = {sent.table for sent in self.sent.values()}
            logs = {table: _check_log(store, table) for table in sorted(known)}
        finally:
            store.close()
        for table, log in logs.items():
            self._compare(table, log)
        return logs

    def _compare(self, table: str, log: list[Row]) -> None:
        """Compare the log of a table with what was promised."""
        written = {row.key: row for row in log if row.key is not None}
        assert len(written) == sum(row.key is not None for row in log), f"{table}: doubled"
        for key, sent in self.sent.items():
            if sent.table != table:
                continue
            row = written.pop(f"{sent.player}:{key}", None)
            if key in self.accepted:
                assert row is not None, f"{table}: {key} was acknowledged and is lost"
                assert row.n == self.accepted[key], f"{table}: {key} stands at {row.n}"
            assert row is None or key not in self.refused, f"{table}: {key} was refused"
            assert row is None or _is_wish(row.entry, sent.command), (sent, row)
        assert not written, f"{table}: nobody has sent {written}"


def _is_wish(entry: Entry, command: dict[str, Any]) -> bool:
    """Tell whether a line is what a command asks for."""
    kind = type(entry).__name__.removesuffix("Entry").lower()
    names = {"choose": ("seat", "token", "ply"), "say": ("text",), "start": ()}
    asked = "sit" if command["kind"] == "seat_bot" else command["kind"]
    told = names.get(asked, ("seat",))
    return kind == asked and all(getattr(entry, name) == command[name] for name in told)


def _check_log(store: Store, table: str) -> list[Row]:
    """Read a log; carry it out from the start; verify its record, if the game is over."""

    def read(connection: Connection) -> tuple[Any, list[tuple[int, str, str | None]]]:
        found = connection.execute(select(tables).where(tables.c.id == table)).one()
        wanted = select(entries.c.n, entries.c.body, entries.c.key).order_by(entries.c.n)
        rows = connection.execute(wanted.where(entries.c.table_id == table)).all()
        return found, [(row.n, row.body, row.key) for row in rows]

    fact, rows = store.read_now(read)
    assert [n for n, _, _ in rows] == list(range(1, len(rows) + 1)), f"{table}: a gap"
    assert fact.lines == len(rows)
    room = StoreKeeper(store, time.time).fold(read_plan(fact.plan), rows).room
    assert fact.status == room.status
    log = [Row(n, from_json(body), key) for n, body, key in rows]
    times = [row.entry.at for row in log]
    assert times == sorted(times), f"{table}: time goes back"
    if room.ending is not None:
        assert room.table is not None
        record = parse_record(write_record(room.table.full_record(is_owner=True)))
        assert verify(room.game, record).draws > 0
    _check_choices(table, log, {n for n, place in enumerate(room.places) if place.bot})
    return log


def _check_choices(table: str, log: list[Row], bots: set[int]) -> None:
    """Make sure that nobody has chosen but by a request, except bots on their own seats."""
    stood_in = {row.entry.seat for row in log if isinstance(row.entry, TakeOverEntry)}
    for row in log:
        if isinstance(row.entry, ChooseEntry) and row.key is None:
            assert row.entry.seat in bots | stood_in, f"{table}: line {row.n} is nobody's"
