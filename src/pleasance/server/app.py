"""The app: all features of the server, put together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.datastructures import ResponseHeader
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from pleasance import __version__
from pleasance.core.errors import PleasanceError
from pleasance.server.base import metrics
from pleasance.server.base.periodic import run_ticks
from pleasance.server.base.settings import Settings
from pleasance.server.bots.local_pool import LocalCrew
from pleasance.server.bots.pool import Crew
from pleasance.server.bots.queued_pool import SharedCrew
from pleasance.server.commit_callbacks import make_caller, rate_ended
from pleasance.server.http import (
    health,
    middleware,
    moderation_api,
    ratings_api,
    socket,
    tables_api,
)
from pleasance.server.http import webhooks_api as hooks_api
from pleasance.server.http.exception_handlers import HANDLERS
from pleasance.server.http.queue_api import find_offer
from pleasance.server.identity.personal_data import Keepers
from pleasance.server.identity.retention import Cleaner
from pleasance.server.live import personal_data
from pleasance.server.live.housekeeping import Ticker
from pleasance.server.live.hub import Hub
from pleasance.server.live.site import Site
from pleasance.server.matched_tables import make_opener
from pleasance.server.matchmaking.ticker import run_queue
from pleasance.server.page import all_routes as page_routes
from pleasance.server.page.not_found import answer_lost
from pleasance.server.personal_data import KEEPERS
from pleasance.server.store.store import Store
from pleasance.server.webhooks.sender import IsWaiting, run_hooks

_LARGEST_BODY = 256 * 1024
_TICK = 1.0
_ROLL_CALL = 10.0
_CLEANING = 600.0

HEADERS = (
    ResponseHeader(name="X-Content-Type-Options", value="nosniff"),
    # Many answers are for one player's eyes; those that are not say so themselves.
    ResponseHeader(name="Cache-Control", value="no-store"),
)
"""What every answer says of itself."""

ROUTES = [
    *middleware.ROUTES,
    *tables_api.ROUTES,
    *moderation_api.ROUTES,
    *socket.ROUTES,
    *ratings_api.ROUTES,
    *hooks_api.ROUTES,
    *health.ROUTES,
    *metrics.ROUTES,
    *page_routes.ROUTES,
]


def make_clock() -> Callable[[], float]:
    """Make a clock that goes on evenly, even if somebody sets that of the machine."""
    start = time.time() - time.monotonic()
    return lambda: start + time.monotonic()


def make_site(settings: Settings) -> Site:
    """Open the database and put together what the handlers need."""
    store = Store.open(settings.database)
    clock = make_clock()
    crew: Crew = SharedCrew(store) if store.is_shared else LocalCrew(settings.bot_processes)
    hub = Hub(store, crew, settings, clock)
    hub.expect(rate_ended, make_caller(hub.door.presence.is_here))
    return Site(settings=settings, store=store, crew=crew, hub=hub, clock=clock)


def make_app(site: Site) -> Litestar:
    """Make the app that serves *site*; the site is closed with it."""
    keepers = Keepers(KEEPERS, leave=[personal_data.make_leaver(site.hub)])

    def provide_site() -> Site:
        return site

    return Litestar(
        ROUTES,
        plugins=[middleware.IdentityPlugin(site, keepers)],
        dependencies={"site": Provide(provide_site, sync_to_thread=False)},
        exception_handlers={**HANDLERS, NotFoundException: answer_lost},
        lifespan=[_live],
        openapi_config=OpenAPIConfig(
            title="Pleasance", version=__version__, render_plugins=[JsonRenderPlugin()]
        ),
        response_headers=HEADERS,
        request_max_body_size=_LARGEST_BODY,
        logging_config=None,  # server/logs.py sees to it, and lets no secret through
    )


@asynccontextmanager
async def _live(app: Litestar) -> AsyncIterator[None]:
    """Do what must be done while the server runs; finish it when it stops."""
    site: Site = app.state.site
    stop = asyncio.Event()
    await site.crew.start()
    site.hub.door.find_offer = lambda player: find_offer(site, player)
    site.hub.start()
    ticker = Ticker(site.hub, site.store, site.settings)
    cleaner = Cleaner(
        site.store, Keepers(KEEPERS), site.clock, after=site.settings.forget_guests_after
    )
    tasks = [
        asyncio.create_task(run_ticks(ticker.tick, stop, pause=_TICK)),
        asyncio.create_task(run_queue(site, stop, make_table=make_opener(site.hub))),
        asyncio.create_task(run_ticks(site.hub.door.roll_call, stop, pause=_ROLL_CALL)),
        asyncio.create_task(run_ticks(cleaner.tick, stop, pause=_CLEANING)),
        asyncio.create_task(run_hooks(site, stop, is_waiting=_make_looker(site.hub))),
    ]
    try:
        yield
    finally:
        stop.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        await site.hub.stop()
        await site.crew.close()
        await asyncio.to_thread(site.store.close)


def _make_looker(hub: Hub) -> IsWaiting:
    """Make what tells whether a table still waits for a player who is not connected."""

    async def is_waiting(player: str, table: str) -> bool:
        if hub.door.presence.is_here(player):
            return False
        try:
            room = (await hub.find(table)).room
        except PleasanceError:
            return False
        return any(seat in room.waiting for seat in room.seats_of(player))

    return is_waiting
