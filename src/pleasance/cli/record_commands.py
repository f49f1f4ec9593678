"""Commands for records of games: record, replay, show, verify, perft, data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated

import typer

from pleasance.cli.options import (
    DataFile,
    GameName,
    OptionNames,
    RecordFile,
    SeatCount,
    Seed,
    split_names,
)
from pleasance.core.data import load_builtin_components
from pleasance.core.errors import BadSetupError
from pleasance.core.game import check_seats
from pleasance.core.perft import perft as count_leaves
from pleasance.core.record import write_record
from pleasance.games import find_game
from pleasance.terminal import records
from pleasance.terminal.output import get_messages


def record(
    game: GameName,
    seats: SeatCount,
    *,
    options: OptionNames = "",
    players: Annotated[
        str, typer.Option(metavar="NAMES", help="One for all seats, or one for each.")
    ] = "random",
    seed: Seed = None,
    games: Annotated[int, typer.Option(metavar="K", help="How many games.")] = 1,
    data: DataFile = None,
) -> None:
    """Let players play and print the full records.

    \b
    Examples:
      pleasance record sakura --seats 3
      pleasance record sanssouci --seats 2 --options rewards,boars --players greedy,random
      pleasance record sanssouci --seats 4 --players greedy --seed spring --games 10 > games.txt
    """
    check_minimum("--games", games, 1)
    opened = records.open_game(game, split_names(options), records.read_data(data))
    check_seats(opened, seats)
    names = records.fill_seats(split_names(players), seats)
    for number, made in enumerate(records.make_records(opened, names, seed=seed, games=games)):
        typer.echo("\n" * (number > 0) + write_record(made), nl=False)


def replay(
    file: RecordFile,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a game.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what each score is made of.")
    ] = False,
    data: DataFile = None,
) -> None:
    """Replay records and tell how each game ended.

    \b
    Examples:
      pleasance replay games.txt
      pleasance replay --explain games.txt
      pleasance record sakura --seats 4 | pleasance replay --json -
    """
    for made, game, state in records.replay_file(file, records.read_data(data)):
        if as_json:
            typer.echo(json.dumps(records.result_object(game, made, state, explain=explain)))
            continue
        typer.echo(f"{_label(made.tags)} {records.describe_result(game, state)}")
        if explain:
            names = records.recorded_names(made, len(game.scores(state)), get_messages(game))
            for line in records.describe_scores(game, state, names):
                typer.echo(f"  {line}")


def show(file: RecordFile, *, data: DataFile = None) -> None:
    """Put records into words, token by token; what one seat saw will do.

    \b
    Examples:
      pleasance show game.txt
      pleasance record sakura --seats 3 | pleasance show -
    """
    for made, game in records.open_records(file, records.read_data(data)):
        typer.echo(_label(made.tags))
        for line in records.describe_tokens(made, game, file):
            typer.echo(f"  {line}")


def verify(file: RecordFile, *, data: DataFile = None) -> None:
    """Make every draw of the records again from the promised secret.

    The exit status is 0 when all draws are fair, 1 when one is not, 2 when a record cannot be read.

    \b
    Examples:
      pleasance verify games.txt
      pleasance record sanssouci --seats 2 | pleasance verify -
    """
    for made, game, verdict in records.verify_file(file, records.read_data(data)):
        words = get_messages(game)
        parts = [words("verify.line", draws=verdict.draws)]
        if verdict.given:
            parts.append(words("verify.given", given=verdict.given))
        typer.echo(f"{_label(made.tags)} {'; '.join(parts)}")


def perft(
    game: GameName,
    seats: Annotated[
        int | None, typer.Option("--seats", metavar="N", help="How many play; else as recorded.")
    ] = None,
    *,
    options: OptionNames = "",
    start: Annotated[
        str | None,
        typer.Option("--from", metavar="RECORD", help="Begin where this record breaks off."),
    ] = None,
    depth: Annotated[int, typer.Option(metavar="D", help="How many tokens deep.")] = 3,
    data: DataFile = None,
) -> None:
    """Count the lines of play to each depth: every choice and every outcome is a branch.

    \b
    Examples:
      pleasance perft sakura --seats 3 --depth 4
      pleasance perft sanssouci --seats 2 --options boars --from position.txt --depth 5
    """
    check_minimum("--depth", depth, 1)
    opened = records.open_game(game, split_names(options), records.read_data(data))
    position = records.find_start_position(opened, seats, start)
    for level in range(1, depth + 1):
        lines = count_leaves(opened, position.state, level, position.pending)
        typer.echo(f"{level} {lines}")


def print_data(game: GameName) -> None:
    """Print the component file of a game: a start for writing down your own box.

    \b
    Examples:
      pleasance data sanssouci > mine.toml
      pleasance record sanssouci --seats 2 --data mine.toml
    """
    typer.echo(load_builtin_components(find_game(game).spec.package), nl=False)


def check_minimum(option: str, number: int, least: int) -> None:
    """Refuse a number below *least*."""
    if number < least:
        raise BadSetupError("too_few", option=option, least=least)


def _label(tags: Mapping[str, str]) -> str:
    """Format the configuration of a game in front of its line."""
    return " ".join([tags["Game"], tags["Seats"], *tags.get("Options", "").split()]) + ":"
