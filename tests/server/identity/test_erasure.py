"""Erasure of personal data from table logs, without blocking other writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread
from typing import Any

import pytest
from sqlalchemy import Connection, event, select

from pleasance.core.game import Seat
from pleasance.server.identity.personal_data import (
    PersonalDataSource,
    PersonalDataSources,
    referenced_in,
)
from pleasance.server.live.personal_data import TABLE_DATA
from pleasance.server.store.schema.identity import players
from pleasance.server.store.schema.rooms import entries, tables
from pleasance.server.store.store import Store
from pleasance.table.entries import SayEntry, SitEntry, from_json, to_json
from support import NONCE
from support.app_client import AppHarness
from support.http_client import HttpClient
from support.live_server import LiveServer


def write_log(store: Store, table: str, *lines: SayEntry | SitEntry) -> None:
    """Make a table with a log."""
    facts = {"config": "{}", "game": "sakura", "seats": 2, "owner": "owner", "status": "over"}
    flags = {"is_public": False, "is_rated": False, "waits_for_bot": False}
    times = {"seq": len(lines), "created_at": 0.0, "changed_at": 0.0}

    def write(connection: Connection) -> None:
        connection.execute(tables.insert().values(id=table, **facts, **flags, **times))
        rows = [
            {"table_id": table, "seq": n, "body": to_json(line)}
            for n, line in enumerate(lines, start=1)
        ]
        connection.execute(entries.insert(), rows)

    store.write_now(write)


def read_log(store: Store, table: str) -> list[Any]:
    """Read the entries of a log."""
    wanted = select(entries.c.body).where(entries.c.table_id == table).order_by(entries.c.seq)
    return store.read_now(lambda c: [from_json(body) for body in c.scalars(wanted)])


@contextmanager
def writer_statements(store: Store) -> Iterator[list[str]]:
    """Record each statement of the writer thread."""
    statements: list[str] = []

    def note(*what: Any) -> None:
        if current_thread().name == "store-writer":
            statements.append(what[2])

    engine = store._database.writer
    event.listen(engine, "before_cursor_execute", note)
    yield statements
    event.remove(engine, "before_cursor_execute", note)


def test_erasure_redacts_logs_without_blocking_other_writes(store: Store) -> None:
    app = AppHarness(store, sources=PersonalDataSources((TABLE_DATA,)))
    browser = app.browser()
    me = browser.join("Zebulon")["id"]
    words = [SayEntry(me, "Zebulon", f"word {n}", 1.0) for n in range(450)]
    other = SayEntry("other", "Ben", "hello", 2.0)
    sat = SitEntry(Seat(0), me, "Zebulon", None, NONCE, 0.0)
    write_log(store, "long" * 5, sat, *words, other)
    with writer_statements(store) as statements:
        browser.ask("DELETE", "/api/me?name=Zebulon", 204)
    first, *rest, last = read_log(store, "long" * 5)
    assert (first.name, first.player, first.nonce) == ("Somebody", me, NONCE)
    assert {(line.name, line.text) for line in rest} == {("Somebody", "…")}
    assert last == other
    about = [statement for statement in statements if "entries" in statement]
    assert about, "the logs were changed"
    assert not [statement for statement in about if not statement.startswith("UPDATE entries SET")]
    app.close()


def test_what_is_said_during_the_search_is_forgotten_too(store: Store) -> None:
    searched: list[str] = []

    def search(connection: Connection, player: str) -> list[Any]:
        """Search as tables do; the first search runs during another write."""
        found = TABLE_DATA.plan_erasure(connection, player)
        if not searched:
            write_log(store, "late" * 5, SayEntry(player, "Zebulon", "wait", 1.0))
        searched.append(player)
        return list(found)

    slow = PersonalDataSource("slow", TABLE_DATA.export, TABLE_DATA.erase, referenced_in(), search)
    app = AppHarness(store, sources=PersonalDataSources((slow,)))
    browser = app.browser()
    me = browser.join("Zebulon")["id"]
    browser.ask("DELETE", "/api/me?name=Zebulon", 204)
    assert searched == [me, me]
    assert [(line.name, line.text) for line in read_log(store, "late" * 5)] == [("Somebody", "…")]
    app.close()


def test_a_bot_that_retires_leaves_the_logs_too(store: Store) -> None:
    app = AppHarness(store, sources=PersonalDataSources((TABLE_DATA,)))
    browser = app.account("Ada")
    bot = browser.ask("POST", "/api/bots", 201, {"name": "Engine"})["bot"]["id"]
    write_log(store, "bots" * 5, SayEntry(bot, "Engine", "beep", 1.0))
    browser.ask("DELETE", f"/api/bots/{bot}", 204)
    assert [(line.name, line.text) for line in read_log(store, "bots" * 5)] == [("Somebody", "…")]
    app.close()


def test_a_search_that_fails_leaves_the_player_as_they_were(store: Store) -> None:
    def search(connection: Connection, player: str) -> list[Any]:
        raise RuntimeError(f"{connection} {player}")

    source = PersonalDataSource("x", lambda *_: None, lambda *_: None, referenced_in(), search)
    app = AppHarness(store, sources=PersonalDataSources((source,)))
    browser, _ = app.visit("Ada")
    assert browser.request("DELETE", "/api/me?name=Ada").status_code == 500
    rows = store.read_now(lambda c: c.execute(select(players.c.kind)).all())
    assert [row.kind for row in rows] == ["guest"]
    app.close()


@pytest.mark.slow
def test_others_at_the_table_read_no_name_any_more(ada: HttpClient, server: LiveServer) -> None:
    table = ada.open_table()
    with server.visit("Zebulon") as guest:
        with ada.connect() as a, guest.connect() as ws:
            a.watch(table)
            ws.do(table, kind="say", text="xyzzy")
            seq = ws.do(table, kind="sit", nonce=NONCE)["seq"]
            assert a.wait_for(table, seq).entries[1]["text"] == "xyzzy"
        guest.ask("DELETE", "/api/me?name=Zebulon", status=204)
    with ada.connect({}) as again:
        snapshot = str(again.watch(table, 0))
        assert "xyzzy" not in snapshot
        assert "Zebulon" not in snapshot
