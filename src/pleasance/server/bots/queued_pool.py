"""A crew on any number of machines: thoughts go through the database to `pleasance worker`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import perf_counter

from sqlalchemy import Connection

from pleasance.server.base.errors import UnavailableError
from pleasance.server.base.logs import get_log
from pleasance.server.base.metrics import QUEUES, THINKING
from pleasance.server.bots import job_queue
from pleasance.server.bots.pool import LIMIT, Advice, Thought
from pleasance.server.bots.select_action import think
from pleasance.server.store.store import Store

JOBS = "jobs"
"""The topic that wakes workers."""

ANSWER = "answer:"
"""What the topic of an answer begins with; the key of the job follows."""

_LOG = get_log("bots")
_POLL = 2.0
"""Seconds after which we look for ourselves, should a notification be lost."""


class SharedCrew:
    """Asks the workers of all machines; a game goes on even when there is none.

    What nobody has answered within *limit* seconds is answered here, by a simple bot.
    """

    def __init__(self, store: Store, *, limit: float = 1.5 * LIMIT) -> None:
        self._store = store
        self._limit = limit
        self._awaited: dict[str, set[asyncio.Event]] = {}
        self._withdrawals: set[asyncio.Task[None]] = set()
        self._unsubscribe: Callable[[], None] | None = None
        self._is_closed = False

    async def start(self) -> None:
        """Begin to listen for answers."""
        if self._unsubscribe is None:
            self._unsubscribe = self._store.subscribe(self._hear)

    async def think(self, thought: Thought) -> str:
        """Give the choice in notation, made by whichever worker is free."""
        return (await self.advise(thought)).token

    async def advise(self, thought: Thought) -> Advice:
        """Give the choice; workers do not tell whether a simpler bot stood in for theirs."""
        if self._is_closed:
            raise UnavailableError("bots_closed")
        await self.start()
        started = perf_counter()
        heard = asyncio.Event()
        self._awaited.setdefault(thought.key, set()).add(heard)
        QUEUES.set("bots", len(self._awaited))
        try:
            async with asyncio.timeout(self._limit):
                advice = Advice(await self._ask(thought, heard), None)
        except TimeoutError:
            _LOG.error("no_worker_answers", bot=thought.bot, table=thought.table)
            simpler = thought.by_stand_in()
            advice = Advice(await asyncio.to_thread(think, simpler), simpler.bot)
        except asyncio.CancelledError:
            self._withdraw(thought.key)
            raise
        finally:
            self._leave(thought.key, heard)
            QUEUES.set("bots", len(self._awaited))
        THINKING.note(perf_counter() - started)
        return advice

    async def close(self) -> None:
        """Stop listening; what workers are about they finish."""
        self._is_closed = True
        if self._unsubscribe is not None:
            self._unsubscribe()
        await asyncio.gather(*self._withdrawals)

    async def _ask(self, thought: Thought, heard: asyncio.Event) -> str:
        """Ask until there is an answer, whatever happens to the database meanwhile."""
        row: job_queue.Row | None = None
        while row is None or row.token is None:
            heard.clear()
            try:
                if row is None:
                    row = await self._store.write(partial(self._insert, thought))
                else:
                    row = await self._store.read(partial(job_queue.find, key=thought.key))
            except UnavailableError:
                row = None
            if row is not None and row.token is None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_POLL):
                        await heard.wait()
            elif row is None:
                await asyncio.sleep(_POLL / 4)
        return row.token

    def _insert(self, thought: Thought, connection: Connection) -> job_queue.Row:
        row = job_queue.ask(connection, thought)
        if row.token is None:
            self._store.publish(connection, JOBS)
        return row

    def _hear(self, topic: str) -> None:
        for heard in self._awaited.get(topic.removeprefix(ANSWER), ()):
            heard.set()

    def _leave(self, key: str, heard: asyncio.Event) -> None:
        self._awaited[key].discard(heard)
        if not self._awaited[key]:
            del self._awaited[key]

    def _withdraw(self, key: str) -> None:
        """Take a job back in the background: whoever gave it up does not wait for that."""
        task = asyncio.create_task(self._take_back(key))
        self._withdrawals.add(task)
        task.add_done_callback(self._withdrawals.discard)

    async def _take_back(self, key: str) -> None:
        with suppress(UnavailableError):  # then a worker does it for nothing
            await self._store.write(partial(job_queue.withdraw, key=key))
