"""Names that no name server ever answers hold up nobody else's webhook, nor switch it off."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection

from pleasance.core.errors import PleasanceError
from pleasance.server.store.store import Store
from pleasance.server.webhooks import ssrf_guard
from pleasance.server.webhooks.deliveries import AGAIN, DELAY, MOST_FAILURES
from pleasance.server.webhooks.sender import Sending
from pleasance.server.webhooks.ssrf_guard import MOST_AT_ONCE, THREADS, find_addresses, resolve_name
from server.hooked import add_hooked, hook_row, outcomes, set_scene
from server.patience import PATIENCE
from server.rated import add_table
from server.receiver import receive
from server.salon import open_salon


class Silence:
    """A name server that answers for none of its names until it is broken."""

    def __init__(self) -> None:
        self._is_broken = threading.Event()
        self._real = socket.getaddrinfo
        self.asked: list[str] = []

    def look_up(self, host: str, *others: Any, **more: Any) -> list[Any]:
        """Stand in for `socket.getaddrinfo`."""
        if not host.endswith(".silent.example"):
            return self._real(host, *others, **more)
        self.asked.append(host)
        self._is_broken.wait(PATIENCE)
        raise OSError

    async def hold_up(self, count: int) -> None:
        """Wait until so many threads wait for an answer."""
        async with asyncio.timeout(PATIENCE):
            while len(self.asked) < count:
                await asyncio.sleep(0.01)

    def end(self) -> None:
        """Answer at last."""
        self._is_broken.set()


@pytest.fixture
def silence(monkeypatch: pytest.MonkeyPatch) -> Iterator[Silence]:
    """Let a name server be silent."""
    silence = Silence()
    monkeypatch.setattr(socket, "getaddrinfo", silence.look_up)
    yield silence
    silence.end()


def make_silent(count: int) -> list[str]:
    """Make up names that nobody answers for."""
    return [f"n{number}.silent.example" for number in range(count)]


def add_silent(connection: Connection, names: list[str]) -> None:
    """Write down a player with a webhook at each name, and a table."""
    for number, name in enumerate(names):
        add_hooked(connection, f"person{number}", f"http://{name}/")
        add_table(connection, f"silent{number:06}")


@pytest.mark.anyio
async def test_a_webhook_is_called_while_many_names_are_never_answered(
    store: Store, silence: Silence
) -> None:
    names = make_silent(MOST_AT_ONCE - 1)
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        await store.write(lambda connection: add_silent(connection, names))
        for number in range(len(names)):
            await scene.turn(1, f"silent{number:06}", f"person{number}")
        scene.clock.wait(1)
        await scene.turn(7)
        scene.clock.wait(DELAY)
        sending = Sending(scene.site, scene.is_waiting)
        while await sending.begin():
            pass
        async with asyncio.timeout(PATIENCE):
            await receiver.arrived.wait()
        await silence.hold_up(len(names))
        assert sorted(silence.asked) == sorted(names), "all of them were still waited for"
        silence.end()
        await sending.finish()
    assert await outcomes(store) == [None] * len(names) + ["sent"]


@pytest.mark.anyio
async def test_who_got_no_thread_has_not_failed_and_is_called_later(
    store: Store, silence: Silence, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = [asyncio.create_task(resolve_name(name, 443)) for name in make_silent(THREADS)]
    await silence.hold_up(THREADS)
    monkeypatch.setattr(ssrf_guard, "_PATIENCE", 0.05)
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        await scene.turn(7)
        assert await scene.send() == 1
        for _ in range(MOST_FAILURES):
            assert await scene.send(after=AGAIN - 1) == 0
            assert await scene.send(after=1) == 1
        hook = await hook_row(store)
        assert (receiver.calls, hook["failures"], hook["trouble"]) == (0, 0, None)
        assert hook["off_at"] is None
        silence.end()
        told = await asyncio.gather(*asking, return_exceptions=True)
        assert all(isinstance(answer, OSError) for answer in told), "these were asked for"
        monkeypatch.undo()
        assert await scene.send(after=AGAIN) == 1
        assert len(receiver.letters) == 1
    assert await outcomes(store) == ["sent"]


@pytest.mark.anyio
async def test_a_name_that_was_asked_for_in_vain_has_failed(
    silence: Silence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssrf_guard, "_PATIENCE", 1.0)  # time enough to begin
    (name,) = make_silent(1)
    with pytest.raises(PleasanceError, match="hook_unresolved"):
        await find_addresses(name, 443, allows_private=False)
    assert silence.asked == [name]


def test_who_sets_a_webhook_when_no_thread_is_free_is_asked_to_wait(
    store: Store, silence: Silence, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_salon(store, hook_allows_private=True) as salon:
        browser, _ = salon.visit("Ada")
        body = {"url": "https://127.0.0.1/"}

        async def hold_up() -> list[asyncio.Task[tuple[str, ...]]]:
            names = make_silent(THREADS)
            asking = [asyncio.create_task(resolve_name(name, 443)) for name in names]
            await silence.hold_up(THREADS)
            return asking

        asking = salon.runner.run(hold_up())
        with monkeypatch.context() as hurry:
            hurry.setattr(ssrf_guard, "_PATIENCE", 1.0)
            answer = browser.request("PUT", "/api/me/hook", json=body)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
        assert answer.headers["retry-after"] == "1"
        silence.end()
        salon.runner.run(_hear(asking))
        assert browser.request("PUT", "/api/me/hook", json=body).status_code == 200


async def _hear(asking: list[asyncio.Task[tuple[str, ...]]]) -> None:
    """Hear what has become of all who asked."""
    await asyncio.gather(*asking, return_exceptions=True)
