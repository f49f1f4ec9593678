"""The command line: `pleasance COMMAND`.

A command reads its options, hands over to `terminal`, `arena`, `bench` or `server`, and prints.
What these need is imported inside the command, so that every command starts quickly.
"""

from __future__ import annotations

import os
import sys
from contextvars import copy_context
from typing import Annotated

import typer

from pleasance import __version__
from pleasance.cli.admin_commands import admin
from pleasance.cli.arena_commands import arena
from pleasance.cli.options import GameName, Language
from pleasance.cli.play_commands import play
from pleasance.cli.record_commands import perft, print_data, record, replay, show, verify
from pleasance.cli.research_commands import bench, picture, survey
from pleasance.cli.serve_commands import serve, worker
from pleasance.cli.train_commands import PASS_ON, train
from pleasance.core.errors import BadFileError, PleasanceError
from pleasance.games import find_game
from pleasance.terminal.output import Complaint, complain, speak

PIPE_CLOSED = 141
"""Exit status when nobody reads what is printed, as shells count it."""

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells count it."""

app = typer.Typer(
    name="pleasance",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback(invoke_without_command=True)
def pleasance(
    context: typer.Context,
    language: Language = None,  # noqa: ARG001  (its callback has done the work)
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Play, learn and research two garden games: Sanssouci and Sakura."""
    if version:
        typer.echo(f"pleasance {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command()(play)


@app.command()
def rules(game: GameName) -> None:
    """Show the rules of a game.

    \b
    Examples:
      pleasance rules sakura
      pleasance rules sanssouci > rules.md
    """
    from pleasance.terminal.pager import load_rules, show_page

    show_page(load_rules(find_game(game)))


app.command()(record)
app.command()(replay)
app.command()(show)
app.command()(verify)
app.command()(perft)
app.command("data")(print_data)
app.command()(picture)
app.command()(survey)
app.command()(bench)
app.command()(arena)
app.command(context_settings=PASS_ON)(train)
app.command()(serve)
app.command()(worker)
app.add_typer(admin, name="admin")


def main() -> None:
    """Run the command line; every refusal is one line and an exit status, never a traceback."""
    _open_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = run()
        sys.stdout.flush()
    except BrokenPipeError:
        status = _hush(PIPE_CLOSED)  # whoever read us has had enough
    except OSError as error:
        status = _hush(_refuse(complain(BadFileError("system", reason=str(error)))))
    except KeyboardInterrupt:
        status = INTERRUPTED
    sys.exit(status)


def _open_streams() -> None:
    """Open what whoever started us has closed, so that nothing trips over a missing stream."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8"))


def _hush(status: int) -> int:
    """Write nothing more, so that nothing can go wrong while the interpreter shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def run(arguments: list[str] | None = None) -> int:
    """Run one command and give its exit status; the language it asks for ends with it."""
    return copy_context().run(_run, arguments)


def _run(arguments: list[str] | None) -> int:
    try:
        status = app(arguments, prog_name="pleasance", standalone_mode=False)
    except PleasanceError as refusal:
        return _refuse(complain(refusal))
    except Complaint as complaint:
        return _refuse(complaint)
    except typer.TyperException as misuse:
        return _refuse(Complaint(_explain(misuse)))
    except typer.Abort:
        return _refuse(Complaint(speak()("error.input_ended")))
    return status if isinstance(status, int) else 0


def _explain(misuse: typer.TyperException) -> str:
    """Say what is wrong with the command, and where to look it up."""
    context: typer.Context | None = getattr(misuse, "ctx", None)
    command = context.command_path if context else "pleasance"
    return speak()("error.misuse", reason=misuse.format_message().rstrip("."), command=command)


def _refuse(complaint: Complaint) -> int:
    typer.echo(str(complaint), err=True)
    return complaint.status
