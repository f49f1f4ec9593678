"""Kill -9 at random moments: what was acknowledged is there once, and everybody agrees."""

from __future__ import annotations

import asyncio
from copy import deepcopy
from pathlib import Path

import pytest

from pleasance.table.entries import StartEntry
from server.casino import Party
from server.halls import ADA, BEN, open_hall
from server.havoc import MOMENTS, wreak
from server.ledger import Ledger, Row

pytestmark = pytest.mark.anyio


def expect_faults_to_be_found(ledger: Ledger, url: str) -> None:
    """Make sure that one choice too many or too few would have been noticed."""
    key = next(key for key in ledger.accepted if ledger.sent[key].command["kind"] == "choose")
    moved, forgotten, refused, other = (deepcopy(ledger) for _ in range(4))
    moved.accepted[key] += 1
    del forgotten.sent[key], forgotten.accepted[key]
    refused.refused[key] = "stale"
    other.sent[key].command["token"] = "another"
    for wrong, complaint in (
        (moved, "stands at"),
        (forgotten, "nobody has sent"),
        (refused, "was refused"),
        (other, "another"),
    ):
        with pytest.raises(AssertionError, match=complaint):
            wrong.check(url)
    ledger.send("unheard", ledger.sent[key].table, "nobody", {"kind": "say", "text": "hi"})
    ledger.accept("unheard", 1)
    with pytest.raises(AssertionError, match="is lost"):
        ledger.check(url)


def test_a_refusal_that_does_not_fit_the_request_is_found() -> None:
    ledger = Ledger()
    ledger.send("a", "table", "ada", {"kind": "sit", "seat": 0})
    ledger.send("b", "table", "ada", {"kind": "choose", "seat": 0})
    assert ledger.refuse("b", "stale")
    assert not ledger.refuse("a", "storage_away"), "it decides nothing"
    for key, code in (("a", "sign_in"), ("b", "not_seated"), ("", "sign_in")):
        with pytest.raises(AssertionError, match=f"was refused: {code}"):
            ledger.refuse(key, code)


def test_what_is_lost_or_doubled_is_counted() -> None:
    ledger = Ledger()
    for key in ("kept", "lost", "twice"):
        ledger.send(key, "table", "ada", {"kind": "start"})
        ledger.accept(key, 1)
    log = [
        Row(n, StartEntry(0.0), f"ada:{key}") for n, key in enumerate(("kept", "twice", "twice"))
    ]
    assert ledger.count_faults({"table": log}) == {"lost": 1, "doubled": 1}


async def test_a_server_that_is_killed_loses_and_doubles_nothing(
    sqlite_url: str, tmp_path: Path
) -> None:
    parties = (Party("sakura", 2, tables=1),)
    done = await wreak(sqlite_url, tmp_path / "log", kills=2, seed=1, parties=parties)
    assert done.kills.total() == 2
    assert done.facts["choices"] > 10
    expect_faults_to_be_found(done.ledger, sqlite_url)


@pytest.mark.slow
async def test_dozens_of_kills_lose_and_double_nothing(sqlite_url: str, tmp_path: Path) -> None:
    done = await wreak(sqlite_url, tmp_path / "log", kills=30, seed=2)
    assert set(done.kills) == set(MOMENTS)
    assert done.facts["choices"] > 300


@pytest.mark.slow
async def test_one_of_two_servers_is_killed_while_the_other_serves_on(
    postgres_url: str, tmp_path: Path
) -> None:
    parties = (Party("sakura", 3, tables=1), Party("sanssouci", 2, tables=1))
    log = tmp_path / "log"
    done = await wreak(postgres_url, log, kills=10, seed=3, servers=2, parties=parties)
    assert done.kills.total() == 10
    assert done.facts["choices"] > 100


async def test_a_table_that_is_just_being_loaded_is_not_forgotten(database_url: str) -> None:
    async with open_hall(database_url) as before:
        table = (await before.open(ADA, BEN)).id
    async with open_hall(database_url) as hall:
        finding = asyncio.create_task(hall.hub.find(table))
        while table not in hall.hub.rooms:
            await asyncio.sleep(0)
        assert not finding.done(), "whoever asked has not got it yet"
        hall.ticker._forget_idle(hall.clock())
        assert hall.hub.rooms.get(table) is await finding, "there would be two of one table"
