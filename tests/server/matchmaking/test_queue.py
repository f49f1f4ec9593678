"""The matchmaking queue: equal seeks of near rating meet, or get bots."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from pleasance.games import find_game
from pleasance.server.base.errors import ConflictError
from pleasance.server.base.messages import Clock
from pleasance.server.matchmaking import queue
from pleasance.server.matchmaking.queue import SEEK_TIMEOUT_S, QueueState
from pleasance.server.matchmaking.seek import Match, MatchRequest, make_seek
from pleasance.server.ratings.rate_game import rate_table
from pleasance.server.store.store import Store
from server.matchmaking.seeks import NONCE, Opener, answer, enqueue, match_all, needs_touch, poll
from support.rows import build_standings

pytestmark = pytest.mark.anyio


async def test_two_equal_seeks_meet_at_one_table(store: Store) -> None:
    opener = Opener(store)
    await enqueue(store, "ada")
    assert await match_all(store, opener, 0.0) == []
    await enqueue(store, "bea", now=1.0)
    (match,) = await match_all(store, opener, 1.0)
    assert sorted(match.players) == ["ada", "bea"]
    assert not match.has_bot
    for player in ("ada", "bea"):
        state = await poll(store, player, 2.0)
        assert (state.state, state.table, state.has_bot) == ("matched", match.table, False)
    (request,) = opener.requests
    assert (request.game, request.options, request.clock) == ("sakura", (), None)
    assert {(place.player, place.name, place.nonce) for place in request.places} == {
        ("ada", "Ada", NONCE),
        ("bea", "Bea", NONCE),
    }


async def test_a_waiting_player_sees_position_and_queue_length(store: Store) -> None:
    assert (await poll(store, "ada")).state == "idle"
    await enqueue(store, "ada", now=0.0)
    await enqueue(store, "bea", now=4.0)
    await enqueue(store, "cas", now=5.0, seats=3)
    state = await poll(store, "bea", 10.0)
    assert (state.state, state.position, state.waiting, state.waited) == ("waiting", 2, 2, 6.0)
    assert (state.game, state.seats, state.has_offer) == ("sakura", 2, False)


async def test_a_repeated_seek_keeps_the_place(store: Store) -> None:
    await enqueue(store, "ada", now=0.0)
    assert (await enqueue(store, "ada", now=9.0)).waited == 9.0
    assert (await enqueue(store, "ada", now=9.0, seats=3)).waited == 0.0
    assert (await poll(store, "ada", 9.0)).waiting == 1


async def test_a_seek_is_compared_in_the_order_of_the_game() -> None:
    options = tuple(sorted(make_options(), reverse=True))
    assert make_seek("sanssouci", 2, options, Clock(30, 0)) == make_seek(
        "sanssouci", 2, options[::-1], Clock(30.0)
    )


def make_options() -> tuple[str, ...]:
    known = find_game("sanssouci").spec.options
    return tuple(name for name, seats in known.items() if 2 in seats)[:2]


async def test_a_player_who_leaves_is_not_matched(store: Store) -> None:
    await enqueue(store, "ada")
    await store.write(lambda connection: queue.leave(connection, "ada"))
    await store.write(lambda connection: queue.leave(connection, "ada"))
    await enqueue(store, "bea")
    assert await match_all(store, Opener(store), 1.0) == []
    assert (await poll(store, "ada")).state == "idle"


async def test_an_absent_player_is_dropped_and_not_matched(store: Store) -> None:
    await enqueue(store, "ada", now=0.0)
    await enqueue(store, "bea", now=SEEK_TIMEOUT_S + 1)
    assert await match_all(store, Opener(store), SEEK_TIMEOUT_S + 1) == []
    assert (await poll(store, "ada")).state == "idle"


async def test_a_polling_player_is_not_dropped(store: Store) -> None:
    await enqueue(store, "ada", now=0.0)
    for now in (20.0, 40.0, 60.0):
        assert await needs_touch(store, "ada", now)
        assert (await poll(store, "ada", now)).state == "waiting"
        assert await match_all(store, Opener(store), now) == []
    assert not await needs_touch(store, "ada", 61.0)


async def test_strong_players_meet_strong_ones(store: Store) -> None:
    def play(connection: Connection) -> None:
        for n in range(12):
            names = ("ada", "bea") if n % 2 else ("cas", "dan")
            rate_table(connection, f"t{n}", build_standings(*names), game="sakura", at=float(n))

    await store.write(play)
    for now, player in enumerate(("ada", "bea", "cas", "dan")):
        await enqueue(store, player, now=float(now))
    found = await match_all(store, Opener(store), 4.0)
    assert {tuple(sorted(match.players)) for match in found} == {("ada", "cas"), ("bea", "dan")}


async def test_bots_are_offered_after_a_while_and_taken_on_request(store: Store) -> None:
    opener = Opener(store)
    await enqueue(store, "ada", seats=4)
    with pytest.raises(ConflictError, match="queue_no_offer"):
        await answer(store, "ada", accepts=True, now=1.0)
    assert await match_all(store, opener, 19.0) == []
    assert not (await poll(store, "ada", 19.0)).has_offer
    assert await match_all(store, opener, 20.0) == []
    assert (await poll(store, "ada", 20.0)).has_offer
    await answer(store, "ada", accepts=True, now=21.0)
    (match,) = await match_all(store, opener, 21.0)
    assert match == Match(match.table, ("ada",), has_bot=True)
    bots = [place.bot for place in opener.requests[0].places if place.bot is not None]
    assert len(bots) == 3
    assert "random" not in bots  # far below a new player
    assert (await poll(store, "ada", 22.0)).has_bot


async def test_declining_bots_goes_on_waiting_until_the_next_offer(store: Store) -> None:
    opener = Opener(store)
    await enqueue(store, "ada")
    await match_all(store, opener, 20.0)
    await answer(store, "ada", accepts=False, now=20.0)
    for now in (40.0, 60.0, 79.0):
        assert not (await poll(store, "ada", now)).has_offer
        assert await match_all(store, opener, now) == []
    await poll(store, "ada", 80.0)
    await match_all(store, opener, 80.0)
    assert (await poll(store, "ada", 80.0)).has_offer
    await enqueue(store, "bea", now=81.0)
    assert len(await match_all(store, opener, 81.0)) == 1  # people still go before bots


async def test_a_weak_player_is_offered_a_weak_bot(store: Store) -> None:
    def lose(connection: Connection) -> None:
        for n in range(12):
            standings = build_standings("bot:greedy", "ada", "bot:random")
            rate_table(connection, f"t{n}", standings[:2], game="sakura", at=float(n))

    await store.write(lose)
    opener = Opener(store)
    await enqueue(store, "ada")
    await match_all(store, opener, 20.0)
    await answer(store, "ada", accepts=True, now=20.0)
    await match_all(store, opener, 20.0)
    assert "random" in [place.bot for place in opener.requests[0].places]


async def test_the_queue_is_closed_to_a_match_that_opens(store: Store) -> None:
    await enqueue(store, "ada")
    await enqueue(store, "bea")
    seen: list[QueueState] = []

    async def make_table(request: MatchRequest) -> str:
        seen.append(await poll(store, "ada"))
        for work in (
            store.write(lambda connection: queue.leave(connection, "ada")),
            enqueue(store, "ada", seats=3),
        ):
            with pytest.raises(ConflictError, match="queue_opening"):
                await work
        return request.table

    assert len(await match_all(store, make_table, 1.0)) == 1
    assert [(state.state, state.table) for state in seen] == [("opening", None)]


async def test_after_a_match_one_can_wait_for_the_next(store: Store) -> None:
    opener = Opener(store)
    await enqueue(store, "ada")
    await enqueue(store, "bea")
    await match_all(store, opener, 1.0)
    assert (await enqueue(store, "ada", now=300.0)).state == "waiting"
    assert (await poll(store, "bea", 300.0)).state == "matched"
    await match_all(store, opener, 700.0)
    assert (await poll(store, "bea", 700.0)).state == "idle"  # old news
