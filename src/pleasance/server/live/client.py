"""One connected client: what waits to be sent, and which tables it follows."""

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
"""Sends texts this very moment and tells so, or sends nothing, if the network is slow."""

MOST_WAITING = 64
"""How many messages may wait; a client that is slower is shown each table anew instead."""

_RETRY = 1.0
_encode = msgspec.json.Encoder().encode


class Client:
    """A connection with an outbox that never grows without end."""

    def __init__(
        self,
        player: str | None,
        muted: frozenset[str] = frozenset(),
        *,
        push: Push | None = None,
        language: str = LANGUAGES[0],
    ) -> None:
        """Begin with an empty outbox; with a *push*, most messages never get into it."""
        self.player = player
        self.language = language
        """In which language this client is spoken to."""

        self.muted = muted
        self._push = push
        self.watching: dict[str, LiveRoom] = {}
        self._outbox: deque[tuple[str | None, bytes]] = deque()
        self._behind: set[str] = set()
        self._something = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._sent = asyncio.Event()
        self.is_gone = False
        """Whether nothing can be sent any more."""

        self._is_parting = False
        self._held: tuple[bytes, ...] = ()
        """What leaves together with the next message."""

        self._is_sending = False

    def tell(self, table: str, message: bytes, *, is_held: bool = False) -> None:
        """Take a message about a table; if too many wait, the table is shown anew later.

        What *is_held* leaves with an answer that follows at once: two messages cost as much to send
        as one.
        """
        if table in self._behind:
            return
        if len(self._outbox) >= MOST_WAITING:
            self._outbox = deque(item for item in self._outbox if item[0] != table)
            self._behind.add(table)
        elif self._has_left(message, is_held=is_held):
            return
        else:
            self._outbox.append((table, message))
        self._something.set()

    def answer(self, message: Message) -> None:
        """Take an answer to a request; it is never left out."""
        written = _encode(message)
        if self._has_left(written):
            return
        self._outbox.append((None, written))
        self._sent.clear()
        if len(self._outbox) >= MOST_WAITING:
            self._room.clear()
        self._something.set()

    def part(self, reason: Literal["stopping", "identity"]) -> None:
        """End the connection once all was sent that waits; whoever it is may come back."""
        self._is_parting = True
        self.answer(Closing(reason))
        self._something.set()  # also where the answer has left already

    def let_go(self) -> None:
        """Note that nothing can be sent any more, and let nobody wait for it."""
        self.is_gone = True
        self._room.set()
        self._sent.set()

    @property
    def is_full(self) -> bool:
        """Tell whether too many answers wait for another request to be read."""
        return not self._room.is_set()

    async def has_room(self) -> None:
        """Wait until few enough answers wait that another request may be read, or it is gone."""
        await self._room.wait()

    async def is_empty(self, patience: float = 2.0) -> None:
        """Wait until all was sent, but not for long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._sent.wait()

    async def send_all(self, send: Send) -> None:
        """Send whatever waits, for as long as the connection lasts."""
        while not self._is_parting or self._outbox:
            self._sent.set()
            await self._something.wait()
            self._sent.clear()
            while self._outbox:
                _, message = self._outbox.popleft()
                self._is_sending = True
                await send(message.decode())
                self._is_sending = False
                if len(self._outbox) < MOST_WAITING:
                    self._room.set()
            self._something.clear()
            for table in tuple(self._behind):
                await self._show_anew(table)

    def _has_left(self, message: bytes, *, is_held: bool = False) -> bool:
        """Send a message this very moment, if none waits before it and the network takes it.

        To wake up a task for each message would cost as much as sending it.
        """
        if self._push is None or self._outbox or self._is_sending or self._behind:
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

    async def _show_anew(self, table: str) -> None:
        """Show a table to a client that was too slow to be told every change."""
        live = self.watching.get(table)
        if live is None:
            self._behind.discard(table)
            return
        try:
            picture = await live.snapshot(self)
        except PleasanceError:
            # The database is away; what happens next is told by the picture that comes after.
            asyncio.get_running_loop().call_later(_RETRY, self._something.set)
            return
        # From here on every change is told again; the picture has all that was before.
        self._behind.discard(table)
        self._outbox.append((table, picture))
        self._something.set()
