"""Command that trains the network of a game: train."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stderr
from io import StringIO
from zipfile import BadZipFile

import typer

from pleasance.cli.options import GameName
from pleasance.core.errors import BadFileError, BadSetupError
from pleasance.games import find_game
from pleasance.terminal.output import get_messages

PASS_ARGUMENTS = {"allow_extra_args": True, "ignore_unknown_options": True}
"""The arguments after the game are passed to its training script."""


def train(context: typer.Context, game: GameName) -> None:
    """Train the network of a game by playing against itself; what follows is handed to its script.

    It prints a line of JSON after every turn and writes weights, settings and learning curve to the
    folder --out now and then. It does not go on where it was stopped: --start begins a new run from
    the weights of another one. The settings differ from game to game; -- --help lists them.

    \b
    Examples:
      pleasance train sakura --out trained --seconds 60
      pleasance train sanssouci --out trained --seconds 360 --threads 16
      pleasance train sakura -- --help
    """
    script = find_game(game).train
    if script is None:
        raise BadSetupError("train_none", game=game)
    try:
        _call(script, context.args)
    except (BadZipFile, EOFError) as error:
        raise BadFileError("train_start", reason=str(error)) from error
    except KeyboardInterrupt:
        typer.echo(get_messages()("train.stopped"), err=True)
        raise


def _call(script: Callable[[list[str]], None], arguments: list[str]) -> None:
    """Call a script; convert its usage errors to `BadSetupError`."""
    errors = StringIO()
    try:
        with redirect_stderr(errors):
            script(arguments)
    except SystemExit as end:
        if end.code:
            reason = errors.getvalue().rpartition("error: ")[2] or str(end.code)
            raise BadSetupError("train_setting", reason=reason.strip().rstrip(".")) from end
    else:
        sys.stderr.write(errors.getvalue())
