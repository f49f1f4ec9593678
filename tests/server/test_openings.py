"""Tables that wait for players: so many for each player and address, and no more."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import func, select

from pleasance.server.base.errors import ConflictError
from pleasance.server.base.requests import Close, Resign, SeatBot, Sit, Start
from pleasance.server.base.settings import Settings
from pleasance.server.live import open_table_quota
from pleasance.server.live.open_table_quota import Openings
from pleasance.server.live.table_configs import OpenTable
from pleasance.server.store.schema.rooms import tables
from server.guests import NONCE
from server.halls import ADA, BEN, CYD, Hall, PatientCrew, open_hall
from server.house import open_house

pytestmark = pytest.mark.anyio

WISH = OpenTable(game="sakura", seats=2)
HERE, THERE = "203.0.113.9", "198.51.100.7"


def limit(hall: Hall, most: int, most_here: int, **more: Any) -> None:
    """Let a hall have other limits than usual."""
    settings = Settings(
        database="sqlite://", open_tables=most, open_tables_address=most_here, **more
    )
    hall.hub._openings = Openings(hall.store, settings)


async def test_so_many_tables_of_a_player_may_wait(database_url: str) -> None:
    async with open_hall(database_url, crew=PatientCrew()) as hall:
        limit(hall, 2, 0)
        begun, waiting = [await hall.hub.open(WISH, ADA) for _ in range(2)]
        with pytest.raises(ConflictError, match="tables_open") as refused:
            await hall.hub.open(WISH, ADA)
        assert refused.value.params == {"most": 2}
        await hall.hub.open(WISH, BEN)
        await hall.do(begun.id, ADA, Sit(NONCE, 0))
        await hall.do(begun.id, ADA, SeatBot("greedy", 1))
        await hall.do(begun.id, ADA, Start())
        await hall.hub.open(WISH, ADA)  # where a game has begun nobody waits
        with pytest.raises(ConflictError, match="tables_open"):
            await hall.hub.open(WISH, ADA)
        await hall.do(waiting.id, ADA, Close())
        await hall.hub.open(WISH, ADA)


async def test_so_many_tables_from_one_address_may_wait(sqlite_url: str) -> None:
    async with open_hall(sqlite_url) as hall:
        limit(hall, 0, 2)
        first = await hall.hub.open(WISH, ADA, HERE)
        await hall.hub.open(WISH, BEN, HERE)
        with pytest.raises(ConflictError, match="tables_open_here"):
            await hall.hub.open(WISH, CYD, HERE)
        await hall.hub.open(WISH, CYD, THERE)
        await hall.do(first.id, ADA, Close())
        await hall.hub.open(WISH, CYD, HERE)


async def test_who_opens_many_at_once_gets_no_more(sqlite_url: str) -> None:
    async with open_hall(sqlite_url) as hall:
        limit(hall, 3, 0)
        asked = (hall.hub.open(WISH, ADA) for _ in range(10))
        ends = await asyncio.gather(*asked, return_exceptions=True)
        assert sum(isinstance(end, ConflictError) for end in ends) == 7
        count = select(func.count()).select_from(tables)
        assert await hall.store.read(lambda connection: connection.scalar(count)) == 3


async def test_limits_grow_with_their_factor_and_zero_lifts_them(sqlite_url: str) -> None:
    async with open_hall(sqlite_url) as hall:
        limit(hall, 1, 1, limits_factor=2.0)
        for _ in range(2):
            await hall.hub.open(WISH, ADA)
        with pytest.raises(ConflictError, match="tables_open"):
            await hall.hub.open(WISH, ADA)
        limit(hall, 1, 1, limits_factor=0.0)
        await hall.hub.open(WISH, ADA)


async def test_few_addresses_are_remembered(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_table_quota, "MOST_ADDRESSES", 3)
    async with open_hall(sqlite_url) as hall:
        for n in range(10):
            await hall.hub.open(WISH, ADA, f"198.51.100.{n}")
        assert len(hall.hub._openings._here) == 3


async def test_only_the_owner_closes_a_table_and_only_before_the_game(database_url: str) -> None:
    async with open_hall(database_url, crew=PatientCrew()) as hall:
        live = await hall.hub.open(WISH, ADA)
        for who, seat in ((ADA, 0), (BEN, 1)):
            await hall.do(live.id, who, Sit(NONCE, seat))
        with pytest.raises(Exception, match="not_owner"):
            await hall.do(live.id, BEN, Close())
        await hall.do(live.id, ADA, Start())
        with pytest.raises(Exception, match="already_started"):
            await hall.do(live.id, ADA, Close())
        await hall.do(live.id, ADA, Resign(0))
        other = await hall.hub.open(WISH, ADA)
        await hall.do(other.id, ADA, Close())
        assert other.room.status == "closed"
        with pytest.raises(Exception, match="table_closed"):
            await hall.do(other.id, BEN, Sit(NONCE, 0))


def test_over_http_the_address_counts_and_the_answer_is_one_line(sqlite_url: str) -> None:
    told: dict[str, Any] = {"limits_factor": 1.0, "open_tables": 2, "open_tables_address": 3}
    with open_house(sqlite_url, **told) as house, house.visit("Ada") as ada, house.visit() as ben:
        tables_of_ada = [ada.open() for _ in range(2)]
        answer = ada.ask("POST", "/api/tables", {"game": "sakura", "seats": 2}, 409)
        assert answer["code"] == "tables_open"
        assert answer["message"].startswith("You have 2 tables open where no game has begun;")
        ben.open()
        answer = ben.ask("POST", "/api/tables", {"game": "sakura", "seats": 2}, 409)
        assert answer["message"].startswith("3 tables opened from your address wait for players")
        ada.do(tables_of_ada[0], kind="close").raise_for_status()
        ben.open()
