"""Commands on whole games: record, replay, verify, perft, data."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from conformance import find_configuration
from conformance.tables import play_to_end, random_opening, start_table
from pleasance.core.record import parse_records, write_record
from pleasance.core.verify import verify
from pleasance.games import game_names
from pleasance.i18n.catalog import LANGUAGES
from sample_game import installed_sample_game
from support.cli import Capture, run_command, run_refused

CONFIGURATIONS = [
    ("sanssouci", "2", ""),
    ("sanssouci", "3", "rewards"),
    ("sanssouci", "4", "boars,rewards"),
    ("sakura", "2", ""),
    ("sakura", "2", "tactical"),
    ("sakura", "6", ""),
]


@pytest.mark.parametrize(("game", "seats", "options"), CONFIGURATIONS)
def test_records_replay_verify_and_follow_from_the_seed(
    game: str, seats: str, options: str, tmp_path: Path, capsys: Capture
) -> None:
    arguments = ["record", game, "--seats", seats, "--options", options, "--seed", "7"]
    text = run_command(capsys, *arguments, "--games", "3")
    assert text == run_command(capsys, *arguments, "--games", "3")
    assert text.startswith(run_command(capsys, *arguments))
    assert text != run_command(capsys, *arguments[:-1], "8", "--games", "3")
    assert text.count("\n\n[Game ") == 2
    assert len(parse_records(text)) == 3
    file = tmp_path / "games.txt"
    file.write_text(text)
    lines = run_command(capsys, "replay", str(file)).splitlines()
    assert len(lines) == 3
    label = " ".join([game, seats, *options.replace("boars,rewards", "rewards boars").split(",")])
    assert all(line.startswith(f"{label.strip()}: ") for line in lines)
    assert run_command(capsys, "verify", str(file)).count(" draws are fair\n") == 3


def test_each_seat_may_have_its_own_player(capsys: Capture) -> None:
    arguments = ("record", "sakura", "--seats", "3", "--players", "greedy,random,random")
    assert '[Players "greedy, random, random"]' in run_command(capsys, *arguments)


def test_replay_prints_json_for_programs(games: Path, capsys: Capture) -> None:
    replayed = [
        json.loads(line)
        for line in run_command(capsys, "replay", "--json", str(games)).splitlines()
    ]
    results = [record.tags["Result"] for record in parse_records(games.read_text())]
    assert [" ".join(map(str, each["scores"])) for each in replayed] == results
    assert all(each["decided_by"] in {"points", "gardeners", "shared"} for each in replayed)
    assert all(each["winners"] for each in replayed)


def test_replay_explains_scores_by_their_items(games: Path, capsys: Capture) -> None:
    text = run_command(capsys, "replay", "--json", "--explain", str(games))
    for each in map(json.loads, text.splitlines()):
        sums = [sum(item["points"] for item in seat) for seat in each["score_items"]]
        assert sums == each["scores"]
    output = run_command(capsys, "replay", "--explain", str(games))
    assert re.search(r"^  seat 1 \(random\): \d+$", output, re.MULTILINE)
    assert re.search(r"^    walks of the nobles: \d+$", output, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_results_are_printed_in_every_language(language: str, games: Path, capsys: Capture) -> None:
    output = run_command(capsys, "--language", language, "replay", "--explain", str(games))
    assert {"en": "wins", "es": "gana", "de": "gewinnt"}[language] in output


def test_records_are_read_from_a_pipe(
    games: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with games.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        assert run_command(capsys, "replay", "-").count("\n") == 2


def test_an_altered_draw_fails_the_verification_with_status_1(games: Path, capsys: Capture) -> None:
    text = games.read_text()
    first = re.search(r"\+g(\d)([AB])", text)
    assert first
    other = f"+g{first[1]}{'B' if first[2] == 'A' else 'A'}"
    games.write_text(text.replace(first[0], other, 1))
    output = run_refused(capsys, "verify", str(games), status=1)
    assert output.startswith(f"{games}:8: Draw 2 (index 2) is not fair")
    secret = re.search(r"secret=(\w+)", text)
    assert secret
    games.write_text(text.replace(secret[1], "0" * 64, 1))
    assert "not the one that was promised" in run_refused(capsys, "verify", str(games), status=1)


def test_a_record_without_its_fair_tag_cannot_be_verified(games: Path, capsys: Capture) -> None:
    games.write_text(re.sub(r"\[Fair.*\n", "", games.read_text()))
    assert "no Fair tag" in run_refused(capsys, "verify", str(games))
    assert run_command(capsys, "replay", str(games)).count("\n") == 2


def test_verify_counts_the_draws_that_an_opening_gave(tmp_path: Path, capsys: Capture) -> None:
    config = find_configuration("sakura-3")
    table = play_to_end(start_table(config, opening=random_opening(config, 1, 0.5)), Random(1))
    file = tmp_path / "branch.txt"
    file.write_text(write_record(table.full_record()))
    verdict = verify(config.game, table.full_record())
    output = run_command(capsys, "verify", str(file))
    assert f"all {verdict.draws} draws are fair; {verdict.given} earlier draws were given" in output


def test_perft_counts_from_the_start_and_from_a_record(games: Path, capsys: Capture) -> None:
    assert (
        run_command(capsys, "perft", "sanssouci", "--seats", "2", "--depth", "3")
        == "1 2\n2 16\n3 144\n"
    )
    text = games.read_text()
    games.write_text(re.sub(r"\[Result.*\n", "", text[: text.index("\n2. ")]))
    from_record = run_command(capsys, "perft", "sanssouci", "--from", str(games), "--depth", "2")
    assert from_record == "1 5\n2 61\n"
    other = ("perft", "sanssouci", "--seats", "3", "--from", str(games))
    assert "The record is of 2 seats, not 3" in run_refused(capsys, *other)
    assert "not of sakura" in run_refused(
        capsys, "perft", "sakura", "--seats", "2", "--from", str(games)
    )


@pytest.mark.parametrize("game", game_names())
def test_a_custom_component_file_can_be_made_and_played(
    game: str, tmp_path: Path, capsys: Capture
) -> None:
    box = tmp_path / "mine.toml"
    built_in = run_command(capsys, "data", game)
    box.write_text(re.sub(r'^name = ".*"$', 'name = "my box"', built_in, flags=re.MULTILINE))
    file = tmp_path / "game.txt"
    file.write_text(run_command(capsys, "record", game, "--seats", "2", "--data", str(box)))
    assert '[Data "my box ' in file.read_text()
    assert "--data FILE" in run_refused(capsys, "replay", str(file))
    for command in ("replay", "verify"):
        assert run_command(capsys, command, str(file), "--data", str(box))
    box.write_text(box.read_text() + "# changed\n")
    assert "SHA-256" in run_refused(capsys, "replay", str(file), "--data", str(box))


def test_the_builtin_component_file_passed_as_data_is_still_builtin(
    tmp_path: Path, capsys: Capture
) -> None:
    box = tmp_path / "house.toml"
    box.write_text(run_command(capsys, "data", "sakura"))
    record = run_command(capsys, "record", "sakura", "--seats", "2", "--data", str(box))
    assert "[Data" not in record
    file = tmp_path / "game.txt"
    file.write_text(record)
    assert run_command(capsys, "replay", str(file), "--data", str(box))


def test_a_third_game_needs_no_edit_of_the_command_line(tmp_path: Path, capsys: Capture) -> None:
    with installed_sample_game():
        file = tmp_path / "pond.txt"
        file.write_text(
            run_command(capsys, "record", "pond", "--seats", "2", "--players", "greedy")
        )
        assert run_command(capsys, "replay", "--explain", str(file))
        assert run_command(capsys, "verify", str(file))
        assert run_command(capsys, "perft", "pond", "--seats", "2", "--depth", "3")
        assert run_command(capsys, "rules", "pond")
        assert run_command(capsys, "data", "pond")
