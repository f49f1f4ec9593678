"""Pictures of training: what charts show, and those of the pages are drawn from their data."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from pleasance.core.svg import SERIES_COLORS, marker
from pleasance.training import learning_curve
from pleasance.training.reliability import Bin, draw_bins, draw_panels

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
CALIBRATION = ROOT / "docs" / "benchmarks" / "2026-11-20-calibration"
SVG = "{http://www.w3.org/2000/svg}"


def find_points(picture: str) -> list[tuple[float, float, str]]:
    """Find where the markers of a chart stand, and their colors."""
    found = []
    for path in ET.fromstring(picture).iter(f"{SVG}path"):
        if path.attrib.get("fill") in SERIES_COLORS:
            start = re.match(r"M(-?[\d.]+) (-?[\d.]+)", path.attrib["d"])
            assert start, path.attrib["d"]
            found.append((float(start[1]), float(start[2]), path.attrib["fill"]))
    return found


def test_series_differ_in_color_and_in_shape() -> None:
    drawn = [ET.fromstring(marker(series, 0, 0)).attrib for series in range(len(SERIES_COLORS))]
    assert len({one["fill"] for one in drawn}) == len({one["d"] for one in drawn}) == 6
    assert marker(6, 0, 0) == marker(0, 0, 0)


def test_a_reliability_diagram_shows_every_bin_where_it_belongs() -> None:
    picture = draw_bins("Forecast", {"one": [Bin(0.0, 1.0, 3)], "two": [Bin(1.0, 0.5, 4)]})
    assert {(70, 80, SERIES_COLORS[0]), (410, 250, SERIES_COLORS[1])} <= set(find_points(picture))
    assert "one: 3; two: 4" in picture


def test_each_kind_of_output_has_its_own_diagram() -> None:
    bins = [Bin(0.1, 0.2, 3), Bin(0.6, 0.5, 3)]
    picture = draw_panels("Forecast", dict.fromkeys(("one", "two", "three", "four"), bins))
    assert len(set(find_points(picture))) == 8
    assert picture.count(">observed<") == 4


def test_a_curve_shows_every_table_and_ends_with_what_was_measured_last() -> None:
    wins = {"greedy 2": [0.5, 0.1], "greedy 3": [0.52, 0.1], "random 2": [0.9, 0.1]}
    curve = [{"games": 10, "wins": wins}, {"games": 20}, {"games": 20, "wins": wins}]
    last = {"games": 20, "wins": {**wins, "greedy 2": [0.7, 0.1]}}
    series = learning_curve.read_series({"curve": [*curve, last]}, "greedy")
    assert list(series) == ["greedy 2", "greedy 3"]
    assert [point.share for point in series["greedy 2"]] == [0.5, 0.7]
    picture = learning_curve.draw_curve("Curve", series)
    assert "greedy 2: 70 %" in picture
    assert (590, 164, SERIES_COLORS[0]) in find_points(picture)


def test_the_curve_of_a_run_that_went_on_follows_the_one_before_it(tmp_path: Path) -> None:
    for place, share in enumerate((0.5, 0.6)):
        wins = {"greedy 2": [share, 0.1]}
        curve: list[dict[str, Any]] = [{"games": 10, "wins": wins}, {"games": 20}]
        curve.append({"games": 20, "worlds": 128, "wins": {"greedy 2": [0.9, 0.1]}})
        (tmp_path / f"{place}.json").write_text(json.dumps({"curve": curve}), encoding="utf-8")
    reports = [tmp_path / "0.json", tmp_path / "1.json"]
    read = [json.loads(path.read_text(encoding="utf-8")) for path in reports]
    series = learning_curve.read_series(learning_curve.join_reports(read), "greedy")
    assert [point[:2] for point in series["greedy 2"]] == [(10, 0.5), (30, 0.6), (40, 0.9)]
    learning_curve.main(["Sakura", *map(str, reports), str(tmp_path / "curve.svg")])
    assert "greedy 2: 90 %" in (tmp_path / "curve.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("game", "first", "against"),
    [("sakura", "training-1.json", "greedy"), ("sanssouci", "training-2.json", "planner")],
)
def test_a_learning_curve_of_the_pages_is_drawn_from_the_reports(
    game: str, first: str, against: str, tmp_path: Path
) -> None:
    folder = ROOT / "src" / "pleasance" / "games" / game / "weights"
    reports = [str(folder / name) for name in (first, "training.json")]
    drawn = tmp_path / "curve.svg"
    learning_curve.main([game.title(), *reports, str(drawn), "--against", against])
    assert drawn.read_bytes() == (PICTURES / f"{game}-learning.svg").read_bytes()


def read_bins(series: Any) -> dict[str, list[Bin]]:
    return {name: [Bin(*each) for each in bins] for name, bins in series.items()}


def test_the_calibrations_of_the_pages_are_drawn_from_the_measured_bins() -> None:
    read = {
        game: json.loads((CALIBRATION / f"{game}.json").read_text(encoding="utf-8"))
        for game in ("sakura", "sanssouci")
    }
    bins = read_bins(read["sakura"]), read_bins(read["sanssouci"]["series"])
    drawn = (
        draw_bins("Sakura: forecast and observed, 600 games", bins[0]),
        draw_panels("Sanssouci: forecast and observed, 1200 games", bins[1]),
    )
    for game, picture in zip(read, drawn, strict=True):
        shown = (PICTURES / f"{game}-calibration.svg").read_text(encoding="utf-8")
        assert shown == picture + "\n", game
