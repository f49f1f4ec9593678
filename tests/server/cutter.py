"""Stands between a store and PostgreSQL and cuts the wire when a transaction is committed."""

from __future__ import annotations

import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SOCKET = ".s.PGSQL.5432"


class Cutter:
    """Carries everything on, except when it is told to cut."""

    def __init__(self, folder: str, server: Path) -> None:
        self.folder = folder
        self._cut: str | None = None
        self._server = str(server / SOCKET)
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(f"{folder}/{SOCKET}")
        self._door.listen()
        self._threads = [threading.Thread(target=self._let_in)]
        self._threads[0].start()

    def arm(self, moment: str) -> None:
        """Cut at the next COMMIT: `before` the server has it, or `after` it was carried out."""
        assert self._cut is None, "it was not cut the last time"
        self._cut = moment

    def close(self) -> None:
        """Let nobody in any more; wait until all have gone."""
        self._door.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._door.close()

    def _let_in(self) -> None:
        with suppress(OSError):  # the door is shut
            while True:
                client, _ = self._door.accept()
                self._threads.append(threading.Thread(target=self._carry, args=(client,)))
                self._threads[-1].start()

    def _carry(self, client: socket.socket) -> None:
        """Serve one connection."""
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._server)
            wire = _Wire(client, server)
            with suppress(OSError):
                while data := client.recv(1 << 16):
                    cut = self._cut if b"COMMIT" in data else None
                    if cut is not None:
                        self._cut = None
                    if cut == "before":
                        break
                    wire.is_cut = cut == "after"
                    server.sendall(data)
                    if wire.is_cut:
                        wire.has_answered.wait()
                        break
            wire.close()


class _Wire:
    """Brings the answers back, until it is cut."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.is_cut = False
        self.has_answered = threading.Event()
        self._client = client
        self._server = server
        self._thread = threading.Thread(target=self._pour)
        self._thread.start()

    def close(self) -> None:
        """Cut both ends."""
        for end in (self._client, self._server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    def _pour(self) -> None:
        with suppress(OSError):
            while data := self._server.recv(1 << 16):
                if self.is_cut:
                    self.has_answered.set()
                else:
                    self._client.sendall(data)
            self._client.shutdown(socket.SHUT_RDWR)
        self.has_answered.set()


@contextmanager
def cutter(server: Path) -> Iterator[Cutter]:
    """Stand in front of the server in a folder."""
    with tempfile.TemporaryDirectory(prefix="cut") as folder:
        one = Cutter(folder, server)
        try:
            yield one
        finally:
            one.close()
