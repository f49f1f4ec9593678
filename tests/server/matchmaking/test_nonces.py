"""The commitment of a matched table precedes the players' nonces."""

from __future__ import annotations

import asyncio
import hashlib

import pytest

from pleasance.server.base.errors import ConflictError
from pleasance.server.matchmaking import queue
from pleasance.server.matchmaking.matching import NONCE_TIMEOUT_S
from pleasance.server.matchmaking.matchmaker import run_round
from pleasance.server.store.store import Store
from server.matchmaking.seeks import NONCE, Opener, enqueue, match_all, poll, submit_nonce

pytestmark = pytest.mark.anyio


async def find_two(store: Store, opener: Opener, now: float = 0.0) -> str:
    """Match two players; return the commitment that both see."""
    await enqueue(store, "ada", now=now)
    await enqueue(store, "bea", now=now)
    assert await run_round(store, opener, now) == []
    states = [await poll(store, player, now) for player in ("ada", "bea")]
    assert [state.state for state in states] == ["found", "found"]
    assert states[0].commitment == states[1].commitment
    assert states[0].commitment is not None
    return states[0].commitment


async def test_the_secret_is_promised_before_the_nonces_and_then_used(store: Store) -> None:
    opener = Opener(store)
    expected_commitment = await find_two(store, opener)
    await submit_nonce(store, "ada", nonce="aa" * 16)
    assert await run_round(store, opener, 1.0) == []
    assert (await poll(store, "ada", 1.0)).state == "opening"
    assert (await poll(store, "bea", 1.0)).state == "found"
    await submit_nonce(store, "bea", nonce="bb" * 16)
    assert len(await run_round(store, opener, 1.0)) == 1
    (request,) = opener.requests
    assert hashlib.sha256(bytes.fromhex(request.secret)).hexdigest() == expected_commitment
    assert {place.player: place.nonce for place in request.places} == {
        "ada": "aa" * 16,
        "bea": "bb" * 16,
    }


async def test_a_nonce_counts_for_the_seen_commitment_and_cannot_be_changed(store: Store) -> None:
    opener = Opener(store)
    await enqueue(store, "cas", seats=3)
    with pytest.raises(ConflictError, match="queue_no_match"):
        await submit_nonce(store, "cas")
    expected_commitment = await find_two(store, opener)
    for player in ("cas", "nobody"):
        with pytest.raises(ConflictError, match="queue_no_match"):
            await store.write(
                lambda connection, player=player: queue.give_nonce(  # type: ignore[misc]  # a default binds it
                    connection, player, commitment=expected_commitment, nonce=NONCE
                )
            )
    await submit_nonce(store, "ada")
    await submit_nonce(store, "ada")  # an answer was lost, so it is given again
    with pytest.raises(ConflictError, match="queue_no_match"):
        await submit_nonce(store, "ada", nonce="11" * 16)


async def test_a_late_nonce_removes_its_player_and_the_other_keeps_the_place(store: Store) -> None:
    opener = Opener(store)
    expected_commitment = await find_two(store, opener)
    await submit_nonce(store, "bea")
    assert await run_round(store, opener, NONCE_TIMEOUT_S) == []
    assert (await poll(store, "ada", NONCE_TIMEOUT_S)).state == "found"
    late = NONCE_TIMEOUT_S + 1
    assert await run_round(store, opener, late) == []
    assert (await poll(store, "ada", late)).state == "idle"
    bea = await poll(store, "bea", late)
    assert (bea.state, bea.waited, bea.commitment) == ("waiting", late, None)
    await enqueue(store, "cas", now=late)
    await run_round(store, opener, late)
    fresh = (await poll(store, "bea", late)).commitment
    assert fresh not in {None, expected_commitment}  # what was promised once is never used again
    assert (await poll(store, "bea", late)).state == "found"


async def test_leaving_a_match_requeues_the_other_at_once(store: Store) -> None:
    opener = Opener(store)
    await find_two(store, opener)
    await submit_nonce(store, "bea")
    await store.write(lambda connection: queue.leave(connection, "ada"))
    assert await run_round(store, opener, 1.0) == []
    assert (await poll(store, "bea", 1.0)).state == "waiting"
    assert opener.requests == []


async def test_a_new_seek_of_a_matched_player_requeues_the_other(store: Store) -> None:
    opener = Opener(store)
    await find_two(store, opener)
    assert (await enqueue(store, "ada")).state == "found"  # the same wish again changes nothing
    assert (await enqueue(store, "ada", seats=3)).state == "waiting"
    await run_round(store, opener, 1.0)
    assert (await poll(store, "bea", 1.0)).state == "waiting"


async def test_nonces_that_reach_two_servers_at_once_open_one_table(
    pair: tuple[Store, Store],
) -> None:
    opener = Opener(pair[0])
    await find_two(pair[0], opener)
    await asyncio.gather(submit_nonce(pair[0], "ada"), submit_nonce(pair[1], "bea"))
    assert len(await run_round(pair[1], opener, 1.0)) == 1
    assert await match_all(pair[0], opener, 1.0) == []
    assert len(opener.requests) == 1
