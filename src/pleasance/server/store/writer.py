"""The one thread that writes: what has come in meanwhile is committed together."""

from __future__ import annotations

import threading
import time
from queue import Empty, SimpleQueue
from typing import Final

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.batch_writer import Scribe
from pleasance.server.store.database import Database
from pleasance.server.store.dispatcher import Job, Post

BATCH: Final = 512
"""The most jobs that are committed together."""

COMPANY: Final = 8
"""A batch of so many jobs shows that more will follow at once."""

LINGER: Final = 0.012
"""Seconds to wait for those: each commit makes the event loop wait several times."""

WAITING: Final = 20_000
"""The most jobs that may wait; more are refused."""


class Writer:
    """Takes jobs from any thread and answers them once they are on disk."""

    def __init__(self, database: Database, post: Post) -> None:
        self._scribe = Scribe(database)
        self._post = post
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._gate = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Count the jobs in the queue."""
        return self._queue.qsize()

    def take(self, job: Job) -> None:
        """Put a job into the queue."""
        with self._gate:  # nothing may come in behind the last word of `close`
            if self._is_closed:
                raise UnavailableError("storage_closed")
            if self._queue.qsize() >= WAITING:
                raise UnavailableError("storage_busy")
            self._queue.put(job)

    def close(self) -> None:
        """Finish what was taken, then stop."""
        with self._gate:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        is_open, jobs = True, list[Job]()
        while is_open:
            if len(jobs) >= COMPANY:
                time.sleep(LINGER)
            jobs, is_open = self._next_batch()
            if jobs:
                self._post.deliver(jobs, self._scribe.write(jobs))
        self._scribe.close()

    def _next_batch(self) -> tuple[list[Job], bool]:
        """Wait for a job; give all that are there, and whether more may come."""
        found = self._queue.get()
        jobs: list[Job] = []
        try:
            while found is not None:
                jobs.append(found)
                if len(jobs) == BATCH:
                    return jobs, True
                found = self._queue.get_nowait()
        except Empty:
            return jobs, True
        return jobs, False
