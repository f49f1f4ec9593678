"""Lists of tables: they say for whom a game waits."""

from __future__ import annotations

import pytest

from conformance.rooms import NONCE
from pleasance.server.requests import SeatBot, Sit, Start
from pleasance.server.rooms.lobby import ListedTable, list_mine
from pleasance.server.rooms.plans import OpenTable
from server.halls import ADA, BEN, Hall, open_hall

pytestmark = pytest.mark.anyio


async def find_mine(hall: Hall, player: str) -> ListedTable:
    """Find the one table of a player."""
    (table,) = (await hall.store.read(list_mine(player, after=None, limit=9))).items
    return table


async def test_a_list_says_for_whom_a_game_waits(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(ADA, BEN)
        assert (await find_mine(hall, ADA.id)).waiting == (0, 1)
        await hall.choose(live, ADA, 0)
        assert (await find_mine(hall, ADA.id)).waiting == (1,)
        assert (await find_mine(hall, BEN.id)).waiting == (1,)


async def test_no_list_says_that_a_game_waits_for_a_bot(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.hub.open(OpenTable(game="sakura", seats=2), ADA)
        await hall.do(live.id, ADA, Sit(nonce=NONCE))
        await hall.do(live.id, ADA, SeatBot(bot="random", seat=1))
        assert (await find_mine(hall, ADA.id)).waiting == ()
        await hall.do(live.id, ADA, Start())
        assert (await find_mine(hall, ADA.id)).waiting == (0,)
