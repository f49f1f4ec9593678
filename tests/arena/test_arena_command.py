"""`pleasance arena`: its table, JSON and plot, and one line for every refusal."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from rich.console import Console

from pleasance import cli
from pleasance.arena import progress
from pleasance.arena.confidence_sequence import ConfidenceSequence
from pleasance.arena.duplicate_match import play_match
from pleasance.arena.executors import SerialExecutor
from pleasance.arena.match_store import FILE
from pleasance.arena.plan import Plan
from pleasance.arena.report import ArenaReport, make_report, report_to_json
from pleasance.arena.run import MatchCollector, run_arena
from pleasance.arena.text_tables import format_seconds, print_tables, write_markdown
from pleasance.i18n.catalog import LANGUAGES, load_messages
from support.cli import restore_ctrl_c

GAME = ("arena", "sanssouci", "--seats", "2", "--workers", "1")
GREEDY_AND_RANDOM = (*GAME, "--players", "greedy,random", "--games", "6")

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture(scope="module")
def report() -> ArenaReport:
    plan = Plan(game="sanssouci", seats=3, players=("greedy", "random"))
    sequence = ConfidenceSequence(1 / 3)
    matches = [play_match(plan, number) for number in range(3)]
    return make_report(plan, matches, sequence=sequence)


def run_for_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Run the command with `--json`; leave out times, which differ between runs."""
    assert cli.run([*arguments, "--json"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    for standing in result["standings"]:
        assert 0 < standing["seconds_per_move"]["mean"] < 1
        assert 0 < standing["seconds_per_move"].pop("p95") < 1
        standing["seconds_per_move"].pop("mean")
    return result


def test_the_json_report_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    result = run_for_json(capsys, *GREEDY_AND_RANDOM)
    assert (result["game"], result["seats"], result["seed"], result["format"]) == (
        "sanssouci",
        2,
        "1",
        "one",
    )
    assert (result["matches"], result["games"], result["few_matches"], result["chance"]) == (
        3,
        6,
        True,
        0.5,
    )
    first, second = result["standings"]
    assert [first["player"], second["player"]] == result["players"] == ["greedy", "random"]
    assert first["win_share"] == {"mean": 1, "low": 0.368403, "high": 1, "matches": 3}
    assert first["margin"]["mean"] == -second["margin"]["mean"] > 0
    assert first["margin"]["low"] < first["margin"]["mean"] < first["margin"]["high"]
    assert first["score"]["mean"] - second["score"]["mean"] == pytest.approx(
        first["margin"]["mean"]
    )
    assert first["rating"]["mu"] > 25 > second["rating"]["mu"]
    assert first["moves"] + second["moves"] == pytest.approx(
        result["decisions_per_game"] * 6, abs=0.1
    )
    assert sum(seat["mean"] for seat in result["seat_win_shares"]) == 1
    assert result["test"] is None


def test_the_same_seed_gives_the_same_report_and_another_seed_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_for_json(capsys, *GREEDY_AND_RANDOM) == run_for_json(capsys, *GREEDY_AND_RANDOM)
    one, two = (
        run_for_json(capsys, *GREEDY_AND_RANDOM)["standings"],
        run_for_json(capsys, *GREEDY_AND_RANDOM, "--seed", "2")["standings"],
    )
    assert one[0]["score"] != two[0]["score"]


def test_a_run_resumes_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ("--out", str(tmp_path))
    complete = run_for_json(capsys, *GREEDY_AND_RANDOM)
    run_for_json(capsys, *GAME, "--players", "greedy,random", "--games", "2", *out)
    assert run_for_json(capsys, *GREEDY_AND_RANDOM, *out) == complete
    assert len((tmp_path / FILE).read_text().splitlines()) == 1 + 3


@pytest.mark.slow
def test_a_significant_difference_ends_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    more = ("--games", "200", "--until-significant", "--alpha", "0.1")
    result = run_for_json(capsys, *GAME, "--players", "greedy,random", *more)
    assert result["test"]["verdict"] == "above"
    assert result["test"]["rounds"] == result["matches"] < 100
    assert result["test"]["low"] >= result["test"]["fair"] == 0.5
    result = run_for_json(capsys, *GAME, "--players", "random,greedy", *more, "--fair", "0.4")
    assert (result["test"]["verdict"], result["test"]["fair"]) == ("below", 0.4)


def test_mixed_tables_are_named_in_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_for_json(capsys, *GREEDY_AND_RANDOM, "--mixed")["format"] == "mixed"


@pytest.mark.slow
def test_every_pair_of_players_is_compared(
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
    result = report_to_json(make_report(plan, seated))["meetings"]
    assert [(pair["player"], pair["other"]) for pair in result] == [
        ("random", "one"),
        ("random", "two"),
        ("one", "two"),
    ]
    assert "| random | two | " in write_markdown(make_report(plan, seated), load_messages("en"))
    assert run_for_json(capsys, *three, "--players", "greedy,random")["meetings"] == []


def test_the_table_is_markdown_when_output_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.run([*GREEDY_AND_RANDOM, "--options", "boars"]) == 0
    captured = capsys.readouterr()
    assert not captured.err
    assert captured.out.startswith(
        "sanssouci, 2 seats, with boars, one greedy against the others: 6 games"
    )
    assert "| greedy | 100.0 % [36.8, 100.0] | +" in captured.out
    assert "| seat | win share (95 %) |\n| --- | --: |\n| 1 | 50.0 % [" in captured.out
    assert "only 3 matches" in captured.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_printed_in_each_language(report: ArenaReport, language: str) -> None:
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


@pytest.mark.parametrize(
    ("arguments", "message"),
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
def test_an_impossible_arena_is_refused_in_one_line_with_status_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*GREEDY_AND_RANDOM, *arguments]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert re.sub(r"^\S+: ", "", captured.err).startswith(message)
    assert captured.err.count("\n") == 1


def test_a_folder_of_another_arena_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*GREEDY_AND_RANDOM, "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    assert cli.run([*GREEDY_AND_RANDOM, "--out", str(tmp_path), "--seed", "2"]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert "holds other matches (seed: 1, not 2); name another folder." in captured.err
    assert captured.err.count("\n") == 1


def test_a_budget_goes_to_players_that_take_one() -> None:
    from pleasance.cli.arena_commands import _add_budget

    assert _add_budget(("flat", "flat:30", "greedy"), "0.1s") == ("flat:0.1s", "flat:30", "greedy")
    assert _add_budget(("flat",), None) == ("flat",)


def test_a_progress_bar_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_ctrl_c_keeps_finished_matches(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from pleasance.cli import main; main()", *GAME]
    more = ["2", "--players", "greedy,random", "--games", "99999", "--out", str(tmp_path)]
    started = subprocess.Popen(
        [*command[:-1], *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=restore_ctrl_c,  # noqa: PLW1509  (no threads are running here)
    )
    file = tmp_path / FILE
    while not file.exists() or file.read_bytes().count(b"\n") < 3:
        assert started.poll() is None
        sleep(0.02)  # polling must not take a core from the worker
    os.killpg(started.pid, signal.SIGINT)
    out, err = started.communicate()
    assert (started.returncode, out) == (130, "")
    assert re.fullmatch(
        r"Stopped; \d+ matches are kept in \S+, and the same command goes on.\n", err
    )
    assert file.read_text().endswith("\n")
