"""The end of a game in words: who has won, by what, and what each score is made of."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from pleasance.core.errors import IllegalActionError
from pleasance.core.game import AnyGame
from pleasance.i18n.catalog import Words
from pleasance.server.page.player_names import name_people
from pleasance.server.page.score_sheet import Part, tally
from pleasance.table.room import Room


class Result(Struct, frozen=True):
    """How one seat has fared."""

    seat: int
    name: str
    points: int
    is_winner: bool


class Ending(Struct, frozen=True):
    """How a game has ended, the best first."""

    text: str
    results: tuple[Result, ...]
    parts: tuple[Part, ...] = ()
    """What the scores are made of, with a share for each seat; nothing after a resignation."""


def tell_ending(room: Room, words: Words, of_game: Words, player: str | None = None) -> Ending:
    """Tell how the game of a room has ended; a *player* who has won alone is told so."""
    table = room.table
    if table is None or room.ending is None:
        raise IllegalActionError("not_over")
    people = name_people(room.places, words)
    if room.ending == "finished":
        told = conclude(room.game, table.final_state(), people, (words, of_game))
        winners = [result.seat for result in told.results if result.is_winner]
        if len(winners) > 1 or winners != list(room.seats_of(player)):
            return told
        by = of_game(f"decided.{room.game.decided_by(table.final_state())}")
        return structs.replace(told, text=words("page.ending.you", by=by))
    results = [
        Result(n, people[n], points, not place.has_resigned)
        for n, (place, points) in enumerate(zip(room.places, table.scores, strict=True))
    ]
    names = ", ".join(people[result.seat] for result in results if not result.is_winner)
    return Ending(words("page.ending.resigned", names=names), tuple(sorted(results, key=_rank)))


def conclude(
    game: AnyGame, state: object, people: Sequence[str], speech: tuple[Words, Words]
) -> Ending:
    """Tell how a game that was played to the end came out, in words of the server and the game."""
    words, of_game = speech
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
    return Ending(text, tuple(sorted(results, key=_rank)), tally(game, state, of_game))


def _rank(result: Result) -> tuple[bool, int, int]:
    return not result.is_winner, -result.points, result.seat
