"""Work on its way to the writer and the answer on its way back, to whatever thread asked."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeAlias

from sqlalchemy import Connection

from pleasance.server.base.logs import get_log
from pleasance.server.store.appends import Append

_LOG = get_log("store")

Work: TypeAlias = Callable[[Connection], object]
Listener: TypeAlias = Callable[[str], None]


class Job:
    """Something to write, and who waits for it."""

    __slots__ = ("error", "future", "loop", "result", "task")

    def __init__(self, task: Append | Work, loop: asyncio.AbstractEventLoop | None) -> None:
        self.task = task
        self.loop = loop
        self.future: asyncio.Future[object] | concurrent.futures.Future[object] = (
            concurrent.futures.Future() if loop is None else loop.create_future()
        )
        self.result: object = None
        self.error: Exception | None = None


class _Subscription:
    """Somebody who wants to be told topics, until it *is_on* no more."""

    __slots__ = ("is_on", "listener", "loop")

    def __init__(self, listener: Listener, loop: asyncio.AbstractEventLoop | None) -> None:
        self.listener = listener
        self.loop = loop
        self.is_on = True

    def tell(self, topics: Sequence[str]) -> None:
        for topic in topics:
            if self.is_on:
                try:
                    self.listener(topic)
                except Exception:  # noqa: BLE001  (it must not silence others, nor end a thread)
                    _LOG.exception("listener_failed")


class Post:
    """Carries answers and topics to the threads that wait for them."""

    def __init__(self) -> None:
        self._gate = threading.Lock()
        self._subscriptions: tuple[_Subscription, ...] = ()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell *listener* each topic, in the thread of the event loop that runs now.

        Without an event loop it is told in a thread of the store.
        """
        loop = None
        with suppress(RuntimeError):  # there is none
            loop = asyncio.get_running_loop()
        one = _Subscription(listener, loop)
        with self._gate:
            self._subscriptions = (*self._subscriptions, one)

        def stop() -> None:
            one.is_on = False
            with self._gate:
                self._subscriptions = tuple(sub for sub in self._subscriptions if sub.is_on)

        return stop

    def deliver(self, jobs: Iterable[Job], topics: Sequence[str]) -> None:
        """Answer *jobs* and tell *topics*: one call into each event loop, however many they are."""
        answered: dict[asyncio.AbstractEventLoop | None, list[Job]] = {}
        for job in jobs:
            answered.setdefault(job.loop, []).append(job)
        told: dict[asyncio.AbstractEventLoop | None, list[_Subscription]] = {}
        for one in self._subscriptions if topics else ():
            told.setdefault(one.loop, []).append(one)
        for loop in answered | told:
            parcel = (answered.get(loop, ()), told.get(loop, ()), topics)
            if loop is None:
                _open(*parcel)
            else:
                with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                    loop.call_soon_threadsafe(_open, *parcel)


def _open(jobs: Sequence[Job], told: Sequence[_Subscription], topics: Sequence[str]) -> None:
    """Hand out what has come to one thread."""
    for job in jobs:
        future = job.future
        if future.done():  # who asked has gone
            continue
        if job.error is None:
            future.set_result(job.result)
        else:
            future.set_exception(job.error)
    for one in told:
        if one.loop is None:
            one.tell(topics)
        else:
            # After those who have just been answered: they know already what the topics tell, and
            # each would be told anew in a task of its own.
            one.loop.call_soon(one.tell, topics)
