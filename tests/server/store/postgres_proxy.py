"""A proxy between a store and PostgreSQL that drops the connection at a COMMIT."""

from __future__ import annotations

import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SOCKET = ".s.PGSQL.5432"


class CommitDropper:
    """Forwards all bytes, until it is armed to drop the connection."""

    def __init__(self, folder: str, server: Path) -> None:
        self.folder = folder
        self._cut: str | None = None
        self._server = str(server / SOCKET)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{folder}/{SOCKET}")
        self._listener.listen()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def arm(self, moment: str) -> None:
        """Drop at the next COMMIT: `before` the server receives it, or `after` it is executed."""
        assert self._cut is None, "it was not cut the last time"
        self._cut = moment

    def close(self) -> None:
        """Accept no more connections; wait until all are closed."""
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # the door is shut
            while True:
                client, _ = self._listener.accept()
                self._threads.append(threading.Thread(target=self._forward, args=(client,)))
                self._threads[-1].start()

    def _forward(self, client: socket.socket) -> None:
        """Serve one connection."""
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._server)
            pipe = _Pipe(client, server)
            with suppress(OSError):
                while data := client.recv(1 << 16):
                    cut = self._cut if b"COMMIT" in data else None
                    if cut is not None:
                        self._cut = None
                    if cut == "before":
                        break
                    pipe.is_cut = cut == "after"
                    server.sendall(data)
                    if pipe.is_cut:
                        pipe.has_answered.wait()
                        break
            pipe.close()


class _Pipe:
    """Forwards the responses, until it is cut."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.is_cut = False
        self.has_answered = threading.Event()
        self._client = client
        self._server = server
        self._thread = threading.Thread(target=self._forward_responses)
        self._thread.start()

    def close(self) -> None:
        """Close both ends."""
        for end in (self._client, self._server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    def _forward_responses(self) -> None:
        with suppress(OSError):
            while data := self._server.recv(1 << 16):
                if self.is_cut:
                    self.has_answered.set()
                else:
                    self._client.sendall(data)
            self._client.shutdown(socket.SHUT_RDWR)
        self.has_answered.set()


@contextmanager
def commit_dropper(server: Path) -> Iterator[CommitDropper]:
    """Proxy the server whose socket lies in a folder."""
    with tempfile.TemporaryDirectory(prefix="cut") as folder:
        one = CommitDropper(folder, server)
        try:
            yield one
        finally:
            one.close()
