"""The ending of a game in words: winners, tie-break, and the parts of each score."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from pleasance.core.errors import IllegalActionError
from pleasance.core.game import AnyGame
from pleasance.i18n.catalog import MessageCatalog
from pleasance.server.page.player_names import name_people
from pleasance.server.page.score_sheet import Part, score_sheet
from pleasance.table.room import Room


class Result(Struct, frozen=True):
    """The result of one seat."""

    seat: int
    name: str
    points: int
    is_winner: bool


class Ending(Struct, frozen=True):
    """The ending of a game, the best seat first."""

    text: str
    results: tuple[Result, ...]
    parts: tuple[Part, ...] = ()
    """The parts of the scores, with a share for each seat; none after a resignation."""


def describe_ending(
    room: Room, words: MessageCatalog, of_game: MessageCatalog, player: str | None = None
) -> Ending:
    """Describe the ending of a room's game; a *player* who won alone is addressed."""
    table = room.table
    if table is None or room.ending is None:
        raise IllegalActionError("not_over")
    people = name_people(room.places, words)
    if room.ending == "finished":
        ending = describe_result(room.game, table.final_state(), people, (words, of_game))
        winners = [result.seat for result in ending.results if result.is_winner]
        if len(winners) > 1 or winners != list(room.seats_of(player)):
            return ending
        by = of_game(f"decided.{room.game.decided_by(table.final_state())}")
        return structs.replace(ending, text=words("page.ending.you", by=by))
    results = [
        Result(n, people[n], points, not place.has_resigned)
        for n, (place, points) in enumerate(zip(room.places, table.scores, strict=True))
    ]
    names = ", ".join(people[result.seat] for result in results if not result.is_winner)
    return Ending(words("page.ending.resigned", names=names), tuple(sorted(results, key=_rank)))


def describe_result(
    game: AnyGame,
    state: object,
    people: Sequence[str],
    catalogs: tuple[MessageCatalog, MessageCatalog],
) -> Ending:
    """Describe the ending of a finished game."""
    words, of_game = catalogs
    winners = game.winners(state)
    results = [
        Result(seat, people[seat], points, seat in winners)
        for seat, points in enumerate(game.scores(state))
    ]
    text = words(
        "page.ending.finished",
        names=", ".join(people[seat] for seat in winners),
        count=len(winners),
        by=of_game(f"decided.{game.decided_by(state)}"),
    )
    return Ending(text, tuple(sorted(results, key=_rank)), score_sheet(game, state, of_game))


def _rank(result: Result) -> tuple[bool, int, int]:
    return not result.is_winner, -result.points, result.seat
