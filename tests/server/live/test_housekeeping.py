"""Housekeeping of tables: bots, absence, flags, idle and abandoned tables."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from conformance.rooms import NONCE, observable_state
from pleasance.core.game import Seat
from pleasance.server.base.messages import Clock
from pleasance.server.base.requests import Leave, ReclaimSeat, Rematch, Resign
from pleasance.server.bots.local_pool import LocalBotPool
from pleasance.server.store.schema.rooms import tables
from pleasance.table.entries import ChooseEntry
from support import TIMEOUT_S
from support.app_client import ManualClock
from support.hub_harness import ADA, BEN, HubHarness, ManualBotPool, open_hub, running_table
from support.rows import read_log

pytestmark = pytest.mark.anyio


@pytest.mark.slow
async def test_bots_choose_until_the_game_is_over(sqlite_url: str) -> None:
    async with open_hub(sqlite_url, bot_pool=LocalBotPool(0)) as hub:
        live = await hub.start_game(ADA, "random", "greedy", game="sakura")
        watcher = hub.watcher(None)
        await watcher.watch(live.id)
        await hub.do(live.id, ADA, Leave(0))
        await watcher.wait_for(lambda m: (m.get("info") or {}).get("status") == "over")
        assert live.room.ending == "finished"
        await hub.wait_for_bots(live)
        assert len(read_log(hub.store, live.id)) == len(live.room.log)


async def test_a_stale_bot_answer_is_ignored(hub: HubHarness, bot_pool: ManualBotPool) -> None:
    live = await hub.start_game(ADA, BEN)
    await hub.do(live.id, BEN, Leave(1))
    request, answer = await bot_pool.next_request()
    assert (request.seat, request.bot) == (1, "greedy")
    token = str(running_table(live).view(Seat(1)).legal[0])
    await hub.hub.return_seats(live, BEN.id)
    assert live.room.places[1].plays == "greedy", "who left comes back by asking for it"
    asking = asyncio.create_task(hub.do(live.id, BEN, ReclaimSeat(1)))
    while not live.is_busy:
        await asyncio.sleep(0)
    answer.set_result(token)  # just as its player comes back
    lines = await asking
    await hub.wait_for_bots(live)
    assert len(live.room.log) == lines
    assert live.room.waiting == (0, 1)


async def test_a_bot_request_ends_with_its_turn(hub: HubHarness, bot_pool: ManualBotPool) -> None:
    live = await hub.start_game(ADA, BEN)
    await hub.do(live.id, BEN, Leave(1))
    _, answer = await bot_pool.next_request()
    await hub.do(live.id, BEN, ReclaimSeat(1))
    await hub.choose(live, BEN, 1)
    await hub.wait_for_bots(live)
    assert answer.cancelled()


async def test_a_choice_during_its_write_is_kept(hub: HubHarness, bot_pool: ManualBotPool) -> None:
    """The scheduler looks for due bots while a bot's choice is written to disk."""
    live = await hub.start_game(ADA, "greedy")
    watcher = hub.watcher(ADA)
    await watcher.watch(live.id)
    lines = len(live.room.log)
    _, answer = await bot_pool.next_request()
    answer.set_result(str(running_table(live).view(Seat(1)).legal[0]))
    while not live.is_busy:
        await asyncio.sleep(0)
    hub.hub.bot_scheduler.schedule(live)
    await watcher.wait_for_entry(lines + 1)


async def test_a_bot_that_was_lost_is_asked_again(database_url: str) -> None:
    bot_pool, clock = ManualBotPool(), ManualClock()
    async with open_hub(database_url, clock, ManualBotPool()) as hub:
        live = await hub.start_game(ADA, "greedy")
        lines = len(live.room.log)
    async with open_hub(database_url, clock, bot_pool) as again:
        await again.housekeeping.tick()
        request, answer = await bot_pool.next_request()
        assert (request.table, request.seat) == (live.id, 1)
        room = (await again.hub.find(live.id)).room
        assert room.table is not None
        answer.set_result(str(room.table.view(Seat(1)).legal[0]))
        async with asyncio.timeout(TIMEOUT_S):
            while len(room.log) == lines:
                await asyncio.sleep(0)
        assert isinstance(room.log[-1].entry, ChooseEntry)


async def test_bots_replace_absent_players(
    hub: HubHarness, clock: ManualClock, bot_pool: ManualBotPool
) -> None:
    live = await hub.start_game(ADA, BEN)
    ada, ben = hub.watcher(ADA), hub.watcher(BEN)
    await ada.watch(live.id)
    await ben.watch(live.id)
    clock.advance(1000)
    await hub.housekeeping.tick()
    assert live.room.people == (0, 1)
    await ben.leave()
    clock.advance(89)
    await hub.housekeeping.tick()
    assert live.room.people == (0, 1)
    clock.advance(1)
    await hub.housekeeping.tick()
    assert [place.plays for place in live.room.places] == [None, "greedy"]
    assert (await bot_pool.next_request())[0].seat == 1
    await hub.watcher(BEN).watch(live.id)
    assert live.room.people == (0, 1)
    assert len(read_log(hub.store, live.id)) == len(live.room.log)


async def test_no_bot_takes_over_where_no_player_waits(hub: HubHarness, clock: ManualClock) -> None:
    live = await hub.start_game(ADA, BEN)
    clock.advance(1000)
    await hub.housekeeping.tick()
    assert live.room.people == (0, 1), "all are gone: the table waits"
    slow = await hub.start_game(ADA, BEN, clock=Clock(86_400.0))
    await hub.watcher(ADA).watch(slow.id)
    clock.advance(1000)
    await hub.housekeeping.tick()
    assert slow.room.people == (0, 1), "with days for a choice one need not stay"


async def test_flags_fall_without_a_request(hub: HubHarness, clock: ManualClock) -> None:
    live = await hub.start_game(ADA, BEN, clock=Clock(30.0, 10.0))
    await hub.choose(live, ADA, 0)
    clock.advance(39)
    await hub.housekeeping.tick()
    assert live.room.people == (0, 1)
    clock.advance(1)
    await hub.housekeeping.tick()
    assert (live.room.places[1].plays, live.room.places[1].why) == ("greedy", "time")


async def test_a_long_server_stop_resets_the_clocks(database_url: str) -> None:
    clock = ManualClock()
    async with open_hub(database_url, clock, ManualBotPool()) as hub:
        live = await hub.start_game(ADA, BEN, clock=Clock(30.0, 10.0))
    clock.advance(5000)
    async with open_hub(database_url, clock, ManualBotPool()) as again:
        await again.housekeeping.tick()
        room = (await again.hub.find(live.id)).room
        assert room.people == (0, 1)
        assert room.due() == clock.now + 40.0


async def test_a_choice_right_after_a_long_server_stop_costs_no_time(database_url: str) -> None:
    clock = ManualClock()
    async with open_hub(database_url, clock, ManualBotPool()) as hub:
        live = await hub.start_game(ADA, BEN, clock=Clock(30.0, 10.0))
    clock.advance(3600)
    async with open_hub(database_url, clock, ManualBotPool()) as again:
        found = await again.hub.find(live.id)
        await again.choose(found, ADA, 0)
        await again.housekeeping.tick()
        await again.choose(found, BEN, 1)
        room = found.room
        assert room.clocks is not None
        assert room.clocks.banks == [10.0, 10.0]
        assert [happening.entry.at for happening in room.log][-1] == clock.now


async def test_an_abandoned_table_is_closed_and_kept(hub: HubHarness, clock: ManualClock) -> None:
    live = await hub.start_game(ADA, BEN)
    lines = len(live.room.log)
    clock.advance(86_399)
    await hub.housekeeping.tick()
    assert (await hub.hub.find(live.id)).room.status == "running"
    clock.advance(1)
    await hub.housekeeping.tick()
    found = await hub.hub.find(live.id)
    assert (found.room.status, found.room.closed) == ("closed", "abandoned")
    assert len(read_log(hub.store, live.id)) == lines + 1
    wanted = select(tables.c.status, tables.c.due_at).where(tables.c.id == live.id)
    row = await hub.store.read(lambda connection: connection.execute(wanted).one())
    assert tuple(row) == ("closed", None)
    await hub.housekeeping.tick()
    assert len(read_log(hub.store, live.id)) == lines + 1


async def test_an_idle_table_is_unloaded_and_reloaded(hub: HubHarness, clock: ManualClock) -> None:
    live = await hub.start_game(ADA, BEN)
    watched = await hub.start_game(ADA, BEN)
    await hub.watcher(None).watch(watched.id)
    before = observable_state(live.room)
    clock.advance(301)
    await hub.housekeeping.tick()
    assert [*hub.hub.rooms] == [watched.id]
    again = await hub.hub.find(live.id)
    assert again is not live
    assert observable_state(again.room) == before
    both = (await hub.hub.find(live.id), await hub.hub.find(live.id))
    assert both == (again, again)


async def test_two_rematch_requests_meet_at_one_new_table(hub: HubHarness) -> None:
    live = await hub.start_game(ADA, BEN, "greedy")
    await hub.do(live.id, ADA, Resign(0))
    await hub.do(live.id, BEN, Resign(1))
    assert live.room.status == "over"
    answers = [await hub.hub.execute(live.id, who, "again", Rematch(NONCE)) for who in (ADA, BEN)]
    assert answers[0].table == answers[1].table == live.room.rematch
    other = await hub.hub.find(live.room.rematch or "")
    assert other.room.status == "running"
    assert [place.player for place in other.room.places] == [ADA.id, BEN.id, None]
    assert other.room.config.secret != live.room.config.secret
    again = await hub.hub.execute(live.id, ADA, "again", Rematch(NONCE))
    assert again.table == answers[0].table


async def test_rematch_requests_on_two_servers_meet_too(postgres_url: str) -> None:
    bot_pools = ManualBotPool(), ManualBotPool()
    async with (
        open_hub(postgres_url, bot_pool=bot_pools[0]) as one,
        open_hub(postgres_url, bot_pool=bot_pools[1]) as other,
    ):
        live = await one.start_game(ADA, BEN)
        await one.do(live.id, ADA, Resign(0))
        twin = await other.hub.find(live.id)
        answers = await asyncio.gather(
            one.hub.execute(live.id, ADA, "again", Rematch(NONCE)),
            other.hub.execute(live.id, BEN, "again", Rematch(NONCE)),
        )
        assert answers[0].table == answers[1].table
        await asyncio.gather(live.catch_up(99), twin.catch_up(99))
        rooms = [(await hub.hub.find(answers[0].table or "")) for hub in (one, other)]
        for room in rooms:
            await room.catch_up(99)
        assert [room.room.status for room in rooms] == ["running", "running"]
        assert observable_state(rooms[0].room) == observable_state(rooms[1].room)
        unused = select(tables.c.id).where(tables.c.status == "open")
        assert await one.store.read(lambda connection: list(connection.scalars(unused))) == []
