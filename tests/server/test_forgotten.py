"""To be forgotten: names and words leave the logs of tables, and no other write waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread
from typing import Any

import pytest
from sqlalchemy import Connection, event, select

from pleasance.core.game import Seat
from pleasance.server.identity.personal_data import Keeper, Keepers, named_in
from pleasance.server.live.personal_data import KEEPER
from pleasance.server.store.schema.identity import players
from pleasance.server.store.schema.rooms import entries, tables
from pleasance.server.store.store import Store
from pleasance.table.entries import SayEntry, SitEntry, from_json, to_json
from server.guests import NONCE
from server.house import House as RealHouse
from server.talks import Visitor
from server.visitors import House


def write_log(store: Store, table: str, *lines: SayEntry | SitEntry) -> None:
    """Make a table with a log."""
    facts = {"plan": "{}", "game": "sakura", "seats": 2, "owner": "owner", "status": "over"}
    flags = {"is_public": False, "is_rated": False, "waits_for_bot": False}
    times = {"lines": len(lines), "created_at": 0.0, "changed_at": 0.0}

    def write(connection: Connection) -> None:
        connection.execute(tables.insert().values(id=table, **facts, **flags, **times))
        rows = [
            {"table_id": table, "n": n, "body": to_json(line)}
            for n, line in enumerate(lines, start=1)
        ]
        connection.execute(entries.insert(), rows)

    store.write_now(write)


def read_log(store: Store, table: str) -> list[Any]:
    """Read the entries of a log."""
    wanted = select(entries.c.body).where(entries.c.table_id == table).order_by(entries.c.n)
    return store.read_now(lambda c: [from_json(body) for body in c.scalars(wanted)])


@contextmanager
def noting_the_writer(store: Store) -> Iterator[list[str]]:
    """Note each statement that the one thread carries out for which all others wait."""
    said: list[str] = []

    def note(*what: Any) -> None:
        if current_thread().name == "store-writer":
            said.append(what[2])

    engine = store._database.writer
    event.listen(engine, "before_cursor_execute", note)
    yield said
    event.remove(engine, "before_cursor_execute", note)


def test_whoever_is_forgotten_leaves_the_logs_while_nobody_waits_for_the_search(
    store: Store,
) -> None:
    house = House(store, keepers=Keepers((KEEPER,)))
    browser = house.browser()
    me = browser.come_in("Zebulon")["id"]
    words = [SayEntry(me, "Zebulon", f"word {n}", 1.0) for n in range(450)]
    other = SayEntry("other", "Ben", "hello", 2.0)
    sat = SitEntry(Seat(0), me, "Zebulon", None, NONCE, 0.0)
    write_log(store, "long" * 5, sat, *words, other)
    with noting_the_writer(store) as said:
        browser.ask("DELETE", "/api/me?name=Zebulon", 204)
    first, *rest, last = read_log(store, "long" * 5)
    assert (first.name, first.player, first.nonce) == ("Somebody", me, NONCE)
    assert {(line.name, line.text) for line in rest} == {("Somebody", "…")}
    assert last == other
    about = [statement for statement in said if "entries" in statement]
    assert about, "the logs were changed"
    assert not [statement for statement in about if not statement.startswith("UPDATE entries SET")]
    house.close()


def test_what_is_said_during_the_search_is_forgotten_too(store: Store) -> None:
    searched: list[str] = []

    def search(connection: Connection, player: str) -> list[Any]:
        """Search as tables do; the first time somebody writes meanwhile, and does not wait."""
        found = KEEPER.search(connection, player)
        if not searched:
            write_log(store, "late" * 5, SayEntry(player, "Zebulon", "wait", 1.0))
        searched.append(player)
        return list(found)

    slow = Keeper("slow", KEEPER.export, KEEPER.forget, named_in(), search)
    house = House(store, keepers=Keepers((slow,)))
    browser = house.browser()
    me = browser.come_in("Zebulon")["id"]
    browser.ask("DELETE", "/api/me?name=Zebulon", 204)
    assert searched == [me, me]
    assert [(line.name, line.text) for line in read_log(store, "late" * 5)] == [("Somebody", "…")]
    house.close()


def test_a_bot_that_retires_leaves_the_logs_too(store: Store) -> None:
    house = House(store, keepers=Keepers((KEEPER,)))
    browser = house.browser()
    browser.claim("Ada")
    bot = browser.ask("POST", "/api/bots", 201, {"name": "Engine"})["bot"]["id"]
    write_log(store, "bots" * 5, SayEntry(bot, "Engine", "beep", 1.0))
    browser.ask("DELETE", f"/api/bots/{bot}", 204)
    assert [(line.name, line.text) for line in read_log(store, "bots" * 5)] == [("Somebody", "…")]
    house.close()


def test_a_search_that_fails_leaves_the_player_as_they_were(store: Store) -> None:
    def search(connection: Connection, player: str) -> list[Any]:
        raise RuntimeError(f"{connection} {player}")

    keeper = Keeper("x", lambda *_: None, lambda *_: None, named_in(), search)
    house = House(store, keepers=Keepers((keeper,)))
    browser = house.browser()
    browser.come_in("Ada")
    assert browser.request("DELETE", "/api/me?name=Ada").status_code == 500
    rows = store.read_now(lambda c: c.execute(select(players.c.kind)).all())
    assert [row.kind for row in rows] == ["guest"]
    house.close()


@pytest.mark.slow
def test_others_at_the_table_read_no_name_any_more(ada: Visitor, house: RealHouse) -> None:
    table = ada.open()
    with house.visit("Zebulon") as guest:
        with ada.connect() as a, guest.connect() as talk:
            a.watch(table)
            talk.do(table, kind="say", text="xyzzy")
            seq = talk.do(table, kind="sit", nonce=NONCE)["seq"]
            assert a.wait_for(table, seq).lines[1]["text"] == "xyzzy"
        guest.ask("DELETE", "/api/me?name=Zebulon", status=204)
    with ada.connect({}) as again:
        shown = str(again.watch(table, 0))
        assert "xyzzy" not in shown
        assert "Zebulon" not in shown
