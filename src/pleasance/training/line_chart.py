"""Line charts of shares as SVG: axes, and lines that differ in color and in the shape of points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import floor, log10
from typing import NamedTuple

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
    marker,
    write,
)

_MAX_STEPS = 8
"""The largest number of steps of a scale."""


class Frame(NamedTuple):
    """The edges of a chart on its picture, and the value at its right edge."""

    left: float
    right: float
    top: float
    bottom: float
    most: float = 1.0

    def place(self, value: float, share: float) -> tuple[float, float]:
        """Return the coordinates of a share at a value of the horizontal scale."""
        return (
            self.left + (self.right - self.left) * value / self.most,
            self.bottom - (self.bottom - self.top) * share,
        )


def draw_chart(title: str, story: str, size: tuple[float, float], parts: Sequence[Markup]) -> str:
    """Assemble the SVG document of a chart; a screen reader reads *title* and *story*."""
    paper = element("rect", width=size[0], height=size[1], fill=PAPER)
    head = write(title, 24, 40, 16, fill=INK, font_weight="bold")
    return document(title, story, size, paper, head, *parts)


def draw_axes(frame: Frame, values: Mapping[float, str], percents: range) -> Iterator[Markup]:
    """Draw a horizontal scale of *values* with their labels, and a vertical one of percents."""
    for percent in percents:
        x, y = frame.place(0, percent / 100)
        yield element("path", d=f"M{x:.1f} {y:.1f}H{frame.right:g}", stroke=FAINT)
        yield write(f"{percent} %", x - 10, y + 4, 12, fill=SOFT, text_anchor="end")
    for value, label in values.items():
        x, y = frame.place(value, 0)
        yield element("path", d=f"M{x:.1f} {frame.top:g}V{y:.1f}", stroke=FAINT)
        yield write(label, x, y + 20, 12, fill=SOFT, text_anchor="middle")


def draw_labels(frame: Frame, below: str, above: str) -> Iterator[Markup]:
    """Name both scales at their ends."""
    for label, x, y in (
        (below, frame.right, frame.bottom + 40),
        (above, frame.left - 10, frame.top - 14),
    ):
        yield write(label, x, y, 12, fill=SOFT, text_anchor="end")


def draw_line(frame: Frame, points: Sequence[tuple[float, float]], series: int) -> Iterator[Markup]:
    """Draw a line through the points of a series, each a value and a share."""
    places = [frame.place(*point) for point in points]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    yield element("path", d=path, stroke=series_color(series), stroke_width=2, fill="none")
    yield from (marker(series, x, y) for x, y in places)


def draw_name(name: str, series: int, x: float, y: float) -> Iterator[Markup]:
    """Name a series beside its marker."""
    yield marker(series, x + 5, y)
    yield write(name, x + 16, y + 4, 12, fill=series_color(series))


def series_color(series: int) -> str:
    """Return the color of a series."""
    return SERIES_COLORS[series % len(SERIES_COLORS)]


def round_steps(most: float) -> list[float]:
    """Choose round values from 0 to *most*, as many as a scale has room for.

    >>> round_steps(372_000)
    [0.0, 50000.0, 100000.0, 150000.0, 200000.0, 250000.0, 300000.0, 350000.0]
    """
    power = 10.0 ** floor(log10(most) - 1)
    step = power * choose_step(0, most / power, _MAX_STEPS)
    return [place * step for place in range(floor(most / step) + 1)]
