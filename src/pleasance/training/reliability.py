"""What was foretold against what happened: sorted into bins, and drawn."""

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
_PANEL = 265
_ACROSS = 3


class Bin(NamedTuple):
    """All that was foretold with about the same certainty."""

    told: float
    happened: float
    rows: int


class Frame(NamedTuple):
    """Where a diagram lies on its picture."""

    left: float
    right: float
    top: float
    bottom: float

    def place(self, told: float, happened: float) -> tuple[float, float]:
        """Find where a pair of shares stands."""
        return (
            self.left + (self.right - self.left) * told,
            self.bottom - (self.bottom - self.top) * happened,
        )


def sort_out(told: NDArray[np.float64], happened: NDArray[np.float64]) -> list[Bin]:
    """Put what was foretold into bins of equal width, and tell how often it happened.

    >>> sort_out(np.array([0.05, 0.07, 0.95]), np.array([0.0, 0.0, 1.0]))
    [Bin(told=0.06, happened=0.0, rows=2), Bin(told=0.95, happened=1.0, rows=1)]
    """
    places = np.minimum((told * _BINS).astype(int), _BINS - 1)
    return [
        Bin(
            round(float(told[places == place].mean()), 4),
            round(float(happened[places == place].mean()), 4),
            int((places == place).sum()),
        )
        for place in range(_BINS)
        if (places == place).any()
    ]


def draw_bins(title: str, series: Mapping[str, Sequence[Bin]]) -> str:
    """Draw what was foretold against what happened as an SVG document."""
    frame = Frame(70, 410, 80, 420)
    parts = [*_draw_axes(frame, 20)]
    for number, (name, bins) in enumerate(series.items()):
        parts += _draw_line(frame, bins, _COLORS[number])
        y = frame.top + 20 * (number + 1)
        parts.append(write(name, frame.right + 16, y, 13, fill=_COLORS[number]))
    return _document(title, series, (_WIDTH, _HEIGHT), parts)


def draw_panels(title: str, series: Mapping[str, Sequence[Bin]]) -> str:
    """Draw each series in a diagram of its own, several in a line."""
    parts: list[Markup] = []
    for number, (name, bins) in enumerate(series.items()):
        x, y = number % _ACROSS * _PANEL, number // _ACROSS * _PANEL + 60
        frame = Frame(x + 75, x + _PANEL - 10, y + 40, y + _PANEL - 45)
        parts += [*_draw_axes(frame, 50), *_draw_line(frame, bins, _COLORS[0])]
        parts.append(write(name, frame.left, frame.top - 30, 13, fill=_COLORS[0]))
    lines = -(-len(series) // _ACROSS)
    size = (_ACROSS * _PANEL + 20, lines * _PANEL + 70)
    return _document(title, series, size, parts)


def _document(
    title: str, series: Mapping[str, Sequence[Bin]], size: tuple[int, int], parts: Sequence[Markup]
) -> str:
    """Put a picture together."""
    told = "; ".join(f"{name}: {sum(one.rows for one in bins)}" for name, bins in series.items())
    paper = element("rect", width=size[0], height=size[1], fill=_PAPER)
    head = write(title, 24, 40, 16, fill=_INK, font_weight="bold")
    return document(title, told, size, paper, head, *parts)


def _draw_axes(frame: Frame, step: int) -> Iterator[Markup]:
    """Draw both scales and the line where all is as foretold."""
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
    yield write("foretold", right, bottom + 40, 12, fill=_SOFT, text_anchor="end")
    yield write("happened", left - 10, top - 14, 12, fill=_SOFT, text_anchor="end")


def _draw_line(frame: Frame, bins: Sequence[Bin], color: str) -> Iterator[Markup]:
    """Draw one series: a line through its bins."""
    places = [frame.place(one.told, one.happened) for one in bins]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    yield element("path", d=path, stroke=color, stroke_width=2, fill="none")
    for x, y in places:
        yield element("circle", cx=x, cy=y, r=3, fill=color)
