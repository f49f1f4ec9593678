"""Formats an arena report as tables for a terminal or as markdown."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, isfinite, log10
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table

from pleasance.arena.estimates import Estimate
from pleasance.arena.report import ArenaReport, ArenaStanding
from pleasance.i18n.catalog import MessageCatalog

_P95 = 0.95
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


class TextTable(NamedTuple):
    """A table of texts; the first column holds the row's name."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def make_tables(report: ArenaReport, words: MessageCatalog) -> tuple[TextTable, ...]:
    """Make the tables of players, seats and, with many players, pairs."""
    keys = ("player", "share", "margin", "score", "rating", "time", "p95")
    players = TextTable(
        tuple(words(f"arena.{key}") for key in keys),
        tuple(_row(standing) for standing in report.standings),
    )
    seats = TextTable(
        (words("arena.seat"), words("arena.share")),
        tuple((str(seat), format_share(share)) for seat, share in enumerate(report.seats, start=1)),
    )
    if not report.meetings:
        return players, seats
    meetings = TextTable(
        tuple(words(f"arena.{key}") for key in ("player", "other", "ahead")),
        tuple((each.player, each.other, format_share(each.ahead)) for each in report.meetings),
    )
    return players, seats, meetings


def format_title(report: ArenaReport, words: MessageCatalog) -> str:
    """Format the title."""
    plan = report.plan
    return words(
        "arena.title",
        game=plan.game,
        seats=plan.seats,
        options=", ".join(plan.options) or "none",
        format="self" if len(plan.players) == 1 else "mixed" if plan.is_mixed else "one",
        player=plan.names[0],
        games=report.games,
        matches=report.matches,
        seed=plan.seed,
    )


def format_notes(report: ArenaReport, words: MessageCatalog) -> Iterator[str]:
    """Format the notes on the numbers and the verdict of the sequential test."""
    yield words("arena.chance", share=percent(report.chance), decisions=f"{report.decisions:.1f}")
    if report.has_few_matches:
        yield words("arena.few", matches=report.matches)
    sequence = report.sequence
    if sequence is not None:
        yield words(
            "arena.test",
            verdict=sequence.verdict,
            player=report.standings[0].player,
            fair=percent(sequence.null_mean),
            low=percent(max(0.0, sequence.low)),
            high=percent(min(1.0, sequence.high)),
            level=percent(1 - sequence.alpha),
        )


def write_markdown(report: ArenaReport, words: MessageCatalog) -> str:
    """Write title, tables and notes as markdown."""
    blocks = [format_title(report, words)]
    blocks += ["\n".join(_to_markdown(text_table)) for text_table in make_tables(report, words)]
    blocks.append("\n".join(format_notes(report, words)))
    return "\n\n".join(blocks) + "\n"


def print_tables(report: ArenaReport, words: MessageCatalog, console: Console) -> None:
    """Print title, tables and notes in a terminal."""
    console.print(format_title(report, words), highlight=False, markup=False)
    for text_table in make_tables(report, words):
        table = Table(box=box.SIMPLE_HEAD)
        for place, name in enumerate(text_table.head):
            table.add_column(name, justify="right" if place else "left", no_wrap=place == 0)
        for row in text_table.rows:
            table.add_row(*row)
        console.print(table, highlight=False, markup=False)
    for note in format_notes(report, words):
        console.print(note, highlight=False, markup=False)


def _row(standing: ArenaStanding) -> tuple[str, ...]:
    rating, times = standing.rating, standing.times
    return (
        standing.player,
        format_share(standing.share),
        format_mean(standing.margin, sign="+"),
        format_mean(standing.score),
        f"{rating.mu:.1f} ± {rating.sigma:.1f}",
        format_seconds(times.mean),
        format_seconds(times.quantile(_P95)),
    )


def _to_markdown(text_table: TextTable) -> Iterator[str]:
    rule = ("---", *("--:" for _ in text_table.head[1:]))
    for row in (text_table.head, rule, *text_table.rows):
        cells = [cell.replace("|", "\\|") for cell in row]  # a pipe would end its cell
        yield f"| {' | '.join(cells)} |"


def percent(part: float) -> str:
    """Write a part of the whole in percent.

    >>> percent(1 / 3)
    '33.3 %'
    """
    return f"{100 * part:.1f} %"


def format_share(estimate: Estimate) -> str:
    """Write a share with its interval.

    >>> format_share(Estimate(0.615, 0.57, 0.66, 50))
    '61.5 % [57.0, 66.0]'
    """
    return f"{percent(estimate.mean)} [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"


def format_mean(estimate: Estimate, sign: str = "-") -> str:
    """Write a mean and how far its interval reaches.

    >>> format_mean(Estimate(5.25, 3.25, 7.25, 50), sign="+")
    '+5.2 ± 2.0'
    """
    mean = f"{estimate.mean:{sign}.1f}"
    return f"{mean} ± {estimate.high - estimate.mean:.1f}" if isfinite(estimate.high) else mean


def format_seconds(seconds: float) -> str:
    """Write a time with three digits.

    >>> format_seconds(0.00213), format_seconds(0)
    ('2.13 ms', '0 µs')
    """
    size, unit = next((unit for unit in _UNITS if seconds >= unit[0]), _UNITS[-1])
    value = seconds / size
    digits = 2 - floor(log10(value)) if value >= 1 else 2 * (value > 0)
    return f"{value:.{max(0, digits)}f} {unit}"
