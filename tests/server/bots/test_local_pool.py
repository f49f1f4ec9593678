"""The local bot pool answers every request, whichever of its processes dies."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from pleasance.core.errors import BadSetupError
from pleasance.server.base.errors import UnavailableError
from pleasance.server.bots.local_pool import LocalBotPool
from pleasance.server.bots.pool import MoveRequest
from pleasance.server.bots.select_action import select_action
from server.bots.move_requests import move_request, move_requests

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

WAIT_S = 300.0
"""Longer than any machine needs."""
LONG = "ismcts:15000"
"""A bot that computes for seconds, deterministically."""


@asynccontextmanager
async def open_pool(processes: int, **settings: Any) -> AsyncIterator[LocalBotPool]:
    """Open a pool whose bots may take as long as a busy machine needs."""
    pool = LocalBotPool(processes, **{"move_timeout": WAIT_S} | settings)
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()


def ask(work: Coroutine[Any, Any, str]) -> asyncio.Task[str]:
    return asyncio.create_task(work)


async def wait_for_busy_process(pool: LocalBotPool, *others: int) -> int:
    """Wait until a process is about something that was not among *others*."""
    while not (found := set(pool.busy_pids) - set(others)):
        await asyncio.sleep(0.002)
    return found.pop()


async def test_a_pool_selects_the_same_actions() -> None:
    requests = [*move_requests("sakura", 4, "greedy")][:20]
    requests += [*move_requests("sanssouci", 2, "random")][:20]
    async with open_pool(1) as pool:
        chosen = await asyncio.gather(*map(pool.select_action, requests))
    assert chosen == [select_action(request) for request in requests]


async def test_killed_workers_lose_no_request() -> None:
    requests = [*move_requests("sakura", 6, "greedy")][:60]
    killed = set[int]()
    async with open_pool(2) as pool:
        pending = [ask(pool.select_action(request)) for request in requests]
        for number, answered in enumerate(asyncio.as_completed(pending)):
            await answered
            if number % 6 == 0 and pool.pids:
                victim = pool.pids[number // 6 % len(pool.pids)]
                with suppress(ProcessLookupError):  # it was killed before, still unnoticed
                    os.kill(victim, signal.SIGKILL)
                killed.add(victim)
        chosen = [task.result() for task in pending]
    assert len(killed) >= 5
    assert chosen == [select_action(request) for request in requests]


async def test_a_killed_worker_is_replaced_and_the_choice_is_the_same() -> None:
    request, other = move_request(LONG), move_request(LONG, seed=2)
    async with open_pool(2) as pool:
        pending, beside = ask(pool.select_action(request)), ask(pool.select_action(other))
        killed: list[int] = []
        for _ in range(3):
            killed.append(await wait_for_busy_process(pool, *killed))
            os.kill(killed[-1], signal.SIGKILL)
        assert not pending.done() or not beside.done()
        assert [await pending, await beside] == [select_action(request), select_action(other)]


async def test_a_request_that_kills_every_worker_goes_to_a_simpler_bot() -> None:
    request = move_request("greedy", game="sanssouci")
    for _ in range(10):  # on a busy machine one may have answered before it was seen at work
        token, killed, lost = await kill_all_at(request)
        if killed == len(lost) == 5:
            assert lost == ["greedy"] * 5
            assert token == select_action(request.with_bot("random")) != select_action(request)
            return
    pytest.fail("no thought has killed five workers")


async def kill_all_at(request: MoveRequest) -> tuple[str, int, list[str]]:
    """Kill the worker of a request; return its answer and the numbers of kills and log lines."""
    with capture_logs() as logs:
        async with open_pool(1) as pool:
            pending = ask(pool.select_action(request))
            killed, token = await kill_workers(pool, pending, most=5), await pending
    return token, killed, [log["bot"] for log in logs if log["event"] == "bot_failed"]


async def kill_workers(pool: LocalBotPool, pending: asyncio.Task[str], *, most: int) -> int:
    """Kill who is about what was asked for, one after the other; count them."""
    killed: set[int] = set()
    while len(killed) < most and not pending.done():
        # A worker is given work while it starts, so it hardly ever has time to answer.
        for pid in set(pool.busy_pids) - killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        await asyncio.sleep(0.002)
    return len(killed)


async def test_bots_with_kernels_choose_from_the_first_request_on() -> None:
    requests = [
        *[*move_requests("sakura", 4, "ismcts:200")][5:8],
        *[*move_requests("sanssouci", 2, "flat:200")][5:8],
        *[*move_requests("sanssouci", 2, "planner")][5:8],
    ]
    async with open_pool(1) as pool:
        chosen = await asyncio.gather(*map(pool.select_action, requests))
        again = await asyncio.gather(*map(pool.select_action, requests))
    assert chosen == again == [select_action(request) for request in requests]


async def test_a_failing_bot_is_replaced_and_logged() -> None:
    wrong = replace(move_request("planner", game="sakura"), game="sanssouci")
    with capture_logs() as logs:
        async with open_pool(1) as pool:
            token = await pool.select_action(wrong)
    assert token == select_action(wrong.with_bot("random"))
    assert [(log["event"], log["bot"]) for log in logs] == [
        ("bot_failed", "planner"),
        ("bot_failed", "greedy"),
    ]
    for log in logs:
        assert "Error in " in log["reason"]
        assert len(log["reason"]) < 80  # where, but not with which cards


async def test_a_request_without_a_possible_bot_is_refused() -> None:
    request = move_request("greedy")
    broken = replace(request, view=b"x")
    async with open_pool(1) as pool:
        with capture_logs() as logs, pytest.raises(UnavailableError, match="bot_failed"):
            await pool.select_action(broken)
        assert [log["bot"] for log in logs] == ["greedy", "random"]
        assert await pool.select_action(request) == select_action(request)


async def test_what_cannot_be_asked_is_refused_at_once() -> None:
    async with open_pool(1) as pool:
        with pytest.raises(BadSetupError):
            await pool.select_action(move_request("ismcts:soon"))


async def test_a_slow_bot_is_stopped_and_a_simpler_one_chooses() -> None:
    request, quick = move_request("ismcts:100s"), move_request("ismcts:2")
    async with open_pool(1) as pool:
        await pool.select_action(quick)
        pool._move_timeout = 0.3
        with capture_logs() as logs:
            pending = asyncio.create_task(pool.select_move(request))
            await wait_for_busy_process(pool)
            pool._move_timeout = WAIT_S  # for busy machines
            assert await pending == (select_action(request.with_bot("greedy")), "greedy")
        assert [log["event"] for log in logs] == ["bot_failed"]
        assert await pool.select_action(quick) == select_action(quick)


async def test_cancelling_frees_the_worker() -> None:
    async with open_pool(1) as pool:
        await pool.select_action(move_request("ismcts:2"))
        pids = pool.pids
        pending = ask(pool.select_action(move_request("ismcts:100s")))
        waiting = ask(pool.select_action(move_request("ismcts:90s", seed=2)))
        await wait_for_busy_process(pool)
        pending.cancel()
        waiting.cancel()
        request = move_request("ismcts:3")
        assert await pool.select_action(request) == select_action(request)
        assert pool.pids == pids  # no worker was killed for it
        assert not pool.queue_length


async def test_quick_bots_do_not_wait_behind_slow_ones() -> None:
    """With one worker reserved for quick bots, a quick request never waits."""
    for processes, begun in ((0, "ismcts:0.4s"), (1, "ismcts:100s")):
        async with open_pool(processes) as pool:
            await pool.select_action(move_request("ismcts:2"))
            first = ask(pool.select_action(move_request(begun)))
            await wait_for_busy_process(pool)
            others = [ask(pool.select_action(move_request("ismcts:100s", seed=n))) for n in (2, 3)]
            await pool.select_action(move_request("greedy"))
            assert first.done() == (processes == 0)
            assert not any(other.done() for other in others)
            for task in (first, *others):
                task.cancel()


async def test_a_worker_is_replaced_after_many_requests() -> None:
    requests = [*move_requests("sakura", 4, "random")][:9]
    pids = set[int]()
    async with open_pool(0, max_requests=3) as pool:
        for request in requests:
            assert await pool.select_action(request) == select_action(request)
            pids.update(pool.pids)
    assert len(pids) >= 3


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc")
async def test_workers_stand_back_and_use_one_thread() -> None:
    async with open_pool(1) as pool:
        await pool.select_action(move_request("greedy"))
        for pid in pool.pids:
            assert b"OPENBLAS_NUM_THREADS=1\0" in Path(f"/proc/{pid}/environ").read_bytes()
        priorities = [os.getpriority(os.PRIO_PROCESS, pid) for pid in pool.pids]
        assert max(priorities) == min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19)
        groups = [Path(f"/proc/{pid}/autogroup") for pid in pool.pids]
        while not all("nice 10" in group.read_text() for group in groups if group.exists()):
            await asyncio.sleep(0.02)


async def test_closing_refuses_waiting_requests() -> None:
    pool = LocalBotPool(1)
    pending = [ask(pool.select_action(move_request("ismcts:5s"))) for _ in range(3)]
    await pool.select_action(move_request("greedy"))
    pids = pool.pids
    await pool.close()
    for task in pending:
        with pytest.raises(UnavailableError, match="bots_closed"):
            await task
    with pytest.raises(UnavailableError, match="bots_closed"):
        await pool.select_action(move_request("greedy"))
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


PARENT = """
import asyncio
from pleasance.server.bots.local_pool import LocalBotPool
from server.bots.move_requests import move_request

async def main():
    bot_pool = LocalBotPool(2)
    await bot_pool.select_action(move_request("greedy"))
    asked = asyncio.create_task(bot_pool.select_action(move_request("ismcts:100s")))
    while not bot_pool.busy_pids:
        await asyncio.sleep(0.01)
    print("ready", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def test_when_the_server_is_killed_no_worker_is_left() -> None:
    path = os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])
    with subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    ) as parent:
        assert parent.stdout
        assert parent.stdout.readline() == b"ready\n"
        parent.kill()
        # Workers share the stream for errors: it ends when the last of them has gone.
        _, errors = parent.communicate(timeout=60)  # far less than the thought would take
    assert errors == b""
