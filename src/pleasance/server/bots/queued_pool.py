"""Queued bot pool: move requests go through the job queue to workers on any number of machines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import perf_counter

from sqlalchemy import Connection

from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.logs import get_logger
from pleasance.server.base.metrics import BOT_CHOICE_SECONDS, QUEUE_LENGTHS
from pleasance.server.bots import job_queue
from pleasance.server.bots.pool import MOVE_TIMEOUT_S, BotPool, MoveRequest, SelectedMove
from pleasance.server.bots.select_action import select_action
from pleasance.server.store.store import Store
from pleasance.server.store.topics import JOB_RESULT_PREFIX, JOBS_TOPIC

_LOG = get_logger("bots")
_POLL_INTERVAL_S = 2.0
"""How often the database is read without a notification, since one may be lost."""


class QueuedBotPool(BotPool):
    """Enqueues requests for workers; a game goes on even where no worker runs.

    A request without a result after *timeout* seconds is computed here by the fallback player.
    """

    def __init__(self, store: Store, *, timeout: float = 1.5 * MOVE_TIMEOUT_S) -> None:
        self._store = store
        self._timeout = timeout
        self._awaited: dict[str, set[asyncio.Event]] = {}
        self._withdrawals: set[asyncio.Task[None]] = set()
        self._unsubscribe: Callable[[], None] | None = None
        self._is_closed = False

    async def start(self) -> None:
        """Subscribe to results."""
        if self._unsubscribe is None:
            self._unsubscribe = self._store.subscribe(self._on_notification)

    async def select_move(self, request: MoveRequest) -> SelectedMove:
        """Enqueue a request and await its result; workers do not report whose move it is."""
        if self._is_closed:
            raise UnavailableError("bots_closed")
        await self.start()
        started = perf_counter()
        notified = asyncio.Event()
        self._awaited.setdefault(request.key, set()).add(notified)
        QUEUE_LENGTHS.labels("bots").set(len(self._awaited))
        try:
            async with asyncio.timeout(self._timeout):
                move = SelectedMove(await self._await_result(request, notified), None)
        except TimeoutError:
            _LOG.error("no_worker_answers", bot=request.bot, table=request.table)
            simpler = request.with_fallback()
            move = SelectedMove(await asyncio.to_thread(select_action, simpler), simpler.bot)
        except asyncio.CancelledError:
            self._withdraw(request.key)
            raise
        finally:
            self._forget(request.key, notified)
            QUEUE_LENGTHS.labels("bots").set(len(self._awaited))
        BOT_CHOICE_SECONDS.observe(perf_counter() - started)
        return move

    async def close(self) -> None:
        """Unsubscribe; workers finish the jobs they have leased."""
        self._is_closed = True
        if self._unsubscribe is not None:
            self._unsubscribe()
        await asyncio.gather(*self._withdrawals)

    async def _await_result(self, request: MoveRequest, notified: asyncio.Event) -> str:
        """Enqueue and wait until there is a result, retrying while the database is unavailable."""
        job: job_queue.JobResult | None = None
        while job is None or job.token is None:
            notified.clear()
            try:
                if job is None:
                    job = await self._store.write(partial(self._enqueue, request))
                else:
                    job = await self._store.read(partial(job_queue.find_result, key=request.key))
            except UnavailableError:
                job = None
            if job is not None and job.token is None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_INTERVAL_S):
                        await notified.wait()
            elif job is None:
                await asyncio.sleep(_POLL_INTERVAL_S / 4)
        return job.token

    def _enqueue(self, request: MoveRequest, connection: Connection) -> job_queue.JobResult:
        job = job_queue.enqueue(connection, request)
        if job.token is None:
            self._store.publish(connection, JOBS_TOPIC)
        return job

    def _on_notification(self, topic: str) -> None:
        for notified in self._awaited.get(topic.removeprefix(JOB_RESULT_PREFIX), ()):
            notified.set()

    def _forget(self, key: str, notified: asyncio.Event) -> None:
        self._awaited[key].discard(notified)
        if not self._awaited[key]:
            del self._awaited[key]

    def _withdraw(self, key: str) -> None:
        """Withdraw a job in the background, so that the cancelled caller need not wait."""

        async def withdraw() -> None:
            with suppress(UnavailableError):  # then a worker computes it in vain
                await self._store.write(partial(job_queue.withdraw, key=key))

        task = asyncio.create_task(withdraw())
        self._withdrawals.add(task)
        task.add_done_callback(self._withdrawals.discard)
