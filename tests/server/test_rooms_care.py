"""What is done at tables when nobody asks: bots, absence, flags, idle and abandoned tables."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from conformance.rooms import NONCE, look
from pleasance.core.game import Seat
from pleasance.server.base.messages import Clock as Pace
from pleasance.server.base.requests import Leave, Rematch, Resign, TakeSeatBack
from pleasance.server.bots.local_pool import LocalCrew
from pleasance.server.store.schema.rooms import tables
from pleasance.table.entries import ChooseEntry
from server.halls import ADA, BEN, PatientCrew, open_hall, table_of
from server.patience import PATIENCE
from server.stores import log_of
from server.visitors import Clock

pytestmark = pytest.mark.anyio


async def test_bots_choose_until_the_game_is_over(sqlite_url: str) -> None:
    async with open_hall(sqlite_url, crew=LocalCrew(0, games=())) as hall:
        live = await hall.open(ADA, "random", "greedy", game="sakura")
        screen = hall.screen(None)
        await screen.watch(live.id)
        await hall.do(live.id, ADA, Leave(0))
        await screen.wait_for(lambda m: (m.get("info") or {}).get("status") == "over")
        assert live.room.ending == "finished"
        async with asyncio.timeout(PATIENCE):
            while hall.hub.attendants.is_thinking_at(live.id):
                await asyncio.sleep(0)
        assert len(log_of(hall.store, live.id)) == len(live.room.happenings)


async def test_a_thought_for_a_position_that_has_passed_is_ignored(database_url: str) -> None:
    crew = PatientCrew()
    async with open_hall(database_url, crew=crew) as hall:
        live = await hall.open(ADA, BEN)
        await hall.do(live.id, BEN, Leave(1))
        thought, answer = await crew.asked()
        assert (thought.seat, thought.bot) == (1, "greedy")
        token = str(table_of(live).view(Seat(1)).legal[0])
        await hall.hub.welcome_back(live, BEN.id)
        assert live.room.places[1].plays == "greedy", "who left comes back by asking for it"
        asking = asyncio.create_task(hall.do(live.id, BEN, TakeSeatBack(1)))
        while not live.is_busy:
            await asyncio.sleep(0)
        answer.set_result(token)  # just as its player comes back
        lines = await asking
        async with asyncio.timeout(PATIENCE):
            while hall.hub.attendants.is_thinking_at(live.id):
                await asyncio.sleep(0)
        assert len(live.room.happenings) == lines
        assert live.room.waiting == (0, 1)


async def test_a_bot_whose_choice_falls_to_somebody_else_stops_thinking(database_url: str) -> None:
    crew = PatientCrew()
    async with open_hall(database_url, crew=crew) as hall:
        live = await hall.open(ADA, BEN)
        await hall.do(live.id, BEN, Leave(1))
        _, answer = await crew.asked()
        await hall.do(live.id, BEN, TakeSeatBack(1))
        await hall.choose(live, BEN, 1)
        async with asyncio.timeout(PATIENCE):
            while hall.hub.attendants.is_thinking_at(live.id):
                await asyncio.sleep(0)
        assert answer.cancelled()


async def test_a_choice_that_is_being_written_is_not_given_up(database_url: str) -> None:
    """Somebody looks whether bots must choose just while what one has chosen goes to disk."""
    crew = PatientCrew()
    async with open_hall(database_url, crew=crew) as hall:
        live = await hall.open(ADA, "greedy")
        screen = hall.screen(ADA)
        await screen.watch(live.id)
        lines = len(live.room.happenings)
        _, answer = await crew.asked()
        answer.set_result(str(table_of(live).view(Seat(1)).legal[0]))
        while not live.is_busy:
            await asyncio.sleep(0)
        hall.hub.attendants.look_after(live)
        await screen.wait_for_line(lines + 1)


async def test_a_bot_that_was_lost_is_asked_again(database_url: str) -> None:
    crew, clock = PatientCrew(), Clock()
    async with open_hall(database_url, clock, PatientCrew()) as hall:
        live = await hall.open(ADA, "greedy")
        lines = len(live.room.happenings)
    async with open_hall(database_url, clock, crew) as again:
        await again.ticker.tick()
        thought, answer = await crew.asked()
        assert (thought.table, thought.seat) == (live.id, 1)
        room = (await again.hub.find(live.id)).room
        assert room.table is not None
        answer.set_result(str(room.table.view(Seat(1)).legal[0]))
        async with asyncio.timeout(PATIENCE):
            while len(room.happenings) == lines:
                await asyncio.sleep(0)
        assert isinstance(room.happenings[-1].entry, ChooseEntry)


async def test_a_bot_stands_in_for_who_is_gone_and_gives_the_seat_back(database_url: str) -> None:
    crew, clock = PatientCrew(), Clock()
    async with open_hall(database_url, clock, crew) as hall:
        live = await hall.open(ADA, BEN)
        ada, ben = hall.screen(ADA), hall.screen(BEN)
        await ada.watch(live.id)
        await ben.watch(live.id)
        clock.wait(1000)
        await hall.ticker.tick()
        assert live.room.people == (0, 1)
        await ben.leave()
        clock.wait(89)
        await hall.ticker.tick()
        assert live.room.people == (0, 1)
        clock.wait(1)
        await hall.ticker.tick()
        assert [place.plays for place in live.room.places] == [None, "greedy"]
        assert (await crew.asked())[0].seat == 1
        back = hall.screen(BEN)
        await back.watch(live.id)
        assert live.room.people == (0, 1)
        assert len(log_of(hall.store, live.id)) == len(live.room.happenings)


async def test_nobody_stands_in_where_nobody_waits(database_url: str) -> None:
    clock = Clock()
    async with open_hall(database_url, clock, PatientCrew()) as hall:
        live = await hall.open(ADA, BEN)
        clock.wait(1000)
        await hall.ticker.tick()
        assert live.room.people == (0, 1), "all are gone: the table waits"
        slow = await hall.open(ADA, BEN, clock=Pace(86_400.0))
        await hall.screen(ADA).watch(slow.id)
        clock.wait(1000)
        await hall.ticker.tick()
        assert slow.room.people == (0, 1), "with days for a choice one need not stay"


async def test_flags_fall_without_anybody_asking(database_url: str) -> None:
    clock = Clock()
    async with open_hall(database_url, clock, PatientCrew()) as hall:
        live = await hall.open(ADA, BEN, clock=Pace(30.0, 10.0))
        await hall.choose(live, ADA, 0)
        clock.wait(39)
        await hall.ticker.tick()
        assert live.room.people == (0, 1)
        clock.wait(1)
        await hall.ticker.tick()
        assert (live.room.places[1].plays, live.room.places[1].why) == ("greedy", "time")


async def test_after_a_long_stop_of_the_server_time_starts_anew(database_url: str) -> None:
    clock = Clock()
    async with open_hall(database_url, clock, PatientCrew()) as hall:
        live = await hall.open(ADA, BEN, clock=Pace(30.0, 10.0))
    clock.wait(5000)
    async with open_hall(database_url, clock, PatientCrew()) as again:
        await again.ticker.tick()
        room = (await again.hub.find(live.id)).room
        assert room.people == (0, 1)
        assert room.due() == clock.now + 40.0


async def test_a_choice_right_after_a_long_stop_of_the_server_costs_no_time(
    database_url: str,
) -> None:
    clock = Clock()
    async with open_hall(database_url, clock, PatientCrew()) as hall:
        live = await hall.open(ADA, BEN, clock=Pace(30.0, 10.0))
    clock.wait(3600)
    async with open_hall(database_url, clock, PatientCrew()) as again:
        found = await again.hub.find(live.id)
        await again.choose(found, ADA, 0)
        await again.ticker.tick()
        await again.choose(found, BEN, 1)
        room = found.room
        assert room.clocks is not None
        assert room.clocks.banks == [10.0, 10.0]
        assert [happening.entry.at for happening in room.happenings][-1] == clock.now


async def test_an_abandoned_table_is_closed_and_kept(database_url: str) -> None:
    clock = Clock()
    async with open_hall(database_url, clock, PatientCrew()) as hall:
        live = await hall.open(ADA, BEN)
        lines = len(live.room.happenings)
        clock.wait(86_399)
        await hall.ticker.tick()
        assert (await hall.hub.find(live.id)).room.status == "running"
        clock.wait(1)
        await hall.ticker.tick()
        found = await hall.hub.find(live.id)
        assert (found.room.status, found.room.closed) == ("closed", "abandoned")
        assert len(log_of(hall.store, live.id)) == lines + 1
        wanted = select(tables.c.status, tables.c.due_at).where(tables.c.id == live.id)
        row = await hall.store.read(lambda connection: connection.execute(wanted).one())
        assert tuple(row) == ("closed", None)
        await hall.ticker.tick()
        assert len(log_of(hall.store, live.id)) == lines + 1


async def test_a_table_nobody_looks_at_is_forgotten_and_found_again(database_url: str) -> None:
    clock = Clock()
    async with open_hall(database_url, clock, PatientCrew()) as hall:
        live = await hall.open(ADA, BEN)
        watched = await hall.open(ADA, BEN)
        await hall.screen(None).watch(watched.id)
        before = look(live.room)
        clock.wait(301)
        await hall.ticker.tick()
        assert [*hall.hub.rooms] == [watched.id]
        again = await hall.hub.find(live.id)
        assert again is not live
        assert look(again.room) == before
        both = (await hall.hub.find(live.id), await hall.hub.find(live.id))
        assert both == (again, again)


async def test_two_who_want_a_rematch_meet_at_one_new_table(database_url: str) -> None:
    async with open_hall(database_url, crew=PatientCrew()) as hall:
        live = await hall.open(ADA, BEN, "greedy")
        await hall.do(live.id, ADA, Resign(0))
        await hall.do(live.id, BEN, Resign(1))
        assert live.room.status == "over"
        answers = [await hall.hub.do(live.id, who, "again", Rematch(NONCE)) for who in (ADA, BEN)]
        assert answers[0].table == answers[1].table == live.room.rematch
        other = await hall.hub.find(live.room.rematch or "")
        assert other.room.status == "running"
        assert [place.player for place in other.room.places] == [ADA.id, BEN.id, None]
        assert other.room.plan.secret != live.room.plan.secret
        again = await hall.hub.do(live.id, ADA, "again", Rematch(NONCE))
        assert again.table == answers[0].table


async def test_two_who_want_a_rematch_on_two_servers_at_once_meet_too(postgres_url: str) -> None:
    crews = PatientCrew(), PatientCrew()
    async with (
        open_hall(postgres_url, crew=crews[0]) as one,
        open_hall(postgres_url, crew=crews[1]) as other,
    ):
        live = await one.open(ADA, BEN)
        await one.do(live.id, ADA, Resign(0))
        twin = await other.hub.find(live.id)
        answers = await asyncio.gather(
            one.hub.do(live.id, ADA, "again", Rematch(NONCE)),
            other.hub.do(live.id, BEN, "again", Rematch(NONCE)),
        )
        assert answers[0].table == answers[1].table
        await asyncio.gather(live.catch_up(99), twin.catch_up(99))
        rooms = [(await hall.hub.find(answers[0].table or "")) for hall in (one, other)]
        for room in rooms:
            await room.catch_up(99)
        assert [room.room.status for room in rooms] == ["running", "running"]
        assert look(rooms[0].room) == look(rooms[1].room)
        unused = select(tables.c.id).where(tables.c.status == "open")
        assert await one.store.read(lambda connection: list(connection.scalars(unused))) == []
