"""The writer thread: commits all jobs queued so far as one transaction (group commit).

Its queue is bounded (backpressure): beyond `MAX_QUEUED_JOBS` further writes are refused.
"""

from __future__ import annotations

import threading
import time
from queue import Empty, SimpleQueue
from typing import Final

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.batch_writer import BatchWriter
from pleasance.server.store.database import Database
from pleasance.server.store.dispatcher import ResultDispatcher, WriteJob

MAX_BATCH_JOBS: Final = 512
"""The most jobs that are committed together."""

BUSY_BATCH_JOBS: Final = 8
"""A batch of at least this size shows that more will follow at once."""

GATHER_DELAY_S: Final = 0.012
"""How long to gather jobs while busy: each commit makes the event loop wait several times."""

MAX_QUEUED_JOBS: Final = 20_000
"""The most jobs that may be queued; more are refused."""


class Writer:
    """Takes jobs from any thread and resolves them once they are on disk."""

    def __init__(self, database: Database, dispatcher: ResultDispatcher) -> None:
        self._batch_writer = BatchWriter(database)
        self._dispatcher = dispatcher
        self._queue: SimpleQueue[WriteJob | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    @property
    def queued_jobs(self) -> int:
        """The length of the queue."""
        return self._queue.qsize()

    def submit(self, job: WriteJob) -> None:
        """Queue a job."""
        with self._lock:  # nothing may come in behind the end mark that `close` queues
            if self._is_closed:
                raise UnavailableError("storage_closed")
            if self._queue.qsize() >= MAX_QUEUED_JOBS:
                raise UnavailableError("storage_busy")
            self._queue.put(job)

    def close(self) -> None:
        """Finish all queued jobs, then stop."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        is_open, jobs = True, list[WriteJob]()
        while is_open:
            if len(jobs) >= BUSY_BATCH_JOBS:
                time.sleep(GATHER_DELAY_S)
            jobs, is_open = self._next_batch()
            if jobs:
                self._dispatcher.dispatch(jobs, self._batch_writer.write(jobs))
        self._batch_writer.close()

    def _next_batch(self) -> tuple[list[WriteJob], bool]:
        """Wait for a job; return all that are queued, and whether more may come."""
        found = self._queue.get()
        jobs: list[WriteJob] = []
        try:
            while found is not None:
                jobs.append(found)
                if len(jobs) == MAX_BATCH_JOBS:
                    return jobs, True
                found = self._queue.get_nowait()
        except Empty:
            return jobs, True
        return jobs, False
