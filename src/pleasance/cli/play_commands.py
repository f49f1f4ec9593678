"""Command that plays a new game or resumes a saved one: play."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from pleasance.cli.options import DataFile, Language, OptionNames, Seed, split_names
from pleasance.core.errors import BadFileError, BadSetupError
from pleasance.core.game import AnyGame
from pleasance.games import game_names
from pleasance.i18n.catalog import MessageCatalog, load_messages
from pleasance.table.table import Table
from pleasance.terminal.output import error_context, find_language, get_messages
from pleasance.terminal.play import Quit, TerminalGame, choose_game, new_game_config
from pleasance.terminal.records import fill_seats, open_game, read_data
from pleasance.terminal.saves import HUMAN, GameConfig, Save, running_games

_DEFAULT_OPPONENT = "greedy"


GameToAsk = Annotated[str | None, typer.Argument(metavar="GAME", help="Asked for if left out.")]
FewSeats = Annotated[
    int | None, typer.Option(metavar="N", help="How many play; else as few as may.")
]
Seating = Annotated[
    str | None,
    typer.Option(metavar="NAMES", help=f"{HUMAN} for whoever types, or a bot; for each seat."),
]
Edition = Annotated[
    str | None, typer.Option(metavar="NAME", help="Whose words to use: first or second.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the newest game.")]
SaveFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="With --resume: the game to go on with.")
]


def play(
    game: GameToAsk = None,
    *,
    seats: FewSeats = None,
    options: OptionNames = "",
    players: Seating = None,
    seed: Seed = None,
    data: DataFile = None,
    edition: Edition = None,
    resume: Resume = False,
    save: SaveFile = None,
    language: Language = None,  # noqa: ARG001  (handled by its callback)
) -> None:
    """Play in the terminal, against bots or in turns at one keyboard.

    Every choice is on disk before it counts: a crash or Ctrl-C loses nothing.

    \b
    Examples:
      pleasance play
      pleasance play sanssouci --options rewards,boars
      pleasance play sakura --seats 4 --players human,greedy,greedy,random
      pleasance play --resume
    """
    if resume:
        _check_resume((game, seats, options, players, seed, data))
        _resume(save, edition)
        return
    if save is not None:
        raise BadSetupError("save_alone")
    try:
        name = game or choose_game(game_names(), input, typer.echo, get_messages())
    except (Quit, EOFError):
        return
    source = read_data(data)
    opened = open_game(name, split_names(options), source)
    check_edition(opened, edition)
    seated = _seat_players(opened, seats, players)
    text = None if source is None else source.text
    _start_game(opened, new_game_config(opened, seated, seed=seed, data=text), edition)


def _check_resume(given: tuple[object, ...]) -> None:
    """Refuse options that would change a resumed game."""
    names = ("GAME", "--seats", "--options", "--players", "--seed", "--data")
    for option, value in zip(names, given, strict=True):
        if value:
            raise BadSetupError("save_which", option=option)


def _start_game(game: AnyGame, config: GameConfig, edition: str | None) -> None:
    """Create a new game and play it."""
    if waiting := len(running_games()):
        typer.echo(get_messages()("play.unfinished", games=waiting))
    table = Table(game, config.fair(), players=config.players)
    with closing(Save.create(config)) as save:
        save.append(table.log)
        _run_game(table, save, config, edition)


def _seat_players(game: AnyGame, seats: int | None, players: str | None) -> tuple[str, ...]:
    """Return the player of each seat: as given, or one person against bots."""
    if players is None:
        count = game.spec.seats[0] if seats is None else seats
        return (HUMAN, *(_DEFAULT_OPPONENT,) * (count - 1))
    names = split_names(players)
    return fill_seats(names, len(names) if seats is None else seats)


def _resume(path: Path | None, edition: str | None) -> None:
    """Resume a saved game, by default the newest one."""
    if path is None:
        waiting = running_games()
        if not waiting:
            raise BadFileError("save_none")
        path = waiting[-1]
    with error_context(file=str(path)):
        save, config, entries = Save.reopen(path)
    with closing(save):
        with error_context(file=str(path)):
            game = config.open()
            table = Table(game, config.fair(), log=entries, players=config.players)
        check_edition(game, edition)
        save.append(table.log[len(entries) :])
        typer.echo(get_messages()("play.resumed", file=str(path)))
        _run_game(table, save, config, edition)


def check_edition(game: AnyGame, edition: str | None) -> None:
    """Refuse an edition whose words the game does not know."""
    if edition is not None and edition not in game.spec.themes:
        known = ", ".join(game.spec.themes) or "-"
        raise BadSetupError("edition_unknown", game=game.spec.name, edition=edition, known=known)


def _run_game(
    table: Table[Any, Any, Any, Any], save: Save, config: GameConfig, edition: str | None
) -> None:
    """Play until the end, or suspend the game on `Quit`."""
    words = load_messages(find_language(), table.game.spec.package, edition or "")
    running = TerminalGame(table, save, config, words)
    try:
        running.run(input, typer.echo)
    except (Quit, EOFError):
        _suspend(running, words)
    except KeyboardInterrupt:
        _suspend(running, words)
        raise


def _suspend(running: TerminalGame, words: MessageCatalog) -> None:
    """Suspend a game; print the file of its record, or that nothing was kept."""
    typer.echo("")
    file = running.suspend()
    typer.echo(words("play.kept", file=file) if file else words("play.not_kept"))
