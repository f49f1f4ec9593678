"""Records that somebody brings along: read, fitted with their game, and played again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar

from msgspec import Meta

from pleasance.core.errors import BadRecordError
from pleasance.core.game import AnyGame, Seat
from pleasance.core.record import Record, Token, parse_record
from pleasance.core.replay import Replay, replay
from pleasance.core.tags import check_tags, fit_game
from pleasance.games import find_game
from pleasance.server.base.errors import BadRequestError

T = TypeVar("T")

RecordText: TypeAlias = Annotated[str, Meta(max_length=200_000)]
BoxText: TypeAlias = Annotated[str, Meta(max_length=100_000)]
StepNumber: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
SeatIndex: TypeAlias = Annotated[int, Meta(ge=0, le=5)]


class Drawn(NamedTuple):
    """One draw of a record, with all that could have come."""

    token: str
    chances: tuple[tuple[Any, int], ...]


class Played(NamedTuple):
    """A record that was played again."""

    game: AnyGame
    record: Record
    seats: int
    course: Replay[Any, Any, Any]
    draws: tuple[Drawn, ...]

    def seat(self, number: int | None) -> Seat | None:
        """Name the seat to look from; refuse one that the game did not have."""
        if number is not None and number >= self.seats:
            raise BadRequestError("seat_unknown", seat=number + 1, seats=self.seats)
        return None if number is None else Seat(number)


def play_again(text: str, data: str | None) -> Played:
    """Play a full record again as far as it goes, with the component file *data* if it has one."""
    record = parse_record(text)
    game = fit_game(find_game(record.tags["Game"]), record, data)
    draws: list[Drawn] = []

    def witness(state: Any, _outcome: Any, token: Token) -> None:
        draws.append(Drawn(token.text, tuple(game.chances(state))))

    course = replay(game, record, is_partial=True, witness=witness)
    return Played(game, record, check_tags(game, record), course, tuple(draws))


def refusing(work: Callable[[], T]) -> T:
    """Do *work* on somebody's own text; what is wrong with it is no fault of ours."""
    try:
        return work()
    except BadRecordError as refusal:
        raise BadRequestError(refusal.code, **refusal.params) from refusal
