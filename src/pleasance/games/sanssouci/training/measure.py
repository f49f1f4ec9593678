"""Measurements of the value network in compiled games, against planners and against itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from pleasance.compiled.rng import make_rng_state
from pleasance.games.sanssouci.bots.network.accumulator import Net
from pleasance.games.sanssouci.bots.network.workspace import make_net_workspace
from pleasance.games.sanssouci.bots.planner.rollout import make_workspace
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.packing import house_constants
from pleasance.games.sanssouci.training.selfplay import (
    FIRST_NET,
    PLANNER,
    SECOND_NET,
    Rivals,
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
"""The tables of one iteration of self-play, in equal parts."""


def measure(
    pool: ThreadPoolExecutor,
    nets: tuple[Net, Net],
    *,
    seats: int = 2,
    options: tuple[str, ...] = (),
    other: int = PLANNER,
    games: int = 1000,
    denial_weights: tuple[float, float] = (1.0, 1.0),
    seed: str = "measure",
    threads: int = 1,
) -> tuple[float, float, float, float]:
    """Measure win share, half its 95 % interval, and the mean points of the first and the rest."""

    def play_some(part: int) -> list[tuple[float, float, float]]:
        constants, won, found = house_constants(options), np.zeros(4), []
        workspaces = Rivals(*(make_net_workspace(net, constants) for net in nets))
        planner, weights = make_workspace(), np.array(denial_weights)
        state, points = np.zeros(at.SIZE, dtype=np.int64), np.zeros(4, dtype=np.int64)
        for game in range(part, games, threads):
            players, seat = np.full(seats, other, dtype=np.int64), game % seats
            players[seat] = FIRST_NET
            rng = make_rng_state(f"{seed}:{game // seats}")
            play_match(players, workspaces, planner, weights, rng, state, points, won)
            rest = (float(points[:seats].sum()) - float(points[seat])) / (seats - 1)
            found.append((float(won[seat]), float(points[seat]), rest))
        return found

    rows = np.array([row for part in pool.map(play_some, range(threads)) for row in part])
    share, mine, rest = rows.mean(axis=0)
    return float(share), float(1.96 * rows[:, 0].std() / len(rows) ** 0.5), float(mine), float(rest)


def measure_all(net: Net, games: int, threads: int) -> Iterator[dict[str, Any]]:
    """Measure a network at all kinds of tables, against planners and against itself."""
    with ThreadPoolExecutor(threads) as pool:
        for seats, options in dict.fromkeys(TABLES):
            yield _measure_table(
                pool, net, seats=seats, options=options, games=games, threads=threads
            )
        for denial_weights in ((1.0, 0.0), (1.0, 1.0), (0.0, 0.0)):
            how = {"denial_weights": denial_weights, "other": SECOND_NET, "games": 2 * games}
            yield _measure_table(pool, net, **how, threads=threads)


def _measure_table(
    pool: ThreadPoolExecutor, net: Net, *, threads: int, **how: Any
) -> dict[str, Any]:
    """Measure once, and print the result with its settings."""
    found = {**how, **summarize(measure(pool, (net, net), threads=threads, **how))}
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()
    return found


def summarize(result: tuple[float, float, float, float]) -> dict[str, float]:
    """Name and round the numbers of a measurement."""
    names = ("share", 4), ("spread", 4), ("points", 2), ("others", 2)
    return {name: round(n, digits) for (name, digits), n in zip(names, result, strict=True)}
