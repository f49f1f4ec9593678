"""Webhook sender: every server leases due deliveries and posts them, many at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from pleasance import __version__
from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import ServerError
from pleasance.server.base.links import IPV4_WILDCARD, find_addresses, format_url
from pleasance.server.base.logs import get_logger
from pleasance.server.base.metrics import WEBHOOK_CALLS
from pleasance.server.base.periodic import run_periodically
from pleasance.server.base.settings import ServerSettings
from pleasance.server.store.store import Store
from pleasance.server.webhooks.deliveries import (
    Delivery,
    Failure,
    complete,
    has_due,
    lease_due,
    postpone,
    record_failure,
)
from pleasance.server.webhooks.payloads import TurnNotice, encode_body, sign
from pleasance.server.webhooks.pinned_client import post
from pleasance.server.webhooks.ssrf_guard import MAX_CONCURRENT_CALLS, ResolverBusyError

_log = get_logger("webhooks")

IsWaiting: TypeAlias = Callable[[str, str], Awaitable[bool]]
"""Whether a table (second) still waits for a player (first) who is not connected."""


class DeliverySender:
    """Sends deliveries concurrently, so that a slow webhook delays no other."""

    def __init__(
        self,
        store: Store,
        settings: ServerSettings,
        clock: Callable[[], float],
        *,
        is_waiting: IsWaiting,
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._is_waiting = is_waiting
        self._has_capacity = asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()

    async def run(self, stop: asyncio.Event, *, interval_s: float = 5.0) -> None:
        """Send due deliveries until *stop* is set."""

        async def tick() -> None:
            while not stop.is_set() and await self.send_due():
                pass  # there may be more than one batch

        await run_periodically(tick, stop, interval_s=interval_s, wake=self._has_capacity)
        await self.drain()

    async def send_due(self) -> int:
        """Start to send due deliveries, as many as may run; return how many were started."""
        now, capacity = self._clock(), MAX_CONCURRENT_CALLS - len(self._running)
        if not capacity or not await self._store.read(lambda c: has_due(c, now)):
            return 0
        leased = await self._store.write(lambda c: lease_due(c, now, capacity))
        for delivery in leased:
            task = asyncio.create_task(self._deliver(delivery))
            self._running.add(task)
            task.add_done_callback(self._on_done)
        return len(leased)

    async def drain(self) -> None:
        """Wait for the deliveries in progress."""
        await asyncio.gather(*self._running, return_exceptions=True)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._has_capacity.set()
        if not task.cancelled() and (error := task.exception()):
            # The lease expires, and then the delivery is sent again.
            if isinstance(error, PleasanceError):
                _log.warning("webhook_failed", code=error.code)
            else:
                _log.error("webhook_failed", exc_info=error)

    async def _deliver(self, delivery: Delivery) -> None:
        """Send one delivery and record the outcome."""
        store = self._store
        if not await self._is_waiting(delivery.player, delivery.table):
            WEBHOOK_CALLS.labels("passed").inc()
            await store.write(lambda c: complete(c, delivery, "passed", now=self._clock()))
            return
        try:
            failure = await self._post(delivery)
        except ResolverBusyError:
            WEBHOOK_CALLS.labels("postponed").inc()
            await store.write(lambda c: postpone(c, delivery, now=self._clock()))
            return
        now = self._clock()
        if failure is None:
            WEBHOOK_CALLS.labels("sent").inc()
            await store.write(lambda c: complete(c, delivery, "sent", now=now))
        else:
            WEBHOOK_CALLS.labels("failed").inc()
            await store.write(lambda c: record_failure(c, delivery, failure, now=now))

    async def _post(self, delivery: Delivery) -> Failure | None:
        """Post the signed notice of a turn; return why it failed."""
        notice = TurnNotice(
            id=delivery.id,
            table=delivery.table,
            game=delivery.game,
            ply=delivery.ply,
            at=delivery.at,
            link=f"{_find_public_url(self._settings)}/t/{delivery.table}",
            language=delivery.language,
        )
        body = encode_body(notice, for_discord=delivery.is_discord)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"Pleasance/{__version__}",
            **sign(delivery.secret, delivery.id, body, self._clock()),
        }
        allows_private = self._settings.webhook_allows_private
        try:
            response = await post(delivery.url, body, headers, allows_private=allows_private)
        except ResolverBusyError:
            raise
        except ServerError as refusal:
            return Failure(refusal.code)
        if response.is_success:
            return None
        return Failure("webhook_answer", response.status, response.retry_after)


def _find_public_url(settings: ServerSettings) -> str:
    """Return the public URL as far as it is known without a request."""
    if settings.public_url:
        return settings.public_url.rstrip("/")
    scheme, host = "https" if settings.is_https else "http", settings.host
    if host in {IPV4_WILDCARD, "::"}:
        host = next(iter(find_addresses()), "127.0.0.1")
    return format_url(host, settings.port, scheme=scheme)
