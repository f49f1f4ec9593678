"""Telling players that it is their turn, with servers that die, restart or are several."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from sqlalchemy import Connection

from pleasance.server.base.settings import Settings
from pleasance.server.store.store import Store
from pleasance.server.webhooks.deliveries import DELAY, HOST_SHARE, LEASE, SHARE, take
from pleasance.server.webhooks.sender import Sending, run_hooks
from pleasance.server.webhooks.ssrf_guard import MOST_AT_ONCE
from server.hooked import Scene, add_hooked, hook_row, outcomes, set_scene
from server.patience import PATIENCE
from server.rated import add_table
from server.receiver import Answering, receive
from server.visitors import Place

pytestmark = pytest.mark.anyio


async def test_what_a_dead_server_had_in_hand_is_sent_by_another_after_a_while(
    store: Store,
) -> None:
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        await scene.turn(7)
        scene.clock.wait(DELAY)
        now = scene.clock()
        (taken,) = await store.write(lambda connection: take(connection, now))
        assert taken.table == "table0000001"  # and here the server dies
        assert await scene.send(after=LEASE - 1) == 0
        assert await scene.send(after=1) == 1
        assert receiver.calls == 1
        assert await outcomes(store) == ["sent"]


MANY = [f"many{n:08}" for n in range(50)]


def add_many(connection: Connection) -> None:
    for table in MANY:
        add_table(connection, table)


async def queue_many(scene: Scene) -> None:
    """Let it be the same player's turn at many tables, long enough ago."""
    await scene.site.store.write(add_many)
    for table in MANY:
        await scene.turn(1, table)
    scene.clock.wait(DELAY)


@asynccontextmanager
async def ticking(scene: Scene) -> AsyncIterator[asyncio.Event]:
    """Send what is due meanwhile, as a server does; what is given can stop it earlier."""
    stop = asyncio.Event()
    # Only what is done can wake it up again.
    sending = run_hooks(scene.site, stop, is_waiting=scene.is_waiting, pause=3600.0)
    ticker = asyncio.create_task(sending)
    async with asyncio.timeout(PATIENCE):
        yield stop
        stop.set()
        await ticker


async def test_two_servers_send_everything_once(postgres_url: str) -> None:
    servers = [Store.open(postgres_url), Store.open(postgres_url)]
    try:
        async with receive() as receiver:
            first = await set_scene(servers[0], receiver.url())
            second = Scene(Place(first.site.settings, servers[1], first.clock), first.clock)
            await queue_many(first)
            while sum(await asyncio.gather(first.send(after=0), second.send(after=0))):
                pass
            sent = [json.loads(letter.body)["pleasance"]["table"] for letter in receiver.letters]
            assert sorted(sent) == MANY
    finally:
        for server in servers:
            server.close()


async def test_what_was_queued_before_a_restart_is_sent_after_it(database_url: str) -> None:
    store = Store.open(database_url)
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        await scene.turn(7)
        store.close()
        store = Store.open(database_url)
        again = Scene(Place(scene.site.settings, store, scene.clock), scene.clock)
        assert await again.send() == 1
        assert receiver.calls == 1
    store.close()


async def test_the_ticker_sends_what_is_due_and_stops_when_it_is_told(store: Store) -> None:
    sent = asyncio.Event()
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        receiver.answer = tell(sent.set, receiver.answer)
        await scene.turn(7)
        scene.clock.wait(DELAY)
        async with ticking(scene):
            await sent.wait()
    assert await outcomes(store) == ["sent"]


async def test_a_slow_webhook_holds_up_no_other(store: Store) -> None:
    patience = asyncio.Event()
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        quick = receiver.answer

        def answer_others() -> None:
            receiver.answer = quick

        receiver.answer = dawdle(patience, quick, answer_others)
        sending = Sending(scene.site, scene.is_waiting)
        for table in ("table0000001", "table0000002"):
            await scene.turn(7, table)
            scene.clock.wait(DELAY)
            receiver.arrived.clear()
            assert await sending.begin() == 1
            async with asyncio.timeout(PATIENCE):
                await receiver.arrived.wait()
        assert receiver.calls == 2, "both were called while the first one was still at it"
        patience.set()
        await sending.finish()
    assert await outcomes(store) == ["sent", "sent"]


async def queue_people(scene: Scene, urls: Sequence[str]) -> None:
    """Let it be the turn of somebody else at each of many tables, long enough ago."""
    people = [f"person{n}" for n in range(len(urls))]

    def work(connection: Connection) -> None:
        for name, url in zip(people, urls, strict=True):
            add_hooked(connection, name, url)

    await scene.site.store.write(add_many)
    await scene.site.store.write(work)
    for player, table in zip(people, MANY, strict=False):
        await scene.turn(1, table, player)
    scene.clock.wait(DELAY)


async def test_only_so_many_webhooks_are_called_at_once(store: Store) -> None:
    patience = asyncio.Event()
    async with AsyncExitStack() as stack:
        hosts = [await stack.enter_async_context(receive()) for _ in range(5)]
        for host in hosts:
            host.answer = dawdle(patience, host.answer)
        scene = await set_scene(store, hosts[0].url())
        await queue_people(scene, [host.url() for host in hosts for _ in range(HOST_SHARE)])
        sending = Sending(scene.site, scene.is_waiting)
        assert await sending.begin() + await sending.begin() == MOST_AT_ONCE < len(MANY)
        assert await sending.begin() == 0
        patience.set()
        await sending.finish()
        while await scene.send(after=0):
            pass
        assert [len(host.letters) for host in hosts] == [HOST_SHARE] * 5


async def test_a_host_that_hangs_holds_up_no_other(store: Store) -> None:
    patience, done = asyncio.Event(), asyncio.Event()
    async with receive() as slow, receive() as quick:
        slow.answer = dawdle(patience, slow.answer)

        def count() -> None:
            if quick.calls == 5:
                done.set()

        quick.answer = tell(count, quick.answer)
        scene = await set_scene(store, slow.url())
        # Those of the slow host have been waiting for longer, and are more than can be called.
        hung = [slow.url(f"/{n}") for n in range(MOST_AT_ONCE + 5)]
        await queue_people(scene, [*hung, *(quick.url(f"/{n}") for n in range(5))])
        async with ticking(scene):
            await slow.arrived.wait()
            await done.wait()
            assert 0 < slow.calls <= HOST_SHARE, "and the quick ones wait for none of them"
            patience.set()
        assert len(quick.letters) == 5


async def test_a_host_has_one_share_whatever_follows_its_name(store: Store) -> None:
    patience = asyncio.Event()
    async with receive() as receiver:
        receiver.answer = dawdle(patience, receiver.answer)
        scene = await set_scene(store, receiver.url())
        ends = ["", "/", "/in", "/a/b?c=//d/e", "?to=http://127.0.0.1/"]
        await queue_people(scene, [receiver.url(end) for end in ends * 10])
        sending = Sending(scene.site, scene.is_waiting)
        assert await sending.begin() == HOST_SHARE
        assert await sending.begin() == 0
        patience.set()
        await sending.finish()
        while await scene.send(after=0):
            pass
        assert len(receiver.letters) == len(MANY)


async def test_all_turns_of_a_player_are_announced_one_after_the_other(store: Store) -> None:
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        await queue_many(scene)
        enough = asyncio.Event()

        def count() -> None:
            if receiver.calls == len(MANY):
                enough.set()

        receiver.answer = tell(count, receiver.answer)
        async with ticking(scene):
            await enough.wait()
        assert len(receiver.letters) == len(MANY)


async def test_nothing_is_begun_once_the_server_stops(store: Store) -> None:
    patience = asyncio.Event()
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        receiver.answer = dawdle(patience, receiver.answer)
        await queue_many(scene)
        async with ticking(scene) as stop:
            while receiver.calls < SHARE:
                receiver.arrived.clear()
                await receiver.arrived.wait()
            stop.set()
            patience.set()
        # What was being taken in hand at that very moment is still sent.
        assert SHARE <= len(receiver.letters) <= 2 * SHARE


async def test_nobody_has_more_than_a_share_of_what_is_called_at_once(store: Store) -> None:
    patience = asyncio.Event()
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        receiver.answer = dawdle(patience, receiver.answer)
        await queue_many(scene)
        await store.write(lambda connection: add_hooked(connection, "Bea", receiver.url()))
        await scene.turn(1, MANY[0], "bea")
        scene.clock.wait(DELAY)
        sending = Sending(scene.site, scene.is_waiting)
        assert await sending.begin() == SHARE + 1, "those of the other do not wait for all of hers"
        assert await sending.begin() == 0
        assert {player for player, _ in scene.looked} == {"ada", "bea"}
        patience.set()
        await sending.finish()
        while await scene.send(after=0):
            pass
        assert len(receiver.letters) == len(MANY) + 1


def dawdle(
    patience: asyncio.Event, answer: Answering, begin: Callable[[], None] = lambda: None
) -> Answering:
    """Answer only when the *patience* of whoever waits is over."""

    async def wait(writer: asyncio.StreamWriter) -> None:
        begin()
        await patience.wait()
        await answer(writer)

    return wait


def tell(done: Callable[[], None], answer: Answering) -> Answering:
    """Answer, and tell that it was done."""

    async def both(writer: asyncio.StreamWriter) -> None:
        await answer(writer)
        done()

    return both


async def test_what_was_once_allowed_is_refused_when_the_setting_is_gone(store: Store) -> None:
    async with receive() as receiver:
        scene = await set_scene(store, receiver.url())
        strict = Scene(Place(Settings(), store, scene.clock), scene.clock)
        await scene.turn(7)
        assert await strict.send() == 1
        assert receiver.calls == 0
    assert (await hook_row(store))["trouble"] == "hook_port"
