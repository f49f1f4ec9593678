"""Bots are killed while they think: the game goes on, with one choice for each turn."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from pleasance.server.bots.local_pool import LocalCrew
from pleasance.server.store.schema.bots import jobs
from pleasance.server.store.store import Store
from pleasance.table.entries import BackEntry, ChooseEntry, Entry, UndoEntry
from server.casino import Casino, Doors, Party, open_casino
from server.house import open_house
from server.test_bots_shared import worker_process

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

_PAUSE = 0.002


async def finish(casino: Casino, url: str) -> None:
    """Play to the end; make sure that the bot has chosen once for each turn, as people have."""
    await casino.finish()
    await casino.compare()
    for log in casino.ledger.check(url).values():
        entries = [row.entry for row in log]
        turns = [
            (entry.ply, _count_undone(entries[:n]))
            for n, entry in enumerate(entries)
            if isinstance(entry, ChooseEntry) and entry.seat == 2
        ]
        assert len(set(turns)) == len(turns) > 5


def _count_undone(entries: Sequence[Entry]) -> int:
    """Count what people took back: a bot that had chosen after it must choose again."""
    return sum(isinstance(entry, UndoEntry | BackEntry) for entry in entries)


async def test_a_bot_that_is_killed_mid_think_chooses_once(sqlite_url: str) -> None:
    party = Party("sakura", 2, tables=1, bot="greedy")
    with open_house(sqlite_url) as house:
        crew = house.site.crew
        assert isinstance(crew, LocalCrew)
        async with open_casino(Doors(house.link), 5, party) as casino:
            killed: set[int] = set()
            while len(killed) < 6:
                await asyncio.sleep(_PAUSE)
                for pid in set(crew.pids) - killed:
                    os.kill(pid, signal.SIGSTOP)  # so that it cannot be done before it is killed
                    while pid not in crew.thinking:
                        await asyncio.sleep(_PAUSE)
                    os.kill(pid, signal.SIGKILL)
                    killed.add(pid)
            await finish(casino, sqlite_url)


def find_thinkers(store: Store) -> set[str]:
    """Name the workers that are about something."""
    wanted = select(jobs.c.worker).where(jobs.c.token.is_(None), jobs.c.worker.is_not(None))
    return set(store.read_now(lambda connection: connection.scalars(wanted).all()))


async def test_a_worker_that_is_killed_mid_think_leaves_its_turn_to_another(
    postgres_url: str,
) -> None:
    party = Party("sakura", 2, tables=1, bot="flat:0.2s")
    with open_house(postgres_url) as house:
        async with open_casino(Doors(house.link), 6, party) as casino:
            with worker_process(postgres_url, 1.5) as first:
                while not await asyncio.to_thread(find_thinkers, house.site.store):
                    await asyncio.sleep(_PAUSE)
                first.kill()
            with worker_process(postgres_url, 1.5):
                await finish(casino, postgres_url)
