"""A pool of threads for self-play, and the seating of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pleasance.compiled.rng import make_rng_state
from pleasance.games.sakura.kernel.layout import MAX_SEATS
from pleasance.games.sakura.kernel.packing import pack_constants
from pleasance.games.sakura.rules.components import Box
from pleasance.games.sakura.training.dataset import RowBuffer, TrainingRows, make_row_buffer
from pleasance.games.sakura.training.layers import NetworkVersions
from pleasance.games.sakura.training.selfplay import (
    GREEDY,
    MAX_ROWS_PER_GAME,
    PLANNER,
    RANDOM,
    SelfPlayPolicy,
    make_selfplay_workspace,
    play_games,
)

Tables: TypeAlias = NDArray[np.int64]
"""One game a row: which box, how many seats, what kind of player sits on each."""

TABLE_KINDS = ((0, 2), (1, 2), (0, 3), (0, 4), (0, 5), (0, 6))
"""The tables of self-play: the box (1 is the tactical variant) and the number of seats."""

_TABLE_SHARES = (0.2, 0.12, 0.2, 0.18, 0.13, 0.17)
_OPPONENT_SHARES = {0: 0.4, GREEDY: 0.17, PLANNER: 0.08, RANDOM: 0.13}
"""The opponents of a network: networks, or one kind of others; the rest are mixed tables."""

_OLD_VERSION_SHARE = 0.35
"""The part of other networks that are older versions."""


class SelfPlayResult(NamedTuple):
    """The games of one thread."""

    rows: RowBuffer
    won: NDArray[np.float64]
    """The share of each seat in each game."""


class SelfPlayPool:
    """Threads for self-play, each with its own workspace and row buffer."""

    def __init__(self, boxes: Sequence[Box], threads: int, row_count: int) -> None:
        self._constants = np.stack([pack_constants(box) for box in boxes])
        self._workspaces = [make_selfplay_workspace() for _ in range(threads)]
        self._buffers = [make_row_buffer(row_count) for _ in range(threads)]
        self._executor = ThreadPoolExecutor(threads)

    def play(
        self, tables: Tables, versions: NetworkVersions, policy: SelfPlayPolicy, seed: str
    ) -> list[SelfPlayResult]:
        """Play games; return the training rows and the shares of victory, thread by thread."""

        def play_on_thread(number: int, tables: Tables) -> SelfPlayResult:
            rows = self._buffers[number]._replace(counts=np.zeros(2, dtype=np.int64))
            rng_state, won = make_rng_state(f"{seed}:{number}"), np.zeros((len(tables), MAX_SEATS))
            workspace = self._workspaces[number]
            played = play_games(
                self._constants, tables, versions, policy, rng_state, workspace, rows, won
            )
            return SelfPlayResult(rows, won[:played])

        parts = np.array_split(tables, len(self._workspaces))
        return list(self._executor.map(play_on_thread, range(len(parts)), parts))

    def play_against(
        self,
        table: tuple[int, int, int],
        games: int,
        versions: NetworkVersions,
        policy: SelfPlayPolicy,
    ) -> NDArray[np.float64]:
        """Measure what one newest network wins, game by game.

        The table is a box, a number of seats and the kind of player that all the others are.
        """
        box, seats, other = table
        tables = np.full((games, 2 + MAX_SEATS), other, dtype=np.int64)
        tables[:, 0], tables[:, 1] = box, seats
        own = np.arange(games) % seats
        tables[np.arange(games), 2 + own] = 0
        results = self.play(tables, versions, policy, "score")
        cuts = np.array_split(own, len(results))
        shares = [
            result.won[np.arange(len(result.won)), cut[: len(result.won)]]
            for result, cut in zip(results, cuts, strict=True)
        ]
        return np.concatenate(shares)


def join_rows(results: Sequence[SelfPlayResult], which: int) -> TrainingRows:
    """Join the rows of all threads: 0 for the value network, 1 for the policy network."""
    cut = [[each[: rows.counts[which]] for each in rows[which]] for rows, _ in results]
    return TrainingRows(*map(np.concatenate, zip(*cut, strict=True)))


def rows_per_thread(games: int, threads: int) -> int:
    """Estimate how many rows a thread needs for its part of some games."""
    return MAX_ROWS_PER_GAME + (games // threads + 1) * 160


def seat_players(rng: np.random.Generator, games: int, versions: int) -> Tables:
    """Seat players for some games: networks among themselves, or one among simpler ones."""
    opponents = np.array(list(_OPPONENT_SHARES))
    shares = np.array(list(_OPPONENT_SHARES.values()))
    shape = (games, MAX_SEATS)
    tables = np.zeros((games, 2 + MAX_SEATS), dtype=np.int64)
    tables[:, :2] = np.array(TABLE_KINDS)[rng.choice(len(TABLE_KINDS), games, p=_TABLE_SHARES)]
    drawn = rng.choice(len(opponents) + 1, games, p=[*shares, 1 - shares.sum()])
    kinds = tables[:, 2:]
    kinds[:] = opponents[np.minimum(drawn, len(opponents) - 1)][:, None]
    older = rng.integers(0, versions, shape) * (rng.random(shape) < _OLD_VERSION_SHARE)
    kinds[drawn == 0] = older[drawn == 0]
    mixed = rng.integers(RANDOM, versions, shape)
    kinds[drawn == len(opponents)] = mixed[drawn == len(opponents)]
    kinds[np.arange(games), rng.integers(0, tables[:, 1])] = 0
    return tables


def seat_baselines(rng: np.random.Generator, games: int) -> Tables:
    """Seat greedy and planning players only: untrained networks have nothing to teach."""
    tables = seat_players(rng, games, 1)
    kinds = tables[:, 2:]
    simple = rng.choice([GREEDY, PLANNER], kinds.shape)
    kinds[kinds >= 0] = simple[kinds >= 0]
    return tables


def seat_pairs(rng: np.random.Generator, games: int, frozen: int) -> Tables:
    """Seat the newest network against a *frozen* one, on either side of tables for two."""
    tables = np.zeros((games, 2 + MAX_SEATS), dtype=np.int64)
    tables[:, :2] = TABLE_KINDS[0]
    tables[:, 2:] = frozen
    tables[np.arange(games), 2 + rng.integers(0, 2, games)] = 0
    return tables
