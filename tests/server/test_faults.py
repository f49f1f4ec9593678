"""Servers killed at random moments lose and duplicate no acknowledged command."""

from __future__ import annotations

import asyncio
from copy import deepcopy
from pathlib import Path

import pytest

from pleasance.table.entries import StartEntry
from support.chaos.clients import PlayerGroup
from support.chaos.killer import MOMENTS, kill_servers
from support.chaos.request_log import LogRow, RequestLog
from support.hub_harness import ADA, BEN, open_hub

pytestmark = pytest.mark.anyio


def expect_faults_to_be_found(request_log: RequestLog, url: str) -> None:
    """Assert that one choice too many or too few is detected."""
    key = next(
        key for key in request_log.accepted if request_log.sent[key].command["kind"] == "choose"
    )
    moved, forgotten, refused, other = (deepcopy(request_log) for _ in range(4))
    moved.accepted[key] += 1
    del forgotten.sent[key], forgotten.accepted[key]
    refused.refused[key] = "stale"
    other.sent[key].command["token"] = "another"
    for wrong, complaint in (
        (moved, "has seq"),
        (forgotten, "no client sent"),
        (refused, "was refused"),
        (other, "another"),
    ):
        with pytest.raises(AssertionError, match=complaint):
            wrong.check_database(url)
    request_log.send(
        "unheard", request_log.sent[key].table, "nobody", {"kind": "say", "text": "hi"}
    )
    request_log.accept("unheard", 1)
    with pytest.raises(AssertionError, match="is lost"):
        request_log.check_database(url)


def test_a_refusal_that_does_not_fit_the_request_is_found() -> None:
    request_log = RequestLog()
    request_log.send("a", "table", "ada", {"kind": "sit", "seat": 0})
    request_log.send("b", "table", "ada", {"kind": "choose", "seat": 0})
    assert request_log.refuse("b", "stale")
    assert not request_log.refuse("a", "storage_away"), "it decides nothing"
    for key, code in (("a", "sign_in"), ("b", "not_seated"), ("", "sign_in")):
        with pytest.raises(AssertionError, match=f"was refused: {code}"):
            request_log.refuse(key, code)


def test_what_is_lost_or_doubled_is_counted() -> None:
    request_log = RequestLog()
    for key in ("kept", "lost", "twice"):
        request_log.send(key, "table", "ada", {"kind": "start"})
        request_log.accept(key, 1)
    log = [
        LogRow(n, StartEntry(0.0), f"ada:{key}") for n, key in enumerate(("kept", "twice", "twice"))
    ]
    assert request_log.count_faults({"table": log}) == {"lost": 1, "doubled": 1}


@pytest.mark.slow
async def test_a_killed_server_loses_and_doubles_nothing(sqlite_url: str, tmp_path: Path) -> None:
    groups = (PlayerGroup("sakura", 2, tables=1),)
    done = await kill_servers(sqlite_url, tmp_path / "log", kills=2, seed=1, groups=groups)
    assert done.kills.total() == 2
    assert done.facts["choices"] > 10
    expect_faults_to_be_found(done.request_log, sqlite_url)


@pytest.mark.slow
async def test_dozens_of_kills_lose_and_double_nothing(sqlite_url: str, tmp_path: Path) -> None:
    done = await kill_servers(sqlite_url, tmp_path / "log", kills=30, seed=2)
    assert set(done.kills) == set(MOMENTS)
    assert done.facts["choices"] > 300


@pytest.mark.slow
async def test_one_of_two_servers_is_killed(postgres_url: str, tmp_path: Path) -> None:
    groups = (PlayerGroup("sakura", 3, tables=1), PlayerGroup("sanssouci", 2, tables=1))
    log = tmp_path / "log"
    done = await kill_servers(postgres_url, log, kills=10, seed=3, servers=2, groups=groups)
    assert done.kills.total() == 10
    assert done.facts["choices"] > 100


async def test_a_table_that_is_just_being_loaded_is_not_forgotten(database_url: str) -> None:
    async with open_hub(database_url) as before:
        table = (await before.start_game(ADA, BEN)).id
    async with open_hub(database_url) as hub:
        finding = asyncio.create_task(hub.hub.find(table))
        while table not in hub.hub.rooms:
            await asyncio.sleep(0)
        assert not finding.done(), "the request is not answered yet"
        hub.housekeeping._drop_idle_rooms(hub.clock())
        assert hub.hub.rooms.get(table) is await finding, "there would be two of one table"
