"""`pleasance arena`: its table, JSON and picture, and one line when something is wrong."""

import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from rich.console import Console

from pleasance import cli
from pleasance.arena import progress
from pleasance.arena.confidence_sequence import ConfidenceSequence
from pleasance.arena.executors import SerialExecutor
from pleasance.arena.plan import Plan
from pleasance.arena.play import play_match
from pleasance.arena.plot import draw_plot, write_plot
from pleasance.arena.report import ArenaReport, make_report, report_to_json
from pleasance.arena.run import MatchCollector, run_arena
from pleasance.arena.store import FILE
from pleasance.arena.tables import format_seconds, print_tables, write_markdown
from pleasance.i18n.catalog import LANGUAGES, load_messages
from support.cli import heed_ctrl_c

GAME = ("arena", "sanssouci", "--seats", "2", "--workers", "1")
MEET = (*GAME, "--players", "greedy,random", "--games", "6")
HAS_RESVG = importlib.util.find_spec("resvg_py") is not None


@pytest.fixture(autouse=True)
def _speak_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLEASANCE_LANGUAGE", "en")


@pytest.fixture(scope="module")
def report() -> ArenaReport:
    plan = Plan(game="sanssouci", seats=3, players=("greedy", "random"))
    sequence = ConfidenceSequence(1 / 3)
    matches = [play_match(plan, number) for number in range(3)]
    return make_report(plan, matches, sequence=sequence)


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Run the command for JSON, and leave out times, which differ from run to run."""
    assert cli.run([*arguments, "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    for standing in told["standings"]:
        assert 0 < standing["seconds_per_move"]["mean"] < 1
        assert 0 < standing["seconds_per_move"].pop("p95") < 1
        standing["seconds_per_move"].pop("mean")
    return told


def test_the_object_tells_everything(capsys: pytest.CaptureFixture[str]) -> None:
    told = ask(capsys, *MEET)
    assert (told["game"], told["seats"], told["seed"], told["format"]) == (
        "sanssouci",
        2,
        "1",
        "one",
    )
    assert (told["matches"], told["games"], told["few_matches"], told["chance"]) == (
        3,
        6,
        True,
        0.5,
    )
    first, second = told["standings"]
    assert [first["player"], second["player"]] == told["players"] == ["greedy", "random"]
    assert first["win_share"] == {"mean": 1, "low": 0.368403, "high": 1, "matches": 3}
    assert first["margin"]["mean"] == -second["margin"]["mean"] > 0
    assert first["margin"]["low"] < first["margin"]["mean"] < first["margin"]["high"]
    assert first["score"]["mean"] - second["score"]["mean"] == pytest.approx(
        first["margin"]["mean"]
    )
    assert first["rating"]["mu"] > 25 > second["rating"]["mu"]
    assert first["moves"] + second["moves"] == pytest.approx(
        told["decisions_per_game"] * 6, abs=0.1
    )
    assert sum(seat["mean"] for seat in told["seat_win_shares"]) == 1
    assert told["test"] is None


def test_the_same_seed_gives_the_same_and_another_seed_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ask(capsys, *MEET) == ask(capsys, *MEET)
    one, two = ask(capsys, *MEET)["standings"], ask(capsys, *MEET, "--seed", "2")["standings"]
    assert one[0]["score"] != two[0]["score"]


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ("--out", str(tmp_path))
    whole = ask(capsys, *MEET)
    ask(capsys, *GAME, "--players", "greedy,random", "--games", "2", *out)
    assert ask(capsys, *MEET, *out) == whole
    assert len((tmp_path / FILE).read_text().splitlines()) == 1 + 3


@pytest.mark.slow
def test_a_significant_difference_ends_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    more = ("--games", "200", "--until-significant", "--alpha", "0.1")
    told = ask(capsys, *GAME, "--players", "greedy,random", *more)
    assert told["test"]["verdict"] == "above"
    assert told["test"]["rounds"] == told["matches"] < 100
    assert told["test"]["low"] >= told["test"]["fair"] == 0.5
    told = ask(capsys, *GAME, "--players", "random,greedy", *more, "--fair", "0.4")
    assert (told["test"]["verdict"], told["test"]["fair"]) == ("below", 0.4)


def test_mixed_tables_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    told = ask(capsys, *MEET, "--mixed")
    assert told["format"] == "mixed"


def test_each_two_of_many_players_are_held_against_each_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    three = ("arena", "sakura", "--seats", "3", "--workers", "1", "--games", "6")
    plan = Plan(game="sakura", seats=3, players=("random", "one", "two"))
    matches = [play_match(Plan(game="sakura", seats=3, players=("random",)), 0)]
    seated = [
        match._replace(
            games=tuple(game._replace(table=(0, 1, 2)) for game in match.games),
            times=dict.fromkeys(range(3), match.times[0]),
        )
        for match in matches
    ]
    told = report_to_json(make_report(plan, seated))["meetings"]
    assert [(pair["player"], pair["other"]) for pair in told] == [
        ("random", "one"),
        ("random", "two"),
        ("one", "two"),
    ]
    assert "| random | two | " in write_markdown(make_report(plan, seated), load_messages("en"))
    assert ask(capsys, *three, "--players", "greedy,random")["meetings"] == []


def test_the_table_is_markdown_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([*MEET, "--options", "boars"]) == 0
    said = capsys.readouterr()
    assert not said.err
    assert said.out.startswith(
        "sanssouci, 2 seats, with boars, one greedy against the others: 6 games"
    )
    assert "| greedy | 100.0 % [36.8, 100.0] | +" in said.out
    assert "| seat | win share (95 %) |\n| --- | --: |\n| 1 | 50.0 % [" in said.out
    assert "only 3 matches" in said.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_said_in_each_language(report: ArenaReport, language: str) -> None:
    words = load_messages(language)
    text = write_markdown(report, words)
    assert words("arena.share") in text
    assert words("arena.few", matches=3) in text
    assert "33.3 %" in text
    shown = io.StringIO()
    print_tables(report, words, Console(file=shown, width=110, force_terminal=True))
    assert words("arena.rating") in shown.getvalue()
    assert "greedy" in shown.getvalue()
    assert "|" not in shown.getvalue()


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0 µs"), (4e-7, "0.40 µs"), (1.234e-5, "12.3 µs"), (0.9996, "1000 ms"), (61.2, "61.2 s")],
)
def test_times_have_three_digits(seconds: float, shown: str) -> None:
    assert format_seconds(seconds) == shown


def test_the_picture_shows_every_player_and_seat(report: ArenaReport) -> None:
    drawn = ET.fromstring(draw_plot(report, load_messages("en")))
    texts = {"".join(node.itertext()) for node in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"greedy", "random", "seat 1", "seat 2", "seat 3", "chance 33.3 %"} <= texts
    width = float(drawn.attrib["width"])
    circles = drawn.findall("{http://www.w3.org/2000/svg}circle")
    assert len(circles) == 5
    assert all(0 < float(circle.attrib["cx"]) < width for circle in circles)


def test_the_picture_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "shares.svg"
    assert cli.run([*MEET, "--plot", str(file)]) == 0
    assert capsys.readouterr().out
    assert file.read_text(encoding="utf-8").startswith("<svg ")


@pytest.mark.skipif(not HAS_RESVG, reason="resvg-py is not installed: the extra `plot` brings it")
def test_the_picture_is_written_in_dots(report: ArenaReport, tmp_path: Path) -> None:
    file = tmp_path / "shares.png"
    write_plot(report, load_messages("en"), file)
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--games", "0"], "--games must be 1 or more."),
        (["--workers", "0"], "--workers must be 1 or more."),
        (["--players", ","], "Name the players that shall meet: --players NAMES."),
        (["--players", "greedy,greedy"], "Player greedy is named twice; name each player once."),
        (["--players", "greedy,chess"], "There is no player chess; the players are: "),
        (["--seats", "9"], "sanssouci is for 2-4 players, not 9."),
        (["--options", "snow"], "sanssouci has no option snow; its options are: "),
        (["--budget", "400"], "None of these players takes a budget; leave out --budget."),
        (["--alpha", "0.1"], "--alpha works with --until-significant only."),
        (["--until-significant", "--fair", "1"], "--fair must lie between 0 and 1."),
        (["--until-significant", "--alpha", "nan"], "--alpha must lie between 0 and 1."),
        (["--on", "moon"], "There is no place moon to play on; the places are: cores, ray."),
        (["--plot", "shares.gif"], "shares.gif must end in .svg or .png."),
        (["--plot", "/nowhere/shares.svg"], "There is no file /nowhere; check the name."),
        (["--data", "/nowhere/box.toml"], "There is no file /nowhere/box.toml; check the name."),
        (["--out", "/dev/null"], "/dev/null/matches.jsonl cannot be opened: "),
    ],
)
def test_what_cannot_be_played_is_one_line_and_status_2(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*MEET, *arguments]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert re.sub(r"^\S+: ", "", said.err).startswith(complaint)
    assert said.err.count("\n") == 1


def test_a_folder_of_another_arena_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*MEET, "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    assert cli.run([*MEET, "--out", str(tmp_path), "--seed", "2"]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert "holds other matches (seed: 1, not 2); name another folder." in said.err
    assert said.err.count("\n") == 1


def test_a_budget_goes_to_players_that_take_one() -> None:
    from pleasance.cli.arena_commands import _add_budget

    assert _add_budget(("flat", "flat:30", "greedy"), "0.1s") == ("flat:0.1s", "flat:30", "greedy")
    assert _add_budget(("flat",), None) == ("flat",)


def test_a_bar_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    plan = Plan(game="sanssouci", seats=2, players=("greedy", "random"))
    collector = MatchCollector(plan, 2)
    with progress.progress_bar(collector, plan) as on_match:
        run_arena(plan, collector, SerialExecutor(), on_match=on_match)
    assert "greedy 100.0 %" in screen.getvalue()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from pleasance.cli import main; main()", *GAME]
    more = ["2", "--players", "greedy,random", "--games", "99999", "--out", str(tmp_path)]
    started = subprocess.Popen(
        [*command[:-1], *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_ctrl_c,  # noqa: PLW1509  (no threads are running here)
    )
    file = tmp_path / FILE
    while not file.exists() or file.read_bytes().count(b"\n") < 3:
        assert started.poll() is None
        sleep(0.02)  # who only looks takes no core from who plays
    os.killpg(started.pid, signal.SIGINT)
    out, err = started.communicate()
    assert (started.returncode, out) == (130, "")
    assert re.fullmatch(
        r"Stopped; \d+ matches are kept in \S+, and the same command goes on.\n", err
    )
    assert file.read_text().endswith("\n")
