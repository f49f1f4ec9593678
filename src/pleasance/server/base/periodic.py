"""Work that comes round again and again while the server runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pleasance.server.base.logs import get_log

_log = get_log("ticks")


async def run_ticks(
    tick: Callable[[], Awaitable[object]],
    stop: asyncio.Event,
    *,
    pause: float,
    wake: asyncio.Event | None = None,
) -> None:
    """Call *tick* every *pause* seconds, and at once when *wake* is set, until *stop* is."""
    wake = wake or asyncio.Event()
    while not stop.is_set():
        wake.clear()
        try:
            await tick()
        except Exception:  # noqa: BLE001  (one bad moment must not end the work for good)
            _log.exception("tick_failed")
        await _wait(stop, wake, pause)


async def _wait(stop: asyncio.Event, wake: asyncio.Event, seconds: float) -> None:
    """Wait for one of two events, but not for ever."""
    waits = [asyncio.ensure_future(event.wait()) for event in (stop, wake)]
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
