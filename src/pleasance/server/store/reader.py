"""Reading: in a pool of threads, each time one moment of the database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from sqlalchemy import Connection

from pleasance.server.base.errors import UnavailableError
from pleasance.server.store.database import Database, Fault, find_fault

T = TypeVar("T")

READERS: Final = 4
"""How many threads read."""

_PAUSE: Final = 0.1
"""Seconds between attempts while the database is away."""


class Reader:
    """Reads, and waits a little for a database that has gone away."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")
        self._is_away = False

    def read_soon(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Run *work* in another thread."""
        loop = asyncio.get_running_loop()
        try:
            return loop.run_in_executor(self._threads, self.read, work)
        except RuntimeError as error:  # the threads are gone
            raise UnavailableError("storage_closed") from error

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in this thread."""
        # Once the database is known to be away, nobody waits for it: work is refused at once.
        end = time.monotonic() + (0.0 if self._is_away else self._database.patience)
        while True:
            try:
                with self._database.reader.connect() as connection:
                    result = work(connection)
            except Exception as error:
                fault = find_fault(self._database, error)
                if fault in {Fault.MISTAKE, Fault.SEALED}:  # who reads must not write
                    raise
                if time.monotonic() >= end:
                    self._is_away = True
                    raise UnavailableError(fault.code) from error
                time.sleep(_PAUSE)
            else:
                self._is_away = False
                return result

    def close(self) -> None:
        """Finish what was begun, then stop."""
        self._threads.shutdown()
