"""The clock of the machine is set: times in logs never go back, and nobody pays for it."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack

import pytest

from pleasance.core.game import Seat
from pleasance.server import app
from pleasance.table.entries import AnewEntry, TakeOverEntry
from server.casino import Casino, Doors, Party, open_casino
from server.halls import ADA, PatientCrew, open_hall
from server.house import House, open_house
from server.patience import PATIENCE
from server.stores import log_of
from server.visitors import Clock

pytestmark = pytest.mark.anyio

HOUR, DAY = 3600.0, 86_400.0
BANK = 40.0
MOVE = 300.0
"""Seconds for a choice: more than any machine needs, and less than the clocks are wrong by."""


def test_a_running_server_does_not_notice_that_the_clock_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, start = app.make_clock(), time.time()
    for jump in (DAY, -DAY):
        monkeypatch.setattr(time, "time", lambda jump=jump: start + jump)
        assert abs(clock() - start) < PATIENCE


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
async def test_a_bot_that_was_lost_is_asked_again_whatever_the_clock_shows(
    database_url: str, jump: float
) -> None:
    clock, crew = Clock(), PatientCrew()
    async with open_hall(database_url, clock, PatientCrew()) as hall:
        live = await hall.open(ADA, "greedy")
        lines = len(live.room.happenings)
    clock.wait(jump)
    async with open_hall(database_url, clock, crew) as again:
        await again.ticker.tick()
        thought, answer = await crew.asked()
        room = (await again.hub.find(live.id)).room
        assert room.table is not None
        answer.set_result(str(room.table.view(Seat(1)).legal[0]))
        async with asyncio.timeout(PATIENCE):
            while again.hub.attendants.is_thinking_at(live.id):
                await asyncio.sleep(0)
        assert thought.seat == 1
        assert len(log_of(again.store, live.id)) == lines + 1


def open_shifted(stack: ExitStack, url: str, jump: float, monkeypatch: pytest.MonkeyPatch) -> House:
    """Run a server whose machine's clock is wrong."""
    with monkeypatch.context() as patch:
        real = app.make_clock()
        patch.setattr(app, "make_clock", lambda: lambda: real() + jump)
        return stack.enter_context(open_house(url))


def count_anew(casino: Casino) -> dict[str, int]:
    """Count how often the time has started anew at each table where a game is on."""
    desks = (desk for gambler in casino.gamblers for desk in gambler.desks.values())
    return {
        desk.id: sum(line["what"] == "anew" for line in desk.seen.lines.values())
        for desk in desks
        if desk.seen.now.get("info", {}).get("status") == "running"
    }


async def see_anew(casino: Casino, before: dict[str, int]) -> None:
    """Wait until at all these tables the time has started anew."""
    await casino.wait_for(
        lambda: all(count_anew(casino).get(table, 0) > known for table, known in before.items())
    )


@pytest.mark.slow
async def test_a_server_that_comes_back_at_another_time_flags_nobody(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    doors, before = Doors(), dict[str, int]()
    wish = {"clock": {"move": MOVE, "bank": BANK}}
    parties = Party("sakura", 3, wish=wish), Party("sanssouci", 2, wish=wish)
    async with open_casino(doors, 10, *parties) as casino:
        for jump in (0.0, -HOUR, DAY, 0.0, 2 * DAY):
            with ExitStack() as stack:
                doors.change(open_shifted(stack, sqlite_url, jump, monkeypatch).link)
                if jump > 0:
                    await see_anew(casino, before)
                await casino.wake_up()
                await casino.wait_for_answers(60)
                if jump == 2 * DAY:
                    await casino.finish()
                    await casino.compare()
                await casino.calm_down()
                before = count_anew(casino)
                doors.change()
                await asyncio.to_thread(stack.close)
        logs = casino.ledger.check(sqlite_url)  # sees to it that no time goes back
        entries = [row.entry for log in logs.values() for row in log]
        assert sum(isinstance(entry, AnewEntry) for entry in entries) >= 4
        assert not any(isinstance(entry, TakeOverEntry) for entry in entries)
        faces = (
            face
            for gambler in casino.gamblers
            for desk in gambler.desks.values()
            for face in desk.seen.now["clocks"]
        )
        assert {face["bank"] for face in faces} == {BANK}
