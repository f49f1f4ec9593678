"""The learning curve of Sakura's networks as a picture.

    python -m pleasance.games.sakura.training.learning_curve first.json second.json curve.svg

Each line is what one network wins at tables of one kind, over the games it has learned from; a
run that went on from another follows it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pleasance.core.svg import Markup, document, element, write

_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 590, 80, 360
_INK, _SOFT, _FAINT, _PAPER = "#22302a", "#68756d", "#dfe5e0", "#ffffff"
_COLORS = ("#1f7a4d", "#5b5f97", "#b5543c", "#a37b16", "#3b7ea1", "#7a4d6e")
_TICKS, _LINE = 5, 16.0


class Point(NamedTuple):
    """The share won after some games, with its standard error."""

    games: int
    share: float
    error: float


def read_series(report: Mapping[str, Any], name: str) -> dict[str, list[Point]]:
    """Find what was measured against one kind of players, by table; at the end with most worlds."""
    series: dict[str, list[Point]] = {}
    for note in report["curve"]:
        for table, (share, error) in note.get("wins", {}).items():
            if table.partition(" ")[0] == name:
                points = series.setdefault(table, [])
                if points and points[-1].games == note["games"]:
                    points.pop()
                points.append(Point(note["games"], share, error))
    return series


def join_reports(reports: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Put runs that went on from each other one behind the other.

    Only the last keeps what was measured at its end with other numbers of worlds than on the way.
    """
    curve: list[dict[str, Any]] = []
    before = 0
    for place, report in enumerate(reports):
        is_last = place == len(reports) - 1
        notes = [note for note in report["curve"] if is_last or "worlds" not in note]
        curve += [{**note, "games": before + note["games"]} for note in notes]
        before = curve[-1]["games"] if curve else before
    return {"curve": curve}


def draw_curve(title: str, series: Mapping[str, Sequence[Point]]) -> str:
    """Draw lines with their standard errors as an SVG document."""
    most = max(point.games for points in series.values() for point in points)
    heights = _spread([_height(points[-1].share) for points in series.values()])
    summary = "; ".join(f"{name}: {points[-1].share:.0%}" for name, points in series.items())
    return document(
        title,
        summary,
        (_WIDTH, _HEIGHT),
        element("rect", width=_WIDTH, height=_HEIGHT, fill=_PAPER),
        write(title, 24, 40, 18, fill=_INK, font_weight="bold"),
        *_draw_axes(most),
        *(
            part
            for number, (name, points) in enumerate(series.items())
            for part in (
                *_draw_line(points, most, _COLORS[number]),
                _draw_name(name, points[-1], heights[number], _COLORS[number]),
            )
        ),
    )


def _draw_axes(most: int) -> Iterator[Markup]:
    """Draw the lines of both scales."""
    for tick in range(_TICKS + 1):
        y = _BOTTOM - (_BOTTOM - _TOP) * tick / _TICKS
        yield element("path", d=f"M{_LEFT} {y:.1f}H{_RIGHT}", stroke=_FAINT)
        label = f"{100 * tick // _TICKS} %"
        yield write(label, _LEFT - 10, y + 4, 12, fill=_SOFT, text_anchor="end")
        x = _LEFT + (_RIGHT - _LEFT) * tick / _TICKS
        games = f"{most * tick / _TICKS / 1000:.0f} k"
        yield write(games, x, _BOTTOM + 22, 12, fill=_SOFT, text_anchor="middle")


def _height(share: float) -> float:
    """Find where a share stands."""
    return _BOTTOM - (_BOTTOM - _TOP) * share


def _spread(heights: Sequence[float]) -> list[float]:
    """Move what stands too close together apart, downwards.

    >>> _spread([100.0, 96.0, 50.0])
    [112.0, 96.0, 50.0]
    """
    placed = list(heights)
    last = -_LINE
    for number in sorted(range(len(placed)), key=placed.__getitem__):
        last = placed[number] = max(placed[number], last + _LINE)
    return placed


def _draw_name(name: str, point: Point, height: float, color: str) -> Markup:
    """Write the name of a line to its right."""
    return write(f"{name}: {point.share:.0%}", _RIGHT + 12, height + 4, 12, fill=color)


def _draw_line(points: Sequence[Point], most: int, color: str) -> Iterator[Markup]:
    """Draw one line and its errors."""
    places = [
        (
            _LEFT + (_RIGHT - _LEFT) * point.games / most,
            _height(point.share),
            (_BOTTOM - _TOP) * point.error,
        )
        for point in points
    ]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places)
    bars = "".join(f"M{x:.1f} {y - error:.1f}v{2 * error:.1f}" for x, y, error in places)
    yield element("path", d=path, stroke=color, stroke_width=2, fill="none")
    yield element("path", d=bars, stroke=color, fill="none")


def main(arguments: list[str] | None = None) -> None:
    """Draw the learning curve of a training run."""
    parser = argparse.ArgumentParser(
        prog="python -m pleasance.games.sakura.training.learning_curve"
    )
    parser.add_argument("reports", type=Path, nargs="+")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--game", default="Sakura", help="whose curve it is, for the title")
    given = parser.parse_args(arguments)
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in given.reports]
    title = f"{given.game}: wins among {given.against} players, by games learned from"
    picture = draw_curve(title, read_series(join_reports(reports), given.against))
    given.picture.write_text(picture + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
