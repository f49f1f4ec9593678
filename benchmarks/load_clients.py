"""Load-test clients: players at many tables who choose at random."""

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

from websocket_client import Connection, connect

HOST = "127.0.0.1"
GAMES = ("sanssouci", "sakura")
SEATS = (2, 3, 4)
PARALLEL_OPENS = 16
"""The number of tables opened at the same time."""

_KIND = re.compile(rb'^\{"kind":"(\w+)"')
_SEQ = re.compile(rb'"seq":(\d+)')
_PLY = re.compile(rb'"ply":(\d+),"revision":(\d+)')
_LEGAL = b'"legal":["'
_CHOSEN = b'"],"chosen":null'


@dataclass(slots=True)
class Counters:
    """The counters of a load test, active while `is_counting`."""

    choices: int = 0
    refused: int = 0
    views: int = 0
    bytes: int = 0
    latencies: list[float] = field(default_factory=list)
    is_counting: bool = False


@dataclass(slots=True, eq=False)
class TableState:
    """One table under load."""

    id: str
    counters: Counters
    seen: list[int]
    """The last `seq` each player has seen."""

    sent_at: float = 0.0
    sent_seq: int = -1
    """The highest `seq` seen when a choice was sent; -1 when none is pending."""

    is_over: bool = False

    def see(self, number: int, seq: int) -> None:
        """Record the `seq` a player has seen; the last player completes a latency."""
        self.seen[number] = seq
        if self.sent_seq >= 0 and min(self.seen) > self.sent_seq:
            if self.counters.is_counting:
                self.counters.latencies.append(perf_counter() - self.sent_at)
            self.sent_seq = -1


class LoadPlayer(Protocol):
    """A player of a load test."""

    is_eager: bool
    """`True` to choose at once."""

    @property
    def ready(self) -> object:
        """The position where this player can choose; `None` if there is none."""

    def choose(self) -> None:
        """Choose a random legal action."""


class Client:
    """One player at one table."""

    def __init__(self, table: TableState, number: int, rng: Random) -> None:
        self.table = table
        self.number = number
        self.is_eager = False
        """`True` to choose at once."""

        self.ready: tuple[bytes, bytes, list[bytes]] | None = None
        """The position where this player can choose: ply, revision, tokens."""

        self._socket: Connection | None = None
        self._answers: dict[str, asyncio.Future[bytes]] = {}
        self._rng = rng
        self._count = 0
        self._chosen: tuple[bytes, bytes] | None = None

    async def sit(self, port: int, cookie: str, seat: int) -> None:
        """Connect, follow the table and sit down."""
        headers = {"Cookie": cookie}
        self._socket = await connect(HOST, port, "/live", headers, receive=self.receive)
        await self._ask(kind="watch")
        await self.do(kind="sit", nonce=secrets.token_hex(16), seat=seat)

    def leave(self) -> None:
        """End the connection."""
        assert self._socket is not None, "connected"
        self._socket.close()

    def receive(self, message: bytes) -> None:
        """Handle a message; choose at once if eager."""
        kind = _KIND.match(message)
        name = kind[1] if kind else b""
        if name in {b"update", b"snapshot"}:
            self._look(message)
        elif name == b"refused":
            self.table.counters.refused += 1
            self._answer(message)
        elif name == b"accepted" and self._answers:
            self._answer(message)

    def choose(self) -> None:
        """Choose a random legal action."""
        assert self._socket is not None, "connected"
        assert self.ready is not None, "may choose"
        ply, revision, tokens = self.ready
        self.ready, self._chosen = None, (ply, revision)
        table = self.table
        self._count += 1
        if table.sent_seq < 0:
            table.sent_seq, table.sent_at = max(table.seen), perf_counter()
        table.counters.choices += table.counters.is_counting
        self._socket.send(
            b'{"kind":"do","key":"c%d","table":"%s","command":{"kind":"choose","seat":%d,'
            b'"token":"%s","ply":%s,"revision":%s}}'
            % (self._count, table.id.encode(), self.number, self._rng.choice(tokens), ply, revision)
        )

    async def do(self, **command: object) -> bytes:
        """Send a command and wait for its answer."""
        return await self._ask(kind="do", command=command)

    async def _ask(self, **fields: object) -> bytes:
        assert self._socket is not None, "connected"
        self._count += 1
        key = f"a{self._count}"
        answer = self._answers[key] = asyncio.get_running_loop().create_future()
        self._socket.send(json.dumps({"key": key, "table": self.table.id, **fields}).encode())
        return bytes(await answer)

    def _answer(self, message: bytes) -> None:
        key = json.loads(message).get("key")
        if key in self._answers:
            self._answers.pop(key).set_result(message)

    def _look(self, message: bytes) -> None:
        """Parse only the needed parts of a message, to keep the load generator fast."""
        counters, table = self.table.counters, self.table
        if counters.is_counting:
            counters.views += 1
            counters.bytes += len(message)
        seq = _SEQ.search(message, 0, 120)
        assert seq, message[:200]
        table.see(self.number, int(seq[1]))
        tokens, ply = _find_tokens(message), _PLY.search(message)
        if tokens and ply and (ply[1], ply[2]) != self._chosen:
            self.ready = ply[1], ply[2], tokens.split(b'","')
        table.is_over = table.is_over or b'"status":"over"' in message
        if self.is_eager and self.ready:
            self.choose()


def _find_tokens(message: bytes) -> bytes:
    """Find the legal tokens, if nothing was chosen yet."""
    start = message.find(_LEGAL) + len(_LEGAL)
    end = message.find(b"]", start) - 1
    return message[start:end] if message.startswith(_CHOSEN, end) and start > len(_LEGAL) else b""


async def seat_all(ports: list[int], tables: int, counters: Counters, *, bots: int) -> list[Client]:
    """Open tables, in turn on each server, and seat players; the first *bots* tables have a bot."""
    gate = asyncio.Semaphore(PARALLEL_OPENS)

    async def open_one(n: int) -> list[Client]:
        async with gate:
            return await _open(ports, n, counters, has_bot=n < bots)

    groups = await asyncio.gather(*map(open_one, range(tables)))
    return [client for group in groups for client in group]


async def _open(ports: list[int], n: int, counters: Counters, *, has_bot: bool) -> list[Client]:
    """Open one table; its players are spread over the servers."""
    base = f"http://{HOST}:{ports[n % len(ports)]}"
    seats = SEATS[n % len(SEATS)]
    config = {"game": GAMES[n % len(GAMES)], "seats": seats}
    _, owner = await call(base, "/api/session", {"name": f"Player {n}"})
    info, _ = await call(base, "/api/tables", config, owner)
    people = seats - has_bot
    table = TableState(info["id"], counters, [0] * people)
    clients = []
    for number in range(people):
        cookie = owner
        if number:
            _, cookie = await call(base, "/api/session", {"name": f"Player {n}-{number}"})
        client = Client(table, number, Random(1000 * n + number))
        await client.sit(ports[(n + number) % len(ports)], cookie, number)
        clients.append(client)
    if has_bot:
        await clients[0].do(kind="seat_bot", bot="flat:0.2s")
    await clients[0].do(kind="start")
    return clients


async def call(base: str, path: str, body: object, cookie: str = "") -> tuple[Any, str]:
    """Send one HTTP request; return the answer and the cookie it sets."""
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
