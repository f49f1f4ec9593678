"""Checkpoints SQLite's write-ahead log in the background, without blocking writers."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

_CHECKPOINT_DELAY_S: Final = 0.5
"""How long to gather writes before a checkpoint."""


class WalCheckpointer:
    """A thread that runs the checkpoints that commits would otherwise run now and then.

    Syncing the whole file takes as long as many commits; players would notice.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._has_writes = threading.Event()
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-checkpoints", daemon=True)
        self._thread.start()

    def schedule(self) -> None:
        """Schedule a checkpoint: a write has begun."""
        self._has_writes.set()

    def close(self) -> None:
        """Stop; the last connection to close the file checkpoints the rest."""
        self._is_closed.set()
        self._has_writes.set()
        self._thread.join()

    def _run(self) -> None:
        with closing(sqlite3.connect(self._path, isolation_level=None)) as driver:
            driver.execute("PRAGMA synchronous = full")
            while not self._is_closed.is_set():
                self._has_writes.wait()
                self._has_writes.clear()
                self._is_closed.wait(_CHECKPOINT_DELAY_S)
                with suppress(sqlite3.Error):  # the writer notices a full disk
                    driver.execute("PRAGMA wal_checkpoint(passive)")
