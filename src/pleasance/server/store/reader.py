"""Runs reads in a thread pool, each on one consistent snapshot of the database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from sqlalchemy import Connection

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.database import Database, Fault, classify_error

T = TypeVar("T")

READER_THREADS: Final = 4

_RETRY_DELAY_S: Final = 0.1


class Reader:
    """Reads, and retries for a short time while the database is unavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._threads = ThreadPoolExecutor(READER_THREADS, thread_name_prefix="store-reader")
        self._is_unavailable = False

    def submit(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Run *work* in another thread."""
        loop = asyncio.get_running_loop()
        try:
            return loop.run_in_executor(self._threads, self.read, work)
        except RuntimeError as error:  # the threads are gone
            raise UnavailableError("storage_closed") from error

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in this thread."""
        # Once the database is known to be away, reads are refused at once.
        timeout = 0.0 if self._is_unavailable else self._database.reconnect_timeout_s
        end = time.monotonic() + timeout
        while True:
            try:
                with self._database.reader.connect() as connection:
                    result = work(connection)
            except Exception as error:
                fault = classify_error(self._database, error)
                if fault in {Fault.STATEMENT, Fault.READ_ONLY}:  # a read must not write
                    raise
                if time.monotonic() >= end:
                    self._is_unavailable = True
                    raise UnavailableError(fault.code) from error
                time.sleep(_RETRY_DELAY_S)
            else:
                self._is_unavailable = False
                return result

    def close(self) -> None:
        """Finish the reads that have begun, then stop."""
        self._threads.shutdown()
