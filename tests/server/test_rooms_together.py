"""What many ask of one table at the same time: done together, and answered one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from pleasance.core.errors import IllegalActionError
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.requests import Say
from pleasance.server.live.client import Client
from pleasance.server.live.services import Wish
from pleasance.server.store.appends import Append
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room
from server.halls import ADA, Hall, first_choice, open_hall, person
from server.patience import PATIENCE
from server.stores import log_of

pytestmark = pytest.mark.anyio

PEOPLE = [person(f"player{n}") for n in range(5)]


async def test_choices_made_at_once_are_told_together(database_url: str) -> None:
    people = [*PEOPLE, ADA]
    async with open_hall(database_url) as hall:
        live = await hall.open(*people)
        screen = hall.screen(None)
        await screen.watch(live.id)
        lines = len(live.room.happenings)
        answers = await asyncio.gather(
            *(hall.choose(live, who, seat) for seat, who in enumerate(people))
        )
        assert answers == [*range(lines + 1, lines + 7)]
        last = len(live.room.happenings)
        await screen.wait_for_line(last)
        _, first, rest = screen.seen
        assert [line["n"] for line in first["lines"]] == [lines + 1]
        assert [line["n"] for line in rest["lines"]] == [*range(lines + 2, last + 1)]
        assert len(log_of(hall.store, live.id)) == last


async def test_one_who_is_refused_spoils_nothing_for_the_others(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(*PEOPLE, ADA)
        lines = len(live.room.happenings)

        def stumble(room: Room) -> tuple[Entry, ...]:
            commands.say(room, ADA.id, ADA.name, "never")
            return commands.take_seat_back(room, ADA.id, room.seats_of(ADA.id)[0])

        answers = await asyncio.gather(
            hall.choose(live, PEOPLE[0], 0),
            hall.choose(live, PEOPLE[1], 1),
            hall.choose(live, PEOPLE[1], 1),  # chosen already
            live.change(stumble),
            hall.choose(live, PEOPLE[2], 2),
            return_exceptions=True,
        )
        refused = [each.code for each in answers if isinstance(each, IllegalActionError)]
        assert len(refused) == 2
        assert "already_chosen" in refused
        assert sorted(each for each in answers if isinstance(each, int)) == [
            *range(lines + 1, lines + 4)
        ]
        log = log_of(hall.store, live.id)
        assert len(log) == len(live.room.happenings) == lines + 3
        assert not any("never" in str(line) for line in log)


async def test_the_same_request_twice_among_others_is_done_once(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(*PEOPLE, ADA)
        lines = len(live.room.happenings)
        command = first_choice(live, 0)
        answers = await asyncio.gather(
            hall.do(live.id, PEOPLE[0], command, "a"),
            hall.do(live.id, ADA, Say("hello"), "b"),
            hall.do(live.id, ADA, Say("hello"), "b"),
            hall.do(live.id, PEOPLE[0], command, "a"),
        )
        assert [*answers] == [lines + 1, lines + 2, lines + 2, lines + 1]
        assert len(log_of(hall.store, live.id)) == lines + 2


@pytest.mark.parametrize("gone", [0, 1, 2])
async def test_whoever_goes_away_leaves_nobody_waiting(database_url: str, gone: int) -> None:
    """The first is being written, the second waits for that, and the others wait with it."""
    async with open_hall(database_url) as hall:
        live = await hall.open(*PEOPLE, ADA)
        lines = len(live.room.happenings)
        tasks = [asyncio.create_task(_say(hall, live.id, n)) for n in range(4)]
        while not live.is_busy or len(live.room.happenings) == lines:
            await asyncio.sleep(0)
        tasks[gone].cancel()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(each, asyncio.CancelledError) for each in answers] == [
            n == gone for n in range(4)
        ]
        await live.settle()
        said = [str(line) for line in log_of(hall.store, live.id)[lines:]]
        assert len(said) == len(live.room.happenings) - lines
        for n in range(4):
            # What the database has been given is not called back.
            assert sum(f"word {n}" in line for line in said) == (n != gone or gone == 0)


@pytest.mark.parametrize("gone", [0, 1])
async def test_nobody_waits_for_ever_if_the_database_is_away_as_one_goes(
    database_url: str, gone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(*PEOPLE, ADA)
        lines = len(live.room.happenings)

        async def fail() -> None:
            raise UnavailableError("storage_away")

        with monkeypatch.context() as patch:
            patch.setattr(hall.hub.keeper, "finish", fail)
            tasks = [asyncio.create_task(_say(hall, live.id, n)) for n in range(4)]
            while not live.is_busy or len(live.room.happenings) == lines:
                await asyncio.sleep(0)
            tasks[gone].cancel()
            async with asyncio.timeout(PATIENCE):
                await asyncio.wait(tasks)
        async with asyncio.timeout(PATIENCE):
            await hall.do(live.id, ADA, Say("still here"), "later")
        assert len(log_of(hall.store, live.id)) == len(live.room.happenings)


async def test_what_can_only_be_done_first_is_done_once(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(*PEOPLE, ADA)
        lines = len(live.room.happenings)

        def speak_first(room: Room) -> tuple[Entry, ...]:
            is_late = any("second" in str(each.entry) for each in room.happenings)
            said = commands.say(room, ADA.id, ADA.name, "ahem")
            if is_late:
                raise IllegalActionError("already_chosen")
            return said

        await asyncio.gather(
            hall.do(live.id, PEOPLE[0], Say("first"), "a"),
            hall.do(live.id, PEOPLE[1], Say("second"), "b"),
            live.change(speak_first),
        )
        log = [str(line) for line in log_of(hall.store, live.id)[lines:]]
        assert ["ahem" in line for line in log] == [False, True, False]
        assert len(live.room.happenings) == lines + 3


async def test_who_comes_first_need_not_wait_for_the_last(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second leads, the third is refused, and what the fourth wants is written slowly."""
    async with open_hall(database_url) as hall:
        live = await hall.open(*PEOPLE, ADA)
        told: list[bytes] = []
        client = Client(PEOPLE[1].id, push=_note_in(told))
        await live.watch(client)
        told.clear()
        append, given = live.habits.keeper.append, list[Append]()
        seen, slow = asyncio.Event(), asyncio.Event()

        async def write(lines: Append) -> object:
            given.append(lines)
            if len(given) == 3:
                seen.set()
                await slow.wait()
            return await append(lines)

        monkeypatch.setattr(
            live.habits.keeper, "append", lambda lines: asyncio.ensure_future(write(lines))
        )
        asks = [_speak(0), _speak(1), _refuse, _speak(3)]
        tasks = [
            asyncio.create_task(live.change(wish, asker=client if n == 1 else None))
            for n, wish in enumerate(asks)
        ]
        async with asyncio.timeout(PATIENCE):
            await seen.wait()
        assert any(b"word 1" in message for message in told)
        slow.set()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        refused = [isinstance(each, IllegalActionError) for each in answers]
        assert refused == [False, False, True, False]


def _note_in(told: list[bytes]) -> Callable[..., bool]:
    def push(*messages: bytes) -> bool:
        told.extend(messages)
        return True

    return push


def _speak(n: int) -> Wish:
    return lambda room: commands.say(room, PEOPLE[n].id, PEOPLE[n].name, f"word {n}")


def _refuse(_: Room) -> tuple[Entry, ...]:
    raise IllegalActionError("already_chosen")


async def test_what_goes_wrong_while_telling_is_in_the_log(
    database_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(*PEOPLE, ADA)
        screen = hall.screen(None)
        await screen.watch(live.id)
        lines = len(live.room.happenings)

        def fail(*_: object) -> None:
            raise RuntimeError("out of ink")

        with monkeypatch.context() as patch:
            patch.setattr("pleasance.server.live.live_room.Bulletin", fail)
            await hall.do(live.id, ADA, Say("hello"), "a")
        assert "out of ink" in caplog.text
        assert await hall.do(live.id, ADA, Say("again"), "b") == len(live.room.happenings)
        await screen.wait_for_line(lines + 2)
        told = [line["n"] for message in screen.seen[1:] for line in message["lines"]]
        assert told == [lines + 1, lines + 2], "what could not be told at first is told later"


@pytest.mark.parametrize("others", [1, 2])
async def test_what_could_not_be_written_is_gone_when_others_choose_elsewhere(
    postgres_url: str, others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(postgres_url) as one, open_hall(postgres_url) as two:
        here = await one.open(*PEOPLE, ADA)
        there = await two.hub.find(here.id)
        one.hub.start()
        screen = one.screen(None)
        await screen.watch(here.id)
        lines, command = len(here.room.happenings), first_choice(here, 0)
        with monkeypatch.context() as patch:
            patch.setattr(here.habits.keeper, "append", _be_away)
            with pytest.raises(UnavailableError):
                await one.do(here.id, PEOPLE[0], command, "a")
        for seat in range(1, others + 1):
            await two.choose(there, PEOPLE[seat], seat)
        await screen.wait_for_line(lines + others)
        told = [(line["n"], line["seat"]) for news in screen.seen[1:] for line in news["lines"]]
        assert told == [(lines + seat, seat) for seat in range(1, others + 1)]
        assert await one.do(here.id, PEOPLE[0], command, "a") == lines + others + 1
        assert len(log_of(one.store, here.id)) == lines + others + 1
        await one.hub.keeper.load(here.id)


async def _be_away(_: Append) -> object:
    raise UnavailableError("storage_away")


async def _say(hall: Hall, table: str, n: int) -> int:
    return await hall.do(table, PEOPLE[n], Say(f"word {n}"), f"key{n}")
