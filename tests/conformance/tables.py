"""Tables for the tests: a clock that stands still, and random choices."""

from random import Random
from typing import Any, TypeAlias

from conformance import Configuration, make_fair
from pleasance.table.entries import Entry
from pleasance.table.table import Table

AnyTable: TypeAlias = Table[Any, Any, Any, Any]


def frozen() -> float:
    return 0.0


def sit_down(config: Configuration, seed: int = 1, log: tuple[Entry, ...] = ()) -> AnyTable:
    return Table(config.game, make_fair(config.seats, seed), log=log, clock=frozen)


def choose_at_random(table: AnyTable, rng: Random) -> tuple[Entry, ...]:
    seat = rng.choice(table.waiting)
    return table.choose(seat, rng.choice(table.view(seat).legal), table.ply)


def play_on(table: AnyTable, rng: Random) -> AnyTable:
    while not table.is_over:
        choose_at_random(table, rng)
    return table
