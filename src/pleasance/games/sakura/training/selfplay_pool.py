"""Games among the networks of Sakura and simpler players, on as many threads as there are."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pleasance.compiled.rng import make_luck
from pleasance.games.sakura.bots.network.storage import Numbers
from pleasance.games.sakura.kernel.layout import MOST_SEATS
from pleasance.games.sakura.kernel.packing import pack_box
from pleasance.games.sakura.rules.components import Box
from pleasance.games.sakura.training.dataset import Rows, make_rows
from pleasance.games.sakura.training.selfplay import (
    GREEDY,
    LONGEST,
    PLANNER,
    RANDOM,
    Club,
    Manner,
    make_club,
    play_games,
)

Tables: TypeAlias = NDArray[np.int64]
"""One game a row: which box, how many seats, what kind of player sits on each."""

MIX = ((0, 2), (1, 2), (0, 3), (0, 4), (0, 5), (0, 6))
"""Which tables are trained for: the box (1 is the tactical variant) and the number of seats."""

_MIX_SHARES = (0.2, 0.12, 0.2, 0.18, 0.13, 0.17)
_COMPANY = {0: 0.4, GREEDY: 0.17, PLANNER: 0.08, RANDOM: 0.13}
"""Who sits with a network: first networks, or one kind of others; the rest are mixed tables."""

_OLD = 0.35
"""How often another network is an older version."""


@dataclass(frozen=True, slots=True)
class Crew:
    """The versions of both networks that play, the newest first."""

    values: Numbers
    policies: Numbers


@dataclass(frozen=True, slots=True)
class Part:
    """What one thread has played."""

    ends: Rows
    choices: Rows
    counts: NDArray[np.int64]
    """How many rows of each there are."""

    won: NDArray[np.float64]
    """The share of each seat in each game."""


class Hall:
    """Threads with room to play, made once."""

    def __init__(self, boxes: Sequence[Box], threads: int, rows: int) -> None:
        self._boxes = np.stack([pack_box(box) for box in boxes])
        self._clubs: list[tuple[Club, Rows, Rows]] = [
            (make_club(), make_rows(rows), make_rows(rows)) for _ in range(threads)
        ]
        self._pool = ThreadPoolExecutor(threads)

    def play(self, tables: Tables, crew: Crew, manner: Manner, seed: str) -> list[Part]:
        """Play games; tell thread by thread what there is to learn and who won what."""

        def play_part(number: int, tables: Tables) -> Part:
            club, ends, choices = self._clubs[number]
            counts, won = np.zeros(2, dtype=np.int64), np.zeros((len(tables), 8))
            played = play_games(
                self._boxes,
                tables,
                crew.values,
                crew.policies,
                manner,
                make_luck(f"{seed}:{number}"),
                club,
                ends,
                choices,
                counts,
                won,
            )
            return Part(ends, choices, counts, won[:played])

        parts = np.array_split(tables, len(self._clubs))
        return list(self._pool.map(play_part, range(len(parts)), parts))

    def score(
        self, table: tuple[int, int, int], games: int, crew: Crew, manner: Manner
    ) -> NDArray[np.float64]:
        """Tell what one newest network wins, game by game.

        The table is a box, a number of seats and the kind of player that all the others are.
        """
        box, seats, other = table
        tables = np.full((games, 2 + MOST_SEATS), other, dtype=np.int64)
        tables[:, 0], tables[:, 1] = box, seats
        own = np.arange(games) % seats
        tables[np.arange(games), 2 + own] = 0
        parts = self.play(tables, crew, manner, "score")
        cuts = np.array_split(own, len(parts))
        shares = [
            part.won[np.arange(len(part.won)), cut[: len(part.won)]]
            for part, cut in zip(parts, cuts, strict=True)
        ]
        return np.concatenate(shares)


def rows_for(games: int, threads: int) -> int:
    """Tell how many rows a thread needs for its part of some games."""
    return LONGEST + (games // threads + 1) * 160


def seat_players(rng: np.random.Generator, games: int, versions: int) -> Tables:
    """Seat players for some games: networks among themselves, or one among simpler ones."""
    company = np.array(list(_COMPANY))
    shares = np.array(list(_COMPANY.values()))
    shape = (games, MOST_SEATS)
    tables = np.zeros((games, 2 + MOST_SEATS), dtype=np.int64)
    tables[:, :2] = np.array(MIX)[rng.choice(len(MIX), games, p=_MIX_SHARES)]
    drawn = rng.choice(len(company) + 1, games, p=[*shares, 1 - shares.sum()])
    kinds = tables[:, 2:]
    kinds[:] = company[np.minimum(drawn, len(company) - 1)][:, None]
    older = rng.integers(0, versions, shape) * (rng.random(shape) < _OLD)
    kinds[drawn == 0] = older[drawn == 0]
    mixed = rng.integers(RANDOM, versions, shape)
    kinds[drawn == len(company)] = mixed[drawn == len(company)]
    kinds[np.arange(games), rng.integers(0, tables[:, 1])] = 0
    return tables


def seat_simple(rng: np.random.Generator, games: int) -> Tables:
    """Seat nobody but greedy and planning players: networks that know nothing teach nothing."""
    tables = seat_players(rng, games, 1)
    kinds = tables[:, 2:]
    simple = rng.choice([GREEDY, PLANNER], kinds.shape)
    kinds[kinds >= 0] = simple[kinds >= 0]
    return tables


def seat_pairs(rng: np.random.Generator, games: int, frozen: int) -> Tables:
    """Seat the newest network against a *frozen* one, on either side of tables for two."""
    tables = np.zeros((games, 2 + MOST_SEATS), dtype=np.int64)
    tables[:, :2] = MIX[0]
    tables[:, 2:] = frozen
    tables[np.arange(games), 2 + rng.integers(0, 2, games)] = 0
    return tables
