"""A connected client: its outbox with backpressure, and the rooms it watches."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Literal, TypeAlias

import msgspec

from pleasance.core.errors import PleasanceError
from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base.messages import Closing, Message
from pleasance.server.live.live_room import LiveRoom

Send: TypeAlias = Callable[[str], Coroutine[Any, Any, None]]
"""Sends one text over the socket; waits while the network is slow."""

Push: TypeAlias = Callable[..., bool]
"""Sends texts at once and returns True, or sends nothing if the network is slow."""

OUTBOX_LIMIT = 64
"""Messages that may wait; a slower client gets a new snapshot of each table instead."""

_RETRY_DELAY_S = 1.0
_encode = msgspec.json.Encoder().encode


class Client:
    """A connection with a bounded outbox."""

    def __init__(
        self,
        player: str | None,
        muted: frozenset[str] = frozenset(),
        *,
        push: Push | None = None,
        language: str = LANGUAGES[0],
    ) -> None:
        """Start with an empty outbox; with a *push*, most messages bypass it."""
        self.player = player
        self.language = language
        self.muted = muted
        self._push = push
        self.watching: dict[str, LiveRoom] = {}
        self._outbox: deque[tuple[str | None, bytes]] = deque()
        self._lagging: set[str] = set()
        """Tables whose updates were dropped; they need a snapshot."""

        self._wakeup = asyncio.Event()
        self._has_space = asyncio.Event()
        self._has_space.set()
        self._is_flushed = asyncio.Event()
        self.is_gone = False
        """Whether nothing can be sent any more."""

        self._is_closing = False
        self._held: tuple[bytes, ...] = ()
        """Messages that leave together with the next one."""

        self._is_sending = False

    def enqueue_update(self, table: str, message: bytes, *, is_held: bool = False) -> None:
        """Queue a message about a table; if the outbox is full, send a snapshot later instead.

        A held message leaves with a response that follows at once: two messages cost as much to
        send as one.
        """
        if table in self._lagging:
            return
        if len(self._outbox) >= OUTBOX_LIMIT:
            self._outbox = deque(item for item in self._outbox if item[0] != table)
            self._lagging.add(table)
        elif self._push_now(message, is_held=is_held):
            return
        else:
            self._outbox.append((table, message))
        self._wakeup.set()

    def enqueue(self, message: Message) -> None:
        """Queue a response or notice; it is never dropped."""
        encoded = _encode(message)
        if self._push_now(encoded):
            return
        self._outbox.append((None, encoded))
        self._is_flushed.clear()
        if len(self._outbox) >= OUTBOX_LIMIT:
            self._has_space.clear()
        self._wakeup.set()

    def close(self, reason: Literal["stopping", "identity"]) -> None:
        """End the connection once the outbox is empty; the client may reconnect."""
        self._is_closing = True
        self.enqueue(Closing(reason))
        self._wakeup.set()  # also if the notice has left already

    def mark_gone(self) -> None:
        """Note that nothing can be sent any more, and wake all waiting tasks."""
        self.is_gone = True
        self._has_space.set()
        self._is_flushed.set()

    @property
    def is_full(self) -> bool:
        """Return whether backpressure applies: no request is read while the outbox is full."""
        return not self._has_space.is_set()

    async def wait_for_space(self) -> None:
        """Wait until the outbox has space again, or the client is gone."""
        await self._has_space.wait()

    async def flush(self, timeout_s: float = 2.0) -> None:
        """Wait until the outbox is empty, but not for long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._is_flushed.wait()

    async def send_all(self, send: Send) -> None:
        """Send queued messages for as long as the connection lasts."""
        while not self._is_closing or self._outbox:
            self._is_flushed.set()
            await self._wakeup.wait()
            self._is_flushed.clear()
            while self._outbox:
                _, message = self._outbox.popleft()
                self._is_sending = True
                await send(message.decode())
                self._is_sending = False
                if len(self._outbox) < OUTBOX_LIMIT:
                    self._has_space.set()
            self._wakeup.clear()
            for table in tuple(self._lagging):
                await self._enqueue_snapshot(table)

    def _push_now(self, message: bytes, *, is_held: bool = False) -> bool:
        """Send a message at once, if none waits before it and the network takes it.

        Waking a task for each message would cost as much as sending it.
        """
        if self._push is None or self._outbox or self._is_sending or self._lagging:
            return False
        if is_held:
            self._held = (*self._held, message)
            return True
        if not self._held:
            return self._push(message)
        held, self._held = self._held, ()
        if self._push(*held, message):
            return True
        self._outbox.extend((None, each) for each in held)
        return False

    async def _enqueue_snapshot(self, table: str) -> None:
        """Queue a snapshot of a table whose updates were dropped."""
        live = self.watching.get(table)
        if live is None:
            self._lagging.discard(table)
            return
        try:
            snapshot = await live.snapshot(self)
        except PleasanceError:
            # The database is away; later changes are part of the snapshot that will follow.
            asyncio.get_running_loop().call_later(_RETRY_DELAY_S, self._wakeup.set)
            return
        # From here on every change is sent again; the snapshot has all earlier ones.
        self._lagging.discard(table)
        self._outbox.append((table, snapshot))
        self._wakeup.set()
