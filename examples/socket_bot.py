#!/usr/bin/env python3
"""A bot that sits at a table of a Pleasance server, over the same protocol as the browser.

    PLEASANCE_TOKEN=plz_… python examples/socket_bot.py http://127.0.0.1:8000 TABLE

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
    """Choose one of the legal tokens; view["position"] is all that the seat sees."""
    return random.choice(view["legal"])


class Bot:
    """One seat at one table."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.me = ""
        self.seq: int | None = None  # the last number seen: after a break we go on from there
        self.info: dict = {}
        self.views: dict[int, dict] = {}
        self.answered: set[str] = set()  # keys of what we have asked for on this connection

    async def run(self, address: str, token: str) -> None:
        """Play until the game is over, over as many connections as it takes."""
        headers = {"Authorization": f"Bearer {token}"}
        async for socket in connect(address, additional_headers=headers):
            self.answered.clear()
            try:
                async for text in socket:
                    if await self.hear(socket, json.loads(text)):
                        return
            except ConnectionClosed:
                log.info("connection lost, coming back")

    async def hear(self, socket: ClientConnection, message: dict) -> bool:
        """Take in one message and answer it; tell whether the game is over."""
        match message["kind"]:
            case "welcome":
                self.me = message["player"]
                watch = {"kind": "watch", "key": "watch", "table": self.table, "since": self.seq}
                await socket.send(json.dumps(watch))
            case "snapshot" | "update":
                self.take_in(message)
                if self.info["status"] in {"over", "closed"}:
                    log.info("over: %s", " ".join(map(str, message["scores"])))
                    return True
                await self.act(socket, message)
            case "refused" if message["code"] != "stale":  # stale: the table has moved on
                raise SystemExit(f"refused: {message['message']}")
        return False

    def take_in(self, message: dict) -> None:
        """Remember how things are; an update tells only what has changed."""
        self.seq = message["seq"]
        self.info = message["info"] or self.info
        if message["kind"] == "snapshot":
            self.views.clear()
        self.views.update({view["seat"]: view for view in message["views"]})

    async def act(self, socket: ClientConnection, message: dict) -> None:
        """Sit down, or choose wherever the table waits for us."""
        places = self.info["places"]
        if all(place["player"] != self.me for place in places):
            await self.do(socket, "sit", {"kind": "sit", "nonce": secrets.token_hex(16)})
        for seat in message["waiting"]:
            if places[seat]["player"] == self.me and self.views.get(seat, {}).get("legal"):
                ply, undone = message["ply"], message["undone"]
                where = {"seat": seat, "ply": ply, "undone": undone}
                choice = {"kind": "choose", "token": decide(self.views[seat]), **where}
                # One key for one position: however often it is sent, it is done once.
                await self.do(socket, f"{seat}-{ply}-{undone}", choice)

    async def do(self, socket: ClientConnection, key: str, command: dict) -> None:
        """Ask for something, once on this connection."""
        if key not in self.answered:
            self.answered.add(key)
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
