"""Tables for tests: a stopped clock, and random choices."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeAlias

from conformance import Configuration, make_fair, play_game
from pleasance.table.entries import Entry
from pleasance.table.opening_tokens import cut_opening
from pleasance.table.table import Table

AnyTable: TypeAlias = Table[Any, Any, Any, Any]


def stopped_clock() -> float:
    return 0.0


def start_table(
    config: Configuration,
    seed: int = 1,
    log: tuple[Entry, ...] = (),
    opening: Sequence[str] = (),
) -> AnyTable:
    fair = make_fair(config.seats, seed)
    return Table(config.game, fair, opening=opening, log=log, clock=stopped_clock)


def random_opening(config: Configuration, seed: int, part: float) -> tuple[str, ...]:
    """Cut the first *part* (0 to 1) off another game, short of its end."""
    played = play_game(config, seed + 1000)
    steps = int(part * (len(played.steps) - 1))
    return cut_opening(config.game, played.record, steps) if steps else ()


def choose_at_random(table: AnyTable, rng: Random) -> tuple[Entry, ...]:
    seat = rng.choice(table.waiting)
    return table.choose(seat, rng.choice(table.view(seat).legal), table.ply)


def play_to_end(table: AnyTable, rng: Random) -> AnyTable:
    while not table.is_over:
        choose_at_random(table, rng)
    return table
