"""The app: composition of all features by dependency injection."""

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
from pleasance.server.base.periodic import run_periodically
from pleasance.server.base.settings import ServerSettings
from pleasance.server.bots.local_pool import LocalBotPool
from pleasance.server.bots.pool import BotPool
from pleasance.server.bots.queued_pool import QueuedBotPool
from pleasance.server.http import all_routes as api_routes
from pleasance.server.http.exception_handlers import HANDLERS, on_http_error
from pleasance.server.http.middleware import IdentityPlugin
from pleasance.server.identity.personal_data import PersonalDataSources
from pleasance.server.identity.retention import RetentionJob
from pleasance.server.live.housekeeping import HousekeepingJob
from pleasance.server.live.hub import Hub
from pleasance.server.live.personal_data import TABLE_DATA, make_seat_vacater
from pleasance.server.live.site import Site
from pleasance.server.matched_tables import make_match_opener
from pleasance.server.matchmaking.matchmaker import run_matchmaker
from pleasance.server.matchmaking.personal_data import MATCHMAKING_DATA
from pleasance.server.matchmaking.queue import find_offer
from pleasance.server.page import all_routes as page_routes
from pleasance.server.page.not_found import make_not_found_handler
from pleasance.server.ratings.rate_game import rate_finished_game
from pleasance.server.store.store import Store
from pleasance.server.webhooks.deliveries import make_turn_notifier
from pleasance.server.webhooks.personal_data import WEBHOOK_DATA
from pleasance.server.webhooks.sender import DeliverySender, IsWaiting

_MAX_BODY_BYTES = 256 * 1024
_HOUSEKEEPING_INTERVAL_S = 1.0
_HEARTBEAT_INTERVAL_S = 10.0
_RETENTION_INTERVAL_S = 600.0

PERSONAL_DATA_SOURCES = (TABLE_DATA, MATCHMAKING_DATA, WEBHOOK_DATA)
"""The personal data of all features, handed to identity for export and erasure."""

HEADERS = (
    ResponseHeader(name="X-Content-Type-Options", value="nosniff"),
    # Most responses are for one player only; the others override this.
    ResponseHeader(name="Cache-Control", value="no-store"),
)
"""Headers of every response."""


def make_clock() -> Callable[[], float]:
    """Make a clock that runs evenly, even if the machine's clock is set."""
    start = time.time() - time.monotonic()
    return lambda: start + time.monotonic()


def make_site(settings: ServerSettings) -> Site:
    """Open the database and make the services of a server."""
    store = Store.open(settings.database)
    clock = make_clock()
    bot_pool: BotPool = (
        QueuedBotPool(store) if store.is_shared else LocalBotPool(settings.bot_processes)
    )
    hub = Hub(store, bot_pool, settings, clock)
    hub.add_callbacks(rate_finished_game, make_turn_notifier(hub.connections.presence.is_here))
    return Site(settings=settings, store=store, bot_pool=bot_pool, hub=hub, clock=clock)


def make_app(site: Site) -> Litestar:
    """Make the app that serves *site* and closes it at the end."""
    sources = PersonalDataSources(PERSONAL_DATA_SOURCES, leave_games=[make_seat_vacater(site.hub)])

    def provide_site() -> Site:
        return site

    return Litestar(
        [*api_routes.ROUTES, *page_routes.ROUTES],
        plugins=[IdentityPlugin(site, sources)],
        dependencies={"site": Provide(provide_site, sync_to_thread=False)},
        exception_handlers={**HANDLERS, NotFoundException: make_not_found_handler(on_http_error)},
        lifespan=[_run_background_tasks],
        openapi_config=OpenAPIConfig(
            title="Pleasance", version=__version__, render_plugins=[JsonRenderPlugin()]
        ),
        response_headers=HEADERS,
        request_max_body_size=_MAX_BODY_BYTES,
        logging_config=None,  # base/logs.py does it, and redacts secrets
    )


@asynccontextmanager
async def _run_background_tasks(app: Litestar) -> AsyncIterator[None]:
    """Run background tasks while the server runs; finish them when it stops."""
    site: Site = app.state.site
    stop = asyncio.Event()
    await site.bot_pool.start()
    site.hub.connections.find_offer = lambda player: find_offer(site.store, player, site.clock())
    site.hub.start()
    housekeeping = HousekeepingJob(site.hub, site.store, site.settings)
    retention = RetentionJob(
        site.store,
        PersonalDataSources(PERSONAL_DATA_SOURCES),
        site.clock,
        retention_s=site.settings.forget_guests_after,
    )
    sender = DeliverySender(
        site.store, site.settings, site.clock, is_waiting=_make_waiting_check(site.hub)
    )
    heartbeat = site.hub.connections.send_heartbeat
    jobs = (
        run_periodically(housekeeping.tick, stop, interval_s=_HOUSEKEEPING_INTERVAL_S),
        run_matchmaker(site.store, site.clock, stop, open_table=make_match_opener(site.hub)),
        run_periodically(heartbeat, stop, interval_s=_HEARTBEAT_INTERVAL_S),
        run_periodically(retention.tick, stop, interval_s=_RETENTION_INTERVAL_S),
        sender.run(stop),
    )
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        yield
    finally:
        stop.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        await site.hub.stop()
        await site.bot_pool.close()
        await asyncio.to_thread(site.store.close)


def _make_waiting_check(hub: Hub) -> IsWaiting:
    """Make the check whether a table still waits for a player who is not connected."""

    async def is_waiting(player: str, table: str) -> bool:
        if hub.connections.presence.is_here(player):
            return False
        try:
            room = (await hub.find(table)).room
        except PleasanceError:
            return False
        return any(seat in room.waiting for seat in room.seats_of(player))

    return is_waiting
