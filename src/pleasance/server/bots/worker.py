"""`pleasance worker`: takes thoughts from the database and answers them.

A worker leases what it is about and renews the leases while it thinks. If it dies, its leases run
out and another worker takes over.
"""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from functools import partial

from sqlalchemy import Connection

from pleasance.core.errors import BadSetupError
from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.logs import get_log
from pleasance.server.bots import job_queue
from pleasance.server.bots.local_pool import LocalCrew
from pleasance.server.bots.pool import Crew, Thought, is_quick
from pleasance.server.bots.queued_pool import ANSWER, JOBS
from pleasance.server.store.meta import new_id
from pleasance.server.store.store import Store

_LOG = get_log("worker")
_POLL = 2.0
"""Seconds after which we look for ourselves, should a notification be lost."""

_QUICK = 4
"""How many quick thoughts are taken at a time: they wait for each other, but not for long."""

_TRIES = 3
"""How many workers may die over a thought before a simpler bot does it."""

_SWEEP = 60.0


async def run_worker(url: str, processes: int, stop: asyncio.Event | None = None) -> None:
    """Answer thoughts with so many *processes* until *stop*, or until the system asks to end."""
    if not url.startswith("postgres"):
        raise BadSetupError("worker_needs_postgresql")
    if stop is None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    store = await asyncio.to_thread(Store.open, url)
    try:
        crew = LocalCrew(processes)
        try:
            await Worker(store, crew, processes).run(stop)
        finally:
            await crew.close()
    finally:
        await asyncio.to_thread(store.close)


class Worker:
    """Has a crew think about as many jobs as it has processes."""

    def __init__(self, store: Store, crew: Crew, processes: int) -> None:
        self.name = new_id()
        self._store = store
        self._crew = crew
        self._processes = max(1, processes)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._bots: dict[str, str] = {}
        self._news = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Take jobs until *stop*; then leave those not done to others."""
        unsubscribe = self._store.subscribe(self._hear)
        await self._crew.start()
        _LOG.info("worker_ready", worker=self.name, processes=self._processes)
        chores = [
            asyncio.create_task(self._take_often()),
            asyncio.create_task(self._renew_often()),
            asyncio.create_task(self._sweep_often()),
        ]
        try:
            await _first(*chores, asyncio.create_task(stop.wait()))
        finally:
            unsubscribe()
            await _cancel(*chores, *self._running.values())
            with suppress(UnavailableError):  # then they run out by themselves
                await self._store.write(self._give_back)
            _LOG.info("worker_gone", worker=self.name)

    def _hear(self, topic: str) -> None:
        if topic == JOBS:
            self._news.set()

    async def _take_often(self) -> None:
        """Lease what we have room for, as soon as there is something new or some room."""
        while True:
            self._news.clear()
            try:
                for quick, most in ((True, _QUICK), (False, self._processes)):
                    await self._take(most - self._count(quick=quick), quick=quick)
            except UnavailableError as refusal:
                _LOG.warning("database_away", reason=refusal.code)
            with suppress(TimeoutError):
                async with asyncio.timeout(_POLL):
                    await self._news.wait()

    def _count(self, *, quick: bool) -> int:
        return sum(is_quick(bot) == quick for bot in self._bots.values())

    async def _take(self, room: int, *, quick: bool) -> None:
        if room <= 0:
            return
        take = partial(job_queue.take, worker=self.name, count=room, quick=quick)
        for thought, attempts in await self._store.write(take):
            if thought.key in self._running:
                continue  # our own lease ran out while the database was away
            task = asyncio.create_task(self._do(thought, attempts))
            self._running[thought.key] = task
            self._bots[thought.key] = thought.bot
            task.add_done_callback(partial(self._forget, thought.key))

    def _forget(self, key: str, _task: asyncio.Task[None]) -> None:
        del self._running[key], self._bots[key]
        self._news.set()

    async def _do(self, thought: Thought, attempts: int) -> None:
        """Think and answer."""
        asked = thought if attempts <= _TRIES else thought.by_stand_in()
        try:
            token = await self._crew.think(asked)
        except UnavailableError as refusal:
            # Nobody can do it; the server that asked will help itself.
            _LOG.error("thought_failed", table=thought.table, reason=refusal.code)
            return
        while True:
            try:
                await self._store.write(partial(self._answer, thought.key, token))
            except UnavailableError:
                await asyncio.sleep(_POLL / 4)
            else:
                return

    def _answer(self, key: str, token: str, connection: Connection) -> None:
        if job_queue.answer(connection, key, token):
            self._store.publish(connection, ANSWER + key)

    async def _renew_often(self) -> None:
        """Keep our leases while we think; stop thinking about what is not wanted any more."""
        while True:
            await asyncio.sleep(job_queue.LEASE / 4)
            keys = tuple(self._running)
            if not keys:
                continue
            with suppress(UnavailableError):
                wanted = await self._store.write(
                    partial(job_queue.renew, worker=self.name, keys=keys)
                )
                for key in keys:
                    if key not in wanted and key in self._running:
                        self._running[key].cancel()

    async def _sweep_often(self) -> None:
        while True:
            with suppress(UnavailableError):
                await self._store.write(job_queue.sweep)
            await asyncio.sleep(_SWEEP)

    def _give_back(self, connection: Connection) -> None:
        if job_queue.give_back(connection, self.name):
            self._store.publish(connection, JOBS)


async def _first(*tasks: asyncio.Task[object]) -> None:
    """Wait for the first of some tasks; if it failed, so do we."""
    done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    for task in done:
        task.result()


async def _cancel(*tasks: asyncio.Task[object]) -> None:
    """Cancel some tasks and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
