"""Kills servers at random moments while gamblers play."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from server.casino import Casino, Party, open_casino
from server.ledger import Ledger
from server.phoenix import Flock, Phoenix, open_flock

MOMENTS = ("start", "load", "load", "answer")
"""While it starts; so long after it has begun to answer; just when it has given an answer."""

PARTIES = (Party("sakura", 3), Party("sanssouci", 2), Party("sakura", 2, tables=1, bot="greedy"))
_EACH_COLD = 10
"""Every so many starts are of `pleasance serve` from scratch."""


_WARM, _COLD = 0.5, 3.0
"""Seconds within which a server is killed while it starts."""

Tell: TypeAlias = Callable[[int, Casino], None]
"""Is told after each kill how many there were."""


@dataclass
class Havoc:
    """What was done and what came of it."""

    kills: Counter[str] = field(default_factory=Counter)
    starts: list[float] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)


async def wreak(
    database: str,
    log: Path,
    *,
    kills: int,
    seed: int,
    servers: int = 1,
    parties: tuple[Party, ...] = PARTIES,
    tell: Tell = lambda _n, _casino: None,
) -> Havoc:
    """Kill servers so many times while games go on; check that every promise was kept."""
    rng, done = Random(seed), Havoc()
    async with open_flock(database, log, servers) as flock:
        for one in flock.servers:
            await one.rise()
        async with open_casino(flock, seed, *parties) as casino:
            await _kill_often(flock, casino, rng, kills=kills, done=done, tell=tell)
            await casino.finish()
            await casino.compare()
            done.ledger = casino.ledger
            logs = casino.ledger.check(database)
            done.facts = {
                "choices": casino.ledger.choices,
                "requests": len(casino.ledger.accepted),
                **casino.ledger.count_faults(logs),
                "lines": sum(map(len, logs.values())),
                "tables": len(logs),
                "connections": sum(gambler.lost for gambler in casino.gamblers),
                "refused": dict(casino.ledger.codes),
            }
        done.starts = [seconds for one in flock.servers for seconds in one.starts]
    return done


async def _kill_often(
    flock: Flock, casino: Casino, rng: Random, *, kills: int, done: Havoc, tell: Tell
) -> None:
    """Kill one server after the other; each rises again at once."""
    newest, is_cold = flock.servers[-1], False
    for n in range(kills):
        moment = rng.choice(MOMENTS)
        if moment == "start":
            await asyncio.sleep(rng.uniform(0, _COLD if is_cold else _WARM))
        else:
            newest = rng.choice(flock.servers)
            await _wait_for(moment, newest, casino, rng)
        await newest.kill()
        done.kills[moment] += 1
        tell(n + 1, casino)
        is_cold = n % _EACH_COLD == _EACH_COLD - 1
        await newest.rise(is_cold=is_cold)
    for one in flock.servers:
        await one.is_ready()


async def _wait_for(moment: str, victim: Phoenix, casino: Casino, rng: Random) -> None:
    """Wait until a server gives answers, and then for the moment to kill it."""
    link = await victim.is_ready()
    await casino.wait_for_server(link, 1)
    if moment == "load":
        await asyncio.sleep(rng.uniform(0, 0.3))
    else:
        await casino.wait_for_answers(rng.randrange(1, 30))
