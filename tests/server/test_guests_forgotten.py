"""Guests who left nothing behind are removed after a while; nobody else is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection

import pytest
from sqlalchemy import Connection, Table, insert, select, update

from pleasance.server.base.requests import Leave, Say, Sit
from pleasance.server.identity import retention
from pleasance.server.identity.personal_data import Keeper, Keepers
from pleasance.server.identity.players import add_player
from pleasance.server.identity.retention import Cleaner, count_guests
from pleasance.server.identity.sessions import start_session, touch_session
from pleasance.server.live.table_configs import OpenTable
from pleasance.server.personal_data import KEEPERS
from pleasance.server.store.meta import metadata
from pleasance.server.store.schema.identity import players, sessions
from pleasance.server.store.store import Store
from server.guests import NONCE
from server.halls import Hall, open_hall, person
from server.visitors import Clock

pytestmark = pytest.mark.anyio

DAY = 86_400.0
ALL = Keepers(KEEPERS)
PASSING = {"sessions.player_id", "challenges.player_id"}
"""Where the id of a guest stands who left nothing behind."""


def come(store: Store, clock: Clock, name: str) -> str:
    """Let a guest in; the browser keeps a cookie."""

    def work(connection: Connection) -> str:
        guest = add_player(connection, name, clock.now).id
        start_session(connection, guest, clock.now)
        return guest

    return store.write_now(work)


def find_all(store: Store) -> set[str]:
    return set(store.read_now(lambda connection: connection.scalars(select(players.c.id)).all()))


def make_cleaner(store: Store, clock: Clock, after: float = 90 * DAY) -> Cleaner:
    return Cleaner(store, ALL, clock, after=after)


async def test_who_left_nothing_behind_is_removed_after_so_many_days(store: Store) -> None:
    clock = Clock()
    cleaner = make_cleaner(store, clock)
    old = come(store, clock, "Old")
    clock.wait(DAY)
    young = come(store, clock, "Young")
    clock.wait(89 * DAY)
    assert await cleaner.tick() == 0, "not yet"
    clock.wait(1)
    assert await cleaner.tick() == 1
    assert find_all(store) == {young}
    left = store.read_now(lambda c: c.scalars(select(sessions.c.player_id)).all())
    assert list(left) == [young], f"the session of {old} went too"


async def test_zero_removes_nobody(store: Store) -> None:
    clock = Clock()
    guest = come(store, clock, "Old")
    clock.wait(10_000 * DAY)
    assert await make_cleaner(store, clock, after=0).tick() == 0
    assert find_all(store) == {guest}


async def test_who_comes_back_while_guests_are_looked_through_stays(store: Store) -> None:
    clock = Clock()
    guest = come(store, clock, "Back")
    clock.wait(91 * DAY)

    def come_back(_: Connection, ids: Collection[str]) -> set[str]:
        (one,) = ids
        store.write_now(lambda connection: touch_session(connection, "any", one, clock.now))
        return set()

    slow = Keepers([Keeper("slow", lambda *_: None, lambda *_: None, come_back)])
    assert await Cleaner(store, slow, clock, after=90 * DAY).tick() == 0
    assert find_all(store) == {guest}


async def test_many_guests_are_looked_through_page_by_page(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "PAGE", 3)
    clock = Clock()
    cleaner = make_cleaner(store, clock)
    guests = []
    for n in range(8):
        clock.wait(1)
        guests.append(come(store, clock, f"G{n}"))
    kept = set(guests[:4])
    store.write_now(
        lambda c: c.execute(
            insert(metadata.tables["mutes"]), [{"player_id": g, "muted_id": "x"} for g in kept]
        )
    )
    clock.wait(91 * DAY)
    assert store.read_now(lambda c: count_guests(c, ALL, clock.now - 90 * DAY)) == (8, 4)
    assert [await cleaner.tick() for _ in range(4)] == [0, 2, 2, 0]
    assert find_all(store) == kept
    assert [await cleaner.tick() for _ in range(3)] == [0, 0, 0], "round and round"


async def sit_and_leave(hall: Hall, who: str) -> None:
    live = await hall.hub.open(OpenTable(game="sakura", seats=2), person("owner"))
    await hall.do(live.id, person(who), Sit(NONCE, 0))
    await hall.do(live.id, person(who), Leave(0))


async def speak(hall: Hall, who: str) -> None:
    live = await hall.hub.open(OpenTable(game="sakura", seats=2), person("owner"))
    await hall.do(live.id, person(who), Say("hello"))


async def own(hall: Hall, who: str) -> None:
    await hall.hub.open(OpenTable(game="sakura", seats=2), person(who))


@pytest.mark.parametrize("act", [sit_and_leave, speak, own])
async def test_who_did_anything_at_a_table_stays(
    database_url: str, act: Callable[[Hall, str], Awaitable[None]]
) -> None:
    clock = Clock()
    async with open_hall(database_url, clock) as hall:
        active = await asyncio.to_thread(come, hall.store, clock, "Active")
        idle = await asyncio.to_thread(come, hall.store, clock, "Idle")
        await act(hall, active)
        clock.wait(1000 * DAY)
        assert await make_cleaner(hall.store, clock).tick() == 1
        assert idle not in await asyncio.to_thread(find_all, hall.store)
        assert active in await asyncio.to_thread(find_all, hall.store)


def list_places() -> list[str]:
    """List every column in which the id of a player could stand."""
    return sorted(
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.c
        if column.name in {"player_id", "muted_id", "owner", "by", "used_by", "subject"}
    )


def fill(table: Table, column: str, player: str) -> dict[str, object]:
    """Make up a row in which a column names a player."""
    samples = {int: 1, float: 1.0, str: "x", bool: False, bytes: b"x"}
    row = {c.name: samples[c.type.python_type] for c in table.c if not c.nullable}
    return {**row, column: player}


@pytest.mark.parametrize("place", [p for p in list_places() if p not in PASSING])
async def test_who_is_named_anywhere_stays(sqlite_url: str, place: str) -> None:
    store, clock = Store.open(sqlite_url), Clock()
    guest = come(store, clock, "Named")
    name, column = place.split(".")
    table = metadata.tables[name]

    def name_guest(connection: Connection) -> None:
        if name == "players":
            connection.execute(update(players).values(owner=guest))
            return
        row = fill(table, column, guest)
        for key in table.foreign_keys:  # whatever else the row names is there too
            if key.column.table.name == "players":
                row[key.parent.name] = guest
            else:
                connection.execute(
                    insert(key.column.table).values(fill(key.column.table, "id", "x"))
                )
        connection.execute(insert(table).values(row))

    store.write_now(name_guest)
    clock.wait(1000 * DAY)
    assert await make_cleaner(store, clock).tick() == 0
    assert guest in find_all(store)
    await asyncio.to_thread(store.close)
