"""The queued bot pool: one worker takes each job under a lease, another if it dies."""

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
from pleasance.server.base.translate import server_messages
from pleasance.server.bots import job_queue
from pleasance.server.bots.local_pool import LocalBotPool
from pleasance.server.bots.pool import MoveRequest
from pleasance.server.bots.queued_pool import QueuedBotPool
from pleasance.server.bots.select_action import select_action
from pleasance.server.bots.worker import Worker, run_worker
from pleasance.server.store.schema.bots import jobs
from pleasance.server.store.store import Store
from server.bots.move_requests import list_answers, move_request, move_requests
from support import TIMEOUT_S
from support.postgres import Cluster

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@contextmanager
def opened(url: str) -> Iterator[Store]:
    store = Store.open(url)
    yield store
    store.close()


@asynccontextmanager
async def open_queued_pool(store: Store, **settings: float) -> AsyncIterator[QueuedBotPool]:
    pool = QueuedBotPool(store, **settings)
    await pool.start()
    yield pool
    await pool.close()


@asynccontextmanager
async def worker_on(store: Store) -> AsyncIterator[Worker]:
    """Run a worker with quick bots on a database."""
    pool, stop = LocalBotPool(1), asyncio.Event()
    worker = Worker(store, pool, 1)
    working = asyncio.create_task(worker.run(stop))
    try:
        yield worker
    finally:
        stop.set()
        await working
        await pool.close()


def find_rows(store: Store) -> list[tuple[str, float, str | None, str | None]]:
    columns = (jobs.c.key, jobs.c.leased_until, jobs.c.worker, jobs.c.token)
    rows = store.read_now(lambda connection: connection.execute(select(*columns)).all())
    return [(row.key, row.leased_until, row.worker, row.token) for row in rows]


def enqueue_request(store: Store, requests: list[MoveRequest]) -> None:
    for request in requests:
        store.write_now(partial(job_queue.enqueue, request=request))


def _execute_jobs(statement: Update, connection: Connection) -> None:
    connection.execute(statement)


async def test_a_remote_worker_answers(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("queued_pool", "worker"):  # no worker finds a job without a wake-up
        monkeypatch.setattr(f"pleasance.server.bots.{part}._POLL_INTERVAL_S", 2 * TIMEOUT_S)
    requests = [*move_requests("sakura", 4, "greedy")][:12]
    with opened(postgres_url) as ours, opened(postgres_url) as theirs:
        async with (
            open_queued_pool(ours, timeout=2 * TIMEOUT_S) as pool,  # too late to help
            worker_on(theirs),
            asyncio.timeout(TIMEOUT_S),
        ):
            chosen = await asyncio.gather(*map(pool.select_action, requests))
            assert chosen == [select_action(request) for request in requests]
            await pool.select_action(move_request("random", seed=7))


async def test_two_servers_that_ask_for_the_same_get_the_same(postgres_url: str) -> None:
    request = move_request("greedy")
    with opened(postgres_url) as one, opened(postgres_url) as two, opened(postgres_url) as third:
        async with open_queued_pool(one) as first, open_queued_pool(two) as second:
            pending = [asyncio.create_task(pool.select_action(request)) for pool in (first, second)]
            async with worker_on(third):
                assert await asyncio.gather(*pending) == [select_action(request)] * 2
                assert await first.select_action(request) == select_action(request)
        assert len(find_rows(one)) == 1


def test_two_workers_never_take_the_same_job(postgres_url: str) -> None:
    requests = [*move_requests("sakura", 6, "greedy")][:80]
    with opened(postgres_url) as one, opened(postgres_url) as two, ThreadPoolExecutor(2) as threads:
        enqueue_request(one, requests)

        def take_all(store: Store, name: str) -> list[str]:
            taken: list[str] = []
            work = partial(job_queue.lease_jobs, worker=name, count=3, quick=True)
            while batch := store.write_now(work):
                taken += [request.key for request, _ in batch]
            return taken

        both = [threads.submit(take_all, one, "one"), threads.submit(take_all, two, "two")]
        first, second = (future.result() for future in both)
    assert sorted(first + second) == sorted(request.key for request in requests)


def test_the_most_urgent_job_is_taken_first_and_quick_ones_apart(postgres_url: str) -> None:
    slow, slower, quick = (move_request("flat:1s"), move_request("flat:9s"), move_request("greedy"))
    with opened(postgres_url) as store:
        enqueue_request(store, [slower, slow, quick])
        lease_jobs = partial(job_queue.lease_jobs, worker="me", count=1)
        assert store.write_now(partial(lease_jobs, quick=False))[0].request == slow
        assert store.write_now(partial(lease_jobs, quick=True))[0].request == quick
        assert not store.write_now(partial(lease_jobs, quick=True))


def test_an_expired_lease_is_taken_over_and_the_first_answer_counts(postgres_url: str) -> None:
    request = move_request("greedy")
    with opened(postgres_url) as store:
        enqueue_request(store, [request])
        lease_jobs = partial(job_queue.lease_jobs, count=5, quick=True)
        assert store.write_now(partial(lease_jobs, worker="one"))[0].attempts == 1
        assert not store.write_now(partial(lease_jobs, worker="two"))
        store.write_now(partial(_execute_jobs, update(jobs).values(leased_until=1.0)))
        assert store.write_now(partial(lease_jobs, worker="two"))[0].attempts == 2
        renew_leases = partial(job_queue.renew_leases, keys=[request.key])
        assert store.write_now(partial(renew_leases, worker="one")) == set()
        assert store.write_now(partial(renew_leases, worker="two")) == {request.key}
        assert store.write_now(partial(job_queue.complete, key=request.key, token="1"))
        assert not store.write_now(partial(job_queue.complete, key=request.key, token="2"))
        assert store.write_now(partial(job_queue.enqueue, request=request)).token == "1"


def test_old_answers_and_forgotten_jobs_are_cleared_away(postgres_url: str) -> None:
    requests = [*move_requests("sakura", 4, "greedy")][:4]
    ages = [
        job_queue.RESULT_RETENTION_S + 1,
        job_queue.RESULT_RETENTION_S - 60,
        job_queue.RESULT_RETENTION_S + 1,
        job_queue.MAX_JOB_AGE_S + 1,
    ]
    with opened(postgres_url) as store:
        enqueue_request(store, requests)
        for number, (request, age) in enumerate(zip(requests, ages, strict=True)):
            token = "1" if number < 2 else None
            older = update(jobs).where(jobs.c.key == request.key)
            older = older.values(created_at=jobs.c.created_at - age, token=token)
            store.write_now(partial(_execute_jobs, older))
        store.write_now(job_queue.delete_expired)
        assert {row[0] for row in find_rows(store)} == {requests[1].key, requests[2].key}


async def test_where_there_is_no_worker_the_game_goes_on(postgres_url: str) -> None:
    request = move_request("ismcts:1s")
    with opened(postgres_url) as store, capture_logs() as logs:
        async with open_queued_pool(store, timeout=0.3) as pool:
            assert await pool.select_action(request) == select_action(request.with_bot("greedy"))
    assert "no_worker_answers" in [log["event"] for log in logs]


async def test_cancelling_withdraws_the_job(postgres_url: str) -> None:
    with opened(postgres_url) as store:
        async with open_queued_pool(store) as pool:
            pending = asyncio.create_task(pool.select_action(move_request("greedy")))
            while not await store.read(lambda _: find_rows(store)):
                await asyncio.sleep(0.005)
            pending.cancel()
            await asyncio.gather(pending, return_exceptions=True)
        assert not find_rows(store)


async def test_a_job_that_vanished_is_asked_for_again(postgres_url: str) -> None:
    request = move_request("greedy")
    with opened(postgres_url) as store:
        async with open_queued_pool(store) as pool:
            pending = asyncio.create_task(pool.select_action(request))
            while not await store.read(lambda _: find_rows(store)):
                await asyncio.sleep(0.005)
            await store.write(partial(job_queue.withdraw, key=request.key))
            async with worker_on(store):
                assert await pending == select_action(request)


async def test_sqlite_is_refused_in_one_line(sqlite_url: str) -> None:
    with pytest.raises(BadSetupError) as refusal:
        await run_worker(sqlite_url, 1)
    for language in LANGUAGES:
        message = server_messages(language).error(refusal.value)
        assert "postgresql://" in message
        assert "\n" not in message


WORKER = """
import asyncio, sys
from pleasance.server.bots import job_queue
from pleasance.server.bots.worker import run_worker

job_queue.LEASE_S = float(sys.argv[2])
asyncio.run(run_worker(sys.argv[1], 1))
"""


@contextmanager
def worker_process(url: str, lease: float) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker as a program of its own."""
    path = os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])
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
        for _, until, worker, _token in await store.read(lambda _: find_rows(store)):
            if until and worker and worker not in others:
                return worker
        await asyncio.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
async def test_another_worker_finishes_the_job(postgres_url: str, end: signal.Signals) -> None:
    lease = 2.0 if end is signal.SIGKILL else 600.0  # who is asked to end gives its leases back
    request = move_request("ismcts:3s")
    with opened(postgres_url) as store, worker_process(postgres_url, lease) as first:
        async with open_queued_pool(store, timeout=300.0) as pool:
            pending = asyncio.create_task(pool.select_action(request))
            one = await is_leased(store)
            first.send_signal(end)
            status = await asyncio.to_thread(first.wait)
            with worker_process(postgres_url, lease):
                assert await is_leased(store, one) != one
                assert await pending in list_answers(request)
    assert status == (0 if end is signal.SIGTERM else -end)


@pytest.mark.slow
async def test_a_database_restart_loses_no_request(cluster: Cluster, postgres_url: str) -> None:
    requests = [*move_requests("sakura", 4, "greedy")][:30]
    with opened(postgres_url) as ours, opened(postgres_url) as theirs:
        async with open_queued_pool(ours, timeout=300.0) as pool, worker_on(theirs):
            pending = [asyncio.create_task(pool.select_action(request)) for request in requests]
            await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.to_thread(cluster.restart)
            assert await asyncio.gather(*pending) == [
                select_action(request) for request in requests
            ]
