"""The plot of `pleasance arena`: what it shows, as SVG and as PNG."""

import importlib.util
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pleasance import cli
from pleasance.arena.duplicate_match import play_match
from pleasance.arena.plan import Plan
from pleasance.arena.plot import draw_plot, write_plot
from pleasance.arena.report import ArenaReport, make_report
from pleasance.core.svg import SERIES_COLORS
from pleasance.i18n.catalog import load_messages

ARENA = ("arena", "sanssouci", "--seats", "2", "--workers", "1")
GREEDY_AND_RANDOM = (*ARENA, "--players", "greedy,random", "--games", "6")
HAS_RESVG = importlib.util.find_spec("resvg_py") is not None

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture(scope="module")
def report() -> ArenaReport:
    plan = Plan(game="sanssouci", seats=3, players=("greedy", "random"))
    return make_report(plan, [play_match(plan, number) for number in range(3)])


def test_the_plot_shows_every_player_and_seat(report: ArenaReport) -> None:
    drawn = ET.fromstring(draw_plot(report, load_messages("en")))
    texts = {"".join(node.itertext()) for node in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"greedy", "random", "seat 1", "seat 2", "seat 3", "chance 33.3 %"} <= texts
    width = float(drawn.attrib["width"])
    paths = [node.attrib for node in drawn.iter("{http://www.w3.org/2000/svg}path")]
    markers = [path["d"] for path in paths if path.get("fill") in SERIES_COLORS]
    assert len(markers) == 5
    assert len({path.partition("m")[2] for path in markers}) == 2, "players and seats look alike"
    assert all(0 < float(path[1:].split()[0]) < width for path in markers)


def test_the_plot_is_written_as_svg(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "shares.svg"
    assert cli.run([*GREEDY_AND_RANDOM, "--plot", str(file)]) == 0
    assert capsys.readouterr().out
    assert file.read_text(encoding="utf-8").startswith("<svg ")


@pytest.mark.skipif(not HAS_RESVG, reason="resvg-py is not installed: the extra `plot` brings it")
def test_the_plot_is_written_as_png(report: ArenaReport, tmp_path: Path) -> None:
    file = tmp_path / "shares.png"
    write_plot(report, load_messages("en"), file)
    assert file.read_bytes().startswith(b"\x89PNG")


def test_a_png_without_the_extra_is_refused_before_any_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert cli.run([*GREEDY_AND_RANDOM, "--plot", str(tmp_path / "shares.png")]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert "resvg_py" in captured.err
    assert "pleasance[plot]" in captured.err
    assert captured.err.count("\n") == 1
