"""A player in a real browser, playing by mouse, keyboard or touch."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Response, WebSocket

TIMEOUT_MS = 20_000
"""Milliseconds after which a test no longer waits."""

_POLL_INTERVAL_MS = 40
Message = dict[str, Any]


class BrowserPlayer:
    """A player with a browser of their own; its console errors and socket messages are kept."""

    def __init__(self, browser: Browser, link: str, name: str, **look: Any) -> None:
        self.link = link
        self.name = name
        self.language = "en"
        self.console_errors: list[str] = []
        self.received: list[Message] = []
        self.answers: list[Response] = []
        self.context = browser.new_context(**look)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(TIMEOUT_MS)
        self.page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        self.page.on("console", self._note)
        self.page.on("websocket", self._listen)
        self.page.on("response", self._read)
        self.page.goto(link)
        self.page.wait_for_selector("main h1, main h2")

    def _note(self, message: ConsoleMessage) -> None:
        # A lost network is what some tests are about; who leaves a table while its connection is
        # being made ends that.
        is_expected = "ERR_" in message.text or "connection is established" in message.text
        if message.type in {"error", "warning"} and not is_expected:
            self.console_errors.append(message.text)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: self.received.append(json.loads(data)))

    def _read(self, response: Response) -> None:
        if response.url.endswith(".json") or ".json?" in response.url:
            self.answers.append(response)

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Ask the server, as a script of this page would."""
        return self.page.evaluate(
            """async ([method, path, body]) => {
                const how = { method, headers: { "content-type": "application/json" } };
                if (body !== null) how.body = JSON.stringify(body);
                const answer = await fetch(path, how);
                const text = await answer.text();
                try { return JSON.parse(text) } catch { return text }
            }""",
            [method, path, body],
        )

    def join(self) -> None:
        """Become a guest with a name."""
        self.ask("POST", "/api/session", {"name": self.name, "language": self.language})

    def open_table(self, game: str, seats: int, bots: int = 0, guests: int = 0, **plan: Any) -> str:
        """Open a table, sit down, and let bots or guests at this device sit beside.

        It begins when it is full.
        """
        self.join()
        table = str(self.ask("POST", "/api/tables", {"game": game, "seats": seats, **plan})["id"])
        self.do(table, kind="sit", seat=0, nonce="5a" * 16)
        for seat in range(1, 1 + bots):
            self.do(table, kind="seat_bot", seat=seat, bot="greedy")
        for seat in range(1 + bots, 1 + bots + guests):
            self.do(table, kind="sit", seat=seat, nonce="5b" * 16, name=f"Guest {seat}")
        if bots + guests + 1 == seats:
            self.do(table, kind="start")
        return table

    def do(self, table: str, **command: Any) -> None:
        """Do something at a table by HTTP."""
        key = f"k{Random().getrandbits(60)}"
        self.ask("POST", f"/api/tables/{table}/commands", {"key": key, "command": command})

    def visit(self, path: str) -> None:
        """Go to a page of the app."""
        self.page.goto(self.link + path)
        self.page.wait_for_selector("main :is(h1, h2)")

    def read_table(self, table: str) -> Message:
        """Look at a table as the server shows it to this person."""
        state: Message = self.ask("GET", f"/api/tables/{table}")
        return state

    def set_pace(self, pace: float) -> None:
        """Let things move so fast; 0 is not at all."""
        self.page.evaluate(
            """pace => localStorage.setItem(
                "pleasance.settings", JSON.stringify({ pace, confirmMode: "revealing" }))""",
            pace,
        )

    def play(
        self,
        table: str,
        seat: int,
        choose: Callable[[Page, str], None],
        rng: Random,
        *,
        most: int = 1000,
    ) -> int:
        """Play to the end, or *most* choices, each made by *choose*; tell how many there were."""
        for made in range(most):
            now = self.wait(table, seat)
            if now["info"]["status"] != "running":
                return made
            (view,) = [each for each in now["views"] if each["seat"] == seat]
            choose(self.page, rng.choice(view["legal"]))
            self.wait_until(table, partial(has_chosen, now, seat))
        assert most < 1000, "the game does not end"
        return most

    def wait(self, table: str, seat: int) -> Message:
        """Wait until it is this seat's turn, or the game is over."""
        return self.wait_until(table, lambda now: _is_due(now, seat))

    def wait_until(self, table: str, is_so: Callable[[Message], bool]) -> Message:
        """Wait until the server shows the table as one expects it."""
        for _ in range(TIMEOUT_MS // _POLL_INTERVAL_MS):
            if is_so(now := self.read_table(table)):
                return now
            self.page.wait_for_timeout(_POLL_INTERVAL_MS)
        raise AssertionError("it never came to that")


def _is_due(now: Message, seat: int) -> bool:
    is_asked = any(view["seat"] == seat and view["legal"] for view in now["views"])
    return is_asked or now["info"]["status"] != "running"


def has_chosen(before: Message, seat: int, now: Message) -> bool:
    """Return whether a seat's pending decision has been made."""
    is_over = now["info"]["status"] != "running"
    return is_over or now["ply"] != before["ply"] or seat in now["chose"]
