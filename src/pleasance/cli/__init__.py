"""The command line: `pleasance COMMAND`.

A command parses its options, calls `terminal`, `arena`, `bench` or `server`, and prints. It imports
them in its body, so that every command starts quickly.
"""

from __future__ import annotations

import os
import sys
from contextvars import copy_context
from importlib import import_module
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
from pleasance.cli.train_commands import PASS_ARGUMENTS, train
from pleasance.core.errors import BadFileError, PleasanceError, extra_needed
from pleasance.games import find_game
from pleasance.terminal.output import CommandError, get_messages, to_command_error

EXIT_PIPE_CLOSED = 141
"""Exit status after a closed output pipe, as shells define it."""

EXIT_INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells define it."""

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
    language: Language = None,  # noqa: ARG001  (handled by its callback)
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Play, learn and research two garden games: Sanssouci and Sakura."""
    _check_kernels()
    if version:
        typer.echo(f"pleasance {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _check_kernels() -> None:
    """Refuse to compile kernels where no compiler is installed."""
    if os.environ.get("PLEASANCE_KERNELS") == "jit":
        with extra_needed("kernels"):
            import_module("pleasance.compiled.jit_backend")


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
app.command(context_settings=PASS_ARGUMENTS)(train)
app.command()(serve)
app.command()(worker)
app.add_typer(admin, name="admin")


def main() -> None:
    """Run the command line; every error is one line and an exit status, never a traceback."""
    _open_missing_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = run()
        sys.stdout.flush()
    except BrokenPipeError:
        status = _silence_output(EXIT_PIPE_CLOSED)
    except OSError as error:
        status = _silence_output(
            _print_error(to_command_error(BadFileError("system", reason=str(error))))
        )
    except KeyboardInterrupt:
        status = EXIT_INTERRUPTED
    sys.exit(status)


def _open_missing_streams() -> None:
    """Open the null device for each standard stream that the parent process has closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8"))


def _silence_output(status: int) -> int:
    """Redirect the output to the null device, so that flushing it at exit cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def run(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status; its language option does not outlive it."""
    return copy_context().run(_run, arguments)


def _run(arguments: list[str] | None) -> int:
    try:
        status = app(arguments, prog_name="pleasance", standalone_mode=False)
    except PleasanceError as refusal:
        return _print_error(to_command_error(refusal))
    except CommandError as error:
        return _print_error(error)
    except typer.TyperException as usage_error:
        return _print_error(CommandError(_describe_usage_error(usage_error)))
    except typer.Abort:
        return _print_error(CommandError(get_messages()("error.input_ended")))
    return status if isinstance(status, int) else 0


def _describe_usage_error(usage_error: typer.TyperException) -> str:
    """Describe a usage error and the help that explains the command."""
    context: typer.Context | None = getattr(usage_error, "ctx", None)
    command = context.command_path if context else "pleasance"
    return get_messages()(
        "error.misuse", reason=usage_error.format_message().rstrip("."), command=command
    )


def _print_error(error: CommandError) -> int:
    typer.echo(str(error), err=True)
    return error.status
