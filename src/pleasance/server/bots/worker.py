"""Worker of the job queue, `pleasance worker`: leases move requests and completes them.

It renews its leases while it computes. If it dies, they expire and another worker takes the jobs.
"""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from functools import partial

from sqlalchemy import Connection

from pleasance.core.errors import BadSetupError
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.logs import get_logger
from pleasance.server.bots import job_queue
from pleasance.server.bots.eligibility import is_quick
from pleasance.server.bots.local_pool import LocalBotPool
from pleasance.server.bots.pool import BotPool, MoveRequest
from pleasance.server.store.meta import new_id
from pleasance.server.store.store import Store
from pleasance.server.store.topics import JOB_RESULT_PREFIX, JOBS_TOPIC

_LOG = get_logger("worker")
_POLL_INTERVAL_S = 2.0
"""How often the queue is read without a notification, since one may be lost."""

_MAX_QUICK_JOBS = 4
"""How many quick jobs are leased at a time: they queue for one process, but not for long."""

_MAX_ATTEMPTS = 3
"""How many workers may die over a job before the fallback player gets it."""

_CLEANUP_INTERVAL_S = 60.0


async def run_worker(url: str, processes: int, stop: asyncio.Event | None = None) -> None:
    """Compute jobs with *processes* bot processes until *stop*, or until a signal to terminate."""
    if not url.startswith("postgres"):
        raise BadSetupError("worker_needs_postgresql")
    if stop is None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    store = await asyncio.to_thread(Store.open, url)
    try:
        bot_pool = LocalBotPool(processes)
        try:
            await Worker(store, bot_pool, processes).run(stop)
        finally:
            await bot_pool.close()
    finally:
        await asyncio.to_thread(store.close)


class Worker:
    """Leases as many jobs as its bot pool has processes."""

    def __init__(self, store: Store, bot_pool: BotPool, processes: int) -> None:
        self.name = new_id()
        self._store = store
        self._bot_pool = bot_pool
        self._processes = max(1, processes)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._bots: dict[str, str] = {}
        self._wake = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Compute jobs until *stop*; then release the leases of those not done."""
        unsubscribe = self._store.subscribe(self._on_notification)
        await self._bot_pool.start()
        _LOG.info("worker_ready", worker=self.name, processes=self._processes)
        loops = [
            asyncio.create_task(self._lease_loop()),
            asyncio.create_task(self._renew_loop()),
            asyncio.create_task(self._cleanup_loop()),
        ]
        try:
            await _wait_for_first(*loops, asyncio.create_task(stop.wait()))
        finally:
            unsubscribe()
            await _cancel(*loops, *self._running.values())
            with suppress(UnavailableError):  # then they expire
                await self._store.write(self._release_leases)
            _LOG.info("worker_stopped", worker=self.name)

    def _on_notification(self, topic: str) -> None:
        if topic == JOBS_TOPIC:
            self._wake.set()

    async def _lease_loop(self) -> None:
        """Lease jobs up to our capacity, whenever there is a new job or a free process."""
        while True:
            self._wake.clear()
            try:
                for quick, limit in ((True, _MAX_QUICK_JOBS), (False, self._processes)):
                    await self._lease(limit - self._count_running(quick=quick), quick=quick)
            except UnavailableError as refusal:
                _LOG.warning("database_away", reason=refusal.code)
            with suppress(TimeoutError):
                async with asyncio.timeout(_POLL_INTERVAL_S):
                    await self._wake.wait()

    def _count_running(self, *, quick: bool) -> int:
        return sum(is_quick(bot) == quick for bot in self._bots.values())

    async def _lease(self, capacity: int, *, quick: bool) -> None:
        if capacity <= 0:
            return
        lease = partial(job_queue.lease_jobs, worker=self.name, count=capacity, quick=quick)
        for request, attempts in await self._store.write(lease):
            if request.key in self._running:
                continue  # our own lease expired while the database was away
            task = asyncio.create_task(self._compute(request, attempts))
            self._running[request.key] = task
            self._bots[request.key] = request.bot
            task.add_done_callback(partial(self._forget, request.key))

    def _forget(self, key: str, _task: asyncio.Task[None]) -> None:
        del self._running[key], self._bots[key]
        self._wake.set()

    async def _compute(self, request: MoveRequest, attempts: int) -> None:
        """Compute a job and store its result."""
        attempted = request if attempts <= _MAX_ATTEMPTS else request.with_fallback()
        try:
            token = await self._bot_pool.select_action(attempted)
        except UnavailableError as refusal:
            # No worker can compute it; the server that enqueued it will use its fallback.
            _LOG.error("job_failed", table=request.table, reason=refusal.code)
            return
        while True:
            try:
                await self._store.write(partial(self._complete, request.key, token))
            except UnavailableError:
                await asyncio.sleep(_POLL_INTERVAL_S / 4)
            else:
                return

    def _complete(self, key: str, token: str, connection: Connection) -> None:
        if job_queue.complete(connection, key, token):
            self._store.publish(connection, JOB_RESULT_PREFIX + key)

    async def _renew_loop(self) -> None:
        """Renew the leases of running jobs; cancel those that are not wanted any more."""
        while True:
            await asyncio.sleep(job_queue.LEASE_S / 4)
            keys = tuple(self._running)
            if not keys:
                continue
            with suppress(UnavailableError):
                wanted = await self._store.write(
                    partial(job_queue.renew_leases, worker=self.name, keys=keys)
                )
                for key in keys:
                    if key not in wanted and key in self._running:
                        self._running[key].cancel()

    async def _cleanup_loop(self) -> None:
        while True:
            with suppress(UnavailableError):
                await self._store.write(job_queue.delete_expired)
            await asyncio.sleep(_CLEANUP_INTERVAL_S)

    def _release_leases(self, connection: Connection) -> None:
        if job_queue.release_leases(connection, self.name):
            self._store.publish(connection, JOBS_TOPIC)


async def _wait_for_first(*tasks: asyncio.Task[object]) -> None:
    """Wait for the first of some tasks, cancel the others, and raise if it failed."""
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    for task in done:
        task.result()


async def _cancel(*tasks: asyncio.Task[object]) -> None:
    """Cancel some tasks and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
