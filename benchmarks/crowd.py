"""A crowd of players for load tests: each at a table of its own, choosing at random."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any, Protocol
from urllib.request import Request, urlopen

from frames import Frames, connect

HOST = "127.0.0.1"
GAMES = ("sanssouci", "sakura")
SEATS = (2, 3, 4)
AT_ONCE = 16
"""How many tables are opened at the same time."""

_KIND = re.compile(rb'^\{"kind":"(\w+)"')
_SEQ = re.compile(rb'"seq":(\d+)')
_PLY = re.compile(rb'"ply":(\d+),"undone":(\d+)')
_LEGAL = b'"legal":["'
_CHOSEN = b'"],"chosen":null'


@dataclass(slots=True)
class Totals:
    """What has been counted while counting was on."""

    choices: int = 0
    refused: int = 0
    views: int = 0
    bytes: int = 0
    latencies: list[float] = field(default_factory=list)
    is_counting: bool = False


@dataclass(slots=True, eq=False)
class Desk:
    """One table under load."""

    id: str
    totals: Totals
    seen: list[int]
    """How many lines each player has seen."""

    asked_at: float = 0.0
    asked: int = -1
    """The highest number seen when a choice was sent; -1 when none is on its way."""

    is_over: bool = False

    def see(self, number: int, seq: int) -> None:
        """Note that a player has seen so many lines; the last one stops the clock."""
        self.seen[number] = seq
        if self.asked >= 0 and min(self.seen) > self.asked:
            if self.totals.is_counting:
                self.totals.latencies.append(perf_counter() - self.asked_at)
            self.asked = -1


class Chooser(Protocol):
    """Whoever chooses under load."""

    is_eager: bool
    """Whether to choose at once."""

    @property
    def ready(self) -> object:
        """Tell where this player may choose; `None` if nowhere."""

    def choose(self) -> None:
        """Choose something."""


class Guest:
    """One player at one table."""

    def __init__(self, desk: Desk, number: int, rng: Random) -> None:
        self.desk = desk
        self.number = number
        self.is_eager = False
        """Whether to choose at once."""

        self.ready: tuple[bytes, bytes, list[bytes]] | None = None
        """Where this player may choose: ply, undone, tokens."""

        self._frames: Frames | None = None
        self._answers: dict[str, asyncio.Future[bytes]] = {}
        self._rng = rng
        self._count = 0
        self._chosen: tuple[bytes, bytes] | None = None

    async def sit(self, port: int, cookie: str, seat: int) -> None:
        """Connect, follow the table and sit down."""
        headers = {"Cookie": cookie}
        self._frames = await connect(HOST, port, "/live", headers, receive=self.receive)
        await self._ask(kind="watch")
        await self.do(kind="sit", nonce=secrets.token_hex(16), seat=seat)

    def leave(self) -> None:
        """End the connection."""
        assert self._frames is not None, "connected"
        self._frames.close()

    def receive(self, message: bytes) -> None:
        """Take a message; choose at once if eager."""
        kind = _KIND.match(message)
        name = kind[1] if kind else b""
        if name in {b"update", b"snapshot"}:
            self._look(message)
        elif name == b"refused":
            self.desk.totals.refused += 1
            self._answer(message)
        elif name == b"accepted" and self._answers:
            self._answer(message)

    def choose(self) -> None:
        """Choose something."""
        assert self._frames is not None, "connected"
        assert self.ready is not None, "may choose"
        ply, undone, tokens = self.ready
        self.ready, self._chosen = None, (ply, undone)
        desk = self.desk
        self._count += 1
        if desk.asked < 0:
            desk.asked, desk.asked_at = max(desk.seen), perf_counter()
        desk.totals.choices += desk.totals.is_counting
        self._frames.send(
            b'{"kind":"do","key":"c%d","table":"%s","command":{"kind":"choose","seat":%d,'
            b'"token":"%s","ply":%s,"undone":%s}}'
            % (self._count, desk.id.encode(), self.number, self._rng.choice(tokens), ply, undone)
        )

    async def do(self, **command: object) -> bytes:
        """Send a command and wait for its answer."""
        return await self._ask(kind="do", command=command)

    async def _ask(self, **fields: object) -> bytes:
        assert self._frames is not None, "connected"
        self._count += 1
        key = f"a{self._count}"
        answer = self._answers[key] = asyncio.get_running_loop().create_future()
        self._frames.send(json.dumps({"key": key, "table": self.desk.id, **fields}).encode())
        return bytes(await answer)

    def _answer(self, message: bytes) -> None:
        key = json.loads(message).get("key")
        if key in self._answers:
            self._answers.pop(key).set_result(message)

    def _look(self, message: bytes) -> None:
        """Read just what is needed of a message: to decode all of it would load the generator."""
        totals, desk = self.desk.totals, self.desk
        if totals.is_counting:
            totals.views += 1
            totals.bytes += len(message)
        seq = _SEQ.search(message, 0, 120)
        assert seq, message[:200]
        desk.see(self.number, int(seq[1]))
        tokens, ply = _find_tokens(message), _PLY.search(message)
        if tokens and ply and (ply[1], ply[2]) != self._chosen:
            self.ready = ply[1], ply[2], tokens.split(b'","')
        desk.is_over = desk.is_over or b'"status":"over"' in message
        if self.is_eager and self.ready:
            self.choose()


def _find_tokens(message: bytes) -> bytes:
    """Find what may be chosen, if nothing was chosen yet."""
    start = message.find(_LEGAL) + len(_LEGAL)
    end = message.find(b"]", start) - 1
    return message[start:end] if message.startswith(_CHOSEN, end) and start > len(_LEGAL) else b""


async def seat_all(ports: list[int], tables: int, totals: Totals, *, bots: int) -> list[Guest]:
    """Open tables, in turn on each server, and seat players; the first *bots* tables have a bot."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def open_one(n: int) -> list[Guest]:
        async with gate:
            return await _open_table(ports, n, totals, has_bot=n < bots)

    groups = await asyncio.gather(*map(open_one, range(tables)))
    return [guest for group in groups for guest in group]


async def _open_table(ports: list[int], n: int, totals: Totals, *, has_bot: bool) -> list[Guest]:
    """Open one table; its players are spread over the servers."""
    base = f"http://{HOST}:{ports[n % len(ports)]}"
    seats = SEATS[n % len(SEATS)]
    wish = {"game": GAMES[n % len(GAMES)], "seats": seats}
    _, owner = await call(base, "/api/session", {"name": f"Player {n}"})
    info, _ = await call(base, "/api/tables", wish, owner)
    people = seats - has_bot
    desk = Desk(info["id"], totals, [0] * people)
    guests = []
    for number in range(people):
        cookie = owner
        if number:
            _, cookie = await call(base, "/api/session", {"name": f"Player {n}-{number}"})
        guest = Guest(desk, number, Random(1000 * n + number))
        await guest.sit(ports[(n + number) % len(ports)], cookie, number)
        guests.append(guest)
    if has_bot:
        await guests[0].do(kind="seat_bot", bot="flat:0.2s")
    await guests[0].do(kind="start")
    return guests


async def call(base: str, path: str, body: object, cookie: str = "") -> tuple[Any, str]:
    """Send one HTTP request; give the answer and the cookie it sets."""
    return await asyncio.to_thread(_call, base, path, body, cookie)


def _call(base: str, path: str, body: object, cookie: str) -> tuple[Any, str]:
    request = Request(base + path, json.dumps(body).encode(), method="POST")  # noqa: S310  (our own server)
    request.add_header("Content-Type", "application/json")
    request.add_header("Origin", base)
    if cookie:
        request.add_header("Cookie", cookie)
    with urlopen(request) as answer:  # noqa: S310  (our own server)
        given = answer.headers.get("Set-Cookie", "").split(";")[0]
        return json.loads(answer.read()), given
