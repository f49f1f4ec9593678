"""The retention job removes idle guests without data, and no other players."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection

import pytest
from sqlalchemy import Connection, Table, insert, select, update

from pleasance.server.app import PERSONAL_DATA_SOURCES
from pleasance.server.base.requests import Leave, Say, Sit
from pleasance.server.identity import retention
from pleasance.server.identity.personal_data import PersonalDataSource, PersonalDataSources
from pleasance.server.identity.players import add_player
from pleasance.server.identity.retention import RetentionJob, count_guests
from pleasance.server.identity.sessions import start_session, touch_session
from pleasance.server.live.table_configs import OpenTable
from pleasance.server.store.meta import metadata
from pleasance.server.store.schema.identity import players, sessions
from pleasance.server.store.store import Store
from support import NONCE
from support.app_client import ManualClock
from support.hub_harness import HubHarness, person

pytestmark = pytest.mark.anyio

DAY = 86_400.0
ALL = PersonalDataSources(PERSONAL_DATA_SOURCES)
PASSING = {"sessions.player_id", "challenges.player_id"}
"""The columns that hold the id of a guest without data."""


def add_guest(store: Store, clock: ManualClock, name: str) -> str:
    """Add a guest with a session."""

    def work(connection: Connection) -> str:
        guest = add_player(connection, name, clock.now).id
        start_session(connection, guest, clock.now)
        return guest

    return store.write_now(work)


def find_all(store: Store) -> set[str]:
    return set(store.read_now(lambda connection: connection.scalars(select(players.c.id)).all()))


def make_job(store: Store, clock: ManualClock, retention_s: float = 90 * DAY) -> RetentionJob:
    return RetentionJob(store, ALL, clock, retention_s=retention_s)


async def test_a_guest_without_data_is_removed_after_some_days(store: Store) -> None:
    clock = ManualClock()
    job = make_job(store, clock)
    old = add_guest(store, clock, "Old")
    clock.advance(DAY)
    young = add_guest(store, clock, "Young")
    clock.advance(89 * DAY)
    assert await job.tick() == 0, "not yet"
    clock.advance(1)
    assert await job.tick() == 1
    assert find_all(store) == {young}
    left = store.read_now(lambda c: c.scalars(select(sessions.c.player_id)).all())
    assert list(left) == [young], f"the session of {old} went too"


async def test_zero_removes_no_guest(store: Store) -> None:
    clock = ManualClock()
    guest = add_guest(store, clock, "Old")
    clock.advance(10_000 * DAY)
    assert await make_job(store, clock, retention_s=0).tick() == 0
    assert find_all(store) == {guest}


async def test_a_guest_who_returns_during_the_job_stays(store: Store) -> None:
    clock = ManualClock()
    guest = add_guest(store, clock, "Back")
    clock.advance(91 * DAY)

    def come_back(_: Connection, ids: Collection[str]) -> set[str]:
        (one,) = ids
        store.write_now(lambda connection: touch_session(connection, "any", one, clock.now))
        return set()

    slow = PersonalDataSources(
        [PersonalDataSource("slow", lambda *_: None, lambda *_: None, come_back)]
    )
    assert await RetentionJob(store, slow, clock, retention_s=90 * DAY).tick() == 0
    assert find_all(store) == {guest}


async def test_guests_are_checked_in_pages(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "GUESTS_PER_PAGE", 3)
    clock = ManualClock()
    job = make_job(store, clock)
    guests = []
    for n in range(8):
        clock.advance(1)
        guests.append(add_guest(store, clock, f"G{n}"))
    expected = set(guests[:4])
    store.write_now(
        lambda c: c.execute(
            insert(metadata.tables["mutes"]), [{"player_id": g, "muted_id": "x"} for g in expected]
        )
    )
    clock.advance(91 * DAY)
    assert store.read_now(lambda c: count_guests(c, ALL, clock.now - 90 * DAY)) == (8, 4)
    assert [await job.tick() for _ in range(4)] == [0, 2, 2, 0]
    assert find_all(store) == expected
    assert [await job.tick() for _ in range(3)] == [0, 0, 0], "round and round"


async def sit_and_leave(server: HubHarness, who: str) -> None:
    live = await server.hub.open(OpenTable(game="sakura", seats=2), person("owner"))
    await server.do(live.id, person(who), Sit(NONCE, 0))
    await server.do(live.id, person(who), Leave(0))


async def chat(server: HubHarness, who: str) -> None:
    live = await server.hub.open(OpenTable(game="sakura", seats=2), person("owner"))
    await server.do(live.id, person(who), Say("hello"))


async def own(server: HubHarness, who: str) -> None:
    await server.hub.open(OpenTable(game="sakura", seats=2), person(who))


@pytest.mark.parametrize("act", [sit_and_leave, chat, own])
async def test_guests_with_table_data_stay(
    hub: HubHarness, clock: ManualClock, act: Callable[[HubHarness, str], Awaitable[None]]
) -> None:
    active = await asyncio.to_thread(add_guest, hub.store, clock, "Active")
    idle = await asyncio.to_thread(add_guest, hub.store, clock, "Idle")
    await act(hub, active)
    clock.advance(1000 * DAY)
    assert await make_job(hub.store, clock).tick() == 1
    assert idle not in await asyncio.to_thread(find_all, hub.store)
    assert active in await asyncio.to_thread(find_all, hub.store)


def list_places() -> list[str]:
    """List every column in which the id of a player could stand."""
    return sorted(
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.c
        if column.name in {"player_id", "muted_id", "owner", "reporter_id", "used_by", "subject"}
    )


def fill(table: Table, column: str, player: str) -> dict[str, object]:
    """Make up a row in which a column names a player."""
    samples = {int: 1, float: 1.0, str: "x", bool: False, bytes: b"x"}
    row = {c.name: samples[c.type.python_type] for c in table.c if not c.nullable}
    return {**row, column: player}


@pytest.mark.parametrize("place", [p for p in list_places() if p not in PASSING])
async def test_a_referenced_guest_stays(sqlite_url: str, place: str) -> None:
    store, clock = Store.open(sqlite_url), ManualClock()
    guest = add_guest(store, clock, "Named")
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
    clock.advance(1000 * DAY)
    assert await make_job(store, clock).tick() == 0
    assert guest in find_all(store)
    await asyncio.to_thread(store.close)
