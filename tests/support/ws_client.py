"""A client of the WebSocket protocol, and the state of tables it has received."""

from __future__ import annotations

import json
import socket
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from support import NONCE, TIMEOUT_S

Message = dict[str, Any]


@dataclass
class TableMirror:
    """The state of a table as one client has received it; survives a lost connection."""

    seq: int = 0
    entries: dict[int, Message] = field(default_factory=dict)
    """All received log entries, by seq."""

    latest: Message = field(default_factory=dict)
    """The newest value of every field of a snapshot."""

    views: dict[int | None, Message] = field(default_factory=dict)
    """The newest view of each own seat, or of a spectator (`None`)."""

    @property
    def is_over(self) -> bool:
        return bool(self.latest) and self.latest["info"]["status"] == "over"

    @property
    def is_whole(self) -> bool:
        """True if every entry of the log has been received."""
        return sorted(self.entries) == list(range(1, self.seq + 1))

    def apply(self, message: Message) -> None:
        """Apply a snapshot or an update; entries received before must not change."""
        is_update = message["kind"] == "update"
        seqs = [entry["seq"] for entry in message["entries"]]
        assert not is_update or message["seq"] > self.seq, "an update must have a new seq"
        assert not is_update or all(seq > self.seq for seq in seqs), "an entry was sent twice"
        for entry in message["entries"]:
            assert self.entries.setdefault(entry["seq"], entry) == entry
        if not is_update:
            self.views.clear()
        self.views.update({view["seat"]: view for view in message["views"]})
        present = {name: value for name, value in message.items() if value is not None}
        self.latest = {**self.latest, **present}
        self.seq = message["seq"]

    def find_choice(self) -> tuple[int, Sequence[str]] | None:
        """Find an own seat that must choose; return it with its legal choices."""
        for seat, view in self.views.items():
            if seat is not None and seat in self.latest["waiting"] and view["legal"]:
                return seat, view["legal"]
        return None


class WsClient:
    """One connection; a context that closes it."""

    def __init__(
        self,
        link: str,
        headers: Mapping[str, str],
        *,
        mirrors: dict[str, TableMirror],
        keys: Iterator[str],
        is_lazy: bool = False,
    ) -> None:
        """Connect; a lazy client leaves messages in the socket buffer until it receives them."""
        address = urlsplit(link)
        self.wire = socket.socket()
        if is_lazy:
            self.wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.wire.connect((address.hostname, address.port))
        self._is_lazy = is_lazy
        self.mirrors = mirrors
        self.skipped: deque[Message] = deque(maxlen=1000)
        """The newest messages that arrived while another was awaited."""

        self.texts: deque[str] = deque(maxlen=10_000)
        """All received messages as text."""

        self._keys = keys
        others = {name: text for name, text in headers.items() if name != "Origin"}
        origin = headers.get("Origin")
        self.socket: ClientConnection = connect(
            link.replace("http:", "ws:") + "/live",
            sock=self.wire,
            origin=None if origin is None else Origin(origin),
            additional_headers=others,
            compression=None,
            ping_interval=None,
            max_size=None,
            max_queue=1 if is_lazy else None,
            open_timeout=TIMEOUT_S,
            close_timeout=TIMEOUT_S,
            legacy=True,
        )
        self.welcome = self.receive("welcome")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_lazy:
            self.drop()
        self.socket.close()
        self.socket.recv_events_thread.join()

    def drop(self, rest: bytes = b"") -> None:
        """Send *rest*, then drop the connection without a close frame."""
        with suppress(OSError):
            self.wire.sendall(rest)
            self.wire.shutdown(socket.SHUT_RDWR)
        with suppress(ConnectionClosed):  # discards what has arrived
            while True:
                self.socket.recv(timeout=TIMEOUT_S)
        self.socket.recv_events_thread.join()

    def drop_mid_frame(self, message: Message) -> None:
        """Drop the connection in the middle of a frame."""
        frame = Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True)
        self.drop(frame[: len(frame) // 2])

    def send(self, message: object) -> None:
        """Send any message."""
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self, *kinds: str, timeout_s: float = TIMEOUT_S) -> Message:
        """Wait for the next message, or for the next of the given kinds."""
        while True:
            text = self.socket.recv(timeout=timeout_s)
            self.texts.append(str(text))
            message: Message = json.loads(text)
            if message["kind"] in {"snapshot", "update"}:
                self.mirrors.setdefault(message["table"], TableMirror()).apply(message)
            if not kinds or message["kind"] in kinds:
                return message
            self.skipped.append(message)

    def receive_until_close(self) -> tuple[list[Message], int]:
        """Receive until the server closes; return the messages and the close code."""
        received: list[Message] = []
        try:
            while True:
                received.append(self.receive())
        except ConnectionClosed as closed:
            return received, 1006 if closed.rcvd is None else closed.rcvd.code

    def ask(self, kind: str, **fields: object) -> Message:
        """Send a request and wait for its answer."""
        key = str(fields.setdefault("key", next(self._keys)))
        self.send({"kind": kind, **fields})
        return self.receive_answer(key)

    def receive_answer(self, key: str) -> Message:
        """Wait for the answer to the request with this idempotency key."""
        while (message := self.receive("accepted", "refused", "pong"))["key"] != key:
            self.skipped.append(message)
        return message

    def watch(self, table: str, since: int | None = None) -> Message:
        """Watch a table; return the snapshot."""
        key = next(self._keys)
        self.send({"kind": "watch", "key": key, "table": table, "since": since})
        snapshot = self.receive("snapshot", "refused")
        assert snapshot["kind"] == "snapshot", snapshot
        assert self.receive_answer(key)["kind"] == "accepted"
        return snapshot

    def do(self, table: str, **command: object) -> Message:
        """Send a command to a table; return the answer."""
        return self.ask("do", key=next(self._keys), table=table, command=command)

    def wait_for(self, table: str, seq: int) -> TableMirror:
        """Wait until the log of a table has reached *seq*."""
        while table not in self.mirrors or self.mirrors[table].seq < seq:
            self.receive("snapshot", "update")
        return self.mirrors[table]

    def make_choice(self, table: str, seat: int, token: str) -> Message:
        """Build the command for a choice at the last received position."""
        latest = self.mirrors[table].latest
        position = {"ply": latest["ply"], "revision": latest["revision"]}
        return {"kind": "choose", "seat": seat, "token": token, **position}


def seat_all(table: str, sockets: Sequence[WsClient]) -> None:
    """Make all clients watch a table and take a seat, then start the game."""
    for ws in sockets:
        ws.watch(table)
        assert ws.do(table, kind="sit", nonce=NONCE)["kind"] == "accepted"
    answer = sockets[0].do(table, kind="start")
    assert answer["kind"] == "accepted", answer
    for ws in sockets:
        ws.wait_for(table, answer["seq"])


def play(
    table: str, sockets: Sequence[WsClient], rng: Random, *, choices: int | None = None
) -> int:
    """Choose at random until the game is over or *choices* are made; return their count."""
    for made in count():
        newest = max(ws.mirrors[table].seq for ws in sockets)
        known = [ws.wait_for(table, newest) for ws in sockets]
        if known[0].is_over or made == choices:
            return made
        able = [(ws, found) for ws in sockets if (found := ws.mirrors[table].find_choice())]
        if not able:
            sockets[0].receive()  # a bot must choose
            continue
        ws, (seat, legal) = able[0]
        answer = ws.do(table, **ws.make_choice(table, seat, rng.choice(legal)))
        assert answer["kind"] == "accepted", answer
        ws.wait_for(table, answer["seq"])
    raise AssertionError("the game never ends")
