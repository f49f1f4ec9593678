"""A minimal WebSocket client for load tests, without the overhead of a library."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from collections.abc import Callable
from typing import cast

_SHORT, _LONG = 126, 127
_TEXT, _CLOSE, _PING, _PONG = 0x81, 0x88, 0x89, 0x8A
_HEAD = 2
_SIZES = {_SHORT: struct.Struct(">H"), _LONG: struct.Struct(">Q")}
"""The encodings of a longer size after the head."""

_MASK = b"\x00\x00\x00\x00"
"""Masking with zeros is allowed and costs nothing."""


class Connection(asyncio.Protocol):
    """One connection; calls *receive* with each text message as bytes."""

    def __init__(
        self, path: str, headers: dict[str, str], receive: Callable[[bytes], None]
    ) -> None:
        self._path = path
        self._headers = headers
        self._receive = receive
        self._buffer = bytearray()
        self._is_open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the upgrade request."""
        # uvloop's transports are not known as such.
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {self._path} HTTP/1.1",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *(f"{name}: {value}" for name, value in self._headers.items()),
        ]
        self._transport.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    def connection_lost(self, error: Exception | None) -> None:
        """Complete the futures of the connection."""
        if not self.opened.done():
            self.opened.set_exception(error or ConnectionError("closed"))
        if not self.closed.done():
            self.closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Parse the handshake, then the frames."""
        self._buffer += data
        if not self._is_open:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            status = bytes(self._buffer[:end]).split(b"\r\n")[0]
            if b" 101 " not in status:
                self.opened.set_exception(ConnectionError(status.decode()))
                return
            del self._buffer[: end + 4]
            self._is_open = True
            self.opened.set_result(None)
        self._take_frames()

    def _take_frames(self) -> None:
        """Handle each complete frame."""
        buffer, start = self._buffer, 0
        while (frame := _find_frame(buffer, start)) is not None:
            kind, body, end = frame
            content = bytes(buffer[body:end])
            start = end
            if kind == _TEXT:
                self._receive(content)
            elif kind == _PING:
                self._write(_PONG, content)
        if start:
            del buffer[:start]

    def send(self, message: bytes) -> None:
        """Send one text message."""
        self._write(_TEXT, message)

    def close(self) -> None:
        """Close the connection."""
        assert self._transport is not None
        self._write(_CLOSE, struct.pack(">H", 1000))
        self._transport.close()

    def _write(self, kind: int, body: bytes) -> None:
        assert self._transport is not None
        size = len(body)
        if size < _SHORT:
            head = bytes((kind, 0x80 | size))
        elif size < 1 << 16:
            head = struct.pack(">BBH", kind, 0x80 | _SHORT, size)
        else:
            head = struct.pack(">BBQ", kind, 0x80 | _LONG, size)
        self._transport.write(head + _MASK + body)


def _find_frame(buffer: bytearray, start: int) -> tuple[int, int, int] | None:
    """Find the frame at *start*: its kind and the start and end of its body."""
    have = len(buffer) - start
    if have < _HEAD:
        return None
    size, body = buffer[start + 1] & 0x7F, start + _HEAD
    if size in _SIZES:
        form = _SIZES[size]
        if have < _HEAD + form.size:
            return None
        (size,) = form.unpack_from(buffer, body)
        body += form.size
    return (buffer[start], body, body + size) if len(buffer) >= body + size else None


async def connect(
    host: str, port: int, path: str, headers: dict[str, str], *, receive: Callable[[bytes], None]
) -> Connection:
    """Open one connection."""
    loop = asyncio.get_running_loop()
    named = {"Host": f"{host}:{port}", "Origin": f"http://{host}:{port}", **headers}
    _, socket = await loop.create_connection(lambda: Connection(path, named, receive), host, port)
    await socket.opened
    return socket
