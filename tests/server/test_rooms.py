"""Live tables on real databases: what was acknowledged is kept, told, and told once."""

from __future__ import annotations

import asyncio

import pytest

from conformance.rooms import look
from pleasance.core.errors import IllegalActionError, PleasanceError
from pleasance.core.game import Seat
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.requests import AskBack, Resign, Say, TakeSeatBack
from pleasance.server.live.client import MOST_WAITING
from pleasance.server.store.postgres import PostgresDatabase
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room
from server.halls import ADA, BEN, PatientCrew, first_choice, open_hall, person, table_of
from server.postgres import Cluster
from server.stores import log_of

pytestmark = pytest.mark.anyio


async def test_watchers_are_told_every_line_once_and_in_order(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(ADA, BEN)
        screens = [hall.screen(who) for who in (ADA, BEN, None)]
        for screen in screens:
            await screen.watch(live.id)
        for who, seat in ((ADA, 0), (BEN, 1)):
            await hall.choose(live, who, seat)
        last = len(live.room.happenings)
        for screen in screens:
            await screen.wait_for_line(last)
            assert screen.lines() == [*range(1, last + 1)]
            assert screen.seen[0]["kind"] == "snapshot"
        assert len(log_of(hall.store, live.id)) == last
        sent = [
            {line["n"]: line.get("token") for message in screen.seen for line in message["lines"]}
            for screen in screens
        ]
        assert sent[0] != sent[1] != sent[2]


async def test_a_repeated_key_is_answered_the_same_also_after_a_restart(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(ADA, BEN)
        command = first_choice(live, 0)
        seq = await hall.do(live.id, ADA, command, "once")
        assert await hall.do(live.id, ADA, command, "once") == seq
        with pytest.raises(IllegalActionError, match="already_chosen"):
            await hall.do(live.id, ADA, command, "twice")
        said = await hall.do(live.id, BEN, Say("hi"), "once")
        assert said == seq + 1, "the key of somebody else is another key"
        before = look(live.room)
    async with open_hall(database_url) as again:
        assert await again.do(live.id, ADA, command, "once") == seq
        assert look((await again.hub.find(live.id)).room) == before


async def test_two_tabs_that_send_the_same_request_at_once_are_one(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(ADA, BEN)
        command = first_choice(live, 0)
        lines = len(live.room.happenings)
        answers = await asyncio.gather(*(hall.do(live.id, ADA, command, "k") for _ in range(5)))
        assert answers == [lines + 1] * 5
        assert len(log_of(hall.store, live.id)) == lines + 1


async def test_of_two_servers_that_choose_at_once_one_wins_and_both_agree(
    postgres_url: str,
) -> None:
    async with open_hall(postgres_url) as one, open_hall(postgres_url) as other:
        first = await one.open(ADA, BEN)
        second = await other.hub.find(first.id)
        screens = [one.screen(ADA), other.screen(BEN)]
        for screen in screens:
            await screen.watch(first.id)
        for _ in range(6):
            if table_of(first).is_over:
                break
            lines = len(first.room.happenings)
            done = await asyncio.gather(
                one.choose(first, ADA, 0), other.choose(second, ADA, 0, 1), return_exceptions=True
            )
            refused = [each for each in done if isinstance(each, PleasanceError)]
            assert [each.code for each in refused] == ["already_chosen"]
            assert lines + 1 in done
            await asyncio.gather(first.catch_up(lines + 1), second.catch_up(lines + 1))
            await other.choose(second, BEN, 1)
            await first.catch_up(len(second.room.happenings))
            while len(table_of(first).waiting) == 1:
                (seat,) = table_of(first).waiting
                await one.choose(first, (ADA, BEN)[seat], seat)
            await second.catch_up(len(first.room.happenings))
            assert look(first.room) == look(second.room)
        last = len(first.room.happenings)
        assert len(log_of(one.store, first.id)) == last
        for screen in screens:
            await screen.wait_for_line(last)
            assert screen.lines() == [*range(1, last + 1)]


async def test_six_people_on_two_servers_choose_at_once(postgres_url: str) -> None:
    """Whoever is overtaken reads what was written and tries again."""
    people = [person(f"player{n}") for n in range(6)]
    async with open_hall(postgres_url) as one, open_hall(postgres_url) as other:
        first = await one.open(*people[:-1], ADA)
        second = await other.hub.find(first.id)
        people[-1] = ADA
        for _ in range(4):
            places = [(one, first), (other, second)] * 3
            seats = table_of(first).waiting
            await asyncio.gather(
                *(places[seat][0].choose(places[seat][1], people[seat], seat) for seat in seats)
            )
            last = len(log_of(one.store, first.id))
            await asyncio.gather(first.catch_up(last), second.catch_up(last))
            assert look(first.room) == look(second.room)


@pytest.mark.slow
async def test_what_could_not_be_written_is_not_told_and_works_again_later(
    postgres_url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresDatabase, "patience", 0.3)
    async with open_hall(postgres_url) as hall:
        live = await hall.open(ADA, BEN)
        screen = hall.screen(BEN)
        await screen.watch(live.id)
        lines = len(live.room.happenings)
        command = first_choice(live, 0)
        await asyncio.to_thread(cluster.stop)
        try:
            with pytest.raises(UnavailableError, match="storage_away"):
                await hall.do(live.id, ADA, command, "once")
            with pytest.raises(UnavailableError, match="storage_away"):
                await live.snapshot(screen.client)
        finally:
            await asyncio.to_thread(cluster.start)
        assert max(screen.lines()) == lines
        await live.settle()
        assert len(live.room.happenings) == lines
        assert await hall.do(live.id, ADA, command, "once") == lines + 1
        await screen.wait_for_line(lines + 1)
        assert screen.lines() == [*range(1, lines + 2)]
        assert len(log_of(hall.store, live.id)) == lines + 1


async def test_a_change_whose_asker_went_away_is_told_all_the_same(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(ADA, BEN)
        screen = hall.screen(BEN)
        await screen.watch(live.id)
        lines = len(live.room.happenings)
        asking = asyncio.create_task(hall.choose(live, ADA, 0))
        while not live.is_busy:
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await screen.wait_for_line(lines + 1)
        assert len(log_of(hall.store, live.id)) == lines + 1


async def test_a_wish_that_is_refused_half_way_leaves_nothing(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(ADA, BEN)
        before = look(live.room)

        def talk_and_fail(room: Room) -> tuple[Entry, ...]:
            commands.say(room, ADA.id, "Ada", "never heard")
            raise IllegalActionError("not_over")

        with pytest.raises(IllegalActionError, match="not_over"):
            await live.change(talk_and_fail)
        await live.settle()
        assert look(live.room) == before


async def test_a_slow_client_is_shown_the_table_anew(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(ADA, BEN)
        slow, quick = hall.screen(BEN), hall.screen(None)
        await slow.watch(live.id)
        await quick.watch(live.id)
        slow.may_send.clear()
        for n in range(2 * MOST_WAITING):
            await hall.do(live.id, ADA, Say(f"word {n}"))
        assert len(slow.client._outbox) <= MOST_WAITING
        last = len(live.room.happenings)
        await quick.wait_for_line(last)
        slow.may_send.set()
        picture = await slow.wait_for_line(last)
        assert (picture["kind"], picture["seq"]) == ("snapshot", last)
        assert len(slow.seen) < MOST_WAITING
        await hall.choose(live, ADA, 0)
        news = await slow.wait_for_line(last + 1)
        assert news["kind"] == "update"


@pytest.mark.slow
async def test_a_slow_client_is_shown_the_table_once_the_database_is_back(
    postgres_url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresDatabase, "patience", 0.3)
    async with open_hall(postgres_url) as hall:
        live = await hall.open(ADA, BEN)
        slow = hall.screen(BEN)
        await slow.watch(live.id)
        slow.may_send.clear()
        for n in range(2 * MOST_WAITING):
            await hall.do(live.id, ADA, Say(f"word {n}"))
        await asyncio.to_thread(cluster.stop)
        try:
            with pytest.raises(UnavailableError, match="storage_away"):
                await hall.do(live.id, ADA, Say("is anybody there?"))
            slow.may_send.set()
            with pytest.raises(UnavailableError, match="storage_away"):
                await live.settle()
        finally:
            await asyncio.to_thread(cluster.start)
        seq = await hall.do(live.id, ADA, Say("here we are again"))
        await slow.wait_for_line(seq)


async def test_who_comes_back_goes_on_from_the_last_line_seen(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(ADA, BEN)
        first = hall.screen(BEN)
        await first.watch(live.id)
        since = (await first.wait_for(lambda m: m["kind"] == "snapshot"))["seq"]
        await first.leave()
        await hall.choose(live, ADA, 0)
        await hall.do(live.id, ADA, Say("where are you?"))
        again = hall.screen(BEN)
        await again.watch(live.id, since)
        picture = await again.wait_for(lambda m: m["kind"] == "snapshot")
        assert [line["n"] for line in picture["lines"]] == [since + 1, since + 2]
        far = hall.screen(BEN)
        await far.watch(live.id, 10_000)
        picture = await far.wait_for(lambda m: m["kind"] == "snapshot")
        assert picture["lines"][-1]["n"] == since + 2, "a number from elsewhere counts for nothing"


async def test_that_a_question_was_ended_by_a_choice_is_told(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(ADA, BEN)
        for who, seat in ((ADA, 0), (BEN, 1)):
            await hall.choose(live, who, seat)
        screen = hall.screen(BEN)
        await screen.watch(live.id)
        await hall.do(live.id, ADA, AskBack(0))
        asked = await screen.wait_for_line(len(live.room.happenings))
        assert asked["info"]["asks_back"] == 0
        seat = table_of(live).waiting[0]
        await hall.choose(live, (ADA, BEN)[seat], seat)
        assert live.room.asks_back is None
        news = await screen.wait_for(lambda m: m.get("seq") == len(live.room.happenings))
        assert news["info"] is not None
        assert news["info"]["asks_back"] is None


def _send_away(room: Room) -> tuple[Entry, ...]:
    seats = map(Seat, (0, 1))
    return sum((commands.take_over(room, seat, bot="greedy", why="away") for seat in seats), ())


async def test_whoever_comes_back_gets_all_their_seats_but_the_one_they_gave_up(
    database_url: str,
) -> None:
    async with open_hall(database_url, crew=PatientCrew()) as hall:
        live = await hall.open(BEN, BEN, ADA)
        await live.change(_send_away)
        await hall.do(live.id, BEN, Resign(1))
        await hall.screen(BEN).watch(live.id)
        assert [place.plays for place in live.room.places] == [None, "greedy", None]
        assert len(log_of(hall.store, live.id)) == len(live.room.happenings)
        with pytest.raises(IllegalActionError, match="seat_is_yours"):
            await hall.do(live.id, BEN, TakeSeatBack(0))
