"""Connections: the clients of this server, the presence of players on all, and pub/sub topics."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import Connection, select

from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import ForbiddenError
from pleasance.server.base.logs import get_logger
from pleasance.server.base.messages import Closing, MatchOffer, PresenceUpdate, Refused
from pleasance.server.base.translate import error_message
from pleasance.server.live.client import Client
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.store.meta import new_id
from pleasance.server.store.schema.rooms import mutes
from pleasance.server.store.topics import (
    IDENTITY_PREFIX,
    PRESENCE_PREFIX,
    QUEUE_PREFIX,
    REPORT_PRESENCE_TOPIC,
    SERVER_ALIVE_PREFIX,
    TOPICS_MISSED,
)

if TYPE_CHECKING:
    from pleasance.server.store.store import Store

_FORGET_OFFLINE_AFTER_S = 86_400.0
_SERVER_TIMEOUT_S = 35.0

_log = get_logger("connections")
_encode = msgspec.json.Encoder().encode


class Presence:
    """Counts the connections of players: those of this server, and reports of other servers."""

    def __init__(self, clock: Callable[[], float], server: str) -> None:
        self._clock = clock
        self._server = server
        self._here: Counter[str] = Counter()
        self._elsewhere: dict[str, set[str]] = {}
        self._servers: dict[str, float] = {}
        self._offline_since: dict[str, float] = {}
        self._since = clock()

    def connect(self, player: str) -> bool:
        """Add a connection; return whether it is the player's first one here."""
        self._here[player] += 1
        self._offline_since.pop(player, None)
        return self._here[player] == 1

    def disconnect(self, player: str) -> bool:
        """Remove a connection; return whether it was the player's last one here."""
        self._here[player] -= 1
        if self._here[player] > 0:
            return False
        del self._here[player]
        if player not in self._elsewhere:
            self._offline_since[player] = self._clock()
        return True

    def on_topic(self, topic: str) -> None:
        """Process a report of another server."""
        _, *parts = topic.split(":")
        if topic.startswith(SERVER_ALIVE_PREFIX):
            self._servers[parts[0]] = self._clock()
        elif topic.startswith(PRESENCE_PREFIX) and parts[1] != self._server:
            self._servers[parts[1]] = self._clock()
            self._move(parts[0], parts[1], is_here=parts[2] == "1")

    def drop_silent_servers(self) -> None:
        """Drop servers that have been silent too long, and the connections of their players."""
        now = self._clock()
        # No record means offline since this server started, which is enough for all timeouts.
        self._offline_since = {
            player: at
            for player, at in self._offline_since.items()
            if now - at < _FORGET_OFFLINE_AFTER_S
        }
        for server, heard in tuple(self._servers.items()):
            if now - heard > _SERVER_TIMEOUT_S:
                del self._servers[server]
                for player, servers in tuple(self._elsewhere.items()):
                    if server in servers:
                        self._move(player, server, is_here=False)

    def is_here(self, player: str | None) -> bool:
        """Return whether a player is connected to any server."""
        return player is not None and (player in self._here or player in self._elsewhere)

    def offline_seconds(self, player: str) -> float:
        """Compute how long a player has been offline; at most since this server started."""
        if self.is_here(player):
            return 0.0
        return self._clock() - self._offline_since.get(player, self._since)

    def topics(self) -> list[str]:
        """List the topics that report this server and its players to other servers."""
        alive = f"{SERVER_ALIVE_PREFIX}{self._server}"
        return [alive, *(self.topic(each, is_here=True) for each in self._here)]

    def topic(self, player: str, *, is_here: bool) -> str:
        """Make the topic that a player has connected to this server or left it."""
        return f"{PRESENCE_PREFIX}{player}:{self._server}:{int(is_here)}"

    def _move(self, player: str, server: str, *, is_here: bool) -> None:
        servers = self._elsewhere.setdefault(player, set())
        if is_here:
            servers.add(server)
            self._offline_since.pop(player, None)
            return
        servers.discard(server)
        if not servers:
            del self._elsewhere[player]
            if player not in self._here:
                self._offline_since[player] = self._clock()


class Connections:
    """All clients of this server."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.server = new_id()
        self.presence = Presence(clock, self.server)
        self.clients: set[Client] = set()
        self.find_offer: Callable[[str], Awaitable[MatchOffer | None]] = _find_no_offer
        self._store = store
        self._tasks: set[asyncio.Task[None]] = set()
        self._handshakes: list[list[str]] = []

    def open(self) -> None:
        """Ask other servers to report their players."""
        self.run(self._publish(REPORT_PRESENCE_TOPIC))

    async def announce_stop(self) -> None:
        """Announce the stop to all clients, and flush their outboxes."""
        for client in self.clients:
            client.enqueue(Closing("stopping"))
        # Sent messages may still lie in a buffer of this process: give them a moment to leave.
        await asyncio.gather(*(client.flush() for client in tuple(self.clients)))

    async def close(self) -> None:
        """Wait for background tasks."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def on_topic(self, topic: str) -> None:
        """Process a topic published to all servers."""
        if topic.startswith((PRESENCE_PREFIX, SERVER_ALIVE_PREFIX)):
            self.presence.on_topic(topic)
        elif topic == REPORT_PRESENCE_TOPIC:
            self.run(self._publish(*self.presence.topics()))
        elif topic == TOPICS_MISSED:
            self.run(self._publish(REPORT_PRESENCE_TOPIC))
        elif topic.startswith(QUEUE_PREFIX):
            self.run(self._send_offer(topic.removeprefix(QUEUE_PREFIX)))
        elif topic.startswith(IDENTITY_PREFIX):
            self._close_connections(topic.removeprefix(IDENTITY_PREFIX))

    @contextmanager
    def handshake(self) -> Iterator[list[str]]:
        """Collect the players whose identity changes during a handshake."""
        changed: list[str] = []
        self._handshakes.append(changed)
        try:
            yield changed
        finally:
            self._handshakes = [each for each in self._handshakes if each is not changed]

    def connect(self, client: Client) -> None:
        """Add a client."""
        self.clients.add(client)
        if client.player is not None and self.presence.connect(client.player):
            self._announce(client.player, is_here=True)

    def disconnect(self, client: Client) -> None:
        """Remove a client."""
        self.clients.discard(client)
        if client.player is not None and self.presence.disconnect(client.player):
            self._announce(client.player, is_here=False)

    def mute(self, player: str, target: str, *, is_muted: bool) -> None:
        """Mute or unmute another player for all connections of a player."""
        for client in self.clients:
            if client.player == player:
                client.muted = client.muted | {target} if is_muted else client.muted - {target}

    def send_presence(self, live: LiveRoom) -> None:
        """Send the presence of players to all watchers of a room."""
        here, watching = self.presence_of(live)
        message = _encode(PresenceUpdate(table=live.id, here=here, watching=watching))
        for watcher in live.watchers:
            watcher.enqueue_update(live.id, message)

    def _announce(self, player: str, *, is_here: bool) -> None:
        self.run(self._publish(self.presence.topic(player, is_here=is_here)))

    async def send_heartbeat(self) -> None:
        """Publish that this server lives, and drop silent ones."""
        await self._publish(f"{SERVER_ALIVE_PREFIX}{self.server}")
        self.presence.drop_silent_servers()

    async def _publish(self, *topics: str) -> None:
        """Publish topics to other servers, if there may be any."""
        if not self._store.is_shared:
            return

        def work(connection: Connection) -> None:
            for topic in topics:
                self._store.publish(connection, topic)

        await self._store.write(work)

    async def _send_offer(self, player: str) -> None:
        """Send the offer of the queue to a player's connections."""
        clients = [client for client in self.clients if client.player == player]
        if clients and (offer := await self.find_offer(player)):
            for client in clients:
                client.enqueue(offer)

    def _close_connections(self, player: str) -> None:
        """Close a player's connections, since their credentials may be invalid now."""
        for changed in self._handshakes:
            changed.append(player)
        for client in self.clients:
            if client.player == player:
                client.close("identity")

    def presence_of(self, live: LiveRoom) -> tuple[tuple[bool, ...], int]:
        """Find for each seat whether its player is connected, and count the spectators."""
        here = tuple(self.presence.is_here(place.player) for place in live.room.places)
        watching = sum(not live.room.seats_of(watcher.player) for watcher in live.watchers)
        return here, watching

    def remove_banned(self, live: LiveRoom) -> None:
        """End the subscriptions of banned players to a room."""
        banned = live.room.banned
        if not banned:
            return
        for client in [c for c in self.clients if c.player in banned and live.id in c.watching]:
            del client.watching[live.id]
            live.watchers.discard(client)
            refusal = ForbiddenError("banned")
            message = error_message(refusal, client.language)
            client.enqueue(Refused(None, refusal.code, refusal.params, message))

    def run(self, work: Coroutine[None, None, None]) -> None:
        """Run a task in the background."""
        task = asyncio.create_task(_run_and_log(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def read_mutes(connection: Connection, player: str | None) -> frozenset[str]:
    """Read which players a player has muted."""
    wanted = select(mutes.c.muted_id).where(mutes.c.player_id == player)
    return frozenset(connection.scalars(wanted))


async def _find_no_offer(_: str) -> None:
    """Return no offer: the default until the app connects the matchmaking queue."""


async def _run_and_log(work: Coroutine[None, None, None]) -> None:
    """Run a task; a refusal is only logged, since the next topic or heartbeat repeats the task."""
    try:
        await work
    except PleasanceError as refusal:
        _log.warning("background_task_failed", reason=refusal.code)
