"""Pager for long texts: the rules of a game."""

from __future__ import annotations

import os
import sys
from importlib.resources import files

from pleasance.core.game import AnyGame


def load_rules(game: AnyGame) -> str:
    """Load the rules of a game, in Markdown."""
    return (files(game.spec.package) / "RULES.md").read_text(encoding="utf-8")


def show_page(text: str) -> None:
    """Show Markdown, rendered and paged on a terminal, unchanged in a pipe."""
    if not sys.stdout.isatty():
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        return
    from rich.console import Console  # noqa: PLC0415  (slow to import, not needed in a pipe)
    from rich.markdown import Markdown  # noqa: PLC0415  (likewise)

    console = Console()
    page = Markdown(text)
    if len(console.render_lines(page)) < console.height:
        console.print(page)
        return
    os.environ.setdefault("LESS", "-R")  # lets `less` show styles
    with console.pager(styles=not console.is_dumb_terminal):
        console.print(page)
