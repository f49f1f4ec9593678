"""Names of webhooks are looked up so that nobody else has to wait for a slow name server."""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import Any

import pytest

from pleasance.server.hooks.addresses import resolve_name
from pleasance.server.identity.limits import RULES
from pleasance.server.store.store import Store
from server.patience import PATIENCE
from server.salon import open_salon


@pytest.mark.anyio
async def test_name_servers_that_never_answer_hold_up_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    silence, asked = threading.Event(), threading.Event()

    def look_up(*_: Any, **__: Any) -> list[Any]:
        asked.set()
        silence.wait()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    looking = [asyncio.create_task(resolve_name("slow.example", 443)) for _ in range(100)]
    try:
        async with asyncio.timeout(PATIENCE):
            while not asked.is_set():
                await asyncio.sleep(0)
            assert await asyncio.to_thread(lambda: "done") == "done"
    finally:
        silence.set()
        await asyncio.gather(*looking)


def test_addresses_cannot_be_tried_out_without_end(store: Store) -> None:
    with open_salon(store, hook_allows_private=True, limits_factor=0.1) as salon:
        browser, _ = salon.visit("Ada")
        body = {"url": "https://127.0.0.1/"}
        codes = [browser.request("PUT", "/api/me/hook", json=body).status_code for _ in range(5)]
    most = int(RULES["make"].burst * 0.1)
    assert codes == [200] * most + [429] * (5 - most)
