"""The arena's plan: seatings, rotations and duplicate matches."""

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
from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame, check_seats
from pleasance.games import find_game
from pleasance.players.registry import with_budget
from pleasance.players.subprocess_player import resolve_player, weight_files

Seating = tuple[int, ...]
"""For each seat the number of its player in `Plan.players`."""

_MAX_SEATINGS = 24
"""The largest number of seatings of one table that are all played."""

_HASHED_FOLDERS = ("compiled", "core", "games", "players")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The settings of an arena; the same plan gives the same matches."""

    game: str
    seats: int
    players: tuple[str, ...]
    """Their names as `resolve_player` reads them; the first is the one under test."""

    options: tuple[str, ...] = ()
    data: str | None = None
    """The text of another component file."""

    is_mixed: bool = False
    """Whether all players rotate; else the first has one seat and the others fill the rest."""

    seed: str = "1"

    @property
    def round_length(self) -> int:
        """Count the matches after which each seating has come up equally often."""
        if self.is_mixed:
            return _period(len(self.players), self.seats) * len(_list_orders(self._deal_all(0)))
        return _period(len(self._others), self.seats - 1)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names with their default budgets filled in."""
        return tuple(map(with_budget, self.players))

    @property
    def _others(self) -> range:
        """The numbers of the players who fill the table; a single one plays against itself."""
        return range(1 if len(self.players) > 1 else 0, len(self.players))

    def table(self, match: int) -> Seating:
        """Return the seating of the first game of a match."""
        if self.is_mixed:
            count = len(_list_orders(self._deal_all(0)))  # the same for every deal
            return _list_orders(self._deal_all(match // count))[match % count]
        return (0, *_deal(self._others, self.seats - 1, match))

    def _deal_all(self, deal: int) -> Seating:
        """Return a seating of all players for a mixed table."""
        return _deal(range(len(self.players)), self.seats, deal)

    def tables(self, match: int) -> tuple[Seating, ...]:
        """Return the seating of each game of a match: all rotations."""
        first = self.table(match)
        return tuple(first[-turn:] + first[:-turn] for turn in range(self.seats))

    def count_matches(self, games: int) -> int:
        """Count the matches that contain at least *games* games, in whole rounds."""
        length = self.round_length
        return ceil(games / (self.seats * length)) * length

    def open(self) -> AnyGame:
        """Configure the game with its options and components."""
        return find_game(self.game).configure(self.options, self.data)


def check_plan(plan: Plan) -> AnyGame:
    """Refuse a plan that cannot be played; return its game."""
    game = plan.open()
    check_seats(game, plan.seats)
    if not plan.players:
        raise BadSetupError("arena_nobody")
    for name in plan.names:
        if plan.names.count(name) > 1:
            raise BadSetupError("arena_twice", player=name)
        resolve_player(name, game)
    return game


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """Convert a plan to JSON; plans that differ in anything differ in it."""
    game = plan.open()
    return {
        "arena": 1,
        "version": f"{__version__}+{_hash_sources()}",
        "game": game.spec.name,
        "rules": game.spec.rules_version,
        "options": list(game.options),
        "data": game.data.sha256,
        "seats": plan.seats,
        "players": list(plan.names),
        "weights": _hash_weights(plan, game.spec.package),
        "format": "mixed" if plan.is_mixed else "one",
        "seed": plan.seed,
    }


def _hash_sources() -> str:
    """Hash all sources that determine how a game is played."""
    package, digest = Path(str(files("pleasance"))), hashlib.sha256()
    for part in _HASHED_FOLDERS:
        folder = package / part
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
            if "tests" not in path.relative_to(folder).parts:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _hash_weights(plan: Plan, package: str) -> str:
    """Hash all networks that may play: those that ship, and those that players name."""
    shipped = Path(str(files(package) / "weights"))
    paths = [*sorted(shipped.glob("*.npz"))]
    paths += [path for name in plan.players for path in weight_files(name)]
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _period(players: int, places: int) -> int:
    """Count the deals after which `_deal` has treated all players alike."""
    if players > places:
        return comb(players, places)
    return players // gcd(players, places)


def _deal(players: Sequence[int], places: int, match: int) -> Seating:
    """Fill *places* with players in turn, or with each combination where there are too many.

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
def _list_orders(dealt: Seating) -> tuple[Seating, ...]:
    """List the orders of the dealt players around a table, the given one first.

    Orders that differ by a rotation count as one, since a match plays them all. Where there are too
    many, only the mirror image joins the first.

    >>> _list_orders((0, 1, 0, 1))
    ((0, 1, 0, 1), (0, 0, 1, 1))
    """
    orders = {_canonical_rotation(order) for order in permutations(dealt)}
    if len(orders) > _MAX_SEATINGS:
        orders = {_canonical_rotation(dealt[::-1])}
    return (dealt, *sorted(orders - {_canonical_rotation(dealt)}))


def _canonical_rotation(order: Seating) -> Seating:
    """Return the smallest rotation of an order."""
    return min(order[turn:] + order[:turn] for turn in range(len(order)))
