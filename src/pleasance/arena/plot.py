"""Plots an arena report: the shares of victories with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor
from pathlib import Path
from typing import NamedTuple, cast

from pleasance.arena.estimates import Estimate
from pleasance.arena.report import ArenaReport
from pleasance.arena.text_tables import format_share, format_title, percent
from pleasance.core.errors import BadFileError, BadSetupError, extra_needed
from pleasance.core.svg import (
    FAINT,
    INK,
    PAPER,
    SERIES_COLORS,
    SOFT,
    Markup,
    choose_step,
    document,
    element,
    fit,
    group,
    marker,
    write,
)
from pleasance.i18n.catalog import MessageCatalog

_WIDTH = 760
_LEFT, _RIGHT = 160, 560
"""The ends of the scale; names stand to its left, numbers to its right."""

_TOP = 86
_ROW = 34
_GAP = 30
_MAX_STEPS = 7
"""The largest number of scale steps; each is a whole number of percent."""

_PLAYERS, _SEATS = 0, 1
"""The two series of the chart."""

_SCALE = 2
"""The PNG pixels for each unit of the picture."""


class Scale(NamedTuple):
    """The percentages of the scale's lines."""

    ticks: range

    def place(self, share: float) -> float:
        """Return the x coordinate of a share."""
        first, last = self.ticks[0], self.ticks[-1]
        return _LEFT + (_RIGHT - _LEFT) * (100 * share - first) / (last - first)


def check_plot(file: Path) -> None:
    """Refuse, before hours of play, a plot file that could not be written."""
    if file.suffix not in {".svg", ".png"}:
        raise BadSetupError("arena_plot", file=str(file))
    if file.suffix == ".png":
        _load_renderer()
    if not file.absolute().parent.is_dir():
        raise BadFileError("file_missing", file=str(file.parent))


def write_plot(report: ArenaReport, messages: MessageCatalog, file: Path) -> None:
    """Draw a report into an SVG or PNG file."""
    picture = draw_plot(report, messages)
    if file.suffix == ".svg":
        file.write_text(picture + "\n", encoding="utf-8")
        return
    file.write_bytes(bytes(_load_renderer()(svg_string=picture, zoom=_SCALE)))


def _load_renderer() -> Callable[..., Sequence[int]]:
    """Load what turns SVG into PNG."""
    with extra_needed("plot"):
        from resvg_py import svg_to_bytes  # noqa: PLC0415  (an extra)
    return cast("Callable[..., Sequence[int]]", svg_to_bytes)


def draw_plot(report: ArenaReport, messages: MessageCatalog) -> str:
    """Draw a report as an SVG document."""
    players = [(standing.player, standing.share) for standing in report.standings]
    seats = [(messages("arena.seat_number", seat=seat), share) for seat, share in _seats(report)]
    scale = _fit_scale([share for _, share in players + seats], report.chance)
    second = _TOP + _ROW * len(players) + _GAP
    bottom = second + _ROW * len(seats)
    title = format_title(report, messages)
    description = "; ".join(f"{name}: {format_share(share)}" for name, share in players)
    return document(
        title,
        description,
        (_WIDTH, bottom + 64),
        element("rect", width=_WIDTH, height=bottom + 64, fill=PAPER),
        write(messages("arena.heading"), 24, 36, 20, fill=INK, font_weight="bold"),
        write(title, 24, 58, fit(title, _WIDTH - 48, 13), fill=SOFT),
        _draw_axis(scale, bottom),
        _draw_chance(scale.place(report.chance), bottom, messages, report),
        *_draw_rows(players, scale, _TOP, _PLAYERS),
        *_draw_rows(seats, scale, second, _SEATS),
    )


def _seats(report: ArenaReport) -> Iterator[tuple[int, Estimate]]:
    return enumerate(report.seats, start=1)


def _fit_scale(estimates: Sequence[Estimate], chance: float) -> Scale:
    """Choose the finest scale that shows every interval and chance.

    >>> list(_fit_scale([Estimate(0.5, 0.31, 0.72, 9)], 0.5).ticks)
    [30, 40, 50, 60, 70, 80]
    """
    low = 100 * min(chance, *(share.low for share in estimates))
    high = 100 * max(chance, *(share.high for share in estimates))
    step = choose_step(low, high, _MAX_STEPS)
    first = floor(low / step)
    last = max(first + 1, ceil(high / step))
    return Scale(range(first * step, last * step + 1, step))


def _draw_axis(scale: Scale, bottom: float) -> Markup:
    parts = []
    for tick in scale.ticks:
        x = scale.place(tick / 100)
        parts.append(element("path", d=f"M{x:.1f} {_TOP - 8}V{bottom + 4}", stroke=FAINT))
        label = f"{tick} %"
        parts.append(write(label, x, bottom + 22, 12, fill=SOFT, text_anchor="middle"))
    return group(*parts)


def _draw_chance(x: float, bottom: float, messages: MessageCatalog, report: ArenaReport) -> Markup:
    label = messages("arena.chance_label", share=percent(report.chance))
    return group(
        element(
            "path", d=f"M{x:.1f} {_TOP - 8}V{bottom + 34}", stroke=SOFT, stroke_dasharray="4 3"
        ),
        write(label, x, bottom + 48, 12, fill=SOFT, text_anchor="middle"),
    )


def _draw_rows(
    rows: Sequence[tuple[str, Estimate]], scale: Scale, top: float, series: int
) -> Iterator[Markup]:
    for number, (name, share) in enumerate(rows):
        y = top + _ROW * number + _ROW / 2
        low, high = scale.place(share.low), scale.place(share.high)
        whisker = f"M{low:.1f} {y}H{high:.1f}M{low:.1f} {y - 5}v10M{high:.1f} {y - 5}v10"
        size = fit(name, _LEFT - 40, 14)
        yield write(name, _LEFT - 16, y + 5, size, fill=INK, text_anchor="end")
        yield element("path", d=whisker, stroke=SERIES_COLORS[series], stroke_width=2, fill="none")
        yield marker(series, scale.place(share.mean), y)
        yield write(format_share(share), _RIGHT + 24, y + 5, 13, fill=INK)
