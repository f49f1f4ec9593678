"""An app in this process without a network: its clock, and HTTP clients that call it over ASGI."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import httpx
from litestar import Litestar, get, post
from litestar.di import Provide

from pleasance.server.app import HEADERS
from pleasance.server.base.settings import ServerSettings
from pleasance.server.http import queue_api, ratings_api, webhooks_api
from pleasance.server.http.all_routes import IDENTITY_ROUTES
from pleasance.server.http.exception_handlers import HANDLERS
from pleasance.server.http.middleware import IdentityPlugin
from pleasance.server.identity.authentication import require_scope
from pleasance.server.identity.dependencies import IdentityDep
from pleasance.server.identity.personal_data import PersonalDataSources
from pleasance.server.matchmaking.personal_data import MATCHMAKING_DATA
from pleasance.server.store.store import Store
from pleasance.server.webhooks.personal_data import WEBHOOK_DATA
from support import PASSWORD

ORIGIN = "http://play.localhost"
RequestSpec = tuple[str, str, object]
"""Method, path and body of a request."""


class ManualClock:
    """A clock that stands still until a test advances it."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


@dataclass(frozen=True)
class StubSite:
    """The parts of a site that identity, ratings, queue and webhooks need."""

    settings: ServerSettings
    store: Store
    clock: ManualClock


@post("/api/try/play", guards=[require_scope("play")])
async def try_to_play(you: IdentityDep) -> str:
    return you.id


@post("/api/try/anything")
async def try_anything(you: IdentityDep) -> str:
    return you.id


@get("/api/try/fail")
async def try_to_fail(you: IdentityDep) -> str:
    raise RuntimeError(f"a planned error for {you.kind}")


@get(["/health/live", "/metrics"], sync_to_thread=False)
def live() -> str:
    return "live"


class AppClient:
    """A client of the app: a browser on a page of any origin, or a program."""

    def __init__(
        self, app: Litestar, runner: asyncio.Runner, origin: str = ORIGIN, page: str | None = None
    ) -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)  # type: ignore[arg-type]  # Litestar declares the same types by other names
        self._client = httpx.AsyncClient(transport=transport, base_url=origin)
        self._runner = runner
        self.headers = self._client.headers
        self.cookies = self._client.cookies
        self.headers["Origin"] = page or origin

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self._runner.run(self._client.request(method, path, **more))

    def send(self, spec: RequestSpec) -> Awaitable[httpx.Response]:
        """Start a request without waiting for its response."""
        method, path, body = spec
        return self._client.request(method, path, json=body)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.request("POST", path, **more)

    def join(self, name: str | None = None, **more: object) -> dict[str, Any]:
        """Become a guest; return the player."""
        return cast("dict[str, Any]", self.ask("POST", "/api/session", 200, {"name": name, **more}))

    def claim(self, name: str, password: str = PASSWORD) -> dict[str, Any]:
        """Become a guest and claim an account."""
        self.join()
        body = {"name": name, "password": password}
        return cast("dict[str, Any]", self.ask("POST", "/api/account", 201, body))

    def sign_in(self, name: str, password: str = PASSWORD) -> httpx.Response:
        return self.post("/api/sign-in", json={"name": name, "password": password})

    def ask(self, method: str, path: str, status: int, body: object = None) -> Any:
        """Send a request that must get *status*; return the decoded body."""
        answer = self.request(method, path, json=body)
        assert answer.status_code == status, (method, path, answer.status_code, answer.text)
        return answer.json() if answer.content else None

    def refusal(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        """Send a request that must be refused; return its status and error code."""
        return status_and_code(self.request(method, path, json=body))

    @property
    def cookie(self) -> str:
        return self.cookies["pleasance"]


@dataclass
class AppHarness:
    """An app with identity, ratings, queue and webhooks, and the clients that call it."""

    store: Store
    settings: ServerSettings = field(default_factory=lambda: ServerSettings(limits_factor=100))
    sources: PersonalDataSources = field(
        default_factory=lambda: PersonalDataSources((MATCHMAKING_DATA, WEBHOOK_DATA))
    )
    clock: ManualClock = field(default_factory=ManualClock)

    def __post_init__(self) -> None:
        self.runner = asyncio.Runner()
        self.site = site = StubSite(self.settings, self.store, self.clock)
        self.app = Litestar(
            [
                *IDENTITY_ROUTES,
                *ratings_api.ROUTES,
                *queue_api.ROUTES,
                *webhooks_api.ROUTES,
                *(try_to_play, try_anything, try_to_fail, live),
            ],
            plugins=[IdentityPlugin(site, self.sources)],
            dependencies={"site": Provide(lambda: site, sync_to_thread=False)},
            exception_handlers=HANDLERS,
            response_headers=HEADERS,  # shared routes keep the headers of each of their apps
            logging_config=None,
        )

    def browser(self, origin: str = ORIGIN, page: str | None = None) -> AppClient:
        """Open another browser."""
        return AppClient(self.app, self.runner, origin, page)

    def account(self, name: str, password: str = PASSWORD) -> AppClient:
        """Open a browser signed in to a new account."""
        browser = self.browser()
        browser.claim(name, password)
        return browser

    def visit(self, name: str | None = None, **more: object) -> tuple[AppClient, str]:
        """Open a browser as a guest; return it and the player's id."""
        browser = self.browser()
        return browser, str(browser.join(name, **more)["id"])

    def program(self, secret: str) -> AppClient:
        """Start a program with an access token."""
        program = self.browser()
        del program.headers["Origin"]
        program.headers["Authorization"] = f"Bearer {secret}"
        return program

    def send_all(self, specs: Sequence[tuple[AppClient, RequestSpec]]) -> list[httpx.Response]:
        """Send the requests of several clients at the same time."""

        async def send() -> list[httpx.Response]:
            return await asyncio.gather(*(client.send(spec) for client, spec in specs))

        return self.runner.run(send())

    def close(self) -> None:
        self.runner.close()


@contextmanager
def open_app(store: Store, **settings: object) -> Iterator[AppHarness]:
    """Open an app on *store* with the given settings."""
    app = AppHarness(store, ServerSettings(**{"limits_factor": 1000, **settings}))  # type: ignore[arg-type]  # a test may override any setting
    yield app
    app.close()


def status_and_code(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and error code of a refusal."""
    return answer.status_code, answer.json().get("code", "")
