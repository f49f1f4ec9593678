"""Deliveries with servers that die, restart or share a database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from sqlalchemy import Connection

from pleasance.server.base.settings import ServerSettings
from pleasance.server.store.store import Store
from pleasance.server.webhooks.deliveries import (
    ANNOUNCE_DELAY_S,
    LEASE_S,
    MAX_LEASED_PER_HOST,
    MAX_LEASED_PER_PLAYER,
    lease_due,
)
from pleasance.server.webhooks.sender import DeliverySender
from pleasance.server.webhooks.ssrf_guard import MAX_CONCURRENT_CALLS
from server.webhooks.harness import Harness, add_webhook, open_webhook
from server.webhooks.receiver import Receiver, Responder, receive
from support import TIMEOUT_S
from support.app_client import StubSite
from support.rows import add_table

pytestmark = pytest.mark.anyio


async def test_the_lease_of_a_dead_server_expires(store: Store, hook: Harness) -> None:
    await hook.turn(7)
    hook.clock.advance(ANNOUNCE_DELAY_S)
    now = hook.clock()
    (taken,) = await store.write(lambda connection: lease_due(connection, now))
    assert taken.table == "table0000001"  # and here the server dies
    assert await hook.send(after=LEASE_S - 1) == 0
    assert await hook.send(after=1) == 1
    assert hook.receiver.calls == 1
    assert await hook.outcomes() == ["sent"]


MANY = [f"many{n:08}" for n in range(50)]


def add_many(connection: Connection) -> None:
    for table in MANY:
        add_table(connection, table)


async def queue_many(hook: Harness) -> None:
    """Queue overdue deliveries to one player for many tables."""
    await hook.site.store.write(add_many)
    for table in MANY:
        await hook.turn(1, table)
    hook.clock.advance(ANNOUNCE_DELAY_S)


@asynccontextmanager
async def run_sender(hook: Harness) -> AsyncIterator[asyncio.Event]:
    """Send what is due meanwhile, as a server does; what is given can stop it earlier."""
    stop = asyncio.Event()
    # Only what is done can wake it up again.
    ticker = asyncio.create_task(hook.make_sender().run(stop, interval_s=3600.0))
    async with asyncio.timeout(TIMEOUT_S):
        yield stop
        stop.set()
        await ticker


@pytest.mark.slow
async def test_two_servers_send_everything_once(pair: tuple[Store, Store]) -> None:
    async with receive() as receiver:
        first = await open_webhook(pair[0], receiver.url())
        second = Harness(StubSite(first.site.settings, pair[1], first.clock), first.clock)
        await queue_many(first)
        while sum(await asyncio.gather(first.send(after=0), second.send(after=0))):
            pass
        sent = [json.loads(request.body)["pleasance"]["table"] for request in receiver.requests]
        assert sorted(sent) == MANY


async def test_a_queued_delivery_survives_a_restart(database_url: str, receiver: Receiver) -> None:
    store = Store.open(database_url)
    hook = await open_webhook(store, receiver.url())
    await hook.turn(7)
    store.close()
    store = Store.open(database_url)
    again = Harness(StubSite(hook.site.settings, store, hook.clock), hook.clock)
    assert await again.send() == 1
    assert receiver.calls == 1
    store.close()


async def test_the_ticker_sends_due_deliveries_and_stops_on_request(hook: Harness) -> None:
    sent = asyncio.Event()
    hook.receiver.answer = respond_then(sent.set, hook.receiver.answer)
    await hook.turn(7)
    hook.clock.advance(ANNOUNCE_DELAY_S)
    async with run_sender(hook):
        await sent.wait()
    assert await hook.outcomes() == ["sent"]


async def test_a_slow_webhook_holds_up_no_other(hook: Harness) -> None:
    patience = asyncio.Event()
    quick = hook.receiver.answer

    def answer_others() -> None:
        hook.receiver.answer = quick

    hook.receiver.answer = respond_late(patience, quick, answer_others)
    sending = hook.make_sender()
    for table in ("table0000001", "table0000002"):
        await hook.turn(7, table)
        hook.clock.advance(ANNOUNCE_DELAY_S)
        hook.receiver.arrived.clear()
        assert await sending.send_due() == 1
        async with asyncio.timeout(TIMEOUT_S):
            await hook.receiver.arrived.wait()
    assert hook.receiver.calls == 2, "both were called while the first one was still at it"
    patience.set()
    await sending.drain()
    assert await hook.outcomes() == ["sent", "sent"]


async def send_rest(hook: Harness, sending: DeliverySender, patience: asyncio.Event) -> None:
    """Let those answer that wait for *patience*, and send what is left."""
    patience.set()
    await sending.drain()
    while await hook.send(after=0):
        pass


async def queue_people(hook: Harness, urls: Sequence[str]) -> None:
    """Queue an overdue delivery to a different player for each of many tables."""
    people = [f"person{n}" for n in range(len(urls))]

    def work(connection: Connection) -> None:
        for name, url in zip(people, urls, strict=True):
            add_webhook(connection, name, url)

    await hook.site.store.write(add_many)
    await hook.site.store.write(work)
    for player, table in zip(people, MANY, strict=False):
        await hook.turn(1, table, player)
    hook.clock.advance(ANNOUNCE_DELAY_S)


@pytest.mark.slow
async def test_only_so_many_webhooks_are_called_at_once(store: Store) -> None:
    patience = asyncio.Event()
    async with AsyncExitStack() as stack:
        hosts = [await stack.enter_async_context(receive()) for _ in range(5)]
        for host in hosts:
            host.answer = respond_late(patience, host.answer)
        hook = await open_webhook(store, hosts[0].url())
        await queue_people(hook, [host.url() for host in hosts for _ in range(MAX_LEASED_PER_HOST)])
        sending = hook.make_sender()
        assert (
            await sending.send_due() + await sending.send_due() == MAX_CONCURRENT_CALLS < len(MANY)
        )
        assert await sending.send_due() == 0
        await send_rest(hook, sending, patience)
        assert [len(host.requests) for host in hosts] == [MAX_LEASED_PER_HOST] * 5


async def test_a_host_that_hangs_holds_up_no_other(store: Store) -> None:
    patience, done = asyncio.Event(), asyncio.Event()
    async with receive() as slow, receive() as quick:
        slow.answer = respond_late(patience, slow.answer)

        def count() -> None:
            if quick.calls == 5:
                done.set()

        quick.answer = respond_then(count, quick.answer)
        hook = await open_webhook(store, slow.url())
        # Those of the slow host have been waiting for longer, and are more than can be called.
        slow_urls = [slow.url(f"/{n}") for n in range(MAX_CONCURRENT_CALLS + 5)]
        await queue_people(hook, [*slow_urls, *(quick.url(f"/{n}") for n in range(5))])
        async with run_sender(hook):
            await slow.arrived.wait()
            await done.wait()
            assert 0 < slow.calls <= MAX_LEASED_PER_HOST, "and the quick ones wait for none of them"
            patience.set()
        assert len(quick.requests) == 5


@pytest.mark.slow
async def test_a_host_has_one_share_whatever_follows_its_name(hook: Harness) -> None:
    patience = asyncio.Event()
    hook.receiver.answer = respond_late(patience, hook.receiver.answer)
    ends = ["", "/", "/in", "/a/b?c=//d/e", "?to=http://127.0.0.1/"]
    await queue_people(hook, [hook.receiver.url(end) for end in ends * 10])
    sending = hook.make_sender()
    assert await sending.send_due() == MAX_LEASED_PER_HOST
    assert await sending.send_due() == 0
    await send_rest(hook, sending, patience)
    assert len(hook.receiver.requests) == len(MANY)


@pytest.mark.slow
async def test_all_turns_of_a_player_are_announced_one_after_the_other(hook: Harness) -> None:
    await queue_many(hook)
    enough = asyncio.Event()

    def count() -> None:
        if hook.receiver.calls == len(MANY):
            enough.set()

    hook.receiver.answer = respond_then(count, hook.receiver.answer)
    async with run_sender(hook):
        await enough.wait()
    assert len(hook.receiver.requests) == len(MANY)


async def test_nothing_is_begun_once_the_server_stops(hook: Harness) -> None:
    patience = asyncio.Event()
    hook.receiver.answer = respond_late(patience, hook.receiver.answer)
    await queue_many(hook)
    async with run_sender(hook) as stop:
        while hook.receiver.calls < MAX_LEASED_PER_PLAYER:
            hook.receiver.arrived.clear()
            await hook.receiver.arrived.wait()
        stop.set()
        patience.set()
    # What was being taken in hand at that very moment is still sent.
    assert MAX_LEASED_PER_PLAYER <= len(hook.receiver.requests) <= 2 * MAX_LEASED_PER_PLAYER


@pytest.mark.slow
async def test_each_player_has_a_share_of_concurrent_calls(store: Store, hook: Harness) -> None:
    patience = asyncio.Event()
    hook.receiver.answer = respond_late(patience, hook.receiver.answer)
    await queue_many(hook)
    await store.write(lambda connection: add_webhook(connection, "Bea", hook.receiver.url()))
    await hook.turn(1, MANY[0], "bea")
    hook.clock.advance(ANNOUNCE_DELAY_S)
    sending = hook.make_sender()
    assert await sending.send_due() == MAX_LEASED_PER_PLAYER + 1, (
        "those of the other do not wait for all of hers"
    )
    assert await sending.send_due() == 0
    assert {player for player, _ in hook.lookups} == {"ada", "bea"}
    await send_rest(hook, sending, patience)
    assert len(hook.receiver.requests) == len(MANY) + 1


def respond_late(
    patience: asyncio.Event, answer: Responder, begin: Callable[[], None] = lambda: None
) -> Responder:
    """Answer only after *patience* is set."""

    async def wait(writer: asyncio.StreamWriter) -> None:
        begin()
        await patience.wait()
        await answer(writer)

    return wait


def respond_then(done: Callable[[], None], answer: Responder) -> Responder:
    """Answer, and tell that it was done."""

    async def both(writer: asyncio.StreamWriter) -> None:
        await answer(writer)
        done()

    return both


async def test_a_stored_url_is_refused_without_the_setting(store: Store, hook: Harness) -> None:
    strict = Harness(StubSite(ServerSettings(), store, hook.clock), hook.clock)
    await hook.turn(7)
    assert await strict.send() == 1
    assert hook.receiver.calls == 0
    assert (await hook.row())["trouble"] == "webhook_port"
