"""Faults of the queue: no player is lost or seated twice, whichever server dies when."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from sqlalchemy import select

from pleasance.server.base.errors import UnavailableError
from pleasance.server.matchmaking.matchmaker import run_matchmaker, run_round
from pleasance.server.matchmaking.seek import Match
from pleasance.server.store.schema.rooms import tables
from pleasance.server.store.store import Store
from pleasance.server.store.topics import QUEUE_TOPIC
from server.matchmaking.seeks import Opener, enqueue, fail_with, match_all, poll, submit_all_nonces
from support import TIMEOUT_S

pytestmark = pytest.mark.anyio


async def test_a_server_that_dies_before_opening_leaves_the_match_to_another(store: Store) -> None:
    opener = Opener(store, before=fail_with(asyncio.CancelledError()))
    await enqueue(store, "ada")
    await enqueue(store, "bea")
    with suppress(asyncio.CancelledError):
        await match_all(store, opener, 0.0)
    assert (await poll(store, "ada", 1.0)).state == "opening"
    assert await match_all(store, Opener(store), 29.0) == []  # it may still be at it
    other = Opener(store)
    (match,) = await match_all(store, other, 31.0)
    assert other.requests == opener.requests
    assert (await poll(store, "ada", 31.0)).table == match.table


async def test_a_server_that_dies_when_the_table_is_there_makes_no_second_one(store: Store) -> None:
    opener = Opener(store, after=fail_with(asyncio.CancelledError()))
    await enqueue(store, "ada")
    await enqueue(store, "bea")
    with suppress(asyncio.CancelledError):
        await match_all(store, opener, 0.0)
    (match,) = await match_all(store, Opener(store), 31.0)
    found = await store.read(lambda connection: list(connection.scalars(select(tables.c.id))))
    assert found == [match.table]


async def test_if_no_table_can_be_opened_all_go_back_to_their_places(store: Store) -> None:
    opener = Opener(store, before=fail_with(UnavailableError("storage_full")))
    await enqueue(store, "ada", now=0.0)
    await enqueue(store, "bea", now=1.0)
    assert await match_all(store, opener, 1.0) == []
    now, states = 1.0, ["opening"]
    while len(opener.requests) < 5:
        now += 40.0
        assert await run_round(store, opener, now) == []
        states.append((await poll(store, "ada", now)).state)
    assert states == ["opening"] * 4 + ["waiting"]
    assert (await poll(store, "ada", now)).waited == now
    assert (await poll(store, "bea", now)).position == 2
    opener.before = lambda: None
    assert len(await match_all(store, opener, now)) == 1
    assert opener.requests[-1].secret != opener.requests[0].secret


async def test_an_open_table_is_found_even_if_every_answer_was_lost(store: Store) -> None:
    opener = Opener(store, after=fail_with(UnavailableError("storage_away")))
    await enqueue(store, "ada")
    await enqueue(store, "bea")
    for n in range(5):
        await match_all(store, opener, 40.0 * n)
    state = await poll(store, "ada", 200.0)
    assert (state.state, state.table) == ("matched", opener.requests[0].table)
    assert len({request.table for request in opener.requests}) == 1


@pytest.mark.slow
async def test_two_servers_that_match_at_once_seat_everybody_once(postgres_url: str) -> None:
    servers = [Store.open(postgres_url), Store.open(postgres_url)]
    openers = [Opener(store) for store in servers]
    players = [f"p{n}" for n in range(60)]
    try:
        await asyncio.gather(*(enqueue(servers[n % 2], name) for n, name in enumerate(players)))
        found: list[Match] = []
        while len(found) < 30:
            rounds = [
                match_all(store, opener, 1.0)
                for store, opener in zip(servers, openers, strict=True)
            ]
            touches = [poll(servers[n % 2], name, 1.0) for n, name in enumerate(players)]
            both, _ = await asyncio.gather(asyncio.gather(*rounds), asyncio.gather(*touches))
            found += [match for each in both for match in each]
        assert sorted(name for match in found for name in match.players) == sorted(players)
        assert len(openers[0].requests) + len(openers[1].requests) == 30
    finally:
        for store in servers:
            store.close()


async def test_the_ticker_wakes_up_for_a_new_seek_and_when_all_have_answered(store: Store) -> None:
    stop, topics = asyncio.Event(), asyncio.Queue[str]()
    # With a pause of an hour only the topic can wake it.
    ticker = asyncio.create_task(
        run_matchmaker(store, lambda: 5.0, stop, open_table=Opener(store), interval_s=3600.0)
    )
    silence = store.subscribe(lambda topic: topics.put_nowait(topic) if ":" in topic else None)
    await asyncio.sleep(0)
    await enqueue(store, "ada", now=5.0)
    await enqueue(store, "bea", now=5.0)
    async with asyncio.timeout(TIMEOUT_S):
        for state in ("found", "matched"):
            await store.write(lambda connection: store.publish(connection, QUEUE_TOPIC))
            assert {await topics.get(), await topics.get()} == {"queue:ada", "queue:bea"}
            assert {(await poll(store, player)).state for player in ("ada", "bea")} == {state}
            if state == "found":
                await submit_all_nonces(store)
        silence()
        stop.set()
        await ticker
