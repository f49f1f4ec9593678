"""A hub on a real database, with watching clients but no network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from pleasance.core.game import Seat
from pleasance.server.base.requests import Choose, Command, SeatBot, Sit, Start
from pleasance.server.base.settings import ServerSettings
from pleasance.server.bots.local_pool import LocalBotPool
from pleasance.server.bots.pool import BotPool, MoveRequest, SelectedMove
from pleasance.server.identity.authentication import Identity
from pleasance.server.live.client import Client
from pleasance.server.live.housekeeping import HousekeepingJob
from pleasance.server.live.hub import Hub
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.live.table_configs import OpenTable
from pleasance.server.store.store import Store
from pleasance.table.room import AnyTable
from support import NONCE, TIMEOUT_S
from support.app_client import ManualClock

_keys = count(1)


def person(name: str) -> Identity:
    """Build an identity whose id is the name."""
    return Identity(id=name, name=name.title(), kind="guest", scopes=None, language="en")


ADA, BEN, CYD = map(person, ("adaada", "benben", "cydcyd"))


class ManualBotPool:
    """A bot pool whose answers come from the test."""

    def __init__(self) -> None:
        self.requests: dict[str, tuple[MoveRequest, asyncio.Future[str]]] = {}
        self._changed = asyncio.Event()

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def select_action(self, request: MoveRequest) -> str:
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.requests[request.key] = request, answer
        self._changed.set()
        return await answer

    async def select_move(self, request: MoveRequest) -> SelectedMove:
        return SelectedMove(await self.select_action(request), request.bot)

    async def next_request(self) -> tuple[MoveRequest, asyncio.Future[str]]:
        """Wait for the next request; return it with the future of its answer."""
        async with asyncio.timeout(TIMEOUT_S):
            while not self.requests:
                self._changed.clear()
                await self._changed.wait()
        return self.requests.pop(next(iter(self.requests)))


class Watcher:
    """A client whose received messages go to a list."""

    def __init__(self, harness: HubHarness, who: Identity | None) -> None:
        self.client = Client(None if who is None else who.id)
        self.messages: list[dict[str, Any]] = []
        self.may_send = asyncio.Event()
        self.may_send.set()
        self._harness = harness
        self._changed = asyncio.Event()
        harness.hub.connections.connect(self.client)
        self._sending = asyncio.create_task(self.client.send_all(self._send))

    async def _send(self, text: str) -> None:
        await self.may_send.wait()
        self.messages.append(json.loads(text))
        self._changed.set()

    async def watch(self, table: str, since: int | None = None) -> None:
        """Watch a table, as the socket does."""
        hub = self._harness.hub
        live = await hub.find(table)
        await hub.return_seats(live, self.client.player)
        self.client.watching[table] = live
        await live.watch(self.client, since)

    async def wait_for(self, matches: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait for a message that matches; return it."""
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                for message in self.messages:
                    if matches(message):
                        return message
                self._changed.clear()
                await self._changed.wait()

    async def wait_for_entry(self, seq: int) -> dict[str, Any]:
        """Wait for a log entry; return the message that holds it."""
        return await self.wait_for(
            lambda message: any(entry["seq"] == seq for entry in message.get("entries", ()))
        )

    def seqs(self) -> list[int]:
        """List the seqs of all received entries, in order."""
        return [entry["seq"] for message in self.messages for entry in message.get("entries", ())]

    async def leave(self) -> None:
        """Disconnect."""
        for live in self.client.watching.values():
            live.watchers.discard(self.client)
        self.client.watching.clear()
        self._harness.hub.connections.disconnect(self.client)
        self._sending.cancel()
        await asyncio.gather(self._sending, return_exceptions=True)


class HubHarness:
    """A hub with its store, clock and bot pool."""

    def __init__(self, store: Store, clock: ManualClock, bot_pool: BotPool) -> None:
        settings = ServerSettings(database="sqlite://", absence=90.0, archive_after=86_400.0)
        self.store, self.clock, self.bot_pool = store, clock, bot_pool
        self.hub = Hub(store, bot_pool, settings, clock)
        self.housekeeping = HousekeepingJob(self.hub, store, settings)
        self.watchers: list[Watcher] = []

    def watcher(self, who: Identity | None) -> Watcher:
        """Connect a client."""
        watcher = Watcher(self, who)
        self.watchers.append(watcher)
        return watcher

    async def do(self, table: str, who: Identity, command: Command, key: str | None = None) -> int:
        """Execute a command; return the seq of its first entry."""
        return (await self.hub.execute(table, who, key or f"key{next(_keys)}", command)).seq

    async def start_game(self, *who: Identity | str, game: str = "sakura", **more: Any) -> LiveRoom:
        """Open a table, seat people and bots, and start."""
        live = await self.hub.open(OpenTable(game=game, seats=len(who), **more), ADA)
        for seat, player in enumerate(who):
            if isinstance(player, str):
                await self.do(live.id, ADA, SeatBot(player, seat))
            else:
                await self.do(live.id, player, Sit(NONCE, seat))
        await self.do(live.id, ADA, Start())
        return live

    async def choose(self, live: LiveRoom, who: Identity, seat: int, n: int = 0) -> int:
        """Make the *n*-th legal choice of a seat."""
        return await self.do(live.id, who, legal_choice(live, seat, n))

    async def wait_for_bots(self, live: LiveRoom) -> None:
        """Wait until no bot has to choose at a table."""
        async with asyncio.timeout(TIMEOUT_S):
            while self.hub.bot_scheduler.is_scheduled(live.id):
                await asyncio.sleep(0)

    def stop_listening(self) -> None:
        """Ignore what other servers write from now on."""
        assert self.hub._unsubscribe is not None
        self.hub._unsubscribe()


def running_table(live: LiveRoom) -> AnyTable:
    """Return the running game of a room."""
    assert live.room.table is not None
    return live.room.table


def legal_choice(live: LiveRoom, seat: int, n: int = 0) -> Choose:
    """Build the command for the *n*-th legal choice of a seat."""
    table = running_table(live)
    return Choose(seat, str(table.view(Seat(seat)).legal[n]), table.ply, table.revision)


@asynccontextmanager
async def open_hub(
    url: str, clock: ManualClock | None = None, bot_pool: BotPool | None = None
) -> AsyncIterator[HubHarness]:
    """Start a hub with its own store."""
    store = Store.open(url)
    harness = HubHarness(store, clock or ManualClock(), bot_pool or LocalBotPool(0))
    harness.hub.start()
    try:
        yield harness
    finally:
        for watcher in harness.watchers:
            await watcher.leave()
        await harness.hub.stop()
        await harness.bot_pool.close()
        await asyncio.to_thread(store.close)
