"""Name resolution of webhooks: slow or silent name servers delay no other webhook."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection

from pleasance.core.errors import PleasanceError
from pleasance.server.identity.rate_limits import RATE_LIMITS
from pleasance.server.store.store import Store
from pleasance.server.webhooks import ssrf_guard
from pleasance.server.webhooks.deliveries import ANNOUNCE_DELAY_S, MAX_FAILURES, POSTPONE_DELAY_S
from pleasance.server.webhooks.ssrf_guard import (
    MAX_CONCURRENT_CALLS,
    RESOLVER_THREADS,
    resolve_checked,
    resolve_host,
)
from server.webhooks.harness import Harness, add_webhook
from support import TIMEOUT_S
from support.app_client import open_app
from support.rows import add_table


@pytest.mark.anyio
async def test_a_silent_name_server_blocks_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    silence, lookups = threading.Event(), threading.Event()

    def getaddrinfo(*_: Any, **__: Any) -> list[Any]:
        lookups.set()
        silence.wait()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    lookups_running = [asyncio.create_task(resolve_host("slow.example", 443)) for _ in range(100)]
    try:
        async with asyncio.timeout(TIMEOUT_S):
            while not lookups.is_set():
                await asyncio.sleep(0)
            assert await asyncio.to_thread(lambda: "done") == "done"
    finally:
        silence.set()
        await asyncio.gather(*lookups_running)


@pytest.mark.anyio
async def test_a_silent_name_blocks_no_other_name(monkeypatch: pytest.MonkeyPatch) -> None:
    silence, real = threading.Event(), socket.getaddrinfo

    def getaddrinfo(host: str, *others: Any, **more: Any) -> list[Any]:
        if host == "slow.example":
            silence.wait()
            raise OSError
        return real(host, *others, **more)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    lookups_running = [asyncio.create_task(resolve_host("slow.example", 443)) for _ in range(100)]
    try:
        async with asyncio.timeout(TIMEOUT_S):
            await asyncio.sleep(0)  # all of them have asked by then
            assert await resolve_host("127.0.0.1", 443) == ("127.0.0.1",)
            lookups_running[0].cancel()  # who gives up does not take the answer from the others
            await asyncio.wait(lookups_running[:1])
            assert not any(task.done() for task in lookups_running[1:])
    finally:
        silence.set()
        answers = await asyncio.gather(*lookups_running, return_exceptions=True)
    assert {type(answer) for answer in answers} == {asyncio.CancelledError, OSError}


@pytest.mark.slow
@pytest.mark.anyio
async def test_names_without_a_waiter_are_not_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    busy, silence, lookups, complaints = (
        RESOLVER_THREADS,
        threading.Event(),
        list[str](),
        list[Any](),
    )

    def getaddrinfo(host: str, *_: Any, **__: Any) -> list[Any]:
        lookups.append(host)
        silence.wait(TIMEOUT_S)
        if host != "quick.example":
            raise OSError
        return [("", ("9.9.9.9", 443))]

    async def ask(names: list[str]) -> None:
        """Resolve the names, and cancel."""
        lookups_running = [asyncio.create_task(resolve_host(name, 443)) for name in names]
        async with asyncio.timeout(TIMEOUT_S):
            await asyncio.sleep(0)
            while len(lookups) < busy:
                await asyncio.sleep(0)
        for task in lookups_running:
            task.cancel()
        await asyncio.wait(lookups_running)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    asyncio.get_running_loop().set_exception_handler(lambda _, answers: complaints.append(answers))
    names = [f"slow{number:03}.example" for number in range(RESOLVER_THREADS + 10)]
    await ask(names)
    await ask(names[:1])  # one that is being looked up already
    quick = asyncio.create_task(resolve_host("quick.example", 443))
    await asyncio.sleep(0)
    silence.set()
    assert await asyncio.wait_for(quick, TIMEOUT_S) == ("9.9.9.9",)
    assert sorted(lookups) == ["quick.example", *names[:busy]]
    await asyncio.sleep(0)
    gc.collect()  # an unretrieved exception is reported when its task is collected
    assert complaints == []


def test_addresses_cannot_be_tried_out_without_end(store: Store) -> None:
    with open_app(store, webhook_allows_private=True, limits_factor=0.1) as app:
        browser, _ = app.visit("Ada")
        body = {"url": "https://127.0.0.1/"}
        codes = [browser.request("PUT", "/api/me/webhook", json=body).status_code for _ in range(5)]
    most = int(RATE_LIMITS["create"].burst * 0.1)
    assert codes == [200] * most + [429] * (5 - most)


class SilentNameServer:
    """A name server that answers no name until it is ended."""

    def __init__(self) -> None:
        self._is_broken = threading.Event()
        self._real = socket.getaddrinfo
        self.lookups: list[str] = []

    def getaddrinfo(self, host: str, *others: Any, **more: Any) -> list[Any]:
        """Replace `socket.getaddrinfo`."""
        if not host.endswith(".silent.example"):
            return self._real(host, *others, **more)
        self.lookups.append(host)
        self._is_broken.wait(TIMEOUT_S)
        raise OSError

    async def wait_for_threads(self, count: int) -> None:
        """Wait until *count* threads wait for an answer."""
        async with asyncio.timeout(TIMEOUT_S):
            while len(self.lookups) < count:
                await asyncio.sleep(0.01)

    def end(self) -> None:
        """Let all names fail."""
        self._is_broken.set()


@pytest.fixture
def silence(monkeypatch: pytest.MonkeyPatch) -> Iterator[SilentNameServer]:
    """Replace the name server by a silent one."""
    silence = SilentNameServer()
    monkeypatch.setattr(socket, "getaddrinfo", silence.getaddrinfo)
    yield silence
    silence.end()


def silent_names(count: int) -> list[str]:
    """List names that no server answers."""
    return [f"n{number}.silent.example" for number in range(count)]


def add_silent_webhooks(connection: Connection, names: list[str]) -> None:
    """Insert a player with a webhook at each name, and a table."""
    for number, name in enumerate(names):
        add_webhook(connection, f"person{number}", f"http://{name}/")
        add_table(connection, f"silent{number:06}")


@pytest.mark.anyio
async def test_silent_names_block_no_calls(
    store: Store, silence: SilentNameServer, hook: Harness
) -> None:
    names = silent_names(MAX_CONCURRENT_CALLS - 1)
    await store.write(lambda connection: add_silent_webhooks(connection, names))
    for number in range(len(names)):
        await hook.turn(1, f"silent{number:06}", f"person{number}")
    hook.clock.advance(1)
    await hook.turn(7)
    hook.clock.advance(ANNOUNCE_DELAY_S)
    sending = hook.make_sender()
    while await sending.send_due():
        pass
    async with asyncio.timeout(TIMEOUT_S):
        await hook.receiver.arrived.wait()
    await silence.wait_for_threads(len(names))
    assert sorted(silence.lookups) == sorted(names), "all of them were still waited for"
    silence.end()
    await sending.drain()
    assert await hook.outcomes() == [None] * len(names) + ["sent"]


@pytest.mark.slow
@pytest.mark.anyio
async def test_calls_without_a_thread_are_postponed(
    silence: SilentNameServer, monkeypatch: pytest.MonkeyPatch, hook: Harness
) -> None:
    lookups_running = [
        asyncio.create_task(resolve_host(name, 443)) for name in silent_names(RESOLVER_THREADS)
    ]
    await silence.wait_for_threads(RESOLVER_THREADS)
    monkeypatch.setattr(ssrf_guard, "_RESOLVE_TIMEOUT_S", 0.05)
    await hook.turn(7)
    assert await hook.send() == 1
    for _ in range(MAX_FAILURES):
        assert await hook.send(after=POSTPONE_DELAY_S - 1) == 0
        assert await hook.send(after=1) == 1
    row = await hook.row()
    assert (hook.receiver.calls, row["failures"], row["trouble"]) == (0, 0, None)
    assert row["off_at"] is None
    silence.end()
    answers = await asyncio.gather(*lookups_running, return_exceptions=True)
    assert all(isinstance(answer, OSError) for answer in answers), "these were asked for"
    monkeypatch.undo()
    assert await hook.send(after=POSTPONE_DELAY_S) == 1
    assert len(hook.receiver.requests) == 1
    assert await hook.outcomes() == ["sent"]


@pytest.mark.slow
@pytest.mark.anyio
async def test_unanswered_names_fail(
    silence: SilentNameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssrf_guard, "_RESOLVE_TIMEOUT_S", 1.0)  # time enough to begin
    (name,) = silent_names(1)
    with pytest.raises(PleasanceError, match="webhook_unresolved"):
        await resolve_checked(name, 443, allows_private=False)
    assert silence.lookups == [name]


@pytest.mark.slow
def test_no_free_thread_refuses_a_new_webhook(
    store: Store, silence: SilentNameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_app(store, webhook_allows_private=True) as app:
        browser, _ = app.visit("Ada")
        body = {"url": "https://127.0.0.1/"}

        async def wait_for_threads() -> list[asyncio.Task[tuple[str, ...]]]:
            names = silent_names(RESOLVER_THREADS)
            lookups_running = [asyncio.create_task(resolve_host(name, 443)) for name in names]
            await silence.wait_for_threads(RESOLVER_THREADS)
            return lookups_running

        lookups_running = app.runner.run(wait_for_threads())
        with monkeypatch.context() as hurry:
            hurry.setattr(ssrf_guard, "_RESOLVE_TIMEOUT_S", 1.0)
            answer = browser.request("PUT", "/api/me/webhook", json=body)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
        assert answer.headers["retry-after"] == "1"
        silence.end()
        app.runner.run(_await_all(lookups_running))
        assert browser.request("PUT", "/api/me/webhook", json=body).status_code == 200


async def _await_all(lookups_running: list[asyncio.Task[tuple[str, ...]]]) -> None:
    """Wait for all lookups, failed or not."""
    await asyncio.gather(*lookups_running, return_exceptions=True)
