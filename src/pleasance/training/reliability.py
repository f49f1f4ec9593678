"""Reliability diagrams: forecasts in bins against the observed frequencies, drawn as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pleasance.core.svg import Markup, document, element, write

_BINS = 10
_WIDTH, _HEIGHT = 560, 480
_INK, _SOFT, _FAINT, _PAPER = "#22302a", "#68756d", "#dfe5e0", "#ffffff"
_COLORS = ("#1f7a4d", "#b5543c")
_PANEL_SIZE = 265
_PANELS_PER_ROW = 3


class Bin(NamedTuple):
    """One bin of forecasts of about the same probability."""

    forecast: float
    observed: float
    rows: int


class DiagramFrame(NamedTuple):
    """The edges of a diagram on its picture."""

    left: float
    right: float
    top: float
    bottom: float

    def place(self, forecast: float, observed: float) -> tuple[float, float]:
        """Return the coordinates of a forecast and its observed frequency."""
        return (
            self.left + (self.right - self.left) * forecast,
            self.bottom - (self.bottom - self.top) * observed,
        )


def bin_forecasts(forecast: NDArray[np.float64], observed: NDArray[np.float64]) -> list[Bin]:
    """Put forecasts into bins of equal width, with the observed frequency of each.

    >>> bin_forecasts(np.array([0.05, 0.07, 0.95]), np.array([0.0, 0.0, 1.0]))
    [Bin(forecast=0.06, observed=0.0, rows=2), Bin(forecast=0.95, observed=1.0, rows=1)]
    """
    bin_numbers = np.minimum((forecast * _BINS).astype(int), _BINS - 1)
    return [
        Bin(
            round(float(forecast[bin_numbers == place].mean()), 4),
            round(float(observed[bin_numbers == place].mean()), 4),
            int((bin_numbers == place).sum()),
        )
        for place in range(_BINS)
        if (bin_numbers == place).any()
    ]


def draw_bins(title: str, series: Mapping[str, Sequence[Bin]]) -> str:
    """Draw forecasts against observed frequencies as an SVG document."""
    frame = DiagramFrame(70, 410, 80, 420)
    parts = [*_draw_axes(frame, 20)]
    for number, (name, bins) in enumerate(series.items()):
        parts += _draw_line(frame, bins, _COLORS[number])
        y = frame.top + 20 * (number + 1)
        parts.append(write(name, frame.right + 16, y, 13, fill=_COLORS[number]))
    return _document(title, series, (_WIDTH, _HEIGHT), parts)


def draw_panels(title: str, series: Mapping[str, Sequence[Bin]]) -> str:
    """Draw each series in a diagram of its own, several in a row."""
    parts: list[Markup] = []
    for number, (name, bins) in enumerate(series.items()):
        x, y = number % _PANELS_PER_ROW * _PANEL_SIZE, number // _PANELS_PER_ROW * _PANEL_SIZE + 60
        frame = DiagramFrame(x + 75, x + _PANEL_SIZE - 10, y + 40, y + _PANEL_SIZE - 45)
        parts += [*_draw_axes(frame, 50), *_draw_line(frame, bins, _COLORS[0])]
        parts.append(write(name, frame.left, frame.top - 30, 13, fill=_COLORS[0]))
    lines = -(-len(series) // _PANELS_PER_ROW)
    size = (_PANELS_PER_ROW * _PANEL_SIZE + 20, lines * _PANEL_SIZE + 70)
    return _document(title, series, size, parts)


def _document(
    title: str, series: Mapping[str, Sequence[Bin]], size: tuple[int, int], parts: Sequence[Markup]
) -> str:
    """Assemble the SVG document of a diagram from its title, its parts and a description."""
    story = "; ".join(f"{name}: {sum(one.rows for one in bins)}" for name, bins in series.items())
    paper = element("rect", width=size[0], height=size[1], fill=_PAPER)
    head = write(title, 24, 40, 16, fill=_INK, font_weight="bold")
    return document(title, story, size, paper, head, *parts)


def _draw_axes(frame: DiagramFrame, step: int) -> Iterator[Markup]:
    """Draw both axes and the diagonal of perfect calibration."""
    left, right, top, bottom = frame
    for percent in range(0, 101, step):
        x, y = frame.place(percent / 100, percent / 100)
        path = f"M{left:g} {y:.1f}H{right:g}M{x:.1f} {top:g}V{bottom:g}"
        yield element("path", d=path, stroke=_FAINT)
        label = f"{percent} %"
        yield write(label, left - 10, y + 4, 12, fill=_SOFT, text_anchor="end")
        yield write(label, x, bottom + 20, 12, fill=_SOFT, text_anchor="middle")
    diagonal = f"M{left:g} {bottom:g}L{right:g} {top:g}"
    yield element("path", d=diagonal, stroke=_SOFT, stroke_dasharray="4 3")
    yield write("forecast", right, bottom + 40, 12, fill=_SOFT, text_anchor="end")
    yield write("observed", left - 10, top - 14, 12, fill=_SOFT, text_anchor="end")


def _draw_line(frame: DiagramFrame, bins: Sequence[Bin], color: str) -> Iterator[Markup]:
    """Draw a line through the bins of a series."""
    bin_numbers = [frame.place(one.forecast, one.observed) for one in bins]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in bin_numbers)
    yield element("path", d=path, stroke=color, stroke_width=2, fill="none")
    for x, y in bin_numbers:
        yield element("circle", cx=x, cy=y, r=3, fill=color)
