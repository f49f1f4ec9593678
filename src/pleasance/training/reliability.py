"""Reliability diagrams: forecasts in bins against the observed frequencies, drawn as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pleasance.core.svg import INK, SOFT, Markup, element, write
from pleasance.training.line_chart import (
    Frame,
    draw_axes,
    draw_chart,
    draw_labels,
    draw_line,
    draw_name,
)

_BINS = 10
_WIDTH, _HEIGHT = 580, 480
_PANEL_SIZE = 265
_PANELS_PER_ROW = 3


class Bin(NamedTuple):
    """One bin of forecasts of about the same probability."""

    forecast: float
    observed: float
    rows: int


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
    frame = Frame(70, 410, 80, 420)
    parts = [*_draw_scales(frame, 20)]
    for number, (name, bins) in enumerate(series.items()):
        parts += draw_line(frame, _points(bins), number)
        parts += draw_name(name, number, frame.right + 20, frame.top + 20 * number + 16)
    return draw_chart(title, _describe(series), (_WIDTH, _HEIGHT), parts)


def draw_panels(title: str, series: Mapping[str, Sequence[Bin]]) -> str:
    """Draw each series in a diagram of its own, several in a row."""
    parts: list[Markup] = []
    for number, (name, bins) in enumerate(series.items()):
        x, y = number % _PANELS_PER_ROW * _PANEL_SIZE, number // _PANELS_PER_ROW * _PANEL_SIZE + 60
        frame = Frame(x + 75, x + _PANEL_SIZE - 10, y + 40, y + _PANEL_SIZE - 45)
        parts += [*_draw_scales(frame, 50), *draw_line(frame, _points(bins), 0)]
        parts.append(write(name, frame.left, frame.top - 30, 13, fill=INK))
    lines = -(-len(series) // _PANELS_PER_ROW)
    size = (_PANELS_PER_ROW * _PANEL_SIZE + 20, lines * _PANEL_SIZE + 70)
    return draw_chart(title, _describe(series), size, parts)


def _draw_scales(frame: Frame, step: int) -> Iterator[Markup]:
    """Draw both scales and the diagonal of perfect calibration."""
    percents = range(0, 101, step)
    yield from draw_axes(frame, {each / 100: f"{each} %" for each in percents}, percents)
    yield from draw_labels(frame, "forecast", "observed")
    diagonal = f"M{frame.left:g} {frame.bottom:g}L{frame.right:g} {frame.top:g}"
    yield element("path", d=diagonal, stroke=SOFT, stroke_dasharray="4 3")


def _points(bins: Sequence[Bin]) -> list[tuple[float, float]]:
    return [(each.forecast, each.observed) for each in bins]


def _describe(series: Mapping[str, Sequence[Bin]]) -> str:
    """Say how many rows each series has."""
    return "; ".join(f"{name}: {sum(one.rows for one in bins)}" for name, bins in series.items())
