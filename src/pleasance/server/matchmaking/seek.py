"""Seeks and matches: what a player wants to play, and the table that is opened for a pairing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from pleasance.core.game import check_options, check_seats
from pleasance.games import find_game
from pleasance.server.base.messages import Clock


class Seek(NamedTuple):
    """The kind of game a player seeks; only equal seeks are paired."""

    game: str
    seats: int
    options: str
    """JSON of the options, in the order of the game."""

    clock: str | None
    """JSON of the clock."""


def make_seek(game: str, seats: int, options: tuple[str, ...], clock: Clock | None) -> Seek:
    """Normalize a seek, so that equal ones compare equal; refuse what cannot be played."""
    found = find_game(game)
    configured = found.configure(check_options(found.spec, options), None)
    check_seats(configured, seats)
    # 30 and 30.0 seconds are the same seek.
    exact = None if clock is None else Clock(float(clock.move), float(clock.bank))
    clock_json = None if exact is None else msgspec.json.encode(exact).decode()
    return Seek(game, seats, msgspec.json.encode(configured.options).decode(), clock_json)


class MatchSeat(Struct, frozen=True):
    """The player or bot of one seat."""

    player: str | None = None
    name: str | None = None
    nonce: str | None = None
    """The player's contribution to the draws; a bot has none."""

    bot: str | None = None


class MatchRequest(Struct, frozen=True):
    """A request to open the table of a pairing."""

    table: str
    """The id of the table, which is also the idempotency key: a table is opened once."""

    game: str
    options: tuple[str, ...]
    clock: Clock | None
    secret: str
    """The secret of the draws in hexadecimal digits, committed to before any nonce was given."""

    places: tuple[MatchSeat, ...]
    """The seats, drawn by lot."""

    @property
    def players(self) -> tuple[str, ...]:
        """The ids of the people at the table."""
        return tuple(place.player for place in self.places if place.player is not None)


class Match(NamedTuple):
    """A table that was opened."""

    table: str
    players: tuple[str, ...]
    has_bot: bool


TableOpener: TypeAlias = Callable[[MatchRequest], Awaitable[str]]
"""Opens a rated table, seats everybody and starts the game; returns its id.

Calling it again with the same request changes nothing, since a server may die on the way.
"""
