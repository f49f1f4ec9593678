"""A crew of processes: none of them matters, every thought is answered."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from structlog.testing import capture_logs

from pleasance.core.errors import BadSetupError
from pleasance.server.base.errors import UnavailableError
from pleasance.server.bots.local_pool import LocalCrew
from pleasance.server.bots.pool import Thought
from pleasance.server.bots.select_action import think
from server.thoughts import make_thought, make_thoughts

pytestmark = pytest.mark.anyio

FOREVER = 300.0
"""Seconds that nobody should have to wait, whatever the machine is doing."""
LONG = "ismcts:15000"
"""Thinks for seconds, and chooses the same each time."""


@asynccontextmanager
async def crew_of(processes: int, **settings: Any) -> AsyncIterator[LocalCrew]:
    """Call a crew that waits for compiled rules however long it takes."""
    crew = LocalCrew(processes, **{"patience": FOREVER, "limit": FOREVER} | settings)
    await crew.start()
    try:
        yield crew
    finally:
        await crew.close()


def ask(work: Coroutine[Any, Any, str]) -> asyncio.Task[str]:
    return asyncio.create_task(work)


async def someone_at_work(crew: LocalCrew, *others: int) -> int:
    """Wait until a process is about something that was not among *others*."""
    while not (found := set(crew.thinking) - set(others)):
        await asyncio.sleep(0.002)
    return found.pop()


async def test_a_crew_chooses_what_would_be_chosen_here() -> None:
    thoughts = [*make_thoughts("sakura", 4, "greedy")][:20]
    thoughts += [*make_thoughts("sanssouci", 2, "random")][:20]
    async with crew_of(1, games=()) as crew:
        chosen = await asyncio.gather(*map(crew.think, thoughts))
    assert chosen == [think(thought) for thought in thoughts]


async def test_killed_workers_lose_no_thought() -> None:
    thoughts = [*make_thoughts("sakura", 6, "greedy")][:60]
    killed = set[int]()
    async with crew_of(2, games=()) as crew:
        asked = [ask(crew.think(thought)) for thought in thoughts]
        for number, answered in enumerate(asyncio.as_completed(asked)):
            await answered
            if number % 6 == 0 and crew.pids:
                victim = crew.pids[number // 6 % len(crew.pids)]
                with suppress(ProcessLookupError):  # it was killed before, and nobody noticed yet
                    os.kill(victim, signal.SIGKILL)
                killed.add(victim)
        chosen = [task.result() for task in asked]
    assert len(killed) >= 5
    assert chosen == [think(thought) for thought in thoughts]


@pytest.mark.slow
async def test_a_worker_killed_while_it_thinks_is_replaced_and_the_choice_is_the_same() -> None:
    thought, other = make_thought(LONG), make_thought(LONG, seed=2)
    async with crew_of(2, games=("sakura",)) as crew:
        asked, beside = ask(crew.think(thought)), ask(crew.think(other))
        killed: list[int] = []
        for _ in range(3):
            killed.append(await someone_at_work(crew, *killed))
            os.kill(killed[-1], signal.SIGKILL)
        assert not asked.done() or not beside.done()
        assert [await asked, await beside] == [think(thought), think(other)]


async def test_a_thought_that_kills_every_worker_goes_to_a_simpler_bot() -> None:
    thought = make_thought("greedy", game="sanssouci")
    for _ in range(10):  # on a busy machine one may have answered before it was seen at work
        token, killed, lost = await kill_all_at(thought)
        if killed == len(lost) == 5:
            assert lost == ["greedy"] * 5
            assert token == think(thought.by("random")) != think(thought)
            return
    pytest.fail("no thought has killed five workers")


async def kill_all_at(thought: Thought) -> tuple[str, int, list[str]]:
    """Kill whoever is about a thought; give its answer, and how many were killed and noted."""
    with capture_logs() as logs:
        async with crew_of(1, games=()) as crew:
            asked = ask(crew.think(thought))
            killed, token = await kill_workers(crew, asked, most=5), await asked
    return token, killed, [log["bot"] for log in logs if log["event"] == "bot_failed"]


async def kill_workers(crew: LocalCrew, asked: asyncio.Task[str], *, most: int) -> int:
    """Kill who is about what was asked for, one after the other; count them."""
    killed: set[int] = set()
    while len(killed) < most and not asked.done():
        # A worker is given work while it starts, so it hardly ever has time to answer.
        for pid in set(crew.thinking) - killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        await asyncio.sleep(0.002)
    return len(killed)


async def test_until_rules_are_compiled_a_simpler_bot_stands_in_at_once() -> None:
    thoughts = [*make_thoughts("sakura", 3, "ismcts:100s")][:5]
    async with crew_of(1, games=(), patience=0.0) as crew:
        await crew.think(make_thought("random"))  # now a process is up
        started = perf_counter()
        chosen = await asyncio.gather(*map(crew.think, thoughts))
        assert perf_counter() - started < 50
    assert chosen == [think(thought.by("greedy")) for thought in thoughts]


@pytest.mark.slow
async def test_once_rules_are_compiled_the_bot_itself_chooses() -> None:
    thoughts = [
        *[*make_thoughts("sakura", 4, "ismcts:200")][5:8],
        *[*make_thoughts("sanssouci", 2, "flat:200")][5:8],
        *[*make_thoughts("sanssouci", 2, "planner")][5:8],
    ]
    async with crew_of(1) as crew:
        chosen = await asyncio.gather(*map(crew.think, thoughts))
        again = await asyncio.gather(*map(crew.think, thoughts))
    assert chosen == again == [think(thought) for thought in thoughts]


async def test_a_bot_that_fails_is_replaced_and_that_is_told() -> None:
    view = make_thought("random", game="sakura").view
    wrong = Thought(
        table="t", ply=1, undone=0, seat=0, bot="planner", game="sanssouci", options=(),
        data=None, seed="1", view=view,
    )  # fmt: skip
    with capture_logs() as logs:
        async with crew_of(1, games=(), patience=0.0) as crew:
            token = await crew.think(wrong)
    assert token == think(wrong.by("random"))
    assert [(log["event"], log["bot"]) for log in logs] == [("bot_failed", "greedy")]
    assert "Error in " in logs[0]["reason"]
    assert len(logs[0]["reason"]) < 80  # where, but not with which cards


async def test_where_nobody_can_choose_the_thought_is_refused() -> None:
    broken = make_thought("greedy").by("greedy")
    broken = Thought(**{**{f: getattr(broken, f) for f in broken.__struct_fields__}, "view": b"x"})
    async with crew_of(1, games=()) as crew:
        with capture_logs() as logs, pytest.raises(UnavailableError, match="bot_failed"):
            await crew.think(broken)
        assert [log["bot"] for log in logs] == ["greedy", "random"]
        assert await crew.think(make_thought("greedy")) == think(make_thought("greedy"))


async def test_what_cannot_be_asked_is_refused_at_once() -> None:
    async with crew_of(1, games=()) as crew:
        with pytest.raises(BadSetupError):
            await crew.think(make_thought("ismcts:soon"))


@pytest.mark.slow
async def test_a_bot_that_thinks_too_long_is_stopped_and_a_simpler_one_chooses() -> None:
    thought = make_thought("ismcts:100s")
    async with crew_of(1, games=("sakura",)) as crew:
        await crew.think(make_thought("ismcts:2"))
        crew._limit = 0.3
        with capture_logs() as logs:
            asked = asyncio.create_task(crew.advise(thought))
            await someone_at_work(crew)
            crew._limit = FOREVER  # a simpler one may need longer than that on a busy machine
            assert await asked == (think(thought.by("greedy")), "greedy")
        assert [log["event"] for log in logs] == ["bot_failed"]
        assert await crew.think(make_thought("ismcts:2")) == think(make_thought("ismcts:2"))


@pytest.mark.slow
async def test_who_gives_up_frees_the_worker() -> None:
    async with crew_of(1, games=("sakura",)) as crew:
        await crew.think(make_thought("ismcts:2"))
        pids = crew.pids
        asked = ask(crew.think(make_thought("ismcts:100s")))
        waiting = ask(crew.think(make_thought("ismcts:90s", seed=2)))
        await someone_at_work(crew)
        asked.cancel()
        waiting.cancel()
        assert await crew.think(make_thought("ismcts:3")) == think(make_thought("ismcts:3"))
        assert crew.pids == pids  # nobody had to be killed for it
        assert not crew.waiting


@pytest.mark.slow
async def test_quick_bots_do_not_wait_behind_long_thoughts() -> None:
    """With one worker only for what is quick it waits for nothing, else for what was begun."""
    for processes, begun in ((0, "ismcts:0.4s"), (1, "ismcts:100s")):
        async with crew_of(processes, games=("sakura",)) as crew:
            await crew.think(make_thought("ismcts:2"))
            first = ask(crew.think(make_thought(begun)))
            await someone_at_work(crew)
            others = [ask(crew.think(make_thought("ismcts:100s", seed=n))) for n in (2, 3)]
            await crew.think(make_thought("greedy"))
            assert first.done() == (processes == 0)
            assert not any(other.done() for other in others)
            for task in (first, *others):
                task.cancel()


async def test_a_worker_is_replaced_after_so_many_thoughts() -> None:
    thoughts = [*make_thoughts("sakura", 4, "random")][:9]
    pids = set[int]()
    async with crew_of(0, games=(), most_thoughts=3) as crew:
        for thought in thoughts:
            assert await crew.think(thought) == think(thought)
            pids.update(crew.pids)
    assert len(pids) >= 3


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc")
async def test_workers_stand_back_and_use_one_thread() -> None:
    async with crew_of(1, games=()) as crew:
        await crew.think(make_thought("greedy"))
        for pid in crew.pids:
            assert b"OPENBLAS_NUM_THREADS=1\0" in Path(f"/proc/{pid}/environ").read_bytes()
        priorities = [os.getpriority(os.PRIO_PROCESS, pid) for pid in crew.pids]
        assert max(priorities) == min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19)
        groups = [Path(f"/proc/{pid}/autogroup") for pid in crew.pids]
        while not all("nice 10" in group.read_text() for group in groups if group.exists()):
            await asyncio.sleep(0.02)


async def test_closing_refuses_who_still_waits() -> None:
    crew = LocalCrew(1, games=(), patience=FOREVER)
    asked = [ask(crew.think(make_thought("ismcts:5s"))) for _ in range(3)]
    await crew.think(make_thought("greedy"))
    pids = crew.pids
    await crew.close()
    for task in asked:
        with pytest.raises(UnavailableError, match="bots_closed"):
            await task
    with pytest.raises(UnavailableError, match="bots_closed"):
        await crew.think(make_thought("greedy"))
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


PARENT = """
import asyncio, sys
from pleasance.server.bots.local_pool import LocalCrew
from server.thoughts import make_thought

async def main():
    crew = LocalCrew(2, games=sys.argv[1:], patience=300)
    await crew.think(make_thought("greedy"))
    bot = "ismcts:100s" if sys.argv[1:] else "greedy"
    asked = asyncio.create_task(crew.think(make_thought(bot)))
    while sys.argv[1:] and not crew.thinking:
        await asyncio.sleep(0.01)
    print("ready", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.parametrize("games", [(), pytest.param(("sakura",), marks=pytest.mark.slow)])
def test_when_the_server_is_killed_no_worker_is_left(games: tuple[str, ...]) -> None:
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, *games],
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
