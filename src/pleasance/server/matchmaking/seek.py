"""What somebody waits for in the queue, and what comes of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from pleasance.core.game import check_options, check_seats
from pleasance.games import find_game
from pleasance.server.base.messages import Clock


class Wish(NamedTuple):
    """What somebody wants to play; only equal wishes come together."""

    game: str
    seats: int
    options: str
    """JSON of the options, in the order of the game."""

    clock: str | None
    """JSON of the clock."""


def make_wish(game: str, seats: int, options: tuple[str, ...], clock: Clock | None) -> Wish:
    """Put a wish into the form that equal ones share; refuse what cannot be played."""
    found = find_game(game)
    fitted = found.configure(check_options(found.spec, options), None)
    check_seats(fitted, seats)
    # 30 and 30.0 seconds are the same wish.
    exact = None if clock is None else Clock(float(clock.move), float(clock.bank))
    shown = None if exact is None else msgspec.json.encode(exact).decode()
    return Wish(game, seats, msgspec.json.encode(fitted.options).decode(), shown)


class MatchSeat(Struct, frozen=True):
    """Who shall sit on one seat: a player or a bot."""

    player: str | None = None
    name: str | None = None
    nonce: str | None = None
    """What the player adds to the draws; a bot adds nothing."""

    bot: str | None = None


class MatchRequest(Struct, frozen=True):
    """A table to be opened for those who were brought together."""

    table: str
    """The id that the table gets; if it is there already, all is well."""

    game: str
    options: tuple[str, ...]
    clock: Clock | None
    secret: str
    """The secret of the draws in hexadecimal digits, promised before anybody gave a nonce."""

    places: tuple[MatchSeat, ...]
    """Who sits where, drawn by lot."""

    @property
    def players(self) -> tuple[str, ...]:
        """Name the people among those who sit."""
        return tuple(place.player for place in self.places if place.player is not None)


class Match(NamedTuple):
    """A table that the queue has opened."""

    table: str
    players: tuple[str, ...]
    has_bot: bool


MakeTable: TypeAlias = Callable[[MatchRequest], Awaitable[str]]
"""Opens a rated table, seats everybody and starts the game; gives its id.

Called again with the same request it changes nothing, since a server may die on the way.
"""
