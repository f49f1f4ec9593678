"""A bar that shows how far an arena is and what it looks like so far; on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pleasance.arena.plan import Plan
from pleasance.arena.run import Referee, Watch
from pleasance.arena.stats import estimate_share, measure_player
from pleasance.arena.tables import show_share

_PAUSE = 0.5
"""Seconds between two looks, so that looking costs nothing."""


@contextmanager
def watching(referee: Referee, plan: Plan) -> Iterator[Watch | None]:
    """Show a bar on the error stream while matches are played."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task(plan.names[0], total=referee.most)
        looked = 0.0

        def watch(referee: Referee) -> None:
            nonlocal looked
            if monotonic() - looked < _PAUSE:
                return
            looked = monotonic()
            told = f"{plan.names[0]} {_tell(referee)}"
            progress.update(task, completed=referee.played, description=told)

        yield watch


def _tell(referee: Referee) -> str:
    """Say what the first player has won so far."""
    found = [measure_player(match, 0) for match in referee.matches]
    return show_share(estimate_share([measure.share for measure in found if measure]))
