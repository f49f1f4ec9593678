"""Halls for the tests of live tables: a hub on a real database, and screens that follow tables."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from conformance.rooms import NONCE
from pleasance.core.game import Seat
from pleasance.server.base.requests import Choose, Command, SeatBot, Sit, Start
from pleasance.server.base.settings import Settings
from pleasance.server.bots.local_pool import LocalCrew
from pleasance.server.bots.pool import Advice, Crew, Thought
from pleasance.server.identity.authentication import Identity
from pleasance.server.live.client import Client
from pleasance.server.live.housekeeping import Ticker
from pleasance.server.live.hub import Hub
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.live.table_configs import OpenTable
from pleasance.server.store.store import Store
from pleasance.table.room import AnyTable
from server.patience import PATIENCE
from server.visitors import Clock

_keys = count(1)


def person(name: str) -> Identity:
    """Make somebody whose id is the name."""
    return Identity(id=name, name=name.title(), kind="guest", scopes=None, language="en")


ADA, BEN, CYD = map(person, ("adaada", "benben", "cydcyd"))


class PatientCrew:
    """Thinks for as long as the test wants."""

    def __init__(self) -> None:
        self.thoughts: dict[str, tuple[Thought, asyncio.Future[str]]] = {}
        self._news = asyncio.Event()

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def think(self, thought: Thought) -> str:
        asked: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.thoughts[thought.key] = thought, asked
        self._news.set()
        return await asked

    async def advise(self, thought: Thought) -> Advice:
        return Advice(await self.think(thought), thought.bot)

    async def asked(self) -> tuple[Thought, asyncio.Future[str]]:
        """Wait for the next thought; it may be answered in any way."""
        async with asyncio.timeout(PATIENCE):
            while not self.thoughts:
                self._news.clear()
                await self._news.wait()
        return self.thoughts.pop(next(iter(self.thoughts)))


class Screen:
    """A real client whose messages lie in a list instead of going over a network."""

    def __init__(self, hall: Hall, who: Identity | None) -> None:
        self.client = Client(None if who is None else who.id)
        self.seen: list[dict[str, Any]] = []
        self.may_send = asyncio.Event()
        self.may_send.set()
        self._hall = hall
        self._news = asyncio.Event()
        hall.hub.door.connect(self.client)
        self._sending = asyncio.create_task(self.client.send_all(self._send))

    async def _send(self, text: str) -> None:
        await self.may_send.wait()
        self.seen.append(json.loads(text))
        self._news.set()

    async def watch(self, table: str, since: int | None = None) -> None:
        """Follow a table, as the socket would."""
        hub = self._hall.hub
        live = await hub.find(table)
        await hub.welcome_back(live, self.client.player)
        self.client.watching[table] = live
        await live.watch(self.client, since)

    async def wait_for(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until something is told."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for message in self.seen:
                    if is_it(message):
                        return message
                self._news.clear()
                await self._news.wait()

    async def wait_for_line(self, n: int) -> dict[str, Any]:
        """Wait until a line is told; give the message that told it."""
        return await self.wait_for(lambda m: any(x["n"] == n for x in m.get("lines", ())))

    def lines(self) -> list[int]:
        """List the numbers of all lines that were told, in order."""
        return [line["n"] for message in self.seen for line in message.get("lines", ())]

    async def leave(self) -> None:
        """Go away."""
        for live in self.client.watching.values():
            live.watchers.discard(self.client)
        self.client.watching.clear()
        self._hall.hub.door.disconnect(self.client)
        self._sending.cancel()
        await asyncio.gather(self._sending, return_exceptions=True)


class Hall:
    """One server without its network."""

    def __init__(self, store: Store, clock: Clock, crew: Crew) -> None:
        settings = Settings(database="sqlite://", absence=90.0, archive_after=86_400.0)
        self.store, self.clock, self.crew = store, clock, crew
        self.hub = Hub(store, crew, settings, clock)
        self.ticker = Ticker(self.hub, store, settings)
        self.screens: list[Screen] = []

    def screen(self, who: Identity | None) -> Screen:
        """Let somebody connect."""
        screen = Screen(self, who)
        self.screens.append(screen)
        return screen

    async def do(self, table: str, who: Identity, command: Command, key: str | None = None) -> int:
        """Do something; give the number of its first line."""
        return (await self.hub.do(table, who, key or f"key{next(_keys)}", command)).seq

    async def open(self, *who: Identity | str, game: str = "sakura", **more: Any) -> LiveRoom:
        """Open a table, seat people and bots, and begin."""
        live = await self.hub.open(OpenTable(game=game, seats=len(who), **more), ADA)
        for seat, one in enumerate(who):
            if isinstance(one, str):
                await self.do(live.id, ADA, SeatBot(one, seat))
            else:
                await self.do(live.id, one, Sit(NONCE, seat))
        await self.do(live.id, ADA, Start())
        return live

    async def choose(self, live: LiveRoom, who: Identity, seat: int, n: int = 0) -> int:
        """Choose the first thing, or the one after it, that is legal."""
        return await self.do(live.id, who, first_choice(live, seat, n))


def table_of(live: LiveRoom) -> AnyTable:
    """Give the game of a table where one is on."""
    assert live.room.table is not None
    return live.room.table


def first_choice(live: LiveRoom, seat: int, n: int = 0) -> Choose:
    """Make the command to choose what is listed first, or the one after it."""
    table = table_of(live)
    token = str(table.view(Seat(seat)).legal[n])
    return Choose(seat, token, table.ply, table.undone)


@asynccontextmanager
async def open_hall(
    url: str, clock: Clock | None = None, crew: Crew | None = None
) -> AsyncIterator[Hall]:
    """Start a server's hub on a database of its own store."""
    store = Store.open(url)
    hall = Hall(store, clock or Clock(), crew or LocalCrew(0))
    hall.hub.start()
    try:
        yield hall
    finally:
        for screen in hall.screens:
            await screen.leave()
        await hall.hub.stop()
        await hall.crew.close()
        await asyncio.to_thread(store.close)
