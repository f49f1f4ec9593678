"""A wire between browsers and a server that can be cut and mended."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Wire:
    """Carries every byte on, until it is cut; then nobody gets through until it is mended."""

    def __init__(self, link: str) -> None:
        self._server = (urlsplit(link).hostname, urlsplit(link).port)
        self._door = socket.create_server(("127.0.0.1", 0))
        self.link = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        self._is_cut = False
        self._guard = threading.Lock()
        threading.Thread(target=self._let_in, daemon=True).start()

    def cut(self) -> None:
        """Break all connections, and let no new one through."""
        with self._guard:
            self._is_cut = True
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let connections through again."""
        with self._guard:
            self._is_cut = False

    def close(self) -> None:
        """End everything."""
        self.cut()
        self._door.close()

    def _let_in(self) -> None:
        with suppress(OSError):  # the door is shut
            while True:
                client, _ = self._door.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            with self._guard:
                if self._is_cut:
                    return
            with socket.create_connection(self._server) as server:
                ends = {client, server}
                with self._guard:
                    self._open |= ends
                back = threading.Thread(target=_carry, args=(server, client), daemon=True)
                back.start()
                _carry(client, server)
                back.join()
                with self._guard:
                    self._open -= ends


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def lay_wire(link: str) -> Iterator[Wire]:
    """Lay a wire to a server."""
    wire = Wire(link)
    try:
        yield wire
    finally:
        wire.close()
