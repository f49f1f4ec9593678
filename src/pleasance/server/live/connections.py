"""The door: who is connected, on this server and on others, and what concerns them alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import Connection

from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import ForbiddenError
from pleasance.server.base.logs import get_log
from pleasance.server.base.messages import Offered, Present, Refused
from pleasance.server.base.translate import explain
from pleasance.server.live.client import Client
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.live.presence import ALIVE, HERE, ROLL, Presence
from pleasance.server.store.meta import new_id

if TYPE_CHECKING:
    from pleasance.server.store.store import Store

OFFER = "queue:"
IDENTITY = "identity:"
"""Topics: the queue has news for a player; who a player is, or may do, has changed."""

_log = get_log("door")
_encode = msgspec.json.Encoder().encode


class Door:
    """All connections of this server."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.server = new_id()
        self.presence = Presence(clock, self.server)
        self.clients: set[Client] = set()
        self.find_offer: Callable[[str], Awaitable[Offered | None]] = _find_nothing
        self._store = store
        self._tasks: set[asyncio.Task[None]] = set()
        self._arrivals: list[list[str]] = []

    def open(self) -> None:
        """Ask other servers who is there."""
        self.run(self._publish(ROLL))

    async def close(self) -> None:
        """Finish what was begun."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def hear(self, topic: str) -> None:
        """Take in what was told to all servers."""
        if topic.startswith((HERE, ALIVE)):
            self.presence.hear(topic)
        elif topic == ROLL:
            self.run(self._publish(*self.presence.topics()))
        elif topic == "missed":
            self.run(self._publish(ROLL))
        elif topic.startswith(OFFER):
            self.run(self._offer(topic.removeprefix(OFFER)))
        elif topic.startswith(IDENTITY):
            self._ask_who(topic.removeprefix(IDENTITY))

    @contextmanager
    def arriving(self) -> Iterator[list[str]]:
        """List whose identity has changed while somebody is on the way in."""
        changed: list[str] = []
        self._arrivals.append(changed)
        try:
            yield changed
        finally:
            self._arrivals = [each for each in self._arrivals if each is not changed]

    def connect(self, client: Client) -> None:
        """Note that a client has come."""
        self.clients.add(client)
        if client.player is not None and self.presence.come(client.player):
            self._announce(client.player, is_here=True)

    def disconnect(self, client: Client) -> None:
        """Note that a client has gone."""
        self.clients.discard(client)
        if client.player is not None and self.presence.go(client.player):
            self._announce(client.player, is_here=False)

    def mute(self, player: str, whom: str, *, is_muted: bool) -> None:
        """Let a player's connections leave out somebody's words, or not any more."""
        for client in self.clients:
            if client.player == player:
                client.muted = client.muted | {whom} if is_muted else client.muted - {whom}

    def tell_presence(self, live: LiveRoom) -> None:
        """Tell all at a table who is connected."""
        here, watching = self.who_is_here(live)
        message = _encode(Present(table=live.id, here=here, watching=watching))
        for watcher in live.watchers:
            watcher.tell(live.id, message)

    def _announce(self, player: str, *, is_here: bool) -> None:
        """Tell other servers who has come here or gone."""
        self.run(self._publish(self.presence.topic(player, is_here=is_here)))

    async def roll_call(self) -> None:
        """Tell other servers that this one lives, and forget those that do not."""
        await self._publish(f"{ALIVE}{self.server}")
        self.presence.drop_silent()

    async def _publish(self, *topics: str) -> None:
        """Tell other servers something, where there may be others."""
        if not self._store.is_shared:
            return

        def work(connection: Connection) -> None:
            for topic in topics:
                self._store.publish(connection, topic)

        await self._store.write(work)

    async def _offer(self, player: str) -> None:
        """Tell a player what the queue has for them."""
        clients = [client for client in self.clients if client.player == player]
        if clients and (offer := await self.find_offer(player)):
            for client in clients:
                client.answer(offer)

    def _ask_who(self, player: str) -> None:
        """Let a player's connections begin anew: what opened them may open nothing any more."""
        for changed in self._arrivals:
            changed.append(player)
        for client in self.clients:
            if client.player == player:
                client.part("identity")

    def who_is_here(self, live: LiveRoom) -> tuple[tuple[bool, ...], int]:
        """Tell for each seat whether its player is connected, and how many only watch."""
        here = tuple(self.presence.is_here(place.player) for place in live.room.places)
        watching = sum(not live.room.seats_of(watcher.player) for watcher in live.watchers)
        return here, watching

    def turn_away(self, live: LiveRoom) -> None:
        """Let those follow a table no more who may not come back to it."""
        banned = live.room.banned
        if not banned:
            return
        for client in [c for c in self.clients if c.player in banned and live.id in c.watching]:
            del client.watching[live.id]
            live.watchers.discard(client)
            refusal = ForbiddenError("banned")
            said = explain(refusal, client.language)
            client.answer(Refused(None, refusal.code, refusal.params, said))

    def run(self, work: Coroutine[None, None, None]) -> None:
        """Do something nobody waits for."""
        task = asyncio.create_task(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _find_nothing(_: str) -> None:
    """Have no offer for anybody."""


async def _quietly(work: Coroutine[None, None, None]) -> None:
    """Do something; what fails is done again later."""
    try:
        await work
    except PleasanceError as refusal:
        _log.warning("behind", reason=refusal.code)
