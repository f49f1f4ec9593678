"""The learning curve of a network as a picture.

    python -m pleasance.training.learning_curve Sakura first.json second.json curve.svg

Each line is what one network wins at tables of one kind, over the games it has learned from; a
run that went on from another follows it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pleasance.core.svg import Markup, element
from pleasance.training.line_chart import (
    Frame,
    draw_axes,
    draw_chart,
    draw_line,
    draw_name,
    round_steps,
    series_color,
)

_SIZE = (760, 420)
_LINE = 16.0
"""The least distance between two names."""


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
    frame = Frame(70, 590, 80, 360, most)
    parts = [*draw_axes(frame, _label_games(most), range(0, 101, 20))]
    heights = _spread([frame.place(0, points[-1].share)[1] for points in series.values()])
    for number, ((name, points), y) in enumerate(zip(series.items(), heights, strict=True)):
        parts.append(_draw_errors(frame, points, number))
        parts += draw_line(frame, [(point.games, point.share) for point in points], number)
        parts += draw_name(_label(name, points), number, frame.right + 14, y)
    summary = "; ".join(_label(name, points) for name, points in series.items())
    return draw_chart(title, summary, _SIZE, parts)


def _label(name: str, points: Sequence[Point]) -> str:
    """Name a line with the share it ends at."""
    return f"{name}: {100 * points[-1].share:.0f} %"


def _label_games(most: int) -> dict[float, str]:
    """Label round numbers of games in thousands."""
    return {games: f"{games / 1000:g} k" if games else "0" for games in round_steps(most)}


def _draw_errors(frame: Frame, points: Sequence[Point], number: int) -> Markup:
    """Draw the standard errors of a line."""
    bars = ""
    for point in points:
        x, low = frame.place(point.games, point.share - point.error)
        bars += f"M{x:.1f} {low:.1f}V{frame.place(0, point.share + point.error)[1]:.1f}"
    return element("path", d=bars, stroke=series_color(number), fill="none")


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


def main(arguments: list[str] | None = None) -> None:
    """Draw the learning curve of one run, or of several that went on from each other."""
    parser = argparse.ArgumentParser(prog="python -m pleasance.training.learning_curve")
    parser.add_argument("game", help="for the title")
    parser.add_argument("reports", type=Path, nargs="+")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--against", default="greedy")
    given = parser.parse_args(arguments)
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in given.reports]
    title = f"{given.game}: wins among {given.against} players, by games learned from"
    picture = draw_curve(title, read_series(join_reports(reports), given.against))
    given.picture.write_text(picture + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
