"""The WebSocket protocol of the server: a fast path for short frames, with backpressure.

A message that is one whole text frame, as most are, is read and written here; the library handles
the rest (handshake, fragments, pings, closing).
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # compiled, where it can be
from websockets.http11 import Request
from websockets.protocol import State

EXTENSION: Final = "pleasance.push"
"""Under this name an application finds `push` among the extensions of its scope."""

_CLOSE_FLUSH_S: Final = 3
"""The time for the last messages to be sent before the transport is aborted."""

MAX_UNANSWERED_PINGS: Final = 100
PING_WINDOW_S: Final = 10.0
"""A client that sends more pings than this within the window gets no answer."""

_CLOSE_POLICY_VIOLATION: Final = 1008

_MAX_UNREAD_MESSAGES: Final = 8
"""Backpressure: with this number of messages unread, reading from the network pauses."""

_TEXT_FRAME: Final = 0x81
_MASK_BIT: Final = 0x80
_LENGTH_16_BITS, _LENGTH_64_BITS, _LENGTH_16_LIMIT = 126, 127, 1 << 16
_HEADER_BYTES, _MASK_BYTES, _LENGTH_BYTES = 2, 4, 2
"""The sizes of the parts of a frame (RFC 6455, 5.2)."""


class _ReceiveQueue(asyncio.Queue[ASGIReceiveEvent]):
    """The unread received messages: a queue for one reader and one writer."""

    _reader: asyncio.Future[None] | None = None

    def put_nowait(self, item: ASGIReceiveEvent) -> None:
        self._put(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        while self.empty():
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._get()


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A connection that buffers little for a slow client and never waits for one."""

    _pings = 0
    _pings_since = 0.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = _ReceiveQueue()

    def push(self, *texts: bytes) -> bool:
        """Send texts at once; while the write buffer is full, send nothing and return `False`."""
        is_over = self.close_sent or self.disconnected or self.transport.is_closing()
        if is_over or not self.writable.is_set():
            return False
        self.transport.write(b"".join(map(frame, texts)))
        return True

    def handle_connect(self, event: Request) -> None:
        """Offer `push` to the application."""
        super().handle_connect(event)
        if not self.handshake_complete:
            offered = self.scope["extensions"] or {}
            self.scope["extensions"] = {**offered, EXTENSION: {"push": self.push}}

    def data_received(self, data: bytes) -> None:
        """Parse received bytes; a single short text frame takes the fast path."""
        text = self._read_text(data)
        if text is None:
            super().data_received(data)
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.queue.qsize() >= _MAX_UNREAD_MESSAGES and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _read_text(self, data: bytes) -> str | None:
        """Decode *data* if it is one whole text frame and no other frame has begun."""
        conn = self.conn
        is_between = self.handshake_complete and not conn.reader.buffer and not self.frames
        if not is_between or self.close_sent or conn.current_size is not None:
            return None
        body = find_text(data)
        if body is None or len(data) - body > self.config.ws_max_size:
            return None
        try:
            return apply_mask(data[body:], data[body - _MASK_BYTES : body]).decode()
        except UnicodeDecodeError:
            return None  # the library knows how to refuse it

    def handle_ping(self) -> None:
        """Answer a ping unless earlier pongs are still buffered; close a connection that floods."""
        if self._is_flooded():
            self._close_after_flood()
        elif self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # one more pong would only lie in the buffer

    def _is_flooded(self) -> bool:
        """Count a ping; return whether too many came within the window."""
        now = self.loop.time()
        if now - self._pings_since > PING_WINDOW_S:
            self._pings, self._pings_since = 0, now
        self._pings += 1
        return self._pings > MAX_UNANSWERED_PINGS

    def _close_after_flood(self) -> None:
        """Close the connection and stop reading; the close frame gets a moment to be sent."""
        if self.close_sent:
            return
        self.stop_keepalive()
        self.conn.send_close(_CLOSE_POLICY_VIOLATION, "too many pings")
        self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.queue.put_nowait({"type": "websocket.disconnect", "code": _CLOSE_POLICY_VIOLATION})
        self.transport.pause_reading()
        self.loop.call_later(_CLOSE_FLUSH_S, self.transport.abort)

    def keepalive_timeout(self) -> None:
        """Abort a connection that does not answer pings."""
        super().keepalive_timeout()
        self.transport.abort()

    def shutdown(self) -> None:
        """Close the connection, and give the close frame a moment to be sent."""
        if self.conn.state is State.CLOSING:  # the client began to close and has been answered
            self.stop_keepalive()
            self.transport.close()
        else:
            super().shutdown()
        self.loop.call_later(_CLOSE_FLUSH_S, self.transport.abort)


def frame(text: bytes) -> bytes:
    """Put a text into a frame.

    >>> frame(b"hello").hex(), frame(bytes(300))[:4].hex()
    ('810568656c6c6f', '817e012c')
    """
    size = len(text)
    if size < _LENGTH_16_BITS:
        return b"\x81%c%b" % (size, text)
    if size < _LENGTH_16_LIMIT:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), text)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), text)


def find_text(data: bytes) -> int | None:
    """Find where the text begins in *data* that is one masked frame, whole and not a long one.

    >>> find_text(bytes.fromhex("8185 00000000") + b"hello"), find_text(b"GET / HTTP/1.1")
    (6, None)
    >>> find_text(bytes.fromhex("81fe 007f 00000000") + bytes(127))
    8
    """
    if len(data) < _HEADER_BYTES + _MASK_BYTES or data[0] != _TEXT_FRAME or data[1] < _MASK_BIT:
        return None
    size, body = data[1] - _MASK_BIT, _HEADER_BYTES + _MASK_BYTES
    if size == _LENGTH_64_BITS:
        return None
    if size == _LENGTH_16_BITS:
        size = int.from_bytes(data[_HEADER_BYTES : _HEADER_BYTES + _LENGTH_BYTES], "big")
        body += _LENGTH_BYTES
    return body if len(data) == body + size else None
