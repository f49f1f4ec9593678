"""How strong the networks of Sakura are: one of them at tables of other players."""

from __future__ import annotations

from typing import TypeAlias

from pleasance.games.sakura.kernel_league import GREEDY, PLANNER, RANDOM, Manner
from pleasance.learn.sakura_play import MIX, Crew, Hall

Wins: TypeAlias = dict[str, list[float]]
"""For each table the mean share of victory and its standard error."""

_OTHERS = {"greedy": GREEDY, "planner": PLANNER, "random": RANDOM}


def measure(hall: Hall, crew: Crew, games: int, *, worlds: int, frozen: int | None = None) -> Wins:
    """Measure what the newest network wins at tables of simpler players, or against a frozen one.

    It looks at so many worlds and always takes what promises most. A table is named by who the
    others are and the number of seats, with a `t` for the tactical variant.
    """
    tables = [(name, kind, box, seats) for name, kind in _OTHERS.items() for box, seats in MIX]
    if frozen is not None:
        tables = [("frozen", frozen, *MIX[0])]
    manner = Manner(worlds, 0.0, 0.0, 1.0)
    wins: Wins = {}
    for name, kind, box, seats in tables:
        won = hall.score((box, seats, kind), games, crew, manner)
        error = float(won.std()) / max(1, len(won)) ** 0.5
        wins[f"{name} {seats}{'t' * box}"] = [round(float(won.mean()), 4), round(error, 4)]
    return wins
