"""Commands sent to a room at the same time run as one batch and are answered one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from pleasance.core.errors import IllegalActionError
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.requests import Say
from pleasance.server.live.client import Client
from pleasance.server.live.pending import RoomCommand
from pleasance.server.store.appends import Append
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room
from support import TIMEOUT_S
from support.hub_harness import ADA, HubHarness, legal_choice, open_hub, person
from support.rows import read_log

pytestmark = pytest.mark.anyio

PEOPLE = [person(f"player{n}") for n in range(5)]


async def test_simultaneous_choices_are_sent_together(database_url: str) -> None:
    people = [*PEOPLE, ADA]
    async with open_hub(database_url) as hub:
        live = await hub.start_game(*people)
        watcher = hub.watcher(None)
        await watcher.watch(live.id)
        lines = len(live.room.log)
        answers = await asyncio.gather(
            *(hub.choose(live, who, seat) for seat, who in enumerate(people))
        )
        assert answers == [*range(lines + 1, lines + 7)]
        last = len(live.room.log)
        await watcher.wait_for_entry(last)
        _, first, rest = watcher.messages
        assert [line["seq"] for line in first["entries"]] == [lines + 1]
        assert [line["seq"] for line in rest["entries"]] == [*range(lines + 2, last + 1)]
        assert len(read_log(hub.store, live.id)) == last


async def test_one_refusal_does_not_affect_the_others(hub: HubHarness) -> None:
    live = await hub.start_game(*PEOPLE, ADA)
    lines = len(live.room.log)

    def stumble(room: Room) -> tuple[Entry, ...]:
        commands.say(room, ADA.id, ADA.name, "never")
        return commands.reclaim_seat(room, ADA.id, room.seats_of(ADA.id)[0])

    answers = await asyncio.gather(
        hub.choose(live, PEOPLE[0], 0),
        hub.choose(live, PEOPLE[1], 1),
        hub.choose(live, PEOPLE[1], 1),  # chosen already
        live.execute(stumble),
        hub.choose(live, PEOPLE[2], 2),
        return_exceptions=True,
    )
    refused = [each.code for each in answers if isinstance(each, IllegalActionError)]
    assert len(refused) == 2
    assert "already_chosen" in refused
    assert sorted(each for each in answers if isinstance(each, int)) == [
        *range(lines + 1, lines + 4)
    ]
    log = read_log(hub.store, live.id)
    assert len(log) == len(live.room.log) == lines + 3
    assert not any("never" in str(line) for line in log)


async def test_the_same_request_twice_among_others_is_done_once(hub: HubHarness) -> None:
    live = await hub.start_game(*PEOPLE, ADA)
    lines = len(live.room.log)
    command = legal_choice(live, 0)
    answers = await asyncio.gather(
        hub.do(live.id, PEOPLE[0], command, "a"),
        hub.do(live.id, ADA, Say("hello"), "b"),
        hub.do(live.id, ADA, Say("hello"), "b"),
        hub.do(live.id, PEOPLE[0], command, "a"),
    )
    assert [*answers] == [lines + 1, lines + 2, lines + 2, lines + 1]
    assert len(read_log(hub.store, live.id)) == lines + 2


@pytest.mark.parametrize("gone", [0, 1, 2])
async def test_a_cancelled_caller_leaves_no_one_waiting(hub: HubHarness, gone: int) -> None:
    """The first is being written, the second waits for that, and the others wait with it."""
    live = await hub.start_game(*PEOPLE, ADA)
    lines = len(live.room.log)
    tasks = [asyncio.create_task(_send_chat(hub, live.id, n)) for n in range(4)]
    while not live.is_busy or len(live.room.log) == lines:
        await asyncio.sleep(0)
    tasks[gone].cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [isinstance(each, asyncio.CancelledError) for each in answers] == [
        n == gone for n in range(4)
    ]
    await live.wait_until_committed()
    appended = [str(line) for line in read_log(hub.store, live.id)[lines:]]
    assert len(appended) == len(live.room.log) - lines
    for n in range(4):
        # What the database has been given is not called back.
        assert sum(f"word {n}" in line for line in appended) == (n != gone or gone == 0)


@pytest.mark.slow
@pytest.mark.parametrize("gone", [0, 1])
async def test_no_caller_hangs_if_the_database_is_away(
    hub: HubHarness, gone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await hub.start_game(*PEOPLE, ADA)
    lines = len(live.room.log)

    async def fail() -> None:
        raise UnavailableError("storage_away")

    with monkeypatch.context() as patch:
        patch.setattr(hub.hub.repository, "finish", fail)
        tasks = [asyncio.create_task(_send_chat(hub, live.id, n)) for n in range(4)]
        while not live.is_busy or len(live.room.log) == lines:
            await asyncio.sleep(0)
        tasks[gone].cancel()
        async with asyncio.timeout(TIMEOUT_S):
            await asyncio.wait(tasks)
    async with asyncio.timeout(TIMEOUT_S):
        await hub.do(live.id, ADA, Say("still here"), "later")
    assert len(read_log(hub.store, live.id)) == len(live.room.log)


async def test_what_can_only_be_done_first_is_done_once(hub: HubHarness) -> None:
    live = await hub.start_game(*PEOPLE, ADA)
    lines = len(live.room.log)

    def speak_first(room: Room) -> tuple[Entry, ...]:
        is_late = any("second" in str(each.entry) for each in room.log)
        appended = commands.say(room, ADA.id, ADA.name, "ahem")
        if is_late:
            raise IllegalActionError("already_chosen")
        return appended

    await asyncio.gather(
        hub.do(live.id, PEOPLE[0], Say("first"), "a"),
        hub.do(live.id, PEOPLE[1], Say("second"), "b"),
        live.execute(speak_first),
    )
    log = [str(line) for line in read_log(hub.store, live.id)[lines:]]
    assert ["ahem" in line for line in log] == [False, True, False]
    assert len(live.room.log) == lines + 3


async def test_the_first_is_answered_soon(hub: HubHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second leads, the third is refused, and what the fourth wants is written slowly."""
    live = await hub.start_game(*PEOPLE, ADA)
    received: list[bytes] = []
    client = Client(PEOPLE[1].id, push=_record_in(received))
    await live.watch(client)
    received.clear()
    append, given = live.services.repository.append, list[Append]()
    seen, slow = asyncio.Event(), asyncio.Event()

    async def write(lines: Append) -> object:
        given.append(lines)
        if len(given) == 3:
            seen.set()
            await slow.wait()
        return await append(lines)

    monkeypatch.setattr(
        live.services.repository, "append", lambda lines: asyncio.ensure_future(write(lines))
    )
    commands_sent = [_chat(0), _chat(1), _refuse, _chat(3)]
    tasks = [
        asyncio.create_task(live.execute(command, requester=client if n == 1 else None))
        for n, command in enumerate(commands_sent)
    ]
    async with asyncio.timeout(TIMEOUT_S):
        await seen.wait()
    assert any(b"word 1" in message for message in received)
    slow.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [isinstance(each, IllegalActionError) for each in answers] == [False, False, True, False]


def _record_in(received: list[bytes]) -> Callable[..., bool]:
    def push(*messages: bytes) -> bool:
        received.extend(messages)
        return True

    return push


def _chat(n: int) -> RoomCommand:
    return lambda room: commands.say(room, PEOPLE[n].id, PEOPLE[n].name, f"word {n}")


def _refuse(_: Room) -> tuple[Entry, ...]:
    raise IllegalActionError("already_chosen")


async def test_what_goes_wrong_while_telling_is_in_the_log(
    hub: HubHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    live = await hub.start_game(*PEOPLE, ADA)
    watcher = hub.watcher(None)
    await watcher.watch(live.id)
    lines = len(live.room.log)

    def fail(*_: object) -> None:
        raise RuntimeError("out of ink")

    with monkeypatch.context() as patch:
        patch.setattr("pleasance.server.live.live_room.UpdateBatch", fail)
        await hub.do(live.id, ADA, Say("hello"), "a")
    assert "out of ink" in caplog.text
    assert await hub.do(live.id, ADA, Say("again"), "b") == len(live.room.log)
    await watcher.wait_for_entry(lines + 2)
    received = [line["seq"] for message in watcher.messages[1:] for line in message["entries"]]
    assert received == [lines + 1, lines + 2], "what could not be sent at first is sent later"


@pytest.mark.parametrize("others", [1, 2])
async def test_what_could_not_be_written_is_gone_when_others_choose_elsewhere(
    postgres_url: str, others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hub(postgres_url) as one, open_hub(postgres_url) as two:
        here = await one.start_game(*PEOPLE, ADA)
        there = await two.hub.find(here.id)
        one.hub.start()
        watcher = one.watcher(None)
        await watcher.watch(here.id)
        lines, command = len(here.room.log), legal_choice(here, 0)
        with monkeypatch.context() as patch:
            patch.setattr(here.services.repository, "append", _refuse_append)
            with pytest.raises(UnavailableError):
                await one.do(here.id, PEOPLE[0], command, "a")
        for seat in range(1, others + 1):
            await two.choose(there, PEOPLE[seat], seat)
        await watcher.wait_for_entry(lines + others)
        received = [
            (line["seq"], line["seat"]) for news in watcher.messages[1:] for line in news["entries"]
        ]
        assert received == [(lines + seat, seat) for seat in range(1, others + 1)]
        assert await one.do(here.id, PEOPLE[0], command, "a") == lines + others + 1
        assert len(read_log(one.store, here.id)) == lines + others + 1
        await one.hub.repository.load(here.id)


async def _refuse_append(_: Append) -> object:
    raise UnavailableError("storage_away")


async def _send_chat(hub: HubHarness, table: str, n: int) -> int:
    return await hub.do(table, PEOPLE[n], Say(f"word {n}"), f"key{n}")
