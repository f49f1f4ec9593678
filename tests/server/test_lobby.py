"""Lists of tables: they say for whom a game waits, and how it ended."""

from __future__ import annotations

import pytest

from conformance.rooms import NONCE
from pleasance.server.base.requests import Resign, SeatBot, Sit, Start
from pleasance.server.live.lobby import ListedResult, ListedTable, list_mine
from pleasance.server.live.table_configs import OpenTable
from server.halls import ADA, BEN, Hall, open_hall, table_of

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


async def test_a_list_says_who_has_won(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(ADA, BEN)
        assert (await find_mine(hall, ADA.id)).results == ()
        while live.room.ending is None:
            seat = live.room.waiting[0]
            await hall.choose(live, (ADA, BEN)[seat], seat)
        table, told = table_of(live), await find_mine(hall, ADA.id)
        assert tuple(result.points for result in told.results) == table.scores
        first = [seat for seat, result in enumerate(told.results) if result.place == 1]
        assert first == list(table.game.winners(table.final_state()))


async def test_who_gives_a_game_up_is_last(database_url: str) -> None:
    async with open_hall(database_url) as hall:
        live = await hall.open(ADA, BEN)
        await hall.do(live.id, ADA, Resign(seat=0))
        points = table_of(live).scores
        told = (await find_mine(hall, BEN.id)).results
        assert told == (ListedResult(points[0], 2), ListedResult(points[1], 1))
