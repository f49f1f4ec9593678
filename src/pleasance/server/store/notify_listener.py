"""Receives the topics of other processes through PostgreSQL's LISTEN/NOTIFY (pub/sub)."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeAlias

import psycopg

from pleasance.server.base.logs import get_logger
from pleasance.server.store.database import ReceiveTopics
from pleasance.server.store.topics import TOPICS_MISSED

_LOG = get_logger("store")

Driver: TypeAlias = "psycopg.Connection[tuple[Any, ...]]"

CHANNEL: Final = "pleasance"
_RECONNECT_DELAY_S: Final = 0.5


class NotifyListener:
    """A thread that listens on its own connection and reconnects when that is lost."""

    def __init__(self, connect: Callable[[], Driver], name: str, receive: ReceiveTopics) -> None:
        self._connect = connect
        self._name = name
        self._receive = receive
        self._wake_recv, self._wake_send = socket.socketpair()
        # From here on nothing is missed, even before the thread runs.
        self._connection: Driver | None = self._listen()
        self._thread = threading.Thread(target=self._run, name="store-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        if self._thread.is_alive():
            self._wake_send.send(b"!")
            self._thread.join()
        self._wake_recv.close()
        self._wake_send.close()

    def _listen(self) -> Driver:
        connection = self._connect()
        connection.execute(f"LISTEN {CHANNEL}")
        return connection

    def _run(self) -> None:
        is_stopped = False
        while not is_stopped:
            try:
                is_stopped = self._receive_next()
            except (psycopg.Error, OSError):  # the connection is lost, or there is none yet
                if self._connection is not None:
                    _LOG.warning("listening_lost")
                self._disconnect()
                is_stopped = self._wait(None)
        self._disconnect()

    def _receive_next(self) -> bool:
        """Wait for notifications and pass them on; return whether to stop."""
        if self._connection is None:
            self._connection = self._listen()
            _LOG.info("listening_again")
            self._receive([TOPICS_MISSED])
        if self._wait(self._connection):
            return True
        self._forward(self._connection)
        return False

    def _wait(self, connection: Driver | None) -> bool:
        """Wait for input, or the reconnect delay without a connection; return whether to stop."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._wake_recv, selectors.EVENT_READ)
            if connection is not None:
                selector.register(connection.fileno(), selectors.EVENT_READ)
            ready = selector.select(_RECONNECT_DELAY_S if connection is None else None)
        return any(key.fileobj is self._wake_recv for key, _ in ready)

    def _forward(self, connection: Driver) -> None:
        """Pass on the topics of other processes, leaving out this one's."""
        topics: list[str] = []
        for notice in connection.notifies(timeout=0):
            sender, *received = notice.payload.split("\n")
            topics.extend(received if sender != self._name else ())
        if topics:
            self._receive(topics)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()
