"""Who meets whom in an arena: tables, rotations and duplicate matches."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import combinations, islice, permutations
from math import ceil, comb, gcd
from pathlib import Path
from typing import Any

from pleasance import __version__
from pleasance.compiled.jit import hash_sources
from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame, check_seats
from pleasance.games import find_game
from pleasance.players import with_budget
from pleasance.players.subprocess_player import find_entrant, find_weights

Table = tuple[int, ...]
"""Who sits where: for each seat the number of its player in `Plan.players`."""

_MOST_ORDERS = 24
"""Up to so many ways to sit around one table are all played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that decides what is played; the same plan gives the same matches."""

    game: str
    seats: int
    players: tuple[str, ...]
    """Their names as `find_entrant` reads them; the first is the one under test."""

    options: tuple[str, ...] = ()
    data: str | None = None
    """The text of another component file."""

    is_mixed: bool = False
    """Deal all players around the table; else the first has one seat and the others the rest."""

    seed: str = "1"

    @property
    def round_length(self) -> int:
        """Count the matches after which every kind of table has come up equally often."""
        if self.is_mixed:
            return _period(len(self.players), self.seats) * len(_list_orders(self._deal_all(0)))
        return _period(len(self._others), self.seats - 1)

    @property
    def names(self) -> tuple[str, ...]:
        """Name the players with the budgets they really have."""
        return tuple(map(with_budget, self.players))

    @property
    def _others(self) -> range:
        """Number the players who fill up the table; a single one plays against itself."""
        return range(1 if len(self.players) > 1 else 0, len(self.players))

    def table(self, match: int) -> Table:
        """Say who sits where in the first game of a match."""
        if self.is_mixed:
            count = len(_list_orders(self._deal_all(0)))  # the same for every deal
            return _list_orders(self._deal_all(match // count))[match % count]
        return (0, *_deal(self._others, self.seats - 1, match))

    def _deal_all(self, deal: int) -> Table:
        """Deal all players to a mixed table."""
        return _deal(range(len(self.players)), self.seats, deal)

    def tables(self, match: int) -> tuple[Table, ...]:
        """Say who sits where in each game of a match: everyone moves around the whole table."""
        first = self.table(match)
        return tuple(first[-turn:] + first[:-turn] for turn in range(self.seats))

    def count_matches(self, games: int) -> int:
        """Count the matches that hold at least so many games, in whole rounds."""
        length = self.round_length
        return ceil(games / (self.seats * length)) * length

    def open(self) -> AnyGame:
        """Fit the game with its options and components."""
        return find_game(self.game).configure(self.options, self.data)


def check_plan(plan: Plan) -> AnyGame:
    """Refuse a plan that cannot be played; give the game it is about."""
    game = plan.open()
    check_seats(game, plan.seats)
    if not plan.players:
        raise BadSetupError("arena_nobody")
    for name in plan.names:
        if plan.names.count(name) > 1:
            raise BadSetupError("arena_twice", player=name)
        find_entrant(name, game)
    return game


def describe_plan(plan: Plan) -> dict[str, Any]:
    """Tell a program what is played; two plans that differ in anything are told differently."""
    game = plan.open()
    return {
        "arena": 1,
        "version": f"{__version__}+{hash_sources()}",
        "game": game.spec.name,
        "rules": game.spec.rules_version,
        "options": list(game.options),
        "data": game.data.sha256,
        "seats": plan.seats,
        "players": list(plan.names),
        "weights": _sum_weights(plan, game.spec.package),
        "format": "mixed" if plan.is_mixed else "one",
        "seed": plan.seed,
    }


def _sum_weights(plan: Plan, package: str) -> str:
    """Sum up all networks that may play: those that ship, and those that players name."""
    shipped = Path(str(files(package) / "weights"))
    paths = [*sorted(shipped.glob("*.npz"))]
    paths += [path for name in plan.players for path in find_weights(name)]
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _period(players: int, places: int) -> int:
    """Count the deals after which `_deal` has treated all players alike."""
    if players > places:
        return comb(players, places)
    return players // gcd(players, places)


def _deal(players: Sequence[int], places: int, match: int) -> Table:
    """Fill *places* with players in turn, or with each choice of them where there are too many.

    >>> [_deal(range(2), 3, match) for match in range(2)]
    [(0, 1, 0), (1, 0, 1)]
    >>> [_deal(range(3), 2, match) for match in range(3)]
    [(0, 1), (0, 2), (1, 2)]
    """
    if len(players) > places:
        choice = match % comb(len(players), places)
        return next(islice(combinations(players, places), choice, None))
    first = match * places
    return tuple(players[(first + place) % len(players)] for place in range(places))


@lru_cache
def _list_orders(dealt: Table) -> tuple[Table, ...]:
    """List the orders in which those who were dealt can sit around a table, the given one first.

    Orders that differ by a rotation are one, since a match plays them all. Where there are too many
    only the mirror image joins the first.

    >>> _list_orders((0, 1, 0, 1))
    ((0, 1, 0, 1), (0, 0, 1, 1))
    """
    orders = {_rotate_first(order) for order in permutations(dealt)}
    if len(orders) > _MOST_ORDERS:
        orders = {_rotate_first(dealt[::-1])}
    return (dealt, *sorted(orders - {_rotate_first(dealt)}))


def _rotate_first(order: Table) -> Table:
    """Give the rotation of an order that comes first."""
    return min(order[turn:] + order[:turn] for turn in range(len(order)))
