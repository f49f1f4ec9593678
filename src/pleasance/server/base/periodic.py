"""Periodic background tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pleasance.server.base.logs import get_logger

_log = get_logger("periodic")


async def run_periodically(
    tick: Callable[[], Awaitable[object]],
    stop: asyncio.Event,
    *,
    interval_s: float,
    wake: asyncio.Event | None = None,
) -> None:
    """Call *tick* every *interval_s* seconds, and at once when *wake* is set, until *stop* is."""
    wake = wake or asyncio.Event()
    while not stop.is_set():
        wake.clear()
        try:
            await tick()
        except Exception:  # noqa: BLE001  (one failure must not end the task)
            _log.exception("tick_failed")
        await _wait(stop, wake, interval_s)


async def _wait(stop: asyncio.Event, wake: asyncio.Event, timeout_s: float) -> None:
    """Wait for one of two events, or the timeout."""
    waits = [asyncio.ensure_future(event.wait()) for event in (stop, wake)]
    try:
        await asyncio.wait(waits, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
