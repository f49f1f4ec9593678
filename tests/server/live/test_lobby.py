"""Table lists show for whom a game waits, and how it ended."""

from __future__ import annotations

import pytest

from conformance.rooms import NONCE
from pleasance.server.base.requests import Resign, SeatBot, Sit, Start
from pleasance.server.live.lobby import ListedResult, ListedTable, list_mine
from pleasance.server.live.table_configs import OpenTable
from support.hub_harness import ADA, BEN, HubHarness, running_table

pytestmark = pytest.mark.anyio


async def find_mine(server: HubHarness, player: str) -> ListedTable:
    """Find the one table of a player."""
    (table,) = (await server.store.read(list_mine(player, after=None, limit=9))).items
    return table


async def test_a_list_says_for_whom_a_game_waits(hub: HubHarness) -> None:
    live = await hub.start_game(ADA, BEN)
    assert (await find_mine(hub, ADA.id)).waiting == (0, 1)
    await hub.choose(live, ADA, 0)
    assert (await find_mine(hub, ADA.id)).waiting == (1,)
    assert (await find_mine(hub, BEN.id)).waiting == (1,)


async def test_no_list_says_that_a_game_waits_for_a_bot(hub: HubHarness) -> None:
    live = await hub.hub.open(OpenTable(game="sakura", seats=2), ADA)
    await hub.do(live.id, ADA, Sit(nonce=NONCE))
    await hub.do(live.id, ADA, SeatBot(bot="random", seat=1))
    assert (await find_mine(hub, ADA.id)).waiting == ()
    await hub.do(live.id, ADA, Start())
    assert (await find_mine(hub, ADA.id)).waiting == (0,)


async def test_a_list_shows_the_winner(hub: HubHarness) -> None:
    live = await hub.start_game(ADA, BEN)
    assert (await find_mine(hub, ADA.id)).results == ()
    while live.room.ending is None:
        seat = live.room.waiting[0]
        await hub.choose(live, (ADA, BEN)[seat], seat)
    table, listed = running_table(live), await find_mine(hub, ADA.id)
    assert tuple(result.points for result in listed.results) == table.scores
    first = [seat for seat, result in enumerate(listed.results) if result.place == 1]
    assert first == list(table.game.winners(table.final_state()))


async def test_a_player_who_resigns_is_last(hub: HubHarness) -> None:
    live = await hub.start_game(ADA, BEN)
    await hub.do(live.id, ADA, Resign(seat=0))
    points = running_table(live).scores
    listed = (await find_mine(hub, BEN.id)).results
    assert listed == (ListedResult(points[0], 2), ListedResult(points[1], 1))
