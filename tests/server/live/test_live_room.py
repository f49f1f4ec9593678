"""Rooms on real databases: acknowledged commands are kept, and sent once to each watcher."""

from __future__ import annotations

import asyncio

import pytest

from conformance.rooms import observable_state
from pleasance.core.errors import IllegalActionError, PleasanceError
from pleasance.core.game import Seat
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.requests import ReclaimSeat, RequestTakeback, Resign, Say
from pleasance.server.live.client import OUTBOX_LIMIT
from pleasance.server.store.postgres import PostgresDatabase
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room
from support.hub_harness import ADA, BEN, HubHarness, legal_choice, open_hub, person, running_table
from support.postgres import Cluster
from support.rows import read_log

pytestmark = pytest.mark.anyio


async def test_watchers_get_every_entry_once_and_in_order(hub: HubHarness) -> None:
    live = await hub.start_game(ADA, BEN)
    watchers = [hub.watcher(who) for who in (ADA, BEN, None)]
    for watcher in watchers:
        await watcher.watch(live.id)
    for who, seat in ((ADA, 0), (BEN, 1)):
        await hub.choose(live, who, seat)
    last = len(live.room.log)
    for watcher in watchers:
        await watcher.wait_for_entry(last)
        assert watcher.seqs() == [*range(1, last + 1)]
        assert watcher.messages[0]["kind"] == "snapshot"
    assert len(read_log(hub.store, live.id)) == last
    sent = [
        {
            line["seq"]: line.get("token")
            for message in watcher.messages
            for line in message["entries"]
        }
        for watcher in watchers
    ]
    assert sent[0] != sent[1] != sent[2]


async def test_a_repeated_key_is_answered_the_same_also_after_a_restart(database_url: str) -> None:
    async with open_hub(database_url) as hub:
        live = await hub.start_game(ADA, BEN)
        command = legal_choice(live, 0)
        seq = await hub.do(live.id, ADA, command, "once")
        assert await hub.do(live.id, ADA, command, "once") == seq
        with pytest.raises(IllegalActionError, match="already_chosen"):
            await hub.do(live.id, ADA, command, "twice")
        later = await hub.do(live.id, BEN, Say("hi"), "once")
        assert later == seq + 1, "keys of other players are other keys"
        before = observable_state(live.room)
    async with open_hub(database_url) as again:
        assert await again.do(live.id, ADA, command, "once") == seq
        assert observable_state((await again.hub.find(live.id)).room) == before


async def test_two_tabs_that_send_the_same_request_at_once_are_one(hub: HubHarness) -> None:
    live = await hub.start_game(ADA, BEN)
    command = legal_choice(live, 0)
    lines = len(live.room.log)
    answers = await asyncio.gather(*(hub.do(live.id, ADA, command, "k") for _ in range(5)))
    assert answers == [lines + 1] * 5
    assert len(read_log(hub.store, live.id)) == lines + 1


async def test_of_two_servers_choosing_at_once_one_wins_and_both_agree(postgres_url: str) -> None:
    async with open_hub(postgres_url) as one, open_hub(postgres_url) as other:
        first = await one.start_game(ADA, BEN)
        second = await other.hub.find(first.id)
        watchers = [one.watcher(ADA), other.watcher(BEN)]
        for watcher in watchers:
            await watcher.watch(first.id)
        for _ in range(6):
            if running_table(first).is_over:
                break
            lines = len(first.room.log)
            done = await asyncio.gather(
                one.choose(first, ADA, 0), other.choose(second, ADA, 0, 1), return_exceptions=True
            )
            refused = [each for each in done if isinstance(each, PleasanceError)]
            assert [each.code for each in refused] == ["already_chosen"]
            assert lines + 1 in done
            await asyncio.gather(first.catch_up(lines + 1), second.catch_up(lines + 1))
            await other.choose(second, BEN, 1)
            await first.catch_up(len(second.room.log))
            while len(running_table(first).waiting) == 1:
                (seat,) = running_table(first).waiting
                await one.choose(first, (ADA, BEN)[seat], seat)
            await second.catch_up(len(first.room.log))
            assert observable_state(first.room) == observable_state(second.room)
        last = len(first.room.log)
        assert len(read_log(one.store, first.id)) == last
        for watcher in watchers:
            await watcher.wait_for_entry(last)
            assert watcher.seqs() == [*range(1, last + 1)]


async def test_six_people_on_two_servers_choose_at_once(postgres_url: str) -> None:
    """The server that loses an append race reads the winner's entries and retries."""
    people = [person(f"player{n}") for n in range(6)]
    async with open_hub(postgres_url) as one, open_hub(postgres_url) as other:
        first = await one.start_game(*people[:-1], ADA)
        second = await other.hub.find(first.id)
        people[-1] = ADA
        for _ in range(4):
            places = [(one, first), (other, second)] * 3
            seats = running_table(first).waiting
            await asyncio.gather(
                *(places[seat][0].choose(places[seat][1], people[seat], seat) for seat in seats)
            )
            last = len(read_log(one.store, first.id))
            await asyncio.gather(first.catch_up(last), second.catch_up(last))
            assert observable_state(first.room) == observable_state(second.room)


@pytest.mark.slow
async def test_failed_writes_are_not_sent(
    postgres_url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresDatabase, "reconnect_timeout_s", 0.3)
    async with open_hub(postgres_url) as hub:
        live = await hub.start_game(ADA, BEN)
        watcher = hub.watcher(BEN)
        await watcher.watch(live.id)
        lines = len(live.room.log)
        command = legal_choice(live, 0)
        await asyncio.to_thread(cluster.stop)
        try:
            with pytest.raises(UnavailableError, match="storage_away"):
                await hub.do(live.id, ADA, command, "once")
            with pytest.raises(UnavailableError, match="storage_away"):
                await live.snapshot(watcher.client)
        finally:
            await asyncio.to_thread(cluster.start)
        assert max(watcher.seqs()) == lines
        await live.wait_until_committed()
        assert len(live.room.log) == lines
        assert await hub.do(live.id, ADA, command, "once") == lines + 1
        await watcher.wait_for_entry(lines + 1)
        assert watcher.seqs() == [*range(1, lines + 2)]
        assert len(read_log(hub.store, live.id)) == lines + 1


async def test_a_change_is_sent_although_its_caller_is_gone(hub: HubHarness) -> None:
    live = await hub.start_game(ADA, BEN)
    watcher = hub.watcher(BEN)
    await watcher.watch(live.id)
    lines = len(live.room.log)
    asking = asyncio.create_task(hub.choose(live, ADA, 0))
    while not live.is_busy:
        await asyncio.sleep(0)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await watcher.wait_for_entry(lines + 1)
    assert len(read_log(hub.store, live.id)) == lines + 1


async def test_a_command_refused_half_way_leaves_nothing(hub: HubHarness) -> None:
    live = await hub.start_game(ADA, BEN)
    before = observable_state(live.room)

    def talk_and_fail(room: Room) -> tuple[Entry, ...]:
        commands.say(room, ADA.id, "Ada", "never heard")
        raise IllegalActionError("not_over")

    with pytest.raises(IllegalActionError, match="not_over"):
        await live.execute(talk_and_fail)
    await live.wait_until_committed()
    assert observable_state(live.room) == before


async def test_a_slow_client_gets_a_snapshot(hub: HubHarness) -> None:
    live = await hub.start_game(ADA, BEN)
    slow, quick = hub.watcher(BEN), hub.watcher(None)
    await slow.watch(live.id)
    await quick.watch(live.id)
    slow.may_send.clear()
    for n in range(2 * OUTBOX_LIMIT):
        await hub.do(live.id, ADA, Say(f"word {n}"))
    assert len(slow.client._outbox) <= OUTBOX_LIMIT
    last = len(live.room.log)
    await quick.wait_for_entry(last)
    slow.may_send.set()
    picture = await slow.wait_for_entry(last)
    assert (picture["kind"], picture["seq"]) == ("snapshot", last)
    assert len(slow.messages) < OUTBOX_LIMIT
    await hub.choose(live, ADA, 0)
    assert (await slow.wait_for_entry(last + 1))["kind"] == "update"


@pytest.mark.slow
async def test_a_slow_client_is_shown_the_table_once_the_database_is_back(
    postgres_url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresDatabase, "reconnect_timeout_s", 0.3)
    async with open_hub(postgres_url) as hub:
        live = await hub.start_game(ADA, BEN)
        slow = hub.watcher(BEN)
        await slow.watch(live.id)
        slow.may_send.clear()
        for n in range(2 * OUTBOX_LIMIT):
            await hub.do(live.id, ADA, Say(f"word {n}"))
        await asyncio.to_thread(cluster.stop)
        try:
            with pytest.raises(UnavailableError, match="storage_away"):
                await hub.do(live.id, ADA, Say("is anybody there?"))
            slow.may_send.set()
            with pytest.raises(UnavailableError, match="storage_away"):
                await live.wait_until_committed()
        finally:
            await asyncio.to_thread(cluster.start)
        await slow.wait_for_entry(await hub.do(live.id, ADA, Say("here we are again")))


async def test_a_reconnect_continues_from_the_last_entry_seen(hub: HubHarness) -> None:
    live = await hub.start_game(ADA, BEN)
    first = hub.watcher(BEN)
    await first.watch(live.id)
    since = (await first.wait_for(lambda m: m["kind"] == "snapshot"))["seq"]
    await first.leave()
    await hub.choose(live, ADA, 0)
    await hub.do(live.id, ADA, Say("where are you?"))
    again = hub.watcher(BEN)
    await again.watch(live.id, since)
    picture = await again.wait_for(lambda m: m["kind"] == "snapshot")
    assert [line["seq"] for line in picture["entries"]] == [since + 1, since + 2]
    far = hub.watcher(BEN)
    await far.watch(live.id, 10_000)
    picture = await far.wait_for(lambda m: m["kind"] == "snapshot")
    assert picture["entries"][-1]["seq"] == since + 2, "a number from elsewhere counts for nothing"


async def test_a_takeback_request_that_a_choice_ends_is_reported(hub: HubHarness) -> None:
    live = await hub.start_game(ADA, BEN)
    for who, seat in ((ADA, 0), (BEN, 1)):
        await hub.choose(live, who, seat)
    watcher = hub.watcher(BEN)
    await watcher.watch(live.id)
    await hub.do(live.id, ADA, RequestTakeback(0))
    assert (await watcher.wait_for_entry(len(live.room.log)))["info"]["takeback_by"] == 0
    seat = running_table(live).waiting[0]
    await hub.choose(live, (ADA, BEN)[seat], seat)
    assert live.room.takeback_by is None
    update = await watcher.wait_for(lambda m: m.get("seq") == len(live.room.log))
    assert update["info"] is not None
    assert update["info"]["takeback_by"] is None


def _send_away(room: Room) -> tuple[Entry, ...]:
    seats = map(Seat, (0, 1))
    return sum((commands.take_over(room, seat, bot="greedy", why="away") for seat in seats), ())


async def test_a_returning_player_gets_all_seats_but_the_resigned_one(hub: HubHarness) -> None:
    live = await hub.start_game(BEN, BEN, ADA)
    await live.execute(_send_away)
    await hub.do(live.id, BEN, Resign(1))
    await hub.watcher(BEN).watch(live.id)
    assert [place.plays for place in live.room.places] == [None, "greedy", None]
    assert len(read_log(hub.store, live.id)) == len(live.room.log)
    with pytest.raises(IllegalActionError, match="seat_is_yours"):
        await hub.do(live.id, BEN, ReclaimSeat(0))
