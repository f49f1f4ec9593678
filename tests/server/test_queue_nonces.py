"""The draws of a table from the queue are promised before anybody adds to them."""

from __future__ import annotations

import asyncio
import hashlib

import pytest

from pleasance.server.base.errors import ConflictError
from pleasance.server.matchmaking import queue
from pleasance.server.matchmaking.decisions import ANSWER_WITHIN
from pleasance.server.matchmaking.matching import match_once
from pleasance.server.store.store import Store
from server.queued import NONCE, Opener, ask, come, give, meet

pytestmark = pytest.mark.anyio


async def find_two(store: Store, opener: Opener, now: float = 0.0) -> str:
    """Let two find each other; give the promise that both are shown."""
    await come(store, "ada", now=now)
    await come(store, "bea", now=now)
    assert await match_once(store, opener, now) == []
    states = [await ask(store, player, now) for player in ("ada", "bea")]
    assert [state.state for state in states] == ["found", "found"]
    assert states[0].commitment == states[1].commitment
    assert states[0].commitment is not None
    return states[0].commitment


async def test_the_secret_is_promised_before_the_nonces_and_then_used(store: Store) -> None:
    opener = Opener(store)
    promise = await find_two(store, opener)
    await give(store, "ada", nonce="aa" * 16)
    assert await match_once(store, opener, 1.0) == []
    assert (await ask(store, "ada", 1.0)).state == "opening"
    assert (await ask(store, "bea", 1.0)).state == "found"
    await give(store, "bea", nonce="bb" * 16)
    assert len(await match_once(store, opener, 1.0)) == 1
    (request,) = opener.requests
    assert hashlib.sha256(bytes.fromhex(request.secret)).hexdigest() == promise
    assert {place.player: place.nonce for place in request.places} == {
        "ada": "aa" * 16,
        "bea": "bb" * 16,
    }


async def test_a_nonce_counts_for_the_promise_that_was_seen_and_cannot_be_changed(
    store: Store,
) -> None:
    opener = Opener(store)
    await come(store, "cas", seats=3)
    with pytest.raises(ConflictError, match="queue_no_match"):
        await give(store, "cas")
    promise = await find_two(store, opener)
    for player in ("cas", "nobody"):
        with pytest.raises(ConflictError, match="queue_no_match"):
            await store.write(
                lambda connection, player=player: queue.give_nonce(  # type: ignore[misc]  # a default binds it
                    connection, player, commitment=promise, nonce=NONCE
                )
            )
    await give(store, "ada")
    await give(store, "ada")  # an answer was lost, so it is given again
    with pytest.raises(ConflictError, match="queue_no_match"):
        await give(store, "ada", nonce="11" * 16)


async def test_who_gives_no_nonce_in_time_is_out_and_the_other_keeps_the_place(
    store: Store,
) -> None:
    opener = Opener(store)
    promise = await find_two(store, opener)
    await give(store, "bea")
    assert await match_once(store, opener, ANSWER_WITHIN) == []
    assert (await ask(store, "ada", ANSWER_WITHIN)).state == "found"
    late = ANSWER_WITHIN + 1
    assert await match_once(store, opener, late) == []
    assert (await ask(store, "ada", late)).state == "idle"
    bea = await ask(store, "bea", late)
    assert (bea.state, bea.waited, bea.commitment) == ("waiting", late, None)
    await come(store, "cas", now=late)
    await match_once(store, opener, late)
    fresh = (await ask(store, "bea", late)).commitment
    assert fresh not in {None, promise}  # what was promised once is never used again
    assert (await ask(store, "bea", late)).state == "found"


async def test_who_leaves_when_found_sends_the_other_back_at_once(store: Store) -> None:
    opener = Opener(store)
    await find_two(store, opener)
    await give(store, "bea")
    await store.write(lambda connection: queue.leave(connection, "ada"))
    assert await match_once(store, opener, 1.0) == []
    assert (await ask(store, "bea", 1.0)).state == "waiting"
    assert opener.requests == []


async def test_who_wishes_something_else_when_found_sends_the_other_back(store: Store) -> None:
    opener = Opener(store)
    await find_two(store, opener)
    assert (await come(store, "ada")).state == "found"  # the same wish again changes nothing
    assert (await come(store, "ada", seats=3)).state == "waiting"
    await match_once(store, opener, 1.0)
    assert (await ask(store, "bea", 1.0)).state == "waiting"


async def test_nonces_that_reach_two_servers_at_once_open_one_table(postgres_url: str) -> None:
    servers = [Store.open(postgres_url), Store.open(postgres_url)]
    try:
        opener = Opener(servers[0])
        await find_two(servers[0], opener)
        await asyncio.gather(give(servers[0], "ada"), give(servers[1], "bea"))
        assert len(await match_once(servers[1], opener, 1.0)) == 1
        assert await meet(servers[0], opener, 1.0) == []
        assert len(opener.requests) == 1
    finally:
        for server in servers:
            server.close()
