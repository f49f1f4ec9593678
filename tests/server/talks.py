"""Visitors of a running server, and how they talk to it over the socket."""

from __future__ import annotations

import json
import socket
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from server.guests import NONCE, Guest
from server.patience import PATIENCE

Message = dict[str, Any]


@dataclass
class Seen:
    """What a client knows of a table, kept as a browser would; survives a lost connection."""

    seq: int = 0
    lines: dict[int, Message] = field(default_factory=dict)
    now: Message = field(default_factory=dict)
    """The newest of everything that a snapshot tells."""

    views: dict[int | None, Message] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        return bool(self.now) and self.now["info"]["status"] == "over"

    @property
    def is_whole(self) -> bool:
        """Tell whether every line of the log is known."""
        return sorted(self.lines) == list(range(1, self.seq + 1))

    def take(self, message: Message) -> None:
        """Take a snapshot or an update; what was told before must not be told differently."""
        is_news = message["kind"] == "update"
        assert not is_news or message["seq"] > self.seq, "numbers rise"
        assert not is_news or all(line["n"] > self.seq for line in message["lines"]), "told twice"
        for line in message["lines"]:
            assert self.lines.setdefault(line["n"], line) == line
        if not is_news:
            self.views.clear()
        self.views.update({view["seat"]: view for view in message["views"]})
        told = {name: value for name, value in message.items() if value is not None}
        self.now = {**self.now, **told}
        self.seq = message["seq"]

    def find_choice(self) -> tuple[int, Sequence[str]] | None:
        """Find a seat of ours that must choose, and what it may choose."""
        for seat, view in self.views.items():
            if seat is not None and seat in self.now["waiting"] and view["legal"]:
                return seat, view["legal"]
        return None


class Talk:
    """One connection; a context that hangs up at its end."""

    def __init__(
        self,
        link: str,
        headers: Mapping[str, str],
        *,
        seen: dict[str, Seen],
        keys: Iterator[str],
        is_lazy: bool = False,
    ) -> None:
        """Shake hands; who *is_lazy* lets what comes pile up outside until it is asked for."""
        address = urlsplit(link)
        self.wire = socket.socket()
        if is_lazy:
            self.wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.wire.connect((address.hostname, address.port))
        self._is_lazy = is_lazy
        self.seen = seen
        self.kept: deque[Message] = deque(maxlen=1000)
        """What came while something else was waited for, the newest."""

        self.texts: deque[str] = deque(maxlen=10_000)
        """All that came, as it came."""

        self._keys = keys
        told = {name: text for name, text in headers.items() if name != "Origin"}
        origin = headers.get("Origin")
        self.socket: ClientConnection = connect(
            link.replace("http:", "ws:") + "/live",
            sock=self.wire,
            origin=None if origin is None else Origin(origin),
            additional_headers=told,
            compression=None,
            ping_interval=None,
            max_size=None,
            max_queue=1 if is_lazy else None,
            open_timeout=PATIENCE,
            close_timeout=PATIENCE,
            legacy=True,
        )
        self.welcome = self.hear("welcome")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self._is_lazy:
            self.cut()
        self.socket.close()
        self.socket.recv_events_thread.join()

    def cut(self, rest: bytes = b"") -> None:
        """Cut the wire without a word, after *rest* at most."""
        with suppress(OSError):
            self.wire.sendall(rest)
            self.wire.shutdown(socket.SHUT_RDWR)
        with suppress(ConnectionClosed):  # what has come by then is not looked at
            while True:
                self.socket.recv(timeout=PATIENCE)
        self.socket.recv_events_thread.join()

    def cut_within(self, message: Message) -> None:
        """Cut the wire in the middle of a message."""
        frame = Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True)
        self.cut(frame[: len(frame) // 2])

    def send(self, message: object) -> None:
        """Send any message."""
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self, *kinds: str, patience: float = PATIENCE) -> Message:
        """Wait for the next message, or the next of some kinds."""
        while True:
            text = self.socket.recv(timeout=patience)
            self.texts.append(str(text))
            message: Message = json.loads(text)
            if message["kind"] in {"snapshot", "update"}:
                self.seen.setdefault(message["table"], Seen()).take(message)
            if not kinds or message["kind"] in kinds:
                return message
            self.kept.append(message)

    def hear_end(self) -> tuple[list[Message], int]:
        """Hear all that comes until the server closes; give it, and with which code it closed."""
        heard: list[Message] = []
        try:
            while True:
                heard.append(self.hear())
        except ConnectionClosed as closed:
            return heard, 1006 if closed.rcvd is None else closed.rcvd.code

    def ask(self, kind: str, **fields: object) -> Message:
        """Ask for something and wait for the answer."""
        key = str(fields.setdefault("key", next(self._keys)))
        self.send({"kind": kind, **fields})
        return self.hear_answer(key)

    def hear_answer(self, key: str) -> Message:
        """Wait for the answer to the request of this key."""
        while (message := self.hear("accepted", "refused", "pong"))["key"] != key:
            self.kept.append(message)
        return message

    def watch(self, table: str, since: int | None = None) -> Message:
        """Follow a table; give the snapshot."""
        key = next(self._keys)
        self.send({"kind": "watch", "key": key, "table": table, "since": since})
        snapshot = self.hear("snapshot", "refused")
        assert snapshot["kind"] == "snapshot", snapshot
        assert self.hear_answer(key)["kind"] == "accepted"
        return snapshot

    def do(self, table: str, **command: object) -> Message:
        """Do something at a table; give the answer."""
        key = next(self._keys)
        return self.ask("do", key=key, table=table, command=command)

    def wait_for(self, table: str, seq: int) -> Seen:
        """Wait until so many lines of a table are known."""
        while table not in self.seen or self.seen[table].seq < seq:
            self.hear("snapshot", "update")
        return self.seen[table]

    def make_choice(self, table: str, seat: int, token: str) -> Message:
        """Write the command for a choice at the position that was seen."""
        now = self.seen[table].now
        where = {"ply": now["ply"], "undone": now["undone"]}
        return {"kind": "choose", "seat": seat, "token": token, **where}


class Visitor(Guest):
    """Somebody with a browser, or a program with a token; a context that ends with the browser."""

    def __init__(self, link: str, *, token: str | None = None) -> None:
        super().__init__(link)
        self.link = link
        self.id = ""
        self.seen: dict[str, Seen] = {}
        if token is not None:
            del self.http.headers["Origin"]
            self.http.headers["Authorization"] = f"Bearer {token}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.http.close()

    def come_in(self, name: str | None = None, **wish: str) -> None:
        """Become a guest."""
        told = {"name": name, **wish} if name else wish
        self.id = self.come(**told).raise_for_status().json()["id"]

    def move(self, link: str) -> None:
        """Go on at another address, as the same browser."""
        self.link = link
        self.http.base_url = link
        self.http.headers["Origin"] = link

    def ask(self, method: str, path: str, body: object = None, status: int = 200) -> Any:
        """Ask for something that must be answered with *status*; give what was said."""
        more: dict[str, Any] = {} if body is None else {"json": body}
        answer = self.http.request(method, path, **more)
        assert answer.status_code == status, (method, path, answer.status_code, answer.text)
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        return answer.json() if is_json and answer.content else answer.text

    def open(self, game: str = "sakura", seats: int = 2, **more: object) -> str:
        """Open a table and give its name."""
        wish = {"game": game, "seats": seats, **more}
        return str(self.ask("POST", "/api/tables", wish, 201)["id"])

    def connect(
        self,
        seen: dict[str, Seen] | None = None,
        *,
        is_lazy: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> Talk:
        """Open a socket as a browser does; another tab keeps what it has *seen* for itself."""
        told = {
            name: self.http.headers[name]
            for name in ("Origin", "Authorization")
            if name in self.http.headers
        }
        if self.http.cookies:
            told["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.http.cookies.items())
        known = self.seen if seen is None else seen
        told.update(headers or {})
        return Talk(self.link, told, seen=known, keys=self._keys, is_lazy=is_lazy)


def seat_all(table: str, talks: Sequence[Talk]) -> None:
    """Let everybody follow a table, take a seat and begin."""
    for talk in talks:
        talk.watch(table)
        assert talk.do(table, kind="sit", nonce=NONCE)["kind"] == "accepted"
    answer = talks[0].do(table, kind="start")
    assert answer["kind"] == "accepted", answer
    for talk in talks:
        talk.wait_for(table, answer["seq"])


def play(table: str, talks: Sequence[Talk], rng: Random, *, choices: int | None = None) -> int:
    """Let all choose at random until the game is over, or so many choices were made; count them."""
    for made in count():
        newest = max(talk.seen[table].seq for talk in talks)
        known = [talk.wait_for(table, newest) for talk in talks]
        if known[0].is_over or made == choices:
            return made
        able = [(talk, found) for talk in talks if (found := talk.seen[table].find_choice())]
        if not able:
            talks[0].hear()  # a bot thinks
            continue
        talk, (seat, legal) = able[0]
        answer = talk.do(table, **talk.make_choice(table, seat, rng.choice(legal)))
        assert answer["kind"] == "accepted", answer
        talk.wait_for(table, answer["seq"])
    raise AssertionError("a game ends")
