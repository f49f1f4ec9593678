"""Random clients: players who choose at random at several tables and survive lost connections.

A client repeats each request with the same idempotency key, over new connections if necessary,
until it is answered. The request log keeps all requests and answers.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from support import TIMEOUT_S
from support.chaos.request_log import RequestLog
from support.ws_client import Message, TableMirror

RETRY_DELAY_S = 0.02
"""Delay before a client repeats a request that the server could not decide."""


class Servers(Protocol):
    """Servers on one database."""

    @property
    def links(self) -> Sequence[str]:
        """The links of all servers that are up."""

    async def find_link(self, rng: Random) -> str:
        """Return the link of a random server; wait while none is up."""


@dataclass(frozen=True)
class Behavior:
    """Probabilities of optional actions, for each request or answer."""

    say: float = 0.03
    undo: float = 0.05
    send_twice: float = 0.1
    """Probability of sending the same request twice."""

    drop: float = 0.01
    """Probability of dropping the connection."""


@dataclass
class ClientTable:
    """One table as one client knows it."""

    id: str
    seat: int | None
    """`None` for a spectator."""

    is_owner: bool = False
    bots: dict[int, str] = field(default_factory=dict)
    mirror: TableMirror = field(default_factory=TableMirror)
    pending_key: str | None = None
    """The key of the request that has no answer yet."""

    awaited_seq: int = 0
    """The seq that must be received before the next request."""

    def pick_command(self, rng: Random, behavior: Behavior) -> Message | None:
        """Pick the next command, if any."""
        latest = self.mirror.latest
        status = latest["info"]["status"] if latest else ""
        if (
            self.seat is None
            or self.mirror.seq < self.awaited_seq
            or status not in {"open", "running"}
        ):
            return None
        if status == "open":
            return self._set_up(self.seat)
        view = self.mirror.views.get(self.seat)
        if rng.random() < behavior.say:
            return {"kind": "say", "text": secrets.token_hex(8)}
        if view is not None and view["can_undo"] and rng.random() < behavior.undo:
            return {"kind": "undo", "seat": self.seat}
        if view is None or not view["legal"] or self.seat not in latest["waiting"]:
            return None
        position = {"seat": self.seat, "ply": latest["ply"], "revision": latest["revision"]}
        return {"kind": "choose", "token": rng.choice(view["legal"]), **position}

    def _set_up(self, seat: int) -> Message | None:
        """Pick the next command before the start; the owner seats the bots and starts."""
        places = self.mirror.latest["info"]["places"]
        free = [n for n, place in enumerate(places) if place["player"] is place["bot"] is None]
        if seat in free:
            return {"kind": "sit", "seat": seat, "nonce": secrets.token_hex(16)}
        for other, bot in self.bots.items():
            if self.is_owner and other in free:
                return {"kind": "seat_bot", "seat": other, "bot": bot}
        return {"kind": "start"} if self.is_owner and not free else None


class RandomClient:
    """One player with one connection at a time."""

    def __init__(
        self,
        player: str,
        cookie: str,
        request_log: RequestLog,
        *,
        rng: Random,
        changed: asyncio.Event,
    ) -> None:
        self.player = player
        self.cookie = cookie
        self.tables: dict[str, ClientTable] = {}
        self.behavior = Behavior()
        self.lost_connections = 0
        self.answers = 0
        self.answers_by_link: Counter[str] = Counter()
        """The number of answers from each server."""

        self.is_paused = False
        self._log = request_log
        self._rng = rng
        self._request_count = 0
        self._known_seqs: dict[str, int] = {}
        """The last received seq at the time of each request."""

        self._ws: ClientConnection | None = None
        self._link = ""
        self._changed = changed

    @property
    def is_waiting(self) -> bool:
        """True if a request has no answer yet."""
        return any(table.pending_key is not None for table in self.tables.values())

    @property
    def connection_state(self) -> str:
        """The state of the connection, for messages."""
        return f"{'connected' if self._ws is not None else 'not connected'} to {self._link}"

    async def play(self, servers: Servers) -> None:
        """Play until cancelled; reconnect whenever the connection is lost."""
        while True:
            self._link = await servers.find_link(self._rng)
            try:
                self._ws = await open_ws(self._link, self.cookie)
                for table in tuple(self.tables.values()):
                    await self.follow(table)
                async for text in self._ws:
                    await self._on_message(json.loads(text))
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.005)  # the server may be gone
            finally:
                self.lost_connections += 1
                if self._ws is not None:
                    self._ws.transport.abort()
                    self._ws = None

    async def follow(self, table: ClientTable) -> None:
        """Watch a table from the last received entry on."""
        self.tables[table.id] = table
        if self._ws is not None and not (table.mirror.is_over and table.pending_key is None):
            since = table.mirror.seq or None
            await self._send({"kind": "watch", "key": "w", "table": table.id, "since": since})

    async def resume(self) -> None:
        """Make requests again."""
        self.is_paused = False
        for table in tuple(self.tables.values()):
            if table.pending_key is None:
                await self._request_next(table)

    async def catch_up(self, link: str) -> None:
        """Receive the missing entries of each table over another connection."""
        ws = await open_ws(link, self.cookie, TIMEOUT_S)
        for table in self.tables.values():
            request = {"kind": "watch", "key": "w", "table": table.id, "since": table.mirror.seq}
            await ws.send(json.dumps(request))
            while (message := json.loads(await ws.recv()))["kind"] != "snapshot":
                assert message["kind"] != "refused", message
            self._apply(table, message)
            await ws.send(json.dumps({"kind": "unwatch", "key": "u", "table": table.id}))
        await ws.close()

    async def _send(self, message: Message) -> None:
        if self._ws is not None:
            with suppress(OSError, WebSocketException):  # the reader will notice
                await self._ws.send(json.dumps(message))

    async def _on_message(self, message: Message) -> None:
        """Apply one message and react to it."""
        match message["kind"]:
            case "snapshot" | "update":
                table = self.tables[message["table"]]
                self._apply(table, message)
                if message["kind"] == "snapshot" and table.pending_key is not None:
                    await self._send_request(table)
            case "accepted" | "refused" if message["key"] in self._log.sent:
                table = await self._on_answer(message)
            case "refused" if message["key"] == "w":
                assert not self._log.refuse("", message["code"]), message
                raise TimeoutError("tables cannot be read now: try another connection")
            case _:
                return
        if table.pending_key is None and not self.is_paused:
            await self._request_next(table)
        if table.mirror.is_over and table.pending_key is None:
            await self._send({"kind": "unwatch", "key": "u", "table": table.id})
        self._changed.set()

    def _apply(self, table: ClientTable, message: Message) -> None:
        """Apply a snapshot or an update; no received entry may disappear."""
        known = table.mirror.seq
        assert message["seq"] >= known, f"{table.id}: of {known} entries {message['seq']} are left"
        table.mirror.apply(message)

    async def _on_answer(self, message: Message) -> ClientTable:
        """Record an answer; send the request again if the answer is not final."""
        key = message["key"]
        table = self.tables[self._log.sent[key].table]
        if message["kind"] == "accepted":
            self._log.accept(key, message["seq"])
            table.awaited_seq = max(table.awaited_seq, message["seq"])
        elif not self._log.refuse(key, message["code"]):
            if table.pending_key == key:
                await asyncio.sleep(RETRY_DELAY_S)
                await self._send_request(table)
            return table
        elif table.pending_key == key:
            table.awaited_seq = max(table.awaited_seq, self._known_seqs[key] + 1)
        if table.pending_key == key:
            table.pending_key = None
        self.answers += 1
        self.answers_by_link[self._link] += 1
        if self._rng.random() < self.behavior.drop and self._ws is not None:
            self._ws.transport.abort()
        return table

    async def _request_next(self, table: ClientTable) -> None:
        command = table.pick_command(self._rng, self.behavior)
        if command is not None:
            self._request_count += 1
            table.pending_key = f"{self.player}-{self._request_count}"
            self._known_seqs[table.pending_key] = table.mirror.seq
            self._log.send(table.pending_key, table.id, self.player, command)
            await self._send_request(table)
            if self._rng.random() < self.behavior.send_twice:
                await self._send_request(table)

    async def _send_request(self, table: ClientTable) -> None:
        """Send the unanswered request."""
        assert table.pending_key is not None
        command = self._log.sent[table.pending_key].command
        await self._send(
            {"kind": "do", "key": table.pending_key, "table": table.id, "command": command}
        )


async def open_ws(link: str, cookie: str, timeout: float = 10.0) -> ClientConnection:
    """Open a WebSocket as a browser does."""
    return await connect(
        link.replace("http:", "ws:") + "/live",
        origin=Origin(link),
        additional_headers={"Cookie": cookie},
        compression=None,
        proxy=None,
        ping_interval=None,
        max_size=None,
        open_timeout=timeout,
        close_timeout=1,
    )
