"""A killer of servers at random moments, while random clients play."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from support.chaos.clients import ClientPool, PlayerGroup, open_client_pool
from support.chaos.request_log import RequestLog
from support.server_process import KillableServer, ServerGroup, open_servers

MOMENTS = ("start", "load", "load", "answer")
"""Moments to kill a server: during its start, some time after its first answer, after an answer."""

GROUPS = (
    PlayerGroup("sakura", 3),
    PlayerGroup("sanssouci", 2),
    PlayerGroup("sakura", 2, tables=1, bot="greedy"),
)
STARTS_PER_COLD = 10
"""Number of starts per cold start; the others are forks."""

FORK_START_S, COLD_START_S = 0.5, 3.0
"""Longest time before a server is killed during its start."""

OnKill: TypeAlias = Callable[[int, ClientPool], None]
"""Called after each kill with the number of kills so far."""


@dataclass
class KillReport:
    """The kills of one run and their outcome."""

    kills: Counter[str] = field(default_factory=Counter)
    start_times: list[float] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    request_log: RequestLog = field(default_factory=RequestLog)


async def kill_servers(
    database: str,
    log: Path,
    *,
    kills: int,
    seed: int,
    servers: int = 1,
    groups: tuple[PlayerGroup, ...] = GROUPS,
    on_kill: OnKill = lambda _n, _pool: None,
) -> KillReport:
    """Kill servers *kills* times during games; assert that no acknowledged request is lost."""
    rng, report = Random(seed), KillReport()
    async with open_servers(database, log, servers) as group:
        for server in group.servers:
            await server.start()
        async with open_client_pool(group, seed, *groups) as pool:
            await _kill_often(group, pool, rng, kills=kills, report=report, on_kill=on_kill)
            await pool.finish()
            await pool.compare()
            report.request_log = pool.request_log
            logs = pool.request_log.check_database(database)
            report.facts = {
                "choices": pool.request_log.choices,
                "requests": len(pool.request_log.accepted),
                **pool.request_log.count_faults(logs),
                "lines": sum(map(len, logs.values())),
                "tables": len(logs),
                "connections": sum(client.lost_connections for client in pool.clients),
                "refused": dict(pool.request_log.codes),
            }
        report.start_times = [s for server in group.servers for s in server.start_times]
    return report


async def _kill_often(
    group: ServerGroup,
    pool: ClientPool,
    rng: Random,
    *,
    kills: int,
    report: KillReport,
    on_kill: OnKill,
) -> None:
    """Kill random servers; restart each at once."""
    victim, is_cold = group.servers[-1], False
    for n in range(kills):
        moment = rng.choice(MOMENTS)
        if moment == "start":
            await asyncio.sleep(rng.uniform(0, COLD_START_S if is_cold else FORK_START_S))
        else:
            victim = rng.choice(group.servers)
            await _wait_for(moment, victim, pool, rng)
        await victim.kill()
        report.kills[moment] += 1
        on_kill(n + 1, pool)
        is_cold = n % STARTS_PER_COLD == STARTS_PER_COLD - 1
        await victim.start(is_cold=is_cold)
    for server in group.servers:
        await server.wait_until_ready()


async def _wait_for(moment: str, victim: KillableServer, pool: ClientPool, rng: Random) -> None:
    """Wait until a server answers requests, and then for the moment to kill it."""
    await pool.wait_for_server(await victim.wait_until_ready(), 1)
    if moment == "load":
        await asyncio.sleep(rng.uniform(0, 0.3))
    else:
        await pool.wait_for_answers(rng.randrange(1, 30))
