"""What an arena found, as tables for a terminal or as markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, isfinite, log10
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table

from pleasance.arena.report import Report, Standing
from pleasance.arena.stats import Estimate
from pleasance.i18n.catalog import Words

_P95 = 0.95
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


class Sheet(NamedTuple):
    """A table of texts; the first column names what the row is about."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def make_sheets(report: Report, words: Words) -> tuple[Sheet, ...]:
    """Set what was found in tables: the players, the seats, and who meets whom if many do."""
    keys = ("player", "share", "margin", "score", "rating", "time", "p95")
    players = Sheet(
        tuple(words(f"arena.{key}") for key in keys),
        tuple(_row(standing) for standing in report.standings),
    )
    seats = Sheet(
        (words("arena.seat"), words("arena.share")),
        tuple((str(seat), show_share(share)) for seat, share in enumerate(report.seats, start=1)),
    )
    if not report.meetings:
        return players, seats
    meetings = Sheet(
        tuple(words(f"arena.{key}") for key in ("player", "other", "ahead")),
        tuple((each.player, each.other, show_share(each.ahead)) for each in report.meetings),
    )
    return players, seats, meetings


def tell_title(report: Report, words: Words) -> str:
    """Say what was played."""
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


def tell_notes(report: Report, words: Words) -> Iterator[str]:
    """Say what the numbers mean, and what the sequential test found."""
    yield words("arena.chance", share=show_part(report.chance), decisions=f"{report.decisions:.1f}")
    if report.is_rough:
        yield words("arena.few", matches=report.matches)
    bets = report.bets
    if bets is not None:
        yield words(
            "arena.test",
            verdict=bets.verdict,
            player=report.standings[0].player,
            fair=show_part(bets.claim),
            low=show_part(max(0.0, bets.low)),
            high=show_part(min(1.0, bets.high)),
            level=show_part(1 - bets.alpha),
        )


def write_markdown(report: Report, words: Words) -> str:
    """Write title, tables and notes as markdown."""
    blocks = [tell_title(report, words)]
    blocks += ["\n".join(_write_sheet(sheet)) for sheet in make_sheets(report, words)]
    blocks.append("\n".join(tell_notes(report, words)))
    return "\n\n".join(blocks) + "\n"


def print_tables(report: Report, words: Words, console: Console) -> None:
    """Print title, tables and notes in a terminal."""
    console.print(tell_title(report, words), highlight=False, markup=False)
    for sheet in make_sheets(report, words):
        table = Table(box=box.SIMPLE_HEAD)
        for place, name in enumerate(sheet.head):
            table.add_column(name, justify="right" if place else "left", no_wrap=place == 0)
        for row in sheet.rows:
            table.add_row(*row)
        console.print(table, highlight=False, markup=False)
    for note in tell_notes(report, words):
        console.print(note, highlight=False, markup=False)


def _row(standing: Standing) -> tuple[str, ...]:
    rating, times = standing.rating, standing.times
    return (
        standing.player,
        show_share(standing.share),
        show_mean(standing.margin, sign="+"),
        show_mean(standing.score),
        f"{rating.mu:.1f} ± {rating.sigma:.1f}",
        show_seconds(times.mean),
        show_seconds(times.quantile(_P95)),
    )


def _write_sheet(sheet: Sheet) -> Iterator[str]:
    rule = ("---", *("--:" for _ in sheet.head[1:]))
    for row in (sheet.head, rule, *sheet.rows):
        yield f"| {' | '.join(_guard(row))} |"


def _guard(cells: Sequence[str]) -> Iterator[str]:
    """Keep a name from ending its cell."""
    return (cell.replace("|", "\\|") for cell in cells)


def show_part(part: float) -> str:
    """Write a part of the whole in percent.

    >>> show_part(1 / 3)
    '33.3 %'
    """
    return f"{100 * part:.1f} %"


def show_share(found: Estimate) -> str:
    """Write a share with its interval.

    >>> show_share(Estimate(0.615, 0.57, 0.66, 50))
    '61.5 % [57.0, 66.0]'
    """
    return f"{show_part(found.mean)} [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def show_mean(found: Estimate, sign: str = "-") -> str:
    """Write a mean and how far its interval reaches.

    >>> show_mean(Estimate(5.25, 3.25, 7.25, 50), sign="+")
    '+5.2 ± 2.0'
    """
    mean = f"{found.mean:{sign}.1f}"
    return f"{mean} ± {found.high - found.mean:.1f}" if isfinite(found.high) else mean


def show_seconds(seconds: float) -> str:
    """Write a time with three digits.

    >>> show_seconds(0.00213), show_seconds(0)
    ('2.13 ms', '0 µs')
    """
    size, unit = next((unit for unit in _UNITS if seconds >= unit[0]), _UNITS[-1])
    value = seconds / size
    digits = 2 - floor(log10(value)) if value >= 1 else 2 * (value > 0)
    return f"{value:.{max(0, digits)}f} {unit}"
