"""Records from clients: parsed, matched with their game, and replayed."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

from msgspec import Meta

from pleasance.core.errors import BadRecordError
from pleasance.core.game import AnyGame, Seat
from pleasance.core.record import Record, Token, parse_record
from pleasance.core.replay import Replay, replay
from pleasance.core.tags import check_tags, fit_game
from pleasance.games import find_game
from pleasance.server.base.errors import BadRequestError

RecordText: TypeAlias = Annotated[str, Meta(max_length=200_000)]
BoxText: TypeAlias = Annotated[str, Meta(max_length=100_000)]
StepNumber: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
SeatIndex: TypeAlias = Annotated[int, Meta(ge=0, le=5)]


class Drawn(NamedTuple):
    """One draw of a record, with all possible outcomes."""

    token: str
    chances: tuple[tuple[Any, int], ...]


class Played(NamedTuple):
    """A replayed record."""

    game: AnyGame
    record: Record
    seats: int
    replayed: Replay[Any, Any, Any]
    draws: tuple[Drawn, ...]

    def seat(self, number: int | None) -> Seat | None:
        """Return the seat to look from; refuse one that the game does not have."""
        if number is not None and number >= self.seats:
            raise BadRequestError("seat_unknown", seat=number + 1, seats=self.seats)
        return None if number is None else Seat(number)


def play_again(text: str, data: str | None) -> Played:
    """Replay a full record from a client: a bad one is a bad request.

    *data* is its component file, if it has one.
    """
    try:
        return _replay(parse_record(text), data)
    except BadRecordError as refusal:
        raise BadRequestError(refusal.code, **refusal.params) from refusal


def _replay(record: Record, data: str | None) -> Played:
    game = fit_game(find_game(record.tags["Game"]), record, data)
    draws: list[Drawn] = []

    def check_draw(state: Any, _outcome: Any, token: Token) -> None:
        draws.append(Drawn(token.text, tuple(game.chances(state))))

    replayed = replay(game, record, is_partial=True, on_draw=check_draw)
    return Played(game, record, check_tags(game, record), replayed, tuple(draws))
