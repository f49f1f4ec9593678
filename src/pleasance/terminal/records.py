"""Records of games as text: made, replayed, verified and described."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pleasance.core.errors import BadSetupError
from pleasance.core.fair_draws import FairDraws, secret_from_seed
from pleasance.core.game import AnyGame, Seat, check_seats
from pleasance.core.playout import play_out, rng_from_seed
from pleasance.core.record import HIDDEN_DRAW, Record, parse_record, parse_records
from pleasance.core.replay import Replay, replay
from pleasance.core.tags import check_tags, errors_at_line, fit_game
from pleasance.core.verify import Verification, verify
from pleasance.games import find_game
from pleasance.i18n.catalog import MessageCatalog, number_duplicates
from pleasance.players.subprocess_player import resolve_player
from pleasance.terminal.output import error_context, get_messages, read_text
from pleasance.terminal.saves import HUMAN


class ComponentFile(NamedTuple):
    """A component file and its text."""

    file: str
    text: str


def read_data(file: Path | None) -> ComponentFile | None:
    """Read a component file once, so that the text that is checked is the one that is used."""
    return None if file is None else ComponentFile(str(file), read_text(str(file)))


def open_game(name: str, options: Sequence[str], data: ComponentFile | None) -> AnyGame:
    """Find a game and configure it with *options* and a component file."""
    game = find_game(name)
    with error_context(game=game, file=None if data is None else data.file):
        return game.configure(tuple(options), None if data is None else data.text)


def fill_seats(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return a player for each seat; one name fills all seats.

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
    """Play games between players; the same seed gives the same records."""
    seed = secrets.token_hex(16) if seed is None else seed
    players = [resolve_player(name, game) for name in names]
    for number in range(1, games + 1):
        fair = FairDraws(secret_from_seed(seed, number), (None,) * len(players))
        rngs = [rng_from_seed(seed, Seat(seat), number) for seat in range(len(players))]
        yield play_out(game, players, fair, rngs=rngs, names=names).record


def open_records(file: str, data: ComponentFile | None) -> Iterator[tuple[Record, AnyGame]]:
    """Read the records of a file, each with its configured game."""
    with error_context(file=file):
        records = parse_records(read_text(file))
    for record in records:
        yield record, _game_of(record, file, data)


def _game_of(record: Record, file: str, data: ComponentFile | None) -> AnyGame:
    """Configure the game of a record with its options and data."""
    with error_context(file=file), errors_at_line(record.line("Game")):
        game = find_game(record.tags["Game"])
    if data is not None:
        open_game(game.spec.name, (), data)  # errors in the data file name that file
    with error_context(game=game, file=file):
        return fit_game(game, record, None if data is None else data.text)


def replay_file(file: str, data: ComponentFile | None) -> Iterator[tuple[Record, AnyGame, Any]]:
    """Replay the records of a file: each record, its game, and the position at its end."""
    for record, game in open_records(file, data):
        with error_context(game=game, file=file):
            yield record, game, replay(game, record).state


def verify_file(
    file: str, data: ComponentFile | None
) -> Iterator[tuple[Record, AnyGame, Verification[Any, Any, Any]]]:
    """Verify the draws of the records of a file: each record, its game, the verdict."""
    for record, game in open_records(file, data):
        with error_context(game=game, file=file):
            yield record, game, verify(game, record)


def find_start_position(
    game: AnyGame, seats: int | None, start: str | None
) -> Replay[Any, Any, Any]:
    """Return the start of a game, or the last position of the record in a file."""
    if start is None:
        if seats is None:
            raise BadSetupError("seats_missing", option="--seats N")
        check_seats(game, seats)
        return Replay((), game.start(seats))
    with error_context(game=game, file=start):
        record = parse_record(read_text(start))
        recorded = check_tags(game, record)
        if seats not in (None, recorded):
            raise BadSetupError("perft_seats", seats=seats, recorded=recorded)
        return replay(game, record, is_partial=True)


def describe_tokens(record: Record, game: AnyGame, file: str) -> Iterator[str]:
    """Describe each token of a record, as far as it is visible."""
    words = get_messages(game)
    for token in record.tokens:
        text = words("show.hidden")
        if token.text != HIDDEN_DRAW:
            with error_context(game=game, file=file), errors_at_line(token.line):
                text = game.describe(game.parse(token.text), words)
        number = f"{token.number}." if token.number else ""
        yield f"{number:<4} {token.text:<8} {text}"


def describe_result(game: AnyGame, state: Any) -> str:
    """Describe the result of a game in one line."""
    words = get_messages(game)
    winners = game.winners(state)
    return words(
        "result.line",
        scores=" ".join(map(str, game.scores(state))),
        winners=" ".join(str(seat + 1) for seat in winners),
        count=len(winners),
        by=words(f"decided.{game.decided_by(state)}"),
    )


def describe_scores(game: AnyGame, state: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe the score of each seat, item by item."""
    words = get_messages(game)
    for seat, (points, score_items) in enumerate(
        zip(game.scores(state), game.score_items(state), strict=True)
    ):
        yield words("result.seat", seat=seat + 1, name=names[seat], points=points)
        for item in score_items:
            yield "  " + game.describe(item, words)


def name_seats(players: Sequence[str], words: MessageCatalog) -> Iterator[str]:
    """Name people and bots at the table; equal names are numbered."""
    names = [
        words("play.person", seat=seat + 1) if name == HUMAN else name
        for seat, name in enumerate(players)
    ]
    return number_duplicates(names)


def recorded_names(record: Record, seats: int, words: MessageCatalog) -> tuple[str, ...]:
    """Read the names of the players from a record, or call them unknown."""
    names = tuple(name.strip() for name in record.tags.get("Players", "").split(","))
    return names if len(names) == seats else (words("result.unknown"),) * seats


def result_object(game: AnyGame, record: Record, state: Any, *, explain: bool) -> dict[str, Any]:
    """Convert a result to a JSON object; seats count from 0."""
    result: dict[str, Any] = {
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
        result["score_items"] = [
            [{"code": item.code, "points": item.points, **item.params} for item in seat]
            for seat in game.score_items(state)
        ]
    return result
