"""The progress bar of an arena, with the share so far; on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pleasance.arena.estimates import estimate_share, measure_player
from pleasance.arena.plan import Plan
from pleasance.arena.run import MatchCallback, MatchCollector
from pleasance.arena.text_tables import format_share

_UPDATE_INTERVAL_S = 0.5
"""The least time between two updates, so that they cost next to nothing."""


@contextmanager
def progress_bar(collector: MatchCollector, plan: Plan) -> Iterator[MatchCallback | None]:
    """Show a progress bar on the error stream while matches are played."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task(plan.names[0], total=collector.limit)
        updated_at = 0.0

        def on_match(collector: MatchCollector) -> None:
            nonlocal updated_at
            if monotonic() - updated_at < _UPDATE_INTERVAL_S:
                return
            updated_at = monotonic()
            description = f"{plan.names[0]} {_describe_share(collector)}"
            progress.update(task, completed=collector.played, description=description)

        yield on_match


def _describe_share(collector: MatchCollector) -> str:
    """Format the share of the first player so far."""
    measures = [measure_player(match, 0) for match in collector.matches]
    return format_share(estimate_share([measure.share for measure in measures if measure]))
