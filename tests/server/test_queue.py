"""The queue: who waits for the same and is near in rating finds each other, or gets bots."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from pleasance.games import find_game
from pleasance.server.base.errors import ConflictError
from pleasance.server.base.messages import Clock
from pleasance.server.matchmaking import queue
from pleasance.server.matchmaking.queue import GONE_AFTER, QueueState
from pleasance.server.matchmaking.seek import Match, MatchRequest, make_wish
from pleasance.server.ratings.rate_game import rate_table
from pleasance.server.store.store import Store
from server.queued import NONCE, Opener, answer, ask, come, meet, needs_touch
from server.rated import stand

pytestmark = pytest.mark.anyio


async def test_two_who_wait_for_the_same_find_each_other_at_one_table(store: Store) -> None:
    opener = Opener(store)
    await come(store, "ada")
    assert await meet(store, opener, 0.0) == []
    await come(store, "bea", now=1.0)
    (match,) = await meet(store, opener, 1.0)
    assert sorted(match.players) == ["ada", "bea"]
    assert not match.has_bot
    for player in ("ada", "bea"):
        state = await ask(store, player, 2.0)
        assert (state.state, state.table, state.has_bot) == ("matched", match.table, False)
    (request,) = opener.requests
    assert (request.game, request.options, request.clock) == ("sakura", (), None)
    assert {(place.player, place.name, place.nonce) for place in request.places} == {
        ("ada", "Ada", NONCE),
        ("bea", "Bea", NONCE),
    }


async def test_who_waits_is_told_the_place_and_how_many_wait(store: Store) -> None:
    assert (await ask(store, "ada")).state == "idle"
    await come(store, "ada", now=0.0)
    await come(store, "bea", now=4.0)
    await come(store, "cas", now=5.0, seats=3)
    state = await ask(store, "bea", 10.0)
    assert (state.state, state.position, state.waiting, state.waited) == ("waiting", 2, 2, 6.0)
    assert (state.game, state.seats, state.has_offer) == ("sakura", 2, False)


async def test_who_asks_twice_for_the_same_keeps_the_place(store: Store) -> None:
    await come(store, "ada", now=0.0)
    assert (await come(store, "ada", now=9.0)).waited == 9.0
    assert (await come(store, "ada", now=9.0, seats=3)).waited == 0.0
    assert (await ask(store, "ada", 9.0)).waiting == 1


async def test_a_wish_is_compared_whole_and_in_the_order_of_the_game() -> None:
    options = tuple(sorted(make_options(), reverse=True))
    assert make_wish("sanssouci", 2, options, Clock(30, 0)) == make_wish(
        "sanssouci", 2, options[::-1], Clock(30.0)
    )


def make_options() -> tuple[str, ...]:
    known = find_game("sanssouci").spec.options
    return tuple(name for name, seats in known.items() if 2 in seats)[:2]


async def test_who_leaves_is_not_matched(store: Store) -> None:
    await come(store, "ada")
    await store.write(lambda connection: queue.leave(connection, "ada"))
    await store.write(lambda connection: queue.leave(connection, "ada"))
    await come(store, "bea")
    assert await meet(store, Opener(store), 1.0) == []
    assert (await ask(store, "ada")).state == "idle"


async def test_who_has_gone_away_is_dropped_and_not_matched(store: Store) -> None:
    await come(store, "ada", now=0.0)
    await come(store, "bea", now=GONE_AFTER + 1)
    assert await meet(store, Opener(store), GONE_AFTER + 1) == []
    assert (await ask(store, "ada")).state == "idle"


async def test_who_keeps_asking_is_not_dropped(store: Store) -> None:
    await come(store, "ada", now=0.0)
    for now in (20.0, 40.0, 60.0):
        assert await needs_touch(store, "ada", now)
        assert (await ask(store, "ada", now)).state == "waiting"
        assert await meet(store, Opener(store), now) == []
    assert not await needs_touch(store, "ada", 61.0)


async def test_strong_players_meet_strong_ones(store: Store) -> None:
    def play(connection: Connection) -> None:
        for n in range(12):
            names = ("ada", "bea") if n % 2 else ("cas", "dan")
            rate_table(connection, f"t{n}", stand(*names), game="sakura", at=float(n))

    await store.write(play)
    for now, player in enumerate(("ada", "bea", "cas", "dan")):
        await come(store, player, now=float(now))
    found = await meet(store, Opener(store), 4.0)
    assert {tuple(sorted(match.players)) for match in found} == {("ada", "cas"), ("bea", "dan")}


async def test_bots_are_offered_after_a_while_and_taken_on_request(store: Store) -> None:
    opener = Opener(store)
    await come(store, "ada", seats=4)
    with pytest.raises(ConflictError, match="queue_no_offer"):
        await answer(store, "ada", accepts=True, now=1.0)
    assert await meet(store, opener, 19.0) == []
    assert not (await ask(store, "ada", 19.0)).has_offer
    assert await meet(store, opener, 20.0) == []
    assert (await ask(store, "ada", 20.0)).has_offer
    await answer(store, "ada", accepts=True, now=21.0)
    (match,) = await meet(store, opener, 21.0)
    assert match == Match(match.table, ("ada",), has_bot=True)
    bots = [place.bot for place in opener.requests[0].places if place.bot is not None]
    assert len(bots) == 3
    assert "random" not in bots  # far below somebody new
    assert (await ask(store, "ada", 22.0)).has_bot


async def test_who_declines_bots_goes_on_waiting_and_is_asked_again_later(store: Store) -> None:
    opener = Opener(store)
    await come(store, "ada")
    await meet(store, opener, 20.0)
    await answer(store, "ada", accepts=False, now=20.0)
    for now in (40.0, 60.0, 79.0):
        assert not (await ask(store, "ada", now)).has_offer
        assert await meet(store, opener, now) == []
    await ask(store, "ada", 80.0)
    await meet(store, opener, 80.0)
    assert (await ask(store, "ada", 80.0)).has_offer
    await come(store, "bea", now=81.0)
    assert len(await meet(store, opener, 81.0)) == 1  # people still go before bots


async def test_a_weak_player_is_offered_a_weak_bot(store: Store) -> None:
    def lose(connection: Connection) -> None:
        for n in range(12):
            standings = stand("bot:greedy", "ada", "bot:random")
            rate_table(connection, f"t{n}", standings[:2], game="sakura", at=float(n))

    await store.write(lose)
    opener = Opener(store)
    await come(store, "ada")
    await meet(store, opener, 20.0)
    await answer(store, "ada", accepts=True, now=20.0)
    await meet(store, opener, 20.0)
    assert "random" in [place.bot for place in opener.requests[0].places]


async def test_nobody_can_leave_or_come_while_the_table_is_being_opened(store: Store) -> None:
    await come(store, "ada")
    await come(store, "bea")
    seen: list[QueueState] = []

    async def make_table(request: MatchRequest) -> str:
        seen.append(await ask(store, "ada"))
        for work in (
            store.write(lambda connection: queue.leave(connection, "ada")),
            come(store, "ada", seats=3),
        ):
            with pytest.raises(ConflictError, match="queue_opening"):
                await work
        return request.table

    assert len(await meet(store, make_table, 1.0)) == 1
    assert [(state.state, state.table) for state in seen] == [("opening", None)]


async def test_after_a_match_one_can_wait_for_the_next(store: Store) -> None:
    opener = Opener(store)
    await come(store, "ada")
    await come(store, "bea")
    await meet(store, opener, 1.0)
    assert (await come(store, "ada", now=300.0)).state == "waiting"
    assert (await ask(store, "bea", 300.0)).state == "matched"
    await meet(store, opener, 700.0)
    assert (await ask(store, "bea", 700.0)).state == "idle"  # old news
