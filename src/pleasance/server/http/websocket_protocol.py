"""A WebSocket connection that costs little for each message.

What most messages are, one whole text, is read and written right here; everything else (the
handshake, fragments, pings, the end) is left to the library.
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

_FAREWELL: Final = 3
"""Seconds for the last words to leave."""

MAX_UNANSWERED_PINGS: Final = 100
PING_SPAN: Final = 10.0
"""Who sends more pings than this within so many seconds wants no answer."""

_POLICY: Final = 1008

_MOST_UNREAD: Final = 8
"""With so many messages unread, no more are taken from the network."""

_TEXT: Final = 0x81
_MASKED: Final = 0x80
_SHORT, _LONG, _LONGER = 126, 127, 1 << 16
_HEAD, _MASK, _MORE = 2, 4, 2
"""How many bytes these parts of a frame have."""


class _Mailbox(asyncio.Queue[ASGIReceiveEvent]):
    """The inbox: received messages that the reading task has not taken yet.

    A queue for many readers and writers does far more for each message than is needed here.
    """

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
    """A connection that keeps little for who takes nothing, and does not wait for them."""

    _pings = 0
    _pings_since = 0.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = _Mailbox()

    def push(self, *texts: bytes) -> bool:
        """Send texts this very moment; where the network does not take them, send nothing."""
        is_over = self.close_sent or self.disconnected or self.transport.is_closing()
        if is_over or not self.writable.is_set():
            return False
        self.transport.write(b"".join(map(frame, texts)))
        return True

    def handle_connect(self, event: Request) -> None:
        """Let the application know that it may push."""
        super().handle_connect(event)
        if not self.handshake_complete:
            offered = self.scope["extensions"] or {}
            self.scope["extensions"] = {**offered, EXTENSION: {"push": self.push}}

    def data_received(self, data: bytes) -> None:
        """Hand on what has come; the usual case takes a short way."""
        text = self._read_text(data)
        if text is None:
            super().data_received(data)
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.queue.qsize() >= _MOST_UNREAD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _read_text(self, data: bytes) -> str | None:
        """Read *data* if it is one whole text and nothing else has begun; else give nothing."""
        conn = self.conn
        is_between = self.handshake_complete and not conn.reader.buffer and not self.frames
        if not is_between or self.close_sent or conn.current_size is not None:
            return None
        body = find_text(data)
        if body is None or len(data) - body > self.config.ws_max_size:
            return None
        try:
            return apply_mask(data[body:], data[body - _MASK : body]).decode()
        except UnicodeDecodeError:
            return None  # the library knows how to refuse it

    def handle_ping(self) -> None:
        """Answer, unless earlier answers have not left yet; send away who asks without end."""
        if self._is_flooded():
            self._send_away()
        elif self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # one more answer would only lie there

    def _is_flooded(self) -> bool:
        """Count pings; tell whether too many have come in a short time."""
        now = self.loop.time()
        if now - self._pings_since > PING_SPAN:
            self._pings, self._pings_since = 0, now
        self._pings += 1
        return self._pings > MAX_UNANSWERED_PINGS

    def _send_away(self) -> None:
        """Close the connection and read no more of it; the reason has a moment to arrive."""
        if self.close_sent:
            return
        self.stop_keepalive()
        self.conn.send_close(_POLICY, "too many pings")
        self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.queue.put_nowait({"type": "websocket.disconnect", "code": _POLICY})
        self.transport.pause_reading()
        self.loop.call_later(_FAREWELL, self.transport.abort)

    def keepalive_timeout(self) -> None:
        """Give up who does not answer, at once."""
        super().keepalive_timeout()
        self.transport.abort()

    def shutdown(self) -> None:
        """Say goodbye, and wait a little for it to leave."""
        if self.conn.state is State.CLOSING:  # the other one was quicker and has been answered
            self.stop_keepalive()
            self.transport.close()
        else:
            super().shutdown()
        self.loop.call_later(_FAREWELL, self.transport.abort)


def frame(text: bytes) -> bytes:
    """Put a text into a frame.

    >>> frame(b"hello").hex(), frame(bytes(300))[:4].hex()
    ('810568656c6c6f', '817e012c')
    """
    size = len(text)
    if size < _SHORT:
        return b"\x81%c%b" % (size, text)
    if size < _LONGER:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), text)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), text)


def find_text(data: bytes) -> int | None:
    """Find where the text begins in *data* that is one masked frame, whole and not a long one.

    >>> find_text(bytes.fromhex("8185 00000000") + b"hello"), find_text(b"GET / HTTP/1.1")
    (6, None)
    >>> find_text(bytes.fromhex("81fe 007f 00000000") + bytes(127))
    8
    """
    if len(data) < _HEAD + _MASK or data[0] != _TEXT or data[1] < _MASKED:
        return None
    size, body = data[1] - _MASKED, _HEAD + _MASK
    if size == _LONG:
        return None
    if size == _SHORT:
        size, body = int.from_bytes(data[_HEAD : _HEAD + _MORE], "big"), body + _MORE
    return body if len(data) == body + size else None
