"""Commands that measure and draw: bench, survey, picture."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pleasance.cli.options import DataFile, OptionNames, RecordFile, split_names
from pleasance.cli.record_commands import check_minimum
from pleasance.core.errors import BadRecordError, BadSetupError
from pleasance.core.game import Seat, configurations
from pleasance.core.record import Record
from pleasance.core.replay import replay
from pleasance.games import find_game, game_names
from pleasance.players.registry import make_player
from pleasance.terminal.output import error_context, get_messages
from pleasance.terminal.records import open_records, read_data

if TYPE_CHECKING:
    from pleasance.bench.measure import Measure
    from pleasance.bench.startup import StartMeasure

AnyGameName = Annotated[str | None, typer.Argument(metavar="GAME", help="All games if left out.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]


def bench(
    game: AnyGameName = None,
    *,
    seats: Annotated[
        int | None, typer.Option(metavar="N", help="How many play; else the fewest and the most.")
    ] = None,
    options: OptionNames = "",
    seconds: Annotated[
        float, typer.Option(min=0.01, max=3600, metavar="S", help="How long each game runs.")
    ] = 2.0,
    start: Annotated[
        bool, typer.Option("--start", help="Time new processes until a bot's first choice instead.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure the speed of rules and compiled kernels on this machine: the best of many runs.

    With --start: seconds and MiB of ten new processes, the least, the median and the most.

    \b
    Examples:
      pleasance bench
      pleasance bench sakura --seats 2 --options tactical --seconds 5
      pleasance bench --start --json > start.jsonl
    """
    from pleasance.bench.run import bench_games
    from pleasance.bench.startup import bench_start

    names = game_names() if game is None else (game,)
    games = tuple(find_game(name).configure(split_names(options), None) for name in names)
    found = bench_start(games, seats=seats) if start else bench_games(games, seconds, seats=seats)
    for measure in found:
        typer.echo(json.dumps(measure._asdict()) if as_json else _to_row(measure))


def _to_row(measure: Measure | StartMeasure) -> str:
    """Write a measure as a line of a table."""
    seats = str(measure.seats) if measure.seats else ""
    configuration = f"{measure.game} {seats} {measure.options}".rstrip()
    others = f"median {measure.median:,}"
    if (largest := getattr(measure, "largest", None)) is not None:
        others += f", at most {largest:,}"
    value = f"{measure.value:>10,} {measure.unit}"
    return f"{measure.bench:<19} {configuration:<26} {value} ({others})"


def survey(
    game: AnyGameName = None,
    *,
    players: Annotated[
        str, typer.Option(metavar="NAMES", help="Each of them fills all seats in turn.")
    ] = "random,greedy",
    games: Annotated[int, typer.Option(metavar="K", help="Games of each configuration.")] = 100,
    seed: Annotated[str, typer.Option(metavar="TEXT", help="Same seed, same numbers.")] = "1",
    as_json: AsJson = False,
) -> None:
    """List the mean scores of players in every configuration, with 95 % intervals.

    \b
    Examples:
      pleasance survey
      pleasance survey sakura --players greedy --games 500 --json
    """
    from pleasance.arena.score_statistics import TABLE_HEAD, survey, to_table_row

    check_minimum("--games", games, 10)
    names = game_names() if game is None else (game,)
    plan = [
        (configured, seats, player)
        for name in names
        for player in split_names(players)
        for configured, seats in configurations(find_game(name))
    ]
    for configured, _, player in plan:
        make_player(player, configured)
    if not as_json:
        typer.echo(TABLE_HEAD)
    for done, (configured, seats, player) in enumerate(plan):
        if sys.stderr.isatty():
            typer.echo(f"\r{done}/{len(plan)}\r", nl=False, err=True)
        found = survey(configured, seats, player, games=games, seed=seed)
        typer.echo(json.dumps(found._asdict()) if as_json else to_table_row(found))


def picture(
    file: RecordFile,
    *,
    tokens: Annotated[
        int | None, typer.Option(metavar="N", help="After this many tokens; else at the end.")
    ] = None,
    seat: Annotated[
        int, typer.Option(metavar="S", help="As this seat sees it; 0 is a spectator.")
    ] = 0,
    data: DataFile = None,
) -> None:
    """Draw a position of a record as an SVG picture.

    \b
    Examples:
      pleasance picture game.txt > end.svg
      pleasance picture game.txt --tokens 90 --seat 1 > middle.svg
    """
    (made, game), *more = open_records(file, read_data(data))
    if more:
        with error_context(file=file):
            raise BadRecordError("record_second", line=more[0][0].line())
    check_minimum("--seat", seat, 0)
    seats = int(made.tags["Seats"])
    if seat > seats:
        raise BadSetupError("seat_unknown", seat=seat, seats=seats)
    if game.picture is None:
        raise BadSetupError("no_picture", game=game.spec.name)
    count = len(made.tokens) if tokens is None else tokens
    with error_context(game=game, file=file):
        if not 0 <= count <= len(made.tokens):
            last = len(made.tokens)
            raise BadRecordError("record_short", line=made.last_line(), tokens=count, last=last)
        cut = Record(made.tags, made.tokens[:count], made.lines)
        state = replay(game, cut, is_partial=True).state
    view = game.view(state, Seat(seat - 1) if seat else None)
    typer.echo(game.picture(view, get_messages(game)))
