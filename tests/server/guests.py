"""Guests of a running server, who come over HTTP as a browser does."""

from __future__ import annotations

from itertools import count
from secrets import token_bytes
from typing import Any

import httpx

from server.patience import PATIENCE

NONCE = "5a" * 16


def knock(link: str, headers: dict[str, str] | None = None) -> httpx.Client:
    """Come to a server as somebody it does not know; every request has a connection of its own."""
    alone = httpx.Limits(max_keepalive_connections=0)  # so that no connection is left behind
    # There is nothing to verify on loopback, and to read all certificates takes 30 ms each time.
    return httpx.Client(
        base_url=link, headers=headers, timeout=PATIENCE, limits=alone, verify=False
    )


class Guest:
    """Somebody with a browser."""

    def __init__(self, link: str) -> None:
        self.http = knock(link, {"Origin": link})
        self._keys = map(str, count(int.from_bytes(token_bytes(4))))  # no two browsers use the same

    def come(self, **wish: str) -> httpx.Response:
        """Come in; a browser keeps the cookie."""
        return self.http.post("/api/session", json=wish)

    def open_table(self, game: str = "sakura") -> str:
        """Open a table for two, sit down on both seats and begin."""
        answer = self.http.post("/api/tables", json={"game": game, "seats": 2})
        table: str = answer.raise_for_status().json()["id"]
        for name in ("Ada", "Bea"):
            self.do(table, kind="sit", nonce=NONCE, name=name).raise_for_status()
        self.do(table, kind="start").raise_for_status()
        return table

    def do(self, table: str, **command: object) -> httpx.Response:
        """Do something at a table."""
        body = {"key": next(self._keys), "command": command}
        return self.http.post(f"/api/tables/{table}/commands", json=body)

    def look(self, table: str) -> dict[str, Any]:
        """See a table as this guest may."""
        seen: dict[str, Any] = self.http.get(f"/api/tables/{table}").raise_for_status().json()
        return seen

    def find_choice(self, table: str) -> dict[str, Any]:
        """Find the first legal choice of the first seat that must choose."""
        seen = self.look(table)
        seat = seen["waiting"][0]
        (view,) = (view for view in seen["views"] if view["seat"] == seat)
        where = {"seat": seat, "ply": seen["ply"], "undone": seen["undone"]}
        return {"kind": "choose", "token": view["legal"][0], **where}

    def choose(self, table: str) -> httpx.Response:
        """Choose whatever comes first."""
        return self.do(table, **self.find_choice(table))

    def read_log(self, table: str) -> list[dict[str, Any]]:
        """Read the whole log, as far as this guest may."""
        lines: list[dict[str, Any]] = []
        after: str | None = "0"
        while after is not None:
            page = self.http.get(f"/api/tables/{table}/log", params={"after": after})
            lines += page.raise_for_status().json()["items"]
            after = page.json()["next"]
        return lines
