"""Quota of open tables per player and per address."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import func, select

from pleasance.server.base.errors import ConflictError
from pleasance.server.base.requests import Close, Resign, SeatBot, Sit, Start
from pleasance.server.base.settings import ServerSettings
from pleasance.server.live import open_table_quota
from pleasance.server.live.open_table_quota import OpenTableQuota
from pleasance.server.live.table_configs import OpenTable
from pleasance.server.store.schema.rooms import tables
from support import NONCE
from support.hub_harness import ADA, BEN, CYD, HubHarness, open_hub
from support.live_server import open_server

pytestmark = pytest.mark.anyio

CONFIG = OpenTable(game="sakura", seats=2)
HERE, THERE = "203.0.113.9", "198.51.100.7"


def limit(server: HubHarness, most: int, most_here: int, **more: Any) -> None:
    """Set other quotas than the defaults."""
    settings = ServerSettings(
        database="sqlite://", open_tables=most, open_tables_address=most_here, **more
    )
    server.hub._open_table_quota = OpenTableQuota(server.store, settings)


async def test_open_tables_per_player_are_capped(hub: HubHarness) -> None:
    limit(hub, 2, 0)
    begun, waiting = [await hub.hub.open(CONFIG, ADA) for _ in range(2)]
    with pytest.raises(ConflictError, match="tables_open") as refused:
        await hub.hub.open(CONFIG, ADA)
    assert refused.value.params == {"most": 2}
    await hub.hub.open(CONFIG, BEN)
    await hub.do(begun.id, ADA, Sit(NONCE, 0))
    await hub.do(begun.id, ADA, SeatBot("greedy", 1))
    await hub.do(begun.id, ADA, Start())
    await hub.hub.open(CONFIG, ADA)  # a started table does not count
    with pytest.raises(ConflictError, match="tables_open"):
        await hub.hub.open(CONFIG, ADA)
    await hub.do(waiting.id, ADA, Close())
    await hub.hub.open(CONFIG, ADA)


async def test_open_tables_per_address_are_capped(sqlite_url: str) -> None:
    async with open_hub(sqlite_url) as server:
        limit(server, 0, 2)
        first = await server.hub.open(CONFIG, ADA, HERE)
        await server.hub.open(CONFIG, BEN, HERE)
        with pytest.raises(ConflictError, match="tables_open_here"):
            await server.hub.open(CONFIG, CYD, HERE)
        await server.hub.open(CONFIG, CYD, THERE)
        await server.do(first.id, ADA, Close())
        await server.hub.open(CONFIG, CYD, HERE)


async def test_opening_many_at_once_gets_no_more(sqlite_url: str) -> None:
    async with open_hub(sqlite_url) as server:
        limit(server, 3, 0)
        openings = (server.hub.open(CONFIG, ADA) for _ in range(10))
        ends = await asyncio.gather(*openings, return_exceptions=True)
        assert sum(isinstance(end, ConflictError) for end in ends) == 7
        count = select(func.count()).select_from(tables)
        assert await server.store.read(lambda connection: connection.scalar(count)) == 3


async def test_limits_grow_with_their_factor_and_zero_lifts_them(sqlite_url: str) -> None:
    async with open_hub(sqlite_url) as server:
        limit(server, 1, 1, limits_factor=2.0)
        for _ in range(2):
            await server.hub.open(CONFIG, ADA)
        with pytest.raises(ConflictError, match="tables_open"):
            await server.hub.open(CONFIG, ADA)
        limit(server, 1, 1, limits_factor=0.0)
        await server.hub.open(CONFIG, ADA)


async def test_few_addresses_are_kept(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_table_quota, "MAX_REMEMBERED_ADDRESSES", 3)
    async with open_hub(sqlite_url) as server:
        for n in range(10):
            await server.hub.open(CONFIG, ADA, f"198.51.100.{n}")
        assert len(server.hub._open_table_quota._by_address) == 3


async def test_only_the_owner_closes_a_table_and_only_before_the_game(hub: HubHarness) -> None:
    live = await hub.hub.open(CONFIG, ADA)
    for who, seat in ((ADA, 0), (BEN, 1)):
        await hub.do(live.id, who, Sit(NONCE, seat))
    with pytest.raises(Exception, match="not_owner"):
        await hub.do(live.id, BEN, Close())
    await hub.do(live.id, ADA, Start())
    with pytest.raises(Exception, match="already_started"):
        await hub.do(live.id, ADA, Close())
    await hub.do(live.id, ADA, Resign(0))
    other = await hub.hub.open(CONFIG, ADA)
    await hub.do(other.id, ADA, Close())
    assert other.room.status == "closed"
    with pytest.raises(Exception, match="table_closed"):
        await hub.do(other.id, BEN, Sit(NONCE, 0))


@pytest.mark.slow
def test_over_http_the_address_counts_and_the_answer_is_one_line(sqlite_url: str) -> None:
    quota: dict[str, Any] = {"limits_factor": 1.0, "open_tables": 2, "open_tables_address": 3}
    with (
        open_server(sqlite_url, **quota) as server,
        server.visit("Ada") as ada,
        server.visit() as ben,
    ):
        tables_of_ada = [ada.open_table() for _ in range(2)]
        answer = ada.ask("POST", "/api/tables", {"game": "sakura", "seats": 2}, 409)
        assert answer["code"] == "tables_open"
        assert answer["message"].startswith("You have 2 tables open where no game has begun;")
        ben.open_table()
        answer = ben.ask("POST", "/api/tables", {"game": "sakura", "seats": 2}, 409)
        assert answer["message"].startswith("3 tables opened from your address wait for players")
        ada.do(tables_of_ada[0], kind="close").raise_for_status()
        ben.open_table()
