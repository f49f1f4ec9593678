"""Sending what is due, again and again while the server runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from pleasance import __version__
from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import ServerError
from pleasance.server.base.links import EVERYWHERE, find_addresses, make_link
from pleasance.server.base.logs import get_log
from pleasance.server.base.metrics import HOOKS
from pleasance.server.base.periodic import run_ticks
from pleasance.server.base.settings import Settings
from pleasance.server.store.store import Store
from pleasance.server.webhooks.deliveries import (
    Delivery,
    Failure,
    fail,
    finish,
    has_due,
    postpone,
    take,
)
from pleasance.server.webhooks.payloads import Notice, sign, write_body
from pleasance.server.webhooks.pinned_client import call
from pleasance.server.webhooks.ssrf_guard import MOST_AT_ONCE, NoThreadError

_log = get_log("hooks")

IsWaiting: TypeAlias = Callable[[str, str], Awaitable[bool]]
"""Tells whether a table (second) still waits for a player (first) who is not connected."""


class HookSite(Protocol):
    """What sending needs of the site."""

    @property
    def settings(self) -> Settings:
        """Give the settings."""

    @property
    def store(self) -> Store:
        """Give the database."""

    @property
    def clock(self) -> Callable[[], float]:
        """Give the clock."""


async def run_hooks(
    site: HookSite, stop: asyncio.Event, *, is_waiting: IsWaiting, pause: float = 5.0
) -> None:
    """Send what is due until *stop* is set."""
    room = asyncio.Event()
    sending = Sending(site, is_waiting, room)

    async def tick() -> None:
        while not stop.is_set() and await sending.begin():
            pass  # there may be more than one batch

    await run_ticks(tick, stop, pause=pause, wake=room)
    await sending.finish()


class Sending:
    """What is being sent: a slow webhook holds up no other."""

    def __init__(
        self, site: HookSite, is_waiting: IsWaiting, room: asyncio.Event | None = None
    ) -> None:
        """Set *room* whenever something has come to its end and more can be begun."""
        self._site = site
        self._is_waiting = is_waiting
        self._room = room or asyncio.Event()
        self._under_way: set[asyncio.Task[None]] = set()

    async def begin(self) -> int:
        """Begin to send what is due, as much as may be; count what was begun."""
        store, now = self._site.store, self._site.clock()
        most = MOST_AT_ONCE - len(self._under_way)
        if not most or not await store.read(lambda connection: has_due(connection, now)):
            return 0
        taken = await store.write(lambda connection: take(connection, now, most))
        for one in taken:
            task = asyncio.create_task(_deliver_one(self._site, self._is_waiting, one))
            self._under_way.add(task)
            task.add_done_callback(self._end)
        return len(taken)

    async def finish(self) -> None:
        """Wait for what is under way."""
        await asyncio.gather(*self._under_way, return_exceptions=True)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._room.set()
        if not task.cancelled() and (mishap := task.exception()):
            # It is taken in hand again when its time is over.
            if isinstance(mishap, PleasanceError):
                _log.warning("hook_failed", code=mishap.code)
            else:
                _log.error("hook_failed", exc_info=mishap)


async def _deliver_one(site: HookSite, is_waiting: IsWaiting, delivery: Delivery) -> None:
    """Send one delivery and write down how it went."""
    if not await is_waiting(delivery.player, delivery.table):
        HOOKS.add("passed")
        await site.store.write(lambda c: finish(c, delivery, "passed", now=site.clock()))
        return
    try:
        failure = await _send(site, delivery)
    except NoThreadError:
        HOOKS.add("postponed")
        await site.store.write(lambda c: postpone(c, delivery, now=site.clock()))
        return
    now = site.clock()
    if failure is None:
        HOOKS.add("sent")
        await site.store.write(lambda c: finish(c, delivery, "sent", now=now))
    else:
        HOOKS.add("failed")
        await site.store.write(lambda c: fail(c, delivery, failure, now=now))


async def _send(site: HookSite, delivery: Delivery) -> Failure | None:
    """Call the webhook; tell why it failed."""
    settings, now = site.settings, site.clock()
    link = f"{find_home(settings)}/t/{delivery.table}"
    notice = Notice(
        id=delivery.id,
        table=delivery.table,
        game=delivery.game,
        lines=delivery.lines,
        at=delivery.at,
        link=link,
        language=delivery.language,
    )
    body = write_body(notice, for_discord=delivery.is_discord)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"Pleasance/{__version__}",
        "Pleasance-Delivery": delivery.id,
        "Pleasance-Signature": sign(delivery.secret, body, now),
    }
    try:
        answer = await call(
            delivery.url, body, headers, allows_private=settings.hook_allows_private
        )
    except NoThreadError:
        raise
    except ServerError as refusal:
        return Failure(refusal.code)
    if answer.is_good:
        return None
    return Failure("hook_answer", answer.status, answer.retry_after)


def find_home(settings: Settings) -> str:
    """Tell the address of our page, as well as we know it."""
    if settings.public_url:
        return settings.public_url.rstrip("/")
    scheme, host = "https" if settings.is_https else "http", settings.host
    if host in {EVERYWHERE, "::"}:
        host = next(iter(find_addresses()), "127.0.0.1")
    return make_link(host, settings.port, scheme=scheme)
