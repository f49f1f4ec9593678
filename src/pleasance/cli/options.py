"""Options that several commands share, with their help."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Annotated

import typer

from pleasance.core.errors import BadSetupError
from pleasance.games import game_names
from pleasance.i18n.catalog import load_messages
from pleasance.terminal.output import set_language


def _list_games() -> str:
    """List the games for the help; the commands refuse a bad `PLEASANCE_GAMES`."""
    try:
        return ", ".join(game_names())
    except BadSetupError as refusal:
        return load_messages("en").error(refusal).removesuffix(".")


GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of: {_list_games()}.")]
OptionNames = Annotated[
    str,
    typer.Option("--options", metavar="NAMES", help="Expansions or variants, e.g. rewards,boars."),
]
SeatCount = Annotated[int, typer.Option("--seats", metavar="N", help="How many play.")]
Seed = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Seed of the secret of the draws: same seed, same game."),
]
DataFile = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="FILE", help="Your own component file instead of the house set."
    ),
]
RecordFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A file of records; - reads what is piped in.")
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="LANGUAGE",
        help="en, es or de; else PLEASANCE_LANGUAGE or the system decides.",
        callback=set_language,
    ),
]


def split_names(text: str) -> tuple[str, ...]:
    """Split a comma-separated list; names in double quotes may contain commas.

    >>> split_names("rewards, boars")
    ('rewards', 'boars')
    >>> split_names('"exec:python my_bot.py --weights 1,2", greedy')
    ('exec:python my_bot.py --weights 1,2', 'greedy')
    """
    names = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(name.strip() for name in names if name.strip())
