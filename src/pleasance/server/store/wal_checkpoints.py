"""Brings what SQLite has written ahead into the file itself, without holding up who writes."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

_PAUSE: Final = 0.5
"""Seconds to gather work."""


class Checkpoints:
    """A thread that does by and by what a commit would otherwise have to do now and then.

    Syncing the whole file takes as long as many commits; players would notice.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_due = threading.Event()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-checkpoints", daemon=True)
        self._thread.start()

    def note(self) -> None:
        """Note that something is being written."""
        self._is_due.set()

    def close(self) -> None:
        """Stop; who closes the file last brings the rest into it."""
        self._is_over.set()
        self._is_due.set()
        self._thread.join()

    def _run(self) -> None:
        with closing(sqlite3.connect(self._path, isolation_level=None)) as driver:
            driver.execute("PRAGMA synchronous = full")
            while not self._is_over.is_set():
                self._is_due.wait()
                self._is_due.clear()
                self._is_over.wait(_PAUSE)
                with suppress(sqlite3.Error):  # a disk that is full is noticed by who writes
                    driver.execute("PRAGMA wal_checkpoint(passive)")
