"""Measuring the network of Sanssouci on compiled games: against planners, and against itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from pleasance.compiled.rng import make_luck
from pleasance.games.sanssouci.bots.network.accumulator import Net
from pleasance.games.sanssouci.bots.network.model import make_bureau
from pleasance.games.sanssouci.bots.planner.rollout import make_desk
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.packing import house_box
from pleasance.games.sanssouci.training.selfplay import (
    FIRST_NET,
    PLANNER,
    SECOND_NET,
    play_match,
)

TABLES = (
    *((2, ()),) * 8,
    *((3, ()),) * 3,
    *((4, ()),) * 3,
    *((2, ("rewards",)), (2, ("boars",)), (2, ("rewards", "boars"))) * 2,
    *((3, ("rewards",)), (3, ("boars",)), (3, ("rewards", "boars"))),
    *((4, ("rewards",)), (4, ("boars",)), (4, ("rewards", "boars"))),
)
"""The tables that the games of one iteration are played at, in equal parts."""


def measure(
    pool: ThreadPoolExecutor,
    nets: tuple[Net, Net],
    *,
    seats: int = 2,
    options: tuple[str, ...] = (),
    other: int = PLANNER,
    games: int = 1000,
    denials: tuple[float, float] = (1.0, 1.0),
    seed: str = "measure",
    threads: int = 1,
) -> tuple[float, float, float, float]:
    """Tell win share, half its 95 % interval, and the mean points of the first and the others."""

    def play_some(part: int) -> list[tuple[float, float, float]]:
        one, two, desk = make_bureau(nets[0]), make_bureau(nets[1]), make_desk()
        state, points = np.zeros(at.SIZE, dtype=np.int64), np.zeros(4, dtype=np.int64)
        won, found = np.zeros(4), []
        for game in range(part, games, threads):
            who = np.full(seats, other, dtype=np.int64)
            who[game % seats] = FIRST_NET
            luck = make_luck(f"{seed}:{game // seats}")
            play_match(
                house_box(options), who, one, two, desk, np.array(denials), luck, state, points, won
            )
            mine = float(points[game % seats])
            rest = (float(points[:seats].sum()) - mine) / (seats - 1)
            found.append((float(won[game % seats]), mine, rest))
        return found

    rows = np.array([row for part in pool.map(play_some, range(threads)) for row in part])
    share, mine, rest = rows.mean(axis=0)
    return float(share), float(1.96 * rows[:, 0].std() / len(rows) ** 0.5), float(mine), float(rest)


def judge(net: Net, games: int, threads: int) -> Iterator[dict[str, Any]]:
    """Measure a network at all kinds of tables against planners, and against itself."""
    with ThreadPoolExecutor(threads) as pool:
        for seats, options in dict.fromkeys(TABLES):
            yield _tell(pool, net, seats=seats, options=options, games=games, threads=threads)
        for denials in ((1.0, 0.0), (1.0, 1.0), (0.0, 0.0)):
            how = {"denials": denials, "other": SECOND_NET, "games": 2 * games}
            yield _tell(pool, net, **how, threads=threads)


def _tell(pool: ThreadPoolExecutor, net: Net, *, threads: int, **how: Any) -> dict[str, Any]:
    """Measure once, and say how."""
    share, spread, mine, rest = measure(pool, (net, net), threads=threads, **how)
    found = {
        **how,
        "share": round(share, 4),
        "spread": round(spread, 4),
        "points": round(mine, 2),
        "others": round(rest, 2),
    }
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()
    return found
