"""Thoughts in the database: one worker does each, and another if that one dies."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, Update, select, update
from structlog.testing import capture_logs

from pleasance.core.errors import BadSetupError
from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base.translate import server_words
from pleasance.server.bots import job_queue
from pleasance.server.bots.local_pool import LocalCrew
from pleasance.server.bots.pool import Thought
from pleasance.server.bots.queued_pool import SharedCrew
from pleasance.server.bots.select_action import think
from pleasance.server.bots.worker import Worker, run_worker
from pleasance.server.store.schema.bots import jobs
from pleasance.server.store.store import Store
from server.patience import PATIENCE
from server.postgres import Cluster
from server.thoughts import list_answers, make_thought, make_thoughts

pytestmark = pytest.mark.anyio


@contextmanager
def opened(url: str) -> Iterator[Store]:
    store = Store.open(url)
    yield store
    store.close()


@asynccontextmanager
async def crew_on(store: Store, **settings: float) -> AsyncIterator[SharedCrew]:
    crew = SharedCrew(store, **settings)
    await crew.start()
    yield crew
    await crew.close()


@asynccontextmanager
async def worker_on(store: Store) -> AsyncIterator[Worker]:
    """Let a worker with quick bots work on a database."""
    crew, stop = LocalCrew(1, games=(), patience=0.0), asyncio.Event()
    worker = Worker(store, crew, 1)
    working = asyncio.create_task(worker.run(stop))
    try:
        yield worker
    finally:
        stop.set()
        await working
        await crew.close()


def find_rows(store: Store) -> list[tuple[str, float, str | None, str | None]]:
    columns = (jobs.c.key, jobs.c.leased_until, jobs.c.worker, jobs.c.token)
    rows = store.read_now(lambda connection: connection.execute(select(*columns)).all())
    return [(row.key, row.leased_until, row.worker, row.token) for row in rows]


def ask_for(store: Store, thoughts: list[Thought]) -> None:
    for thought in thoughts:
        store.write_now(partial(job_queue.ask, thought=thought))


def _carry_out(statement: Update, connection: Connection) -> None:
    connection.execute(statement)


async def test_what_a_server_asks_a_worker_elsewhere_answers(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in ("shared", "worker"):  # nobody finds anything without being woken up
        monkeypatch.setattr(f"pleasance.server.bots.{part}._POLL", 2 * PATIENCE)
    thoughts = [*make_thoughts("sakura", 4, "greedy")][:12]
    with opened(postgres_url) as ours, opened(postgres_url) as theirs:
        async with (
            crew_on(ours, limit=2 * PATIENCE) as crew,  # nor does it help itself in time
            worker_on(theirs),
            asyncio.timeout(PATIENCE),
        ):
            chosen = await asyncio.gather(*map(crew.think, thoughts))
            assert chosen == [think(thought) for thought in thoughts]
            await crew.think(make_thought("random", seed=7))


async def test_two_servers_that_ask_for_the_same_get_the_same(postgres_url: str) -> None:
    thought = make_thought("greedy")
    with opened(postgres_url) as one, opened(postgres_url) as two, opened(postgres_url) as third:
        async with crew_on(one) as first, crew_on(two) as second:
            asked = [asyncio.create_task(crew.think(thought)) for crew in (first, second)]
            async with worker_on(third):
                assert await asyncio.gather(*asked) == [think(thought)] * 2
                assert await first.think(thought) == think(thought)
        assert len(find_rows(one)) == 1


def test_two_workers_never_take_the_same_job(postgres_url: str) -> None:
    thoughts = [*make_thoughts("sakura", 6, "greedy")][:80]
    with opened(postgres_url) as one, opened(postgres_url) as two, ThreadPoolExecutor(2) as pool:
        ask_for(one, thoughts)

        def take_all(store: Store, name: str) -> list[str]:
            taken: list[str] = []
            work = partial(job_queue.take, worker=name, count=3, quick=True)
            while batch := store.write_now(work):
                taken += [thought.key for thought, _ in batch]
            return taken

        both = [pool.submit(take_all, one, "one"), pool.submit(take_all, two, "two")]
        first, second = (future.result() for future in both)
    assert sorted(first + second) == sorted(thought.key for thought in thoughts)


def test_the_most_urgent_job_is_taken_first_and_quick_ones_apart(postgres_url: str) -> None:
    slow, slower, quick = make_thought("flat:1s"), make_thought("flat:9s"), make_thought("greedy")
    with opened(postgres_url) as store:
        ask_for(store, [slower, slow, quick])
        take = partial(job_queue.take, worker="me", count=1)
        assert store.write_now(partial(take, quick=False))[0].thought == slow
        assert store.write_now(partial(take, quick=True))[0].thought == quick
        assert not store.write_now(partial(take, quick=True))


def test_a_lease_that_runs_out_is_taken_by_another_and_the_first_answer_counts(
    postgres_url: str,
) -> None:
    thought = make_thought("greedy")
    with opened(postgres_url) as store:
        ask_for(store, [thought])
        take = partial(job_queue.take, count=5, quick=True)
        assert store.write_now(partial(take, worker="one"))[0].attempts == 1
        assert not store.write_now(partial(take, worker="two"))
        lapse = update(jobs).values(leased_until=1.0)
        store.write_now(partial(_carry_out, lapse))
        assert store.write_now(partial(take, worker="two"))[0].attempts == 2
        renew = partial(job_queue.renew, keys=[thought.key])
        assert store.write_now(partial(renew, worker="one")) == set()
        assert store.write_now(partial(renew, worker="two")) == {thought.key}
        assert store.write_now(partial(job_queue.answer, key=thought.key, token="1"))
        assert not store.write_now(partial(job_queue.answer, key=thought.key, token="2"))
        assert store.write_now(partial(job_queue.ask, thought=thought)).token == "1"


def test_old_answers_and_forgotten_jobs_are_cleared_away(postgres_url: str) -> None:
    thoughts = [*make_thoughts("sakura", 4, "greedy")][:4]
    ages = [job_queue.KEPT + 1, job_queue.KEPT - 60, job_queue.KEPT + 1, job_queue.FORGOTTEN + 1]
    with opened(postgres_url) as store:
        ask_for(store, thoughts)
        for number, (thought, age) in enumerate(zip(thoughts, ages, strict=True)):
            token = "1" if number < 2 else None
            older = update(jobs).where(jobs.c.key == thought.key)
            older = older.values(created_at=jobs.c.created_at - age, token=token)
            store.write_now(partial(_carry_out, older))
        store.write_now(job_queue.sweep)
        assert {row[0] for row in find_rows(store)} == {thoughts[1].key, thoughts[2].key}


async def test_where_there_is_no_worker_the_game_goes_on(postgres_url: str) -> None:
    thought = make_thought("ismcts:1s")
    with opened(postgres_url) as store, capture_logs() as logs:
        async with crew_on(store, limit=0.3) as crew:
            assert await crew.think(thought) == think(thought.by("greedy"))
    assert "no_worker_answers" in [log["event"] for log in logs]


async def test_who_gives_up_takes_the_job_back(postgres_url: str) -> None:
    with opened(postgres_url) as store:
        async with crew_on(store) as crew:
            asked = asyncio.create_task(crew.think(make_thought("greedy")))
            while not await store.read(lambda _: find_rows(store)):
                await asyncio.sleep(0.005)
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
        assert not find_rows(store)


async def test_a_job_that_vanished_is_asked_for_again(postgres_url: str) -> None:
    thought = make_thought("greedy")
    with opened(postgres_url) as store:
        async with crew_on(store) as crew:
            asked = asyncio.create_task(crew.think(thought))
            while not await store.read(lambda _: find_rows(store)):
                await asyncio.sleep(0.005)
            await store.write(partial(job_queue.withdraw, key=thought.key))
            async with worker_on(store):
                assert await asked == think(thought)


async def test_sqlite_is_refused_in_one_line(sqlite_url: str) -> None:
    with pytest.raises(BadSetupError) as refusal:
        await run_worker(sqlite_url, 1)
    for language in LANGUAGES:
        said = server_words(language).error(refusal.value)
        assert "postgresql://" in said
        assert "\n" not in said


WORKER = """
import asyncio, sys
from pleasance.server.bots import leases
from pleasance.server.bots.worker import run_worker

leases.LEASE = float(sys.argv[2])
asyncio.run(run_worker(sys.argv[1], 1))
"""


@contextmanager
def worker_process(url: str, lease: float) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker as a program of its own."""
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, url, str(lease)],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


async def is_leased(store: Store, *others: str | None) -> str:
    """Wait until a worker that is not among *others* has the job; name it."""
    while True:
        rows = await store.read(lambda _: find_rows(store))
        for _, until, worker, _token in rows:
            if until and worker and worker not in others:
                return worker
        await asyncio.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
async def test_what_one_worker_began_another_finishes(
    postgres_url: str, end: signal.Signals
) -> None:
    lease = 2.0 if end is signal.SIGKILL else 600.0  # who is asked to end gives its leases back
    thought = make_thought("ismcts:3s")
    with opened(postgres_url) as store, worker_process(postgres_url, lease) as first:
        async with crew_on(store, limit=300.0) as crew:
            asked = asyncio.create_task(crew.think(thought))
            one = await is_leased(store)
            first.send_signal(end)
            status = await asyncio.to_thread(first.wait)
            with worker_process(postgres_url, lease):
                assert await is_leased(store, one) != one
                assert await asked in list_answers(thought)
    assert status == (0 if end is signal.SIGTERM else -end)


@pytest.mark.slow
async def test_a_database_that_is_restarted_loses_no_thought(
    cluster: Cluster, postgres_url: str
) -> None:
    thoughts = [*make_thoughts("sakura", 4, "greedy")][:30]
    with opened(postgres_url) as ours, opened(postgres_url) as theirs:
        async with crew_on(ours, limit=300.0) as crew, worker_on(theirs):
            asked = [asyncio.create_task(crew.think(thought)) for thought in thoughts]
            await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.to_thread(cluster.restart)
            assert await asyncio.gather(*asked) == [think(thought) for thought in thoughts]
