"""Visitors for tests of identity: a small app, its clock, and browsers that come to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from litestar import Litestar, get, post
from litestar.di import Provide

from pleasance.server.app import HEADERS
from pleasance.server.base.settings import Settings
from pleasance.server.http.exception_handlers import HANDLERS
from pleasance.server.http.middleware import ROUTES, IdentityPlugin
from pleasance.server.identity.authentication import need
from pleasance.server.identity.dependencies import You
from pleasance.server.identity.personal_data import Keepers
from pleasance.server.store.store import Store

PASSWORD = "violet anchor seventeen"
HERE = "http://play.localhost"


Wish = tuple[str, str, object]
"""Method, path and body of a request."""


class Clock:
    """A clock that stands still until it is told."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


@dataclass(frozen=True)
class Place:
    """What identity needs of a site."""

    settings: Settings
    store: Store
    clock: Clock


@post("/api/try/play", guards=[need("play")])
async def try_to_play(you: You) -> str:
    return you.id


@post("/api/try/anything")
async def try_anything(you: You) -> str:
    return you.id


@get("/api/try/fail")
async def try_to_fail(you: You) -> str:
    raise RuntimeError(f"{you.kind} met a mistake of ours")


@get(["/health/live", "/metrics"], sync_to_thread=False)
def live() -> str:
    return "live"


class Browser:
    """A browser on our own page, or on another one; also a program."""

    def __init__(
        self, app: Litestar, runner: asyncio.Runner, origin: str = HERE, page: str | None = None
    ) -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)  # type: ignore[arg-type]  # Litestar's own words for the same
        self._client = httpx.AsyncClient(transport=transport, base_url=origin)
        self._runner = runner
        self.headers = self._client.headers
        self.cookies = self._client.cookies
        self.headers["Origin"] = page or origin

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self._runner.run(self._client.request(method, path, **more))

    def at_once(self, wishes: Sequence[Wish]) -> list[httpx.Response]:
        """Send several requests at the same time."""

        return all_at_once(self._runner, [(self, wish) for wish in wishes])

    def begin(self, wish: Wish) -> Awaitable[httpx.Response]:
        """Begin one of several requests."""
        how, path, body = wish
        return self._client.request(how, path, json=body)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.request("POST", path, **more)

    def come_in(self, name: str | None = None, **more: object) -> dict[str, Any]:
        me: dict[str, Any] = self.ask("POST", "/api/session", 200, {"name": name, **more})
        return me

    def claim(self, name: str, password: str = PASSWORD) -> dict[str, Any]:
        self.come_in()
        body = {"name": name, "password": password}
        claimed: dict[str, Any] = self.ask("POST", "/api/account", 201, body)
        return claimed

    def sign_in(self, name: str, password: str = PASSWORD) -> httpx.Response:
        return self.post("/api/sign-in", json={"name": name, "password": password})

    def ask(self, method: str, path: str, status: int, body: object = None) -> Any:
        """Ask for something that must be answered with *status*; give what was said."""
        answer = self.request(method, path, **({} if body is None else {"json": body}))
        assert answer.status_code == status, (method, path, answer.status_code, answer.text)
        return answer.json() if answer.content else None

    def refusal(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        """Ask for something that must be refused; tell how."""
        answer = self.request(method, path, **({} if body is None else {"json": body}))
        return code_of(answer)

    @property
    def cookie(self) -> str:
        return self.cookies["pleasance"]


@dataclass
class House:
    """A server with nothing but identity, and who is there."""

    store: Store
    settings: Settings = field(default_factory=lambda: Settings(limits_factor=100))
    keepers: Keepers = field(default_factory=Keepers)
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.runner = asyncio.Runner()
        site = Place(self.settings, self.store, self.clock)
        tries = [try_to_play, try_anything, try_to_fail, live]
        self.app = Litestar(
            [*ROUTES, *tries],
            plugins=[IdentityPlugin(site, self.keepers)],
            dependencies={"site": provide(site)},
            exception_handlers=HANDLERS,
            response_headers=HEADERS,  # routes keep them, also for the next app that has them
            logging_config=None,
        )

    def browser(self, origin: str = HERE, page: str | None = None) -> Browser:
        """Open another browser."""
        return Browser(self.app, self.runner, origin, page)

    def all_at_once(self, wishes: Sequence[tuple[Browser, Wish]]) -> list[httpx.Response]:
        """Let several browsers ask at the same time."""
        return all_at_once(self.runner, wishes)

    def program(self, secret: str) -> Browser:
        """Start a program with a token."""
        program = self.browser()
        del program.headers["Origin"]
        program.headers["Authorization"] = f"Bearer {secret}"
        return program

    def close(self) -> None:
        self.runner.close()


def all_at_once(
    runner: asyncio.Runner, wishes: Sequence[tuple[Browser, Wish]]
) -> list[httpx.Response]:
    async def send() -> list[httpx.Response]:
        return await asyncio.gather(*(browser.begin(wish) for browser, wish in wishes))

    return runner.run(send())


def provide(site: Place) -> Provide:
    return Provide(lambda: site, sync_to_thread=False)


def code_of(answer: httpx.Response) -> tuple[int, str]:
    """Tell how something was refused."""
    said: Mapping[str, str] = answer.json()
    return answer.status_code, said.get("code", "")
