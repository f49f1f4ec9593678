"""The command that plays: a new game, or one that was left."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from pleasance.cli.options import DataFile, Language, OptionNames, Seed, split_names
from pleasance.core.errors import BadFileError, BadSetupError
from pleasance.core.game import AnyGame
from pleasance.games import game_names
from pleasance.i18n.catalog import Words, load_words
from pleasance.table.table import Table
from pleasance.terminal.output import complaining, find_language, speak
from pleasance.terminal.play import Quit, Sitting, ask_for_game, new_setting
from pleasance.terminal.records import fill_seats, open_game, read_data
from pleasance.terminal.saves import HUMAN, Save, Setting, running_games

_RIVAL = "greedy"


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
    language: Language = None,  # noqa: ARG001  (its callback has done the work)
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
        name = game or ask_for_game(game_names(), input, typer.echo, speak())
    except (Quit, EOFError):
        return
    source = read_data(data)
    opened = open_game(name, split_names(options), source)
    check_edition(opened, edition)
    seated = _seat_players(opened, seats, players)
    text = None if source is None else source.text
    _begin(opened, new_setting(opened, seated, seed=seed, data=text), edition)


def _check_resume(given: tuple[object, ...]) -> None:
    """Refuse what would change a game that goes on."""
    names = ("GAME", "--seats", "--options", "--players", "--seed", "--data")
    for option, value in zip(names, given, strict=True):
        if value:
            raise BadSetupError("save_which", option=option)


def _begin(game: AnyGame, setting: Setting, edition: str | None) -> None:
    """Lay out a new game and play it."""
    if waiting := len(running_games()):
        typer.echo(speak()("play.unfinished", games=waiting))
    table = Table(game, setting.fair(), players=setting.players)
    with closing(Save.create(setting)) as kept:
        kept.add(table.log)
        _sit(table, kept, setting, edition)


def _seat_players(game: AnyGame, seats: int | None, players: str | None) -> tuple[str, ...]:
    """Name who sits where: as asked for, or one person against bots."""
    if players is None:
        count = game.spec.seats[0] if seats is None else seats
        return (HUMAN, *(_RIVAL,) * (count - 1))
    names = split_names(players)
    return fill_seats(names, len(names) if seats is None else seats)


def _resume(path: Path | None, edition: str | None) -> None:
    """Go on with a game that was left."""
    if path is None:
        waiting = running_games()
        if not waiting:
            raise BadFileError("save_none")
        path = waiting[-1]
    with complaining(file=str(path)):
        kept, setting, entries = Save.reopen(path)
    with closing(kept):
        with complaining(file=str(path)):
            game = setting.open()
            table = Table(game, setting.fair(), log=entries, players=setting.players)
        check_edition(game, edition)
        kept.add(table.log[len(entries) :])
        typer.echo(speak()("play.resumed", file=str(path)))
        _sit(table, kept, setting, edition)


def check_edition(game: AnyGame, edition: str | None) -> None:
    """Refuse an edition whose words the game does not know."""
    if edition is not None and edition not in game.spec.themes:
        known = ", ".join(game.spec.themes) or "-"
        raise BadSetupError("edition_unknown", game=game.spec.name, edition=edition, known=known)


def _sit(
    table: Table[Any, Any, Any, Any], kept: Save, setting: Setting, edition: str | None
) -> None:
    """Play until the end, or until somebody wants to stop: then the game is kept."""
    words = load_words(find_language(), table.game.spec.package, edition or "")
    sitting = Sitting(table, kept, setting, words)
    try:
        sitting.run(input, typer.echo)
    except (Quit, EOFError):
        _keep(sitting, words)
    except KeyboardInterrupt:
        _keep(sitting, words)
        raise


def _keep(sitting: Sitting, words: Words) -> None:
    """Keep a game that somebody leaves; say where what was seen lies, or that there is nothing."""
    typer.echo("")
    file = sitting.keep_for_later()
    typer.echo(words("play.kept", file=file) if file else words("play.not_kept"))
