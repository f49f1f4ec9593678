"""Bots killed during a request: the game goes on, with one choice per turn."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from pleasance.server.bots.local_pool import LocalBotPool
from pleasance.server.store.schema.bots import jobs
from pleasance.server.store.store import Store
from pleasance.table.entries import ChooseEntry, Entry, TakebackEntry, UndoEntry
from server.bots.test_queued_pool import worker_process
from support.chaos.clients import ClientPool, PlayerGroup, ServerList, open_client_pool
from support.live_server import open_server

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

POLL_INTERVAL_S = 0.002


async def finish(pool: ClientPool, url: str) -> None:
    """Play to the end; make sure that the bot has chosen once for each turn, as people have."""
    await pool.finish()
    await pool.compare()
    for log in pool.request_log.check_database(url).values():
        entries = [row.entry for row in log]
        turns = [
            (entry.ply, _count_undone(entries[:n]))
            for n, entry in enumerate(entries)
            if isinstance(entry, ChooseEntry) and entry.seat == 2
        ]
        assert len(set(turns)) == len(turns) > 5


def _count_undone(entries: Sequence[Entry]) -> int:
    """Count what people took back: a bot that had chosen after it must choose again."""
    return sum(isinstance(entry, UndoEntry | TakebackEntry) for entry in entries)


async def test_a_bot_that_is_killed_mid_think_chooses_once(sqlite_url: str) -> None:
    party = PlayerGroup("sakura", 2, tables=1, bot="greedy")
    with open_server(sqlite_url) as server:
        bot_pool = server.site.bot_pool
        assert isinstance(bot_pool, LocalBotPool)
        async with open_client_pool(ServerList(server.link), 5, party) as pool:
            killed: set[int] = set()
            while len(killed) < 6:
                await asyncio.sleep(POLL_INTERVAL_S)
                for pid in set(bot_pool.pids) - killed:
                    os.kill(pid, signal.SIGSTOP)  # so that it cannot be done before it is killed
                    while pid not in bot_pool.busy_pids:
                        await asyncio.sleep(POLL_INTERVAL_S)
                    os.kill(pid, signal.SIGKILL)
                    killed.add(pid)
            await finish(pool, sqlite_url)


def find_bot_jobs(store: Store) -> set[str]:
    """Name the workers that are about something."""
    wanted = select(jobs.c.worker).where(jobs.c.token.is_(None), jobs.c.worker.is_not(None))
    return set(store.read_now(lambda connection: connection.scalars(wanted).all()))


async def test_the_turn_of_a_killed_worker_goes_to_another(postgres_url: str) -> None:
    party = PlayerGroup("sakura", 2, tables=1, bot="flat:0.2s")
    with open_server(postgres_url) as server:
        async with open_client_pool(ServerList(server.link), 6, party) as pool:
            with worker_process(postgres_url, 1.5) as first:
                while not await asyncio.to_thread(find_bot_jobs, server.site.store):
                    await asyncio.sleep(POLL_INTERVAL_S)
                first.kill()
            with worker_process(postgres_url, 1.5):
                await finish(pool, postgres_url)
