"""A server with identity, ratings, queue and webhooks, and browsers that come to it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from litestar import Litestar

from pleasance.server.app import HEADERS
from pleasance.server.base.settings import Settings
from pleasance.server.http.exception_handlers import HANDLERS
from pleasance.server.http.middleware import ROUTES, IdentityPlugin
from pleasance.server.http.ratings_api import ROUTES as RATINGS
from pleasance.server.http.webhooks_api import ROUTES as HOOKS
from pleasance.server.identity.personal_data import Keepers
from pleasance.server.matchmaking.personal_data import KEEPER as RATING_KEEPER
from pleasance.server.store.store import Store
from pleasance.server.webhooks.personal_data import KEEPER as HOOK_KEEPER
from server.visitors import Browser, Clock, Place, provide


@dataclass
class Salon:
    """The app, its site, and its clock."""

    app: Litestar
    site: Place
    clock: Clock
    runner: asyncio.Runner

    def visit(self, name: str, **more: object) -> tuple[Browser, str]:
        """Let somebody come in; give the browser and the player's id."""
        browser = Browser(self.app, self.runner)
        return browser, str(browser.come_in(name, **more)["id"])


@contextmanager
def open_salon(store: Store, **settings: object) -> Iterator[Salon]:
    """Open a salon on *store*."""
    clock = Clock()
    told = Settings(**{"limits_factor": 1000, **settings})  # type: ignore[arg-type]  # whatever a test sets
    site = Place(told, store, clock)
    keepers = Keepers(keepers=[RATING_KEEPER, HOOK_KEEPER])
    app = Litestar(
        [*ROUTES, *RATINGS, *HOOKS],
        plugins=[IdentityPlugin(site, keepers)],
        dependencies={"site": provide(site)},
        exception_handlers=HANDLERS,
        response_headers=HEADERS,  # routes keep them, also for the next app that has them
    )
    with asyncio.Runner() as runner:
        yield Salon(app, site, clock, runner)
