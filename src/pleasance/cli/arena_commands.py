"""Command that compares players over many games: arena."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pleasance.cli.options import DataFile, GameName, OptionNames, SeatCount, split_names
from pleasance.cli.record_commands import check_minimum
from pleasance.core.errors import BadSetupError
from pleasance.players.registry import takes_budget
from pleasance.terminal.output import get_messages
from pleasance.terminal.records import open_game, read_data

if TYPE_CHECKING:
    from pleasance.arena.confidence_sequence import ConfidenceSequence
    from pleasance.arena.duplicate_match import DuplicateMatch
    from pleasance.arena.executors import Executor
    from pleasance.arena.plan import Plan

_EXECUTORS = ("cores", "ray")

PlayerList = Annotated[
    str,
    typer.Option(
        "--players",
        metavar="NAMES",
        help="The first is tested, at one seat; the others fill the table. "
        "A budget may follow: flat:400 (simulations), flat:0.2s. "
        "exec:COMMAND is a program of yours.",
    ),
]
GameCount = Annotated[
    int,
    typer.Option(metavar="K", max=1_000_000, help="How many games; rounded up to whole matches."),
]
BudgetText = Annotated[
    str | None,
    typer.Option(metavar="B", help="For each player that takes one and names none: 400 or 0.2s."),
]
Mixed = Annotated[bool, typer.Option("--mixed", help="Deal all players around every table.")]
UntilSignificant = Annotated[
    bool,
    typer.Option(
        "--until-significant",
        help="Stop as soon as the first player is shown to win more or less than its share.",
    ),
]
Alpha = Annotated[
    float | None,
    typer.Option(
        metavar="P",
        help="With --until-significant: the risk of a wrong verdict.",
        show_default="0.05",
    ),
]
FairShare = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="With --until-significant: the share to compare with.",
        show_default="1/N",
    ),
]
ArenaSeed = Annotated[str, typer.Option(metavar="TEXT", help="Same seed, same games.")]
OutFolder = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Keep every match; the same command then goes on."),
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="W", help="How many matches at the same time.", show_default="all cores"),
]
ExecutorName = Annotated[
    str, typer.Option("--on", metavar="PLACE", help="Where to play: cores, or ray for a cluster.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
PlotFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw the win shares: FILE.svg or FILE.png.")
]


def arena(
    game: GameName,
    *,
    players: PlayerList,
    seats: SeatCount,
    games: GameCount = 100,
    options: OptionNames = "",
    budget: BudgetText = None,
    mixed: Mixed = False,
    until_significant: UntilSignificant = False,
    alpha: Alpha = None,
    fair: FairShare = None,
    seed: ArenaSeed = "1",
    out: OutFolder = None,
    workers: Workers = None,
    on: ExecutorName = _EXECUTORS[0],
    as_json: AsJson = False,
    plot: PlotFile = None,
    data: DataFile = None,
) -> None:
    """Let players meet in duplicate matches and tell who wins how often, with 95 % intervals.

    Every seed is played in all seat rotations; that is one match, and matches are what is counted.

    \b
    Examples:
      pleasance arena sakura --players greedy,random --seats 3 --games 300
      pleasance arena sanssouci --players planner,greedy --seats 2 --until-significant --plot a.svg
      pleasance arena sakura --players flat,planner --budget 400 --seats 4 --out kept
    """
    names = _add_budget(split_names(players), budget)
    plan = _make_plan(game, names, seats, options=options, data=data, mixed=mixed, seed=seed)
    check_minimum("--games", games, 1)
    seed = seed.encode("utf-8", "backslashreplace").decode("utf-8")
    sequence = _make_sequence(seats, alpha, fair, is_wanted=until_significant)
    _check_plot(plot)
    executor = _make_executor(on, workers)
    matches = _run(plan, plan.count_matches(games), executor, sequence=sequence, out=out)
    _show(plan, matches, sequence, as_json=as_json, plot=plot)


def _check_plot(plot: Path | None) -> None:
    """Refuse a plot that could not be written, before any game is played."""
    if plot:
        from pleasance.arena.plot import check_plot

        check_plot(plot)


def _add_budget(names: tuple[str, ...], budget: str | None) -> tuple[str, ...]:
    """Add the budget to each player that takes one and names none."""
    if budget is None:
        return names
    given = tuple(f"{name}:{budget}" if takes_budget(name) else name for name in names)
    if given == names:
        raise BadSetupError("arena_budget")
    return given


def _make_plan(
    game: str,
    names: tuple[str, ...],
    seats: int,
    *,
    options: str,
    data: Path | None,
    mixed: bool,
    seed: str,
) -> Plan:
    from pleasance.arena.plan import Plan, check_plan

    source = read_data(data)
    opened = open_game(game, split_names(options), source)
    plan = Plan(
        game=opened.spec.name,
        seats=seats,
        players=names,
        options=opened.options,
        data=None if source is None else source.text,
        is_mixed=mixed,
        seed=seed,
    )
    check_plan(plan)
    return plan


def _make_sequence(
    seats: int, alpha: float | None, fair: float | None, *, is_wanted: bool
) -> ConfidenceSequence | None:
    """Make the sequential test, if it is wanted."""
    from pleasance.arena.confidence_sequence import ConfidenceSequence

    for option, value in (("--alpha", alpha), ("--fair", fair)):
        if value is not None and not is_wanted:
            raise BadSetupError("arena_alone", option=option, needed="--until-significant")
        if value is not None and not 0 < value < 1:
            raise BadSetupError("arena_part", option=option)
    if not is_wanted:
        return None
    return ConfidenceSequence(1 / seats if fair is None else fair, 0.05 if alpha is None else alpha)


def _make_executor(place: str, workers: int | None) -> Executor:
    """Make the executor that plays the matches."""
    from pleasance.arena.executors import ProcessExecutor, SerialExecutor, count_cores

    if workers is not None:
        check_minimum("--workers", workers, 1)
    if place not in _EXECUTORS:
        raise BadSetupError("arena_on", place=place, known=", ".join(_EXECUTORS))
    if place == "ray":
        from pleasance.arena.ray_executor import RayExecutor

        return RayExecutor(workers)
    size = workers or count_cores()
    return ProcessExecutor(size) if size > 1 else SerialExecutor()


def _run(
    plan: Plan,
    limit: int,
    executor: Executor,
    *,
    sequence: ConfidenceSequence | None,
    out: Path | None,
) -> list[DuplicateMatch]:
    """Play the missing matches; when interrupted, say how many are kept."""
    from pleasance.arena.match_store import MatchStore
    from pleasance.arena.progress import progress_bar
    from pleasance.arena.run import MatchCollector, run_arena

    collector = MatchCollector(plan, limit, sequence)
    with ExitStack() as stack:
        store = stack.enter_context(MatchStore(out, plan)) if out else None
        try:
            with progress_bar(collector, plan) as on_match:
                return run_arena(plan, collector, executor, store=store, on_match=on_match)
        except KeyboardInterrupt:
            words = get_messages()
            text = words("arena.lost")
            if store is not None:
                folder = str(store.path.parent)
                text = words("arena.kept", matches=store.count(), folder=folder)
            typer.echo(text, err=True)
            raise


def _show(
    plan: Plan,
    matches: list[DuplicateMatch],
    sequence: ConfidenceSequence | None,
    *,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Print the report, and plot it if a file is given."""
    from rich.console import Console

    from pleasance.arena.report import make_report, report_to_json
    from pleasance.arena.text_tables import print_tables, write_markdown

    report = make_report(plan, matches, sequence=sequence)
    if as_json:
        typer.echo(json.dumps(report_to_json(report), ensure_ascii=False))
    elif sys.stdout.isatty():
        print_tables(report, get_messages(), Console())
    else:
        typer.echo(write_markdown(report, get_messages()), nl=False)
    if plot:
        from pleasance.arena.plot import write_plot

        write_plot(report, get_messages(), plot)
