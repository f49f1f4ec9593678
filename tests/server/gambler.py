"""Players who choose at random and never give up: over lost connections, at several tables.

Each request has a key; whatever happens to the connection, the same request is sent again until it
is answered. What was answered goes into the ledger.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from server.ledger import Ledger
from server.patience import PATIENCE
from server.talks import Message, Seen

_AGAIN = 0.02
"""Seconds after which a request is sent again that could not be decided."""


class Where(Protocol):
    """Knows where servers are."""

    async def find_link(self, rng: Random) -> str:
        """Name a server that is up; wait while there is none."""


@dataclass(frozen=True)
class Habits:
    """How often a gambler does what nobody has to do, for each request or answer."""

    say: float = 0.03
    undo: float = 0.05
    twice: float = 0.1
    """Send the same request twice."""

    hang_up: float = 0.01
    """Cut the connection without a word."""


@dataclass
class Desk:
    """One table, as one gambler knows it."""

    id: str
    seat: int | None
    """`None` for somebody who only looks on."""

    is_owner: bool = False
    bots: dict[int, str] = field(default_factory=dict)
    seen: Seen = field(default_factory=Seen)
    key: str | None = None
    """The request that is on its way."""

    next: int = 0
    """How many lines must be known before the next request makes sense."""

    def decide(self, rng: Random, habits: Habits) -> Message | None:
        """Make up one's mind what to ask for now, if anything."""
        status = self.seen.now["info"]["status"] if self.seen.now else ""
        if self.seat is None or self.seen.seq < self.next or status not in {"open", "running"}:
            return None
        if status == "open":
            return self._prepare(self.seat)
        view = self.seen.views.get(self.seat)
        if rng.random() < habits.say:
            return {"kind": "say", "text": secrets.token_hex(8)}
        if view is not None and view["can_undo"] and rng.random() < habits.undo:
            return {"kind": "undo", "seat": self.seat}
        if view is None or not view["legal"] or self.seat not in self.seen.now["waiting"]:
            return None
        now = self.seen.now
        where = {"seat": self.seat, "ply": now["ply"], "undone": now["undone"]}
        return {"kind": "choose", "token": rng.choice(view["legal"]), **where}

    def _prepare(self, seat: int) -> Message | None:
        """Sit down; whoever owns the table seats the bots and begins."""
        places = self.seen.now["info"]["places"]
        free = [n for n, place in enumerate(places) if place["player"] is place["bot"] is None]
        if seat in free:
            return {"kind": "sit", "seat": seat, "nonce": secrets.token_hex(16)}
        for other, bot in self.bots.items():
            if self.is_owner and other in free:
                return {"kind": "seat_bot", "seat": other, "bot": bot}
        return {"kind": "start"} if self.is_owner and not free else None


class Gambler:
    """One player with one connection at a time."""

    def __init__(
        self, player: str, cookie: str, ledger: Ledger, *, rng: Random, news: asyncio.Event
    ) -> None:
        self.player = player
        self.cookie = cookie
        self.desks: dict[str, Desk] = {}
        self.habits = Habits()
        self.lost = 0
        """How many connections were lost."""

        self.answers = 0
        self.served: Counter[str] = Counter()
        """How many answers came from each address."""

        self.is_tired = False
        """Whether no new requests are made."""

        self._ledger = ledger
        self._rng = rng
        self._count = 0
        self._asked_at: dict[str, int] = {}
        """How many lines were known when each request was made."""

        self._wire: ClientConnection | None = None
        self._link = ""
        self._news = news

    @property
    def is_waiting(self) -> bool:
        """Tell whether a request has no answer yet."""
        return any(desk.key is not None for desk in self.desks.values())

    @property
    def whereabouts(self) -> str:
        """Tell whether, and where, there is a connection."""
        return f"{'on' if self._wire is not None else 'not on'} {self._link}"

    async def play(self, where: Where) -> None:
        """Play for ever, over as many connections as it takes."""
        while True:
            self._link = await where.find_link(self._rng)
            try:
                self._wire = await open_wire(self._link, self.cookie)
                for desk in tuple(self.desks.values()):
                    await self.follow(desk)
                async for text in self._wire:
                    await self._hear(json.loads(text))
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.005)  # it may be gone, and we know before others do
            finally:
                self.lost += 1
                if self._wire is not None:
                    self._wire.transport.abort()
                    self._wire = None

    async def follow(self, desk: Desk) -> None:
        """Follow a table from where we know it."""
        self.desks[desk.id] = desk
        if self._wire is not None and not (desk.seen.is_over and desk.key is None):
            since = desk.seen.seq or None
            await self._send({"kind": "watch", "key": "w", "table": desk.id, "since": since})

    async def wake_up(self) -> None:
        """Go on after a rest."""
        self.is_tired = False
        for desk in tuple(self.desks.values()):
            if desk.key is None:
                await self._do_something(desk)

    async def catch_up(self, link: str) -> None:
        """Get to know, over another connection, what we have missed of each table."""
        wire = await open_wire(link, self.cookie, PATIENCE)
        for desk in self.desks.values():
            since = desk.seen.seq
            ask = {"kind": "watch", "key": "w", "table": desk.id, "since": since}
            await wire.send(json.dumps(ask))
            while (message := json.loads(await wire.recv()))["kind"] != "snapshot":
                assert message["kind"] != "refused", message
            self._take(desk, message)
            await wire.send(json.dumps({"kind": "unwatch", "key": "u", "table": desk.id}))
        await wire.close()

    async def _send(self, message: Message) -> None:
        if self._wire is not None:
            with suppress(OSError, WebSocketException):  # whoever reads will notice
                await self._wire.send(json.dumps(message))

    async def _hear(self, message: Message) -> None:
        """Take one message; do what follows from it."""
        match message["kind"]:
            case "snapshot" | "update":
                desk = self.desks[message["table"]]
                self._take(desk, message)
                if message["kind"] == "snapshot" and desk.key is not None:
                    await self._ask(desk)
            case "accepted" | "refused" if message["key"] in self._ledger.sent:
                desk = await self._settle(message)
            case "refused" if message["key"] == "w":
                assert not self._ledger.refuse("", message["code"]), message
                raise TimeoutError("tables cannot be read now: try another connection")
            case _:
                return
        if desk.key is None and not self.is_tired:
            await self._do_something(desk)
        if desk.seen.is_over and desk.key is None:
            await self._send({"kind": "unwatch", "key": "u", "table": desk.id})
        self._news.set()

    def _take(self, desk: Desk, message: Message) -> None:
        """Take in how a table looks; what was seen once can never be gone."""
        known = desk.seen.seq
        assert message["seq"] >= known, f"{desk.id}: of {known} lines {message['seq']} are left"
        desk.seen.take(message)

    async def _settle(self, message: Message) -> Desk:
        """Note an answer in the ledger; ask again if it decides nothing."""
        key = message["key"]
        desk = self.desks[self._ledger.sent[key].table]
        if message["kind"] == "accepted":
            self._ledger.accept(key, message["seq"])
            desk.next = max(desk.next, message["seq"])
        elif not self._ledger.refuse(key, message["code"]):
            if desk.key == key:
                await asyncio.sleep(_AGAIN)
                await self._ask(desk)
            return desk
        elif desk.key == key:
            desk.next = max(desk.next, self._asked_at[key] + 1)
        if desk.key == key:
            desk.key = None
        self.answers += 1
        self.served[self._link] += 1
        if self._rng.random() < self.habits.hang_up and self._wire is not None:
            self._wire.transport.abort()
        return desk

    async def _do_something(self, desk: Desk) -> None:
        command = desk.decide(self._rng, self.habits)
        if command is not None:
            self._count += 1
            desk.key = f"{self.player}-{self._count}"
            self._asked_at[desk.key] = desk.seen.seq
            self._ledger.send(desk.key, desk.id, self.player, command)
            await self._ask(desk)
            if self._rng.random() < self.habits.twice:
                await self._ask(desk)

    async def _ask(self, desk: Desk) -> None:
        """Send the request that waits for an answer."""
        assert desk.key is not None
        command = self._ledger.sent[desk.key].command
        await self._send({"kind": "do", "key": desk.key, "table": desk.id, "command": command})


async def open_wire(link: str, cookie: str, patience: float = 10.0) -> ClientConnection:
    """Open a socket as a browser does; who tries again elsewhere has less *patience*."""
    return await connect(
        link.replace("http:", "ws:") + "/live",
        origin=Origin(link),
        additional_headers={"Cookie": cookie},
        compression=None,
        proxy=None,
        ping_interval=None,
        max_size=None,
        open_timeout=patience,
        close_timeout=1,
    )
