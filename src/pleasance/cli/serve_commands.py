"""Commands that run a server and its workers: serve, worker."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pleasance.core.errors import BadSetupError, PleasanceError, extra_needed
from pleasance.games import find_game, game_names
from pleasance.terminal.output import CommandError, find_language

if TYPE_CHECKING:
    from pleasance.server.base.single_instance import RunningServer

DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://…; else a file in your data folder.",
    ),
]
SettingsFile = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="A TOML file of settings.")
]

Host = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Where to listen.", show_default="127.0.0.1"),
]
Port = Annotated[
    int | None, typer.Option(metavar="N", help="Which port; 0 is any.", show_default="8040")
]
Lan = Annotated[bool, typer.Option("--lan", help="Open it to the home network.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")]


@contextmanager
def server_error_context() -> Iterator[None]:
    """Convert refusals to `CommandError` in the words of the server."""
    try:
        yield
    except PleasanceError as refusal:
        from pleasance.server.base.translate import error_message

        raise CommandError(error_message(refusal, find_language())) from refusal


def serve(
    *,
    host: Host = None,
    port: Port = None,
    lan: Lan = False,
    database: DatabaseUrl = None,
    settings: SettingsFile = None,
    no_browser: NoBrowser = False,
) -> None:
    """Serve tables to browsers: on this computer, in the home network, or to the world.

    \b
    Examples:
      pleasance serve
      pleasance serve --lan
      pleasance serve --database postgresql://pleasance@localhost/pleasance --port 8041
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more threads make small networks slower
    with server_error_context():
        _check_setup(host, lan=lan)
        with extra_needed("server"):
            from pleasance.server.base.links import IPV4_WILDCARD
            from pleasance.server.base.settings import ServerSettings, merge_settings
            from pleasance.server.base.single_instance import AlreadyRunningError
            from pleasance.server.serve import run_server

        given = {"host": IPV4_WILDCARD if lan else host, "port": port, "database": database}
        values = merge_settings(settings, given=given)
        try:
            is_orderly = run_server(
                ServerSettings(**values),
                on_ready=lambda running: _welcome(running, lan=lan, is_shown=not no_browser),
                may_move="port" not in values,
            )
        except AlreadyRunningError as already:
            _show_running(already.running, lan=lan, is_shown=not no_browser)
            return
    if not is_orderly:
        os._exit(1)  # after a second signal, threads are not waited for


def _check_setup(host: str | None, *, lan: bool) -> None:
    """Refuse two addresses, and games that cannot be loaded, before the server starts."""
    if lan and host is not None:
        raise BadSetupError("lan_and_host")
    for name in game_names():
        find_game(name)


def _welcome(running: RunningServer, *, lan: bool, is_shown: bool) -> None:
    """Print the link of the server and who can open it."""
    from pleasance.server.base.links import draw_qr_code
    from pleasance.server.base.translate import server_messages

    words = server_messages(find_language())
    typer.echo(f"\n  {words('serve.ready', link=running.link)}")
    typer.echo(f"  {words(_audience_key(running, lan=lan))}")
    if lan and running.is_open and _audience_key(running, lan=lan) != "serve.no_network":
        is_colored = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        code = draw_qr_code(running.link, is_colored=is_colored)
        typer.echo("\n" + "\n".join(f"  {line}" for line in code.splitlines()) + "\n")
    typer.echo(f"  {words('serve.stop')}\n")
    sys.stdout.flush()
    _show(running.link, is_shown=is_shown)


def _audience_key(running: RunningServer, *, lan: bool) -> str:
    """Return the key of the message that says who can open the page."""
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    host = urlsplit(running.link).hostname or ""
    try:
        address = ip_address(host)
    except ValueError:
        return "serve.lan" if running.is_open else "serve.local"
    if lan and address.is_loopback:
        return "serve.no_network"
    if not running.is_open:
        return "serve.local"
    return "serve.public" if address.is_global else "serve.lan"


def _show_running(running: RunningServer | None, *, lan: bool, is_shown: bool) -> None:
    """Print the link of the server that runs already, and open it."""
    from pleasance.server.base.translate import server_messages

    if running is None:  # it uses the database but has left no address
        raise BadSetupError("server_running")
    key = "serve.already_local" if lan and not running.is_open else "serve.already"
    typer.echo(server_messages(find_language())(key, link=running.link))
    _show(running.link, is_shown=is_shown)


def _show(link: str, *, is_shown: bool) -> None:
    """Open the browser, if there is one, without waiting for it."""
    from pleasance.server.base.links import can_show_browser

    if is_shown and can_show_browser():
        import threading
        import webbrowser

        threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()


def worker(
    *,
    database: DatabaseUrl = None,
    processes: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="How many moves are computed at once.", show_default="cores - 1"
        ),
    ] = None,
    settings: SettingsFile = None,
) -> None:
    """Compute moves of bots for servers that share a PostgreSQL database.

    \b
    Examples:
      pleasance worker --database postgresql://pleasance@localhost/pleasance
      pleasance worker --database postgresql://pleasance@db.example/pleasance --processes 8
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with server_error_context():
        import asyncio

        with extra_needed("server"):
            from pleasance.server.base.logs import set_up_logs
            from pleasance.server.base.settings import load_settings
            from pleasance.server.bots.worker import run_worker

        loaded = load_settings(settings, given={"database": database, "bot_processes": processes})
        set_up_logs(loaded)
        asyncio.run(run_worker(loaded.database, loaded.bot_processes))
