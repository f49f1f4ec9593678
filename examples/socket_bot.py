#!/usr/bin/env python3
"""A bot that sits at a table of a Pleasance server, over the same protocol as the browser.

    PLEASANCE_TOKEN=plz_… python examples/socket_bot.py http://127.0.0.1:8040 TABLE

It needs the package `websockets`. It takes a free seat, chooses at random until the game is over,
and comes back when the connection is lost; put your own ideas into `decide`. docs/guide/protocol.md
describes the protocol, docs/guide/bots.md tells where a token comes from.
"""

import asyncio
import json
import logging
import os
import random
import secrets
import sys

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

log = logging.getLogger("bot")


def decide(view: dict) -> str:
    """Choose one of the legal tokens; view["position"] is the position as the seat sees it."""
    return random.choice(view["legal"])


class Bot:
    """One seat at one table."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.me = ""
        self.seq: int | None = None  # the last seq seen, from which a new connection resumes
        self.info: dict = {}
        self.views: dict[int, dict] = {}
        self.sent_keys: set[str] = set()  # idempotency keys of the requests sent on this connection

    async def run(self, address: str, token: str) -> None:
        """Play until the game is over, and reconnect when the connection is lost."""
        headers = {"Authorization": f"Bearer {token}"}
        async for socket in connect(address, additional_headers=headers):
            self.sent_keys.clear()
            try:
                async for text in socket:
                    if await self.handle(socket, json.loads(text)):
                        return
            except ConnectionClosed:
                log.info("connection lost, coming back")

    async def handle(self, socket: ClientConnection, message: dict) -> bool:
        """Handle one message; return whether the game is over."""
        match message["kind"]:
            case "welcome":
                self.me = message["player"]
                watch = {"kind": "watch", "key": "watch", "table": self.table, "since": self.seq}
                await socket.send(json.dumps(watch))
            case "snapshot" | "update":
                self.store_state(message)
                if self.info["status"] in {"over", "closed"}:
                    log.info("over: %s", " ".join(map(str, message["scores"])))
                    return True
                await self.act(socket, message)
            case "refused" if message["code"] != "stale":  # stale: the table has moved on
                raise SystemExit(f"refused: {message['message']}")
        return False

    def store_state(self, message: dict) -> None:
        """Store the state of the table; an update contains only the changes."""
        self.seq = message["seq"]
        self.info = message["info"] or self.info
        if message["kind"] == "snapshot":
            self.views.clear()
        self.views.update({view["seat"]: view for view in message["views"]})

    async def act(self, socket: ClientConnection, message: dict) -> None:
        """Take a seat, or choose wherever the table waits for this player."""
        places = self.info["places"]
        if all(place["player"] != self.me for place in places):
            await self.do(socket, "sit", {"kind": "sit", "nonce": secrets.token_hex(16)})
        for seat in message["waiting"]:
            if places[seat]["player"] == self.me and self.views.get(seat, {}).get("legal"):
                ply, revision = message["ply"], message["revision"]
                where = {"seat": seat, "ply": ply, "revision": revision}
                choice = {"kind": "choose", "token": decide(self.views[seat]), **where}
                # One idempotency key for each position: a repeated request is executed once.
                await self.do(socket, f"{seat}-{ply}-{revision}", choice)

    async def do(self, socket: ClientConnection, key: str, command: dict) -> None:
        """Send a command, once for each key on a connection."""
        if key not in self.sent_keys:
            self.sent_keys.add(key)
            request = {"kind": "do", "key": key, "table": self.table, "command": command}
            await socket.send(json.dumps(request))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    logging.getLogger("websockets").setLevel(logging.WARNING)
    server, table = sys.argv[1:3]
    address = server.rstrip("/").replace("http", "ws", 1) + "/live"
    try:
        asyncio.run(Bot(table).run(address, os.environ["PLEASANCE_TOKEN"]))
    except InvalidStatus as error:
        sys.exit(f"{error}; is the token right?")
