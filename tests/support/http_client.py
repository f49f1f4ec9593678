"""A client of the HTTP API, with a browser's cookies or a program's access token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import count
from secrets import token_bytes
from typing import Any, Self

import httpx

from support import NONCE, PASSWORD, TIMEOUT_S
from support.ws_client import TableMirror, WsClient, seat_all


def open_http(link: str, headers: dict[str, str] | None = None) -> httpx.Client:
    """Connect to a server without a session; every request has a connection of its own."""
    limits = httpx.Limits(max_keepalive_connections=0)  # leaves no connection behind
    # Loopback needs no verification, and loading all certificates takes 30 ms each time.
    return httpx.Client(
        base_url=link, headers=headers, timeout=TIMEOUT_S, limits=limits, verify=False
    )


class HttpClient:
    """A browser, or a program with an access token; a context that closes its connections."""

    def __init__(self, link: str, *, token: str | None = None) -> None:
        sender = {"Origin": link} if token is None else {"Authorization": f"Bearer {token}"}
        self.http = open_http(link, sender)
        self.link = link
        self.id = ""
        self.mirrors: dict[str, TableMirror] = {}
        """The state of each watched table, shared by the connections of this client."""

        self._keys = map(str, count(int.from_bytes(token_bytes(4))))  # unique to this client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def request_session(self, **fields: str) -> httpx.Response:
        """Request a guest session; the client keeps the cookie."""
        return self.http.post("/api/session", json=fields)

    def join(self, name: str | None = None, **fields: str) -> None:
        """Become a guest."""
        fields |= {"name": name} if name else {}
        self.id = self.request_session(**fields).raise_for_status().json()["id"]

    def create_account(self, name: str) -> None:
        """Claim an account with `PASSWORD`."""
        self.ask("POST", "/api/account", {"name": name, "password": PASSWORD}, 201)

    def create_token(self, *scopes: str, **fields: object) -> dict[str, Any]:
        """Create an access token; return its description and its secret."""
        body = {"label": "program", "scopes": scopes, **fields}
        created: dict[str, Any] = self.ask("POST", "/api/tokens", body, 201)
        return created

    def switch_server(self, link: str) -> None:
        """Switch to another server, with the same cookies."""
        self.link = link
        self.http.base_url = link
        self.http.headers["Origin"] = link

    def ask(self, method: str, path: str, body: object = None, status: int = 200) -> Any:
        """Send a request that must be answered with *status*; return the decoded body."""
        answer = self.http.request(method, path, json=body)
        assert answer.status_code == status, (method, path, answer.status_code, answer.text)
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        return answer.json() if is_json and answer.content else answer.text

    def open_table(self, game: str = "sakura", seats: int = 2, **more: object) -> str:
        """Open a table and return its id."""
        config = {"game": game, "seats": seats, **more}
        return str(self.ask("POST", "/api/tables", config, 201)["id"])

    def connect(
        self,
        mirrors: dict[str, TableMirror] | None = None,
        *,
        is_lazy: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> WsClient:
        """Open a WebSocket as a browser does; a second tab passes *mirrors* of its own."""
        own = self.http.headers
        sent = {name: own[name] for name in ("Origin", "Authorization") if name in own}
        if self.http.cookies:
            sent["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.http.cookies.items())
        sent |= headers or {}
        known = self.mirrors if mirrors is None else mirrors
        return WsClient(self.link, sent, mirrors=known, keys=self._keys, is_lazy=is_lazy)

    def start_solo_game(self, game: str = "sakura") -> str:
        """Open a table for two, take both seats and start."""
        table = self.open_table(game)
        for name in ("Ada", "Bea"):
            self.do(table, kind="sit", nonce=NONCE, name=name).raise_for_status()
        self.do(table, kind="start").raise_for_status()
        return table

    def do(self, table: str, **command: object) -> httpx.Response:
        """Send a command to a table."""
        body = {"key": next(self._keys), "command": command}
        return self.http.post(f"/api/tables/{table}/commands", json=body)

    def read_snapshot(self, table: str) -> dict[str, Any]:
        """Fetch the snapshot of a table that this client may see."""
        snapshot: dict[str, Any] = self.http.get(f"/api/tables/{table}").raise_for_status().json()
        return snapshot

    def find_choice(self, table: str) -> dict[str, Any]:
        """Find the first legal choice of the first seat that must choose."""
        snapshot = self.read_snapshot(table)
        seat = snapshot["waiting"][0]
        (view,) = (view for view in snapshot["views"] if view["seat"] == seat)
        position = {"seat": seat, "ply": snapshot["ply"], "revision": snapshot["revision"]}
        return {"kind": "choose", "token": view["legal"][0], **position}

    def choose(self, table: str) -> httpx.Response:
        """Send the choice that `find_choice` finds."""
        return self.do(table, **self.find_choice(table))

    def read_log(self, table: str) -> list[dict[str, Any]]:
        """Read all pages of the log that this client may see."""
        entries: list[dict[str, Any]] = []
        after: str | None = "0"
        while after is not None:
            page = self.http.get(f"/api/tables/{table}/log", params={"after": after})
            entries += page.raise_for_status().json()["items"]
            after = page.json()["next"]
        return entries


def start_game(players: Sequence[HttpClient], game: str = "sakura", **more: object) -> str:
    """Open a table of the first player, seat all players over sockets, and start."""
    table = players[0].open_table(game, len(players), **more)
    with ExitStack() as stack:
        seat_all(table, [stack.enter_context(player.connect()) for player in players])
    return table
