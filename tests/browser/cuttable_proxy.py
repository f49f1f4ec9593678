"""A TCP proxy between browsers and a server that can be cut and restored."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class CuttableProxy:
    """Forwards every byte until it is cut; then refuses connections until it is restored."""

    def __init__(self, link: str) -> None:
        self._server = (urlsplit(link).hostname, urlsplit(link).port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.link = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        self._is_cut = False
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all connections, and let no new one through."""
        with self._lock:
            self._is_cut = True
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def restore(self) -> None:
        """Let connections through again."""
        with self._lock:
            self._is_cut = False

    def close(self) -> None:
        """End everything."""
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # the door is shut
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            with self._lock:
                if self._is_cut:
                    return
            with socket.create_connection(self._server) as server:
                ends = {client, server}
                with self._lock:
                    self._open |= ends
                back = threading.Thread(target=_forward, args=(server, client), daemon=True)
                back.start()
                _forward(client, server)
                back.join()
                with self._lock:
                    self._open -= ends


def _forward(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def open_proxy(link: str) -> Iterator[CuttableProxy]:
    """Open a proxy to a server."""
    proxy = CuttableProxy(link)
    try:
        yield proxy
    finally:
        proxy.close()
