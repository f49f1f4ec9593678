"""Hears what other processes tell through PostgreSQL."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeAlias

import psycopg

from pleasance.server.base.logs import get_log
from pleasance.server.store.database import MISSED, Hear

_LOG = get_log("store")

Driver: TypeAlias = "psycopg.Connection[tuple[Any, ...]]"

CHANNEL: Final = "pleasance"
_PAUSE: Final = 0.5
"""Seconds between attempts to reach the database again."""


class Ears:
    """A thread that listens on a connection of its own, and on another one when that is lost."""

    def __init__(self, connect: Callable[[], Driver], name: str, hear: Hear) -> None:
        self._connect = connect
        self._name = name
        self._hear = hear
        self._bell, self._rope = socket.socketpair()
        # From here on nothing is missed, even before the thread runs.
        self._connection: Driver | None = self._listen()
        self._thread = threading.Thread(target=self._run, name="store-ears", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        if self._thread.is_alive():
            self._rope.send(b"!")
            self._thread.join()
        self._bell.close()
        self._rope.close()

    def _listen(self) -> Driver:
        connection = self._connect()
        connection.execute(f"LISTEN {CHANNEL}")
        return connection

    def _run(self) -> None:
        is_over = False
        while not is_over:
            try:
                is_over = self._hear_next()
            except (psycopg.Error, OSError):  # the connection is lost, or there is none yet
                if self._connection is not None:
                    _LOG.warning("listening_lost")
                self._hang_up()
                is_over = self._wait(None)
        self._hang_up()

    def _hear_next(self) -> bool:
        """Wait for news and pass it on; tell whether it is time to stop."""
        if self._connection is None:
            self._connection = self._listen()
            _LOG.info("listening_again")
            self._hear([MISSED])
        if self._wait(self._connection):
            return True
        self._pass_on(self._connection)
        return False

    def _wait(self, connection: Driver | None) -> bool:
        """Wait for news, or a while if there is no connection; tell whether it is time to stop."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._bell, selectors.EVENT_READ)
            if connection is not None:
                selector.register(connection.fileno(), selectors.EVENT_READ)
            ready = selector.select(_PAUSE if connection is None else None)
        return any(key.fileobj is self._bell for key, _ in ready)

    def _pass_on(self, connection: Driver) -> None:
        """Tell what has come in, but not what this process said itself."""
        topics: list[str] = []
        for notice in connection.notifies(timeout=0):
            sender, *told = notice.payload.split("\n")
            topics.extend(told if sender != self._name else ())
        if topics:
            self._hear(topics)

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()
