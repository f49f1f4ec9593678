"""Whole games as text: making, replaying, verifying and counting them."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pleasance.core.errors import BadSetupError
from pleasance.core.fair import Fair, secret_from_seed
from pleasance.core.game import AnyGame, Seat, check_seats
from pleasance.core.perft import perft
from pleasance.core.playout import play_out, rng_from_seed
from pleasance.core.record import HIDDEN, Record, parse_record, parse_records
from pleasance.core.replay import Replay, replay
from pleasance.core.tags import at_line, check_tags, fit_game
from pleasance.core.verify import Verdict, verify
from pleasance.games import find_game
from pleasance.i18n.catalog import Words, tell_apart
from pleasance.players.subprocess_player import find_entrant
from pleasance.terminal.output import complaining, read_text, speak
from pleasance.terminal.saves import HUMAN


class Source(NamedTuple):
    """The text of a component file, and the file it came from."""

    file: str
    text: str


def read_data(file: Path | None) -> Source | None:
    """Read a component file once, so that what is checked is what is played with."""
    return None if file is None else Source(str(file), read_text(str(file)))


def open_game(name: str, options: Sequence[str], data: Source | None) -> AnyGame:
    """Find a game and fit it with *options* and a component file."""
    game = find_game(name)
    with complaining(game=game, file=None if data is None else data.file):
        return game.configure(tuple(options), None if data is None else data.text)


def fill_seats(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """Give each seat its player; one name fills all seats.

    >>> fill_seats(["greedy"], 3)
    ('greedy', 'greedy', 'greedy')
    """
    if len(names) == 1:
        return tuple(names) * seats
    if len(names) != seats:
        raise BadSetupError("player_count", given=len(names), seats=seats)
    return tuple(names)


def make_records(
    game: AnyGame, names: Sequence[str], *, seed: str | None, games: int
) -> Iterator[Record]:
    """Play games with these players; the same seed gives the same records."""
    seed = secrets.token_hex(16) if seed is None else seed
    players = [find_entrant(name, game) for name in names]
    for number in range(1, games + 1):
        fair = Fair(secret_from_seed(seed, number), (None,) * len(players))
        rngs = [rng_from_seed(seed, Seat(seat), number) for seat in range(len(players))]
        yield play_out(game, players, fair, rngs=rngs, names=names).record


def open_records(file: str, data: Source | None) -> Iterator[tuple[Record, AnyGame]]:
    """Read the records of a file, each with the game it was played with."""
    with complaining(file=file):
        records = parse_records(read_text(file))
    for record in records:
        yield record, _game_of(record, file, data)


def _game_of(record: Record, file: str, data: Source | None) -> AnyGame:
    """Find the game of a record, with its options and data."""
    with complaining(file=file), at_line(record.line("Game")):
        game = find_game(record.tags["Game"])
    if data is not None:
        open_game(game.spec.name, (), data)  # what is wrong with the data file is said of that file
    with complaining(game=game, file=file):
        return fit_game(game, record, None if data is None else data.text)


def replay_file(file: str, data: Source | None) -> Iterator[tuple[Record, AnyGame, Any]]:
    """Replay the records of a file: each record, its game, and the position at its end."""
    for record, game in open_records(file, data):
        with complaining(game=game, file=file):
            yield record, game, replay(game, record).state


def verify_file(
    file: str, data: Source | None
) -> Iterator[tuple[Record, AnyGame, Verdict[Any, Any, Any]]]:
    """Make every draw of the records of a file again: each record, its game, what was found."""
    for record, game in open_records(file, data):
        with complaining(game=game, file=file):
            yield record, game, verify(game, record)


def reach(game: AnyGame, seats: int | None, start: str | None) -> Replay[Any, Any, Any]:
    """Go to the start of a game, or to where the record in a file breaks off."""
    if start is None:
        if seats is None:
            raise BadSetupError("seats_missing", option="--seats N")
        check_seats(game, seats)
        return Replay((), game.start(seats))
    with complaining(game=game, file=start):
        record = parse_record(read_text(start))
        recorded = check_tags(game, record)
        if seats not in (None, recorded):
            raise BadSetupError("perft_seats", seats=seats, recorded=recorded)
        return replay(game, record, is_partial=True)


def count_lines(
    game: AnyGame, reached: Replay[Any, Any, Any], depths: range
) -> Iterator[tuple[int, int]]:
    """Count the lines of play to each depth."""
    for depth in depths:
        yield depth, perft(game, reached.state, depth, reached.pending)


def tell_tokens(record: Record, game: AnyGame, file: str) -> Iterator[str]:
    """Put each token of a record into words, as far as it shows what happened."""
    words = speak(game)
    for token in record.tokens:
        said = words("show.hidden")
        if token.text != HIDDEN:
            with complaining(game=game, file=file), at_line(token.line):
                said = game.describe(game.parse(token.text), words)
        number = f"{token.number}." if token.number else ""
        yield f"{number:<4} {token.text:<8} {said}"


def tell_result(game: AnyGame, state: Any) -> str:
    """Say in one line how a game ended."""
    words = speak(game)
    winners = game.winners(state)
    return words(
        "result.line",
        scores=" ".join(map(str, game.scores(state))),
        winners=" ".join(str(seat + 1) for seat in winners),
        count=len(winners),
        by=words(f"decided.{game.decided_by(state)}"),
    )


def tell_causes(game: AnyGame, state: Any, names: Sequence[str]) -> Iterator[str]:
    """Say for each seat what its score is made of."""
    words = speak(game)
    for seat, (points, causes) in enumerate(
        zip(game.scores(state), game.causes(state), strict=True)
    ):
        yield words("result.seat", seat=seat + 1, name=names[seat], points=points)
        for cause in causes:
            yield "  " + game.describe(cause, words)


def name_people(players: Sequence[str], words: Words) -> Iterator[str]:
    """Name everybody at the table, bots as they are called, so that no two are called the same."""
    called = [
        words("play.person", seat=seat + 1) if name == HUMAN else name
        for seat, name in enumerate(players)
    ]
    return tell_apart(called)


def player_names_of(record: Record, seats: int, words: Words) -> tuple[str, ...]:
    """Read who played, or say that nobody knows."""
    names = tuple(name.strip() for name in record.tags.get("Players", "").split(","))
    return names if len(names) == seats else (words("result.unknown"),) * seats


def result_object(game: AnyGame, record: Record, state: Any, *, explain: bool) -> dict[str, Any]:
    """Tell a result to a program; seats count from 0."""
    told: dict[str, Any] = {
        "game": game.spec.name,
        "rules": game.spec.rules_version,
        "options": list(game.options),
        "seats": len(game.scores(state)),
        "tokens": len(record.tokens),
        "scores": list(game.scores(state)),
        "winners": list(game.winners(state)),
        "decided_by": game.decided_by(state),
    }
    if explain:
        told["causes"] = [
            [{"code": cause.code, "points": cause.points, **cause.params} for cause in seat]
            for seat in game.causes(state)
        ]
    return told
