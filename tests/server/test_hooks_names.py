"""Names of webhooks are looked up so that nobody else has to wait for a slow name server."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
from typing import Any

import pytest

from pleasance.server.identity.rate_limits import RULES
from pleasance.server.store.store import Store
from pleasance.server.webhooks.ssrf_guard import THREADS, resolve_name
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


@pytest.mark.anyio
async def test_a_name_that_is_never_answered_holds_up_no_other_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    silence, real = threading.Event(), socket.getaddrinfo

    def look_up(host: str, *others: Any, **more: Any) -> list[Any]:
        if host == "slow.example":
            silence.wait()
            raise OSError
        return real(host, *others, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    looking = [asyncio.create_task(resolve_name("slow.example", 443)) for _ in range(100)]
    try:
        async with asyncio.timeout(PATIENCE):
            await asyncio.sleep(0)  # all of them have asked by then
            assert await resolve_name("127.0.0.1", 443) == ("127.0.0.1",)
            looking[0].cancel()  # who gives up does not take the answer from the others
            await asyncio.wait(looking[:1])
            assert not any(task.done() for task in looking[1:])
    finally:
        silence.set()
        told = await asyncio.gather(*looking, return_exceptions=True)
    assert {type(answer) for answer in told} == {asyncio.CancelledError, OSError}


@pytest.mark.anyio
async def test_names_that_nobody_waits_for_any_more_are_not_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    busy, silence, asked, complaints = THREADS, threading.Event(), list[str](), list[Any]()

    def look_up(host: str, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        silence.wait(PATIENCE)
        if host != "quick.example":
            raise OSError
        return [("", ("9.9.9.9", 443))]

    async def ask(names: list[str]) -> None:
        """Ask for the names, and give up."""
        looking = [asyncio.create_task(resolve_name(name, 443)) for name in names]
        async with asyncio.timeout(PATIENCE):
            await asyncio.sleep(0)
            while len(asked) < busy:
                await asyncio.sleep(0)
        for task in looking:
            task.cancel()
        await asyncio.wait(looking)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    asyncio.get_running_loop().set_exception_handler(lambda _, told: complaints.append(told))
    names = [f"slow{number:03}.example" for number in range(THREADS + 10)]
    await ask(names)
    await ask(names[:1])  # one that is being looked up already
    quick = asyncio.create_task(resolve_name("quick.example", 443))
    await asyncio.sleep(0)
    silence.set()
    assert await asyncio.wait_for(quick, PATIENCE) == ("9.9.9.9",)
    assert sorted(asked) == ["quick.example", *names[:busy]]
    await asyncio.sleep(0)
    gc.collect()  # a failure that nobody has asked for complains when it is forgotten
    assert complaints == []


def test_addresses_cannot_be_tried_out_without_end(store: Store) -> None:
    with open_salon(store, hook_allows_private=True, limits_factor=0.1) as salon:
        browser, _ = salon.visit("Ada")
        body = {"url": "https://127.0.0.1/"}
        codes = [browser.request("PUT", "/api/me/hook", json=body).status_code for _ in range(5)]
    most = int(RULES["make"].burst * 0.1)
    assert codes == [200] * most + [429] * (5 - most)
