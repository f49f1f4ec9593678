"""Self-play on many threads, at all kinds of tables."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from pleasance.games.sanssouci.bots.network.accumulator import POINTS_PER_UNIT, Net
from pleasance.games.sanssouci.kernel.packing import house_constants
from pleasance.games.sanssouci.training.measure import TABLES
from pleasance.games.sanssouci.training.selfplay import (
    SelfPlayWorkspace,
    make_selfplay_workspace,
    play_games,
)

Job = tuple[int, tuple[str, ...], int, str]
"""Seats, options, number of games, and seed."""


@dataclass(slots=True)
class SelfPlayPool:
    """The self-play games of each iteration, played on all threads."""

    executor: ThreadPoolExecutor
    seed: int
    games: int
    """Games of one iteration."""

    threads: int
    denial_weight: float
    td_lambda: float
    epsilon_permille: int
    iteration: int = 0

    def play(self, net: Net) -> tuple[Any, Any, float]:
        """Play an iteration: features `[row, slot]`, targets, mean points of two."""
        size = max(1, min(32, self.games // (len(TABLES) * self.threads)))
        chunks = max(1, self.games // (len(TABLES) * size))
        self.iteration += 1
        seed = f"{self.seed}:{self.iteration}"
        jobs = [
            (seats, options, size, f"{seed}:{chunk}:{seats}:{options}:{table}")
            for chunk in range(chunks)
            for table, (seats, options) in enumerate(TABLES)
        ]
        found = list(self.executor.map(lambda job: self._play_chunk(net, job), jobs))
        rows = [selfplay.rows for selfplay in found]
        counts = [int(selfplay.count[0]) for selfplay in found]
        features = [one.features[:count] for one, count in zip(rows, counts, strict=True)]
        targets = [one.targets[:count] for one, count in zip(rows, counts, strict=True)]
        plain = [one.points for one, job in zip(rows, jobs, strict=True) if job[:2] == (2, ())]
        points = np.sum(plain, axis=0)
        scaled = np.concatenate(targets) / np.float32(POINTS_PER_UNIT)
        return np.concatenate(features), scaled, float(points[0] / points[1])

    def _play_chunk(self, net: Net, job: Job) -> SelfPlayWorkspace:
        seats, options, games, seed = job
        selfplay = make_selfplay_workspace(net, house_constants(options), games, seed)
        settings = self.denial_weight, self.td_lambda, self.epsilon_permille
        play_games(seats, selfplay, games, *settings)
        return selfplay
