"""The queue: nobody is lost, nobody sits twice, whichever server dies at whichever moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import pytest
from sqlalchemy import select

from pleasance.server.base.errors import UnavailableError
from pleasance.server.matchmaking.matching import match_once
from pleasance.server.matchmaking.seek import Match
from pleasance.server.matchmaking.ticker import WAKE, run_queue
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.store import Store
from server.patience import PATIENCE
from server.queued import Opener, ask, come, fail_with, give_all, meet

pytestmark = pytest.mark.anyio


async def test_a_server_that_dies_before_the_table_is_there_leaves_the_match_to_another(
    store: Store,
) -> None:
    opener = Opener(store, before=fail_with(asyncio.CancelledError()))
    await come(store, "ada")
    await come(store, "bea")
    with suppress(asyncio.CancelledError):
        await meet(store, opener, 0.0)
    assert (await ask(store, "ada", 1.0)).state == "opening"
    assert await meet(store, Opener(store), 29.0) == []  # it may still be at it
    other = Opener(store)
    (match,) = await meet(store, other, 31.0)
    assert other.requests == opener.requests
    assert (await ask(store, "ada", 31.0)).table == match.table


async def test_a_server_that_dies_when_the_table_is_there_makes_no_second_one(
    store: Store,
) -> None:
    opener = Opener(store, after=fail_with(asyncio.CancelledError()))
    await come(store, "ada")
    await come(store, "bea")
    with suppress(asyncio.CancelledError):
        await meet(store, opener, 0.0)
    (match,) = await meet(store, Opener(store), 31.0)
    found = await store.read(lambda connection: list(connection.scalars(select(tables.c.id))))
    assert found == [match.table]


async def test_if_no_table_can_be_opened_all_go_back_to_their_places(store: Store) -> None:
    opener = Opener(store, before=fail_with(UnavailableError("storage_full")))
    await come(store, "ada", now=0.0)
    await come(store, "bea", now=1.0)
    assert await meet(store, opener, 1.0) == []
    now, states = 1.0, ["opening"]
    while len(opener.requests) < 5:
        now += 40.0
        assert await match_once(store, opener, now) == []
        states.append((await ask(store, "ada", now)).state)
    assert states == ["opening"] * 4 + ["waiting"]
    assert (await ask(store, "ada", now)).waited == now
    assert (await ask(store, "bea", now)).position == 2
    opener.before = lambda: None
    assert len(await meet(store, opener, now)) == 1
    assert opener.requests[-1].secret != opener.requests[0].secret


async def test_a_table_that_is_there_after_all_is_told_though_every_answer_was_lost(
    store: Store,
) -> None:
    opener = Opener(store, after=fail_with(UnavailableError("storage_away")))
    await come(store, "ada")
    await come(store, "bea")
    for n in range(5):
        await meet(store, opener, 40.0 * n)
    state = await ask(store, "ada", 200.0)
    assert (state.state, state.table) == ("matched", opener.requests[0].table)
    assert len({request.table for request in opener.requests}) == 1


async def test_two_servers_that_match_at_once_seat_everybody_once(postgres_url: str) -> None:
    servers = [Store.open(postgres_url), Store.open(postgres_url)]
    openers = [Opener(store) for store in servers]
    players = [f"p{n}" for n in range(60)]
    try:
        await asyncio.gather(*(come(servers[n % 2], name) for n, name in enumerate(players)))
        found: list[Match] = []
        while len(found) < 30:
            rounds = [
                meet(store, opener, 1.0) for store, opener in zip(servers, openers, strict=True)
            ]
            touches = [ask(servers[n % 2], name, 1.0) for n, name in enumerate(players)]
            both, _ = await asyncio.gather(asyncio.gather(*rounds), asyncio.gather(*touches))
            found += [match for each in both for match in each]
        assert sorted(name for match in found for name in match.players) == sorted(players)
        assert len(openers[0].requests) + len(openers[1].requests) == 30
    finally:
        for store in servers:
            store.close()


@dataclass(frozen=True)
class Place:
    """What the queue needs of a site."""

    store: Store
    clock: Callable[[], float]


async def test_the_ticker_wakes_up_when_somebody_comes_and_when_all_have_answered(
    store: Store,
) -> None:
    stop, told = asyncio.Event(), asyncio.Queue[str]()
    site = Place(store, lambda: 5.0)
    # With a pause of an hour only the topic can wake it.
    ticker = asyncio.create_task(run_queue(site, stop, make_table=Opener(store), pause=3600.0))
    silence = store.subscribe(lambda topic: told.put_nowait(topic) if ":" in topic else None)
    await asyncio.sleep(0)
    await come(store, "ada", now=5.0)
    await come(store, "bea", now=5.0)
    async with asyncio.timeout(PATIENCE):
        for state in ("found", "matched"):
            await store.write(lambda connection: store.publish(connection, WAKE))
            assert {await told.get(), await told.get()} == {"queue:ada", "queue:bea"}
            assert {(await ask(store, player)).state for player in ("ada", "bea")} == {state}
            if state == "found":
                await give_all(store)
        silence()
        stop.set()
        await ticker
