"""Delivers write results and published topics (pub/sub) to the event loops that wait for them."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeAlias

from sqlalchemy import Connection

from pleasance.server.base.logs import get_logger
from pleasance.server.store.appends import Append

_LOG = get_logger("store")

Work: TypeAlias = Callable[[Connection], object]
Listener: TypeAlias = Callable[[str], None]


class WriteJob:
    """One write, with the future of its caller."""

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
    __slots__ = ("is_active", "listener", "loop")

    def __init__(self, listener: Listener, loop: asyncio.AbstractEventLoop | None) -> None:
        self.listener = listener
        self.loop = loop
        self.is_active = True

    def notify(self, topics: Sequence[str]) -> None:
        for topic in topics:
            if self.is_active:
                try:
                    self.listener(topic)
                except Exception:  # noqa: BLE001  (it must not silence others, nor end a thread)
                    _LOG.exception("listener_failed")


class ResultDispatcher:
    """Carries results and topics to the threads that wait for them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscriptions: tuple[_Subscription, ...] = ()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call *listener* with each topic, in the running event loop; return how to unsubscribe.

        Without an event loop it is called in a thread of the store.
        """
        loop = None
        with suppress(RuntimeError):  # there is none
            loop = asyncio.get_running_loop()
        subscription = _Subscription(listener, loop)
        with self._lock:
            self._subscriptions = (*self._subscriptions, subscription)

        def unsubscribe() -> None:
            subscription.is_active = False
            with self._lock:
                self._subscriptions = tuple(sub for sub in self._subscriptions if sub.is_active)

        return unsubscribe

    def dispatch(self, jobs: Iterable[WriteJob], topics: Sequence[str]) -> None:
        """Resolve *jobs* and publish *topics*, with one call into each event loop."""
        finished: dict[asyncio.AbstractEventLoop | None, list[WriteJob]] = {}
        for job in jobs:
            finished.setdefault(job.loop, []).append(job)
        notified: dict[asyncio.AbstractEventLoop | None, list[_Subscription]] = {}
        for subscription in self._subscriptions if topics else ():
            notified.setdefault(subscription.loop, []).append(subscription)
        for loop in finished | notified:
            arguments = (finished.get(loop, ()), notified.get(loop, ()), topics)
            if loop is None:
                _deliver(*arguments)
            else:
                with suppress(RuntimeError):  # the loop is closed, and its callers with it
                    loop.call_soon_threadsafe(_deliver, *arguments)


def _deliver(
    jobs: Sequence[WriteJob], subscriptions: Sequence[_Subscription], topics: Sequence[str]
) -> None:
    """Resolve jobs and notify subscriptions of one thread."""
    for job in jobs:
        future = job.future
        if future.done():  # the caller has been cancelled
            continue
        if job.error is None:
            future.set_result(job.result)
        else:
            future.set_exception(job.error)
    for subscription in subscriptions:
        if subscription.loop is None:
            subscription.notify(topics)
        else:
            # After the callers resolved above: they know already what the topics say, and would
            # otherwise each be notified once more in a task of their own.
            subscription.loop.call_soon(subscription.notify, topics)
