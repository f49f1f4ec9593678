"""Changes of the system clock: times in logs never go back, and no player loses time."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack

import pytest

from pleasance.core.game import Seat
from pleasance.server import app
from pleasance.table.entries import ClockResetEntry, TakeOverEntry
from support import TIMEOUT_S
from support.app_client import ManualClock
from support.chaos.clients import ClientPool, PlayerGroup, ServerList, open_client_pool
from support.hub_harness import ADA, ManualBotPool, open_hub
from support.live_server import LiveServer, open_server
from support.rows import read_log

pytestmark = pytest.mark.anyio

HOUR, DAY = 3600.0, 86_400.0
BANK = 40.0
MOVE = 300.0
"""Seconds for a choice: more than any machine needs, and less than the clocks are wrong by."""


def test_a_running_server_does_not_notice_a_clock_change(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, start = app.make_clock(), time.time()
    for jump in (DAY, -DAY):
        monkeypatch.setattr(time, "time", lambda jump=jump: start + jump)
        assert abs(clock() - start) < TIMEOUT_S


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
async def test_a_lost_bot_is_asked_again_at_any_time(database_url: str, jump: float) -> None:
    clock, bot_pool = ManualClock(), ManualBotPool()
    async with open_hub(database_url, clock, ManualBotPool()) as server:
        live = await server.start_game(ADA, "greedy")
        lines = len(live.room.log)
    clock.advance(jump)
    async with open_hub(database_url, clock, bot_pool) as again:
        await again.housekeeping.tick()
        request, answer = await bot_pool.next_request()
        room = (await again.hub.find(live.id)).room
        assert room.table is not None
        answer.set_result(str(room.table.view(Seat(1)).legal[0]))
        await again.wait_for_bots(live)
        assert request.seat == 1
        assert len(read_log(again.store, live.id)) == lines + 1


def open_shifted(
    stack: ExitStack, url: str, jump: float, monkeypatch: pytest.MonkeyPatch
) -> LiveServer:
    """Run a server whose machine's clock is wrong."""
    with monkeypatch.context() as patch:
        real = app.make_clock()
        patch.setattr(app, "make_clock", lambda: lambda: real() + jump)
        return stack.enter_context(open_server(url))


def count_resets(pool: ClientPool) -> dict[str, int]:
    """Count the clock resets at each table with a running game."""
    tables = (followed for client in pool.clients for followed in client.tables.values())
    return {
        followed.id: sum(line["kind"] == "clock_reset" for line in followed.mirror.entries.values())
        for followed in tables
        if followed.mirror.latest.get("info", {}).get("status") == "running"
    }


async def wait_for_resets(pool: ClientPool, before: dict[str, int]) -> None:
    """Wait until the clocks of all these tables were reset."""
    await pool.wait_for(
        lambda: all(count_resets(pool).get(table, 0) > known for table, known in before.items())
    )


@pytest.mark.slow
async def test_a_restart_with_another_time_flags_none(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server_list, before = ServerList(), dict[str, int]()
    options = {"clock": {"move": MOVE, "bank": BANK}}
    groups = PlayerGroup("sakura", 3, options=options), PlayerGroup("sanssouci", 2, options=options)
    async with open_client_pool(server_list, 10, *groups) as pool:
        for jump in (0.0, -HOUR, DAY, 0.0, 2 * DAY):
            with ExitStack() as stack:
                server_list.change(open_shifted(stack, sqlite_url, jump, monkeypatch).link)
                if jump > 0:
                    await wait_for_resets(pool, before)
                await pool.resume()
                await pool.wait_for_answers(60)
                if jump == 2 * DAY:
                    await pool.finish()
                    await pool.compare()
                await pool.pause()
                before = count_resets(pool)
                server_list.change()
                await asyncio.to_thread(stack.close)
        logs = pool.request_log.check_database(sqlite_url)  # also checks that no time goes back
        entries = [row.entry for log in logs.values() for row in log]
        assert sum(isinstance(entry, ClockResetEntry) for entry in entries) >= 4
        assert not any(isinstance(entry, TakeOverEntry) for entry in entries)
        faces = (
            face
            for client in pool.clients
            for followed in client.tables.values()
            for face in followed.mirror.latest["clocks"]
        )
        assert {face["bank"] for face in faces} == {BANK}
