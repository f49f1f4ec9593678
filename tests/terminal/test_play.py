"""Playing in the terminal: whole games, refusals, undo, several choices in a line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pleasance import cli
from pleasance.core.record import parse_record
from pleasance.games import game_names
from pleasance.terminal.saves import running_games, saves_folder
from support.cli import Play, first_choice

GAMES = [
    ("sanssouci", "--options", "rewards,boars"),
    ("sanssouci", "--seats", "4"),
    ("sakura",),
    ("sakura", "--options", "tactical"),
    ("sakura", "--seats", "5"),
    ("sakura", "--players", "human,human,greedy"),
]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", GAMES, ids=" ".join)
def test_a_whole_game_can_be_played_and_its_record_verifies(
    arguments: tuple[str, ...], play: Play
) -> None:
    shown = play(*arguments)
    kept = re.search(r"The record is kept in (\S+\.txt)", shown)
    assert kept
    assert cli.run(["verify", kept[1]]) == 0
    assert running_games() == []
    assert "Result" in parse_record(Path(kept[1]).read_text()).tags
    is_shared = "human,human" in " ".join(arguments)
    assert ("Press Enter when you alone" in shown) == is_shared


@pytest.mark.parametrize("language", ["es", "de"])
def test_a_game_can_be_played_in_every_language(language: str, play: Play) -> None:
    shown = play("sakura", "--language", language, lines=("?", "", "quit"))
    assert {"es": "Puedes elegir", "de": "Du kannst wählen"}[language] in shown


def test_the_game_is_asked_for_where_none_is_named(play: Play) -> None:
    shown = play(lines=("", "chess", "s", "2", "quit"))
    assert "Which game?" in shown
    assert shown.count(f"Please type one of {', '.join(game_names())}") == 3
    assert "Main board" in shown
    assert play(lines=("quit",)).endswith("> ")


def test_help_board_record_and_refusals_choose_nothing(play: Play) -> None:
    lines = ("?", "board", "record", "", "x9", "+ce", "@a6", "undo")
    shown = play("sanssouci", "--seed", "3", lines=lines, most=1)
    assert "takes your last choice back" in shown
    assert '[Game "sanssouci"]' in shown
    assert "“x9” cannot be read" in shown
    assert "+ce is a draw" in shown
    assert "a card and a tile are due" in shown
    assert "There is no choice of yours to take back" in shown
    seen = parse_record(next(saves_folder().glob("*.txt")).read_text())
    assert "Result" not in seen.tags
    assert "+?" in seen.texts()
    assert len(seen.tokens) == 22


def test_a_choice_can_be_taken_back_until_something_is_drawn(play: Play) -> None:
    shown = play("sanssouci", "--seed", "3", most=1)
    take = first_choice(shown.rpartition("Seat 1 >")[0].partition("Seat 1 >")[0])
    again = (take, "undo", take, "-", "undo", "quit")
    shown = play("sanssouci", "--seed", "3", lines=again)
    assert shown.count("Taken back.") == 1
    assert "cannot be taken back: something hidden has been shown" in shown


def test_several_choices_fit_in_one_line_and_the_case_is_forgiven(play: Play) -> None:
    arguments = ("sanssouci", "--seed", "3", "--options", "rewards")
    shown = play(*arguments, lines=("a", "F:4R f>1 - f>2", "quit"))
    for said in (
        "You turn side A of the rewards board up.",
        "You play fountain and take the fountain tile of row 4.",
        "You let the fountain noble walk to row 1: 1 point.",
        "The turn has passed on, so - and what follows is left out.",
    ):
        assert said in shown


def test_what_happened_is_told_in_sentences_and_by_name(play: Play) -> None:
    shown = play("sanssouci", "--seed", "3", "--seats", "3", most=2)
    assert re.search(r"^Greedy 1 plays .* and takes the .* tile of row \d", shown, re.MULTILINE)
    assert re.search(r"^A .* tile is turned up in row \d\.$", shown, re.MULTILINE)
    assert "greedy 2 (" in shown  # the garden is called by its owner


def test_the_promise_of_the_draws_is_shown_before_play_and_kept(play: Play) -> None:
    shown = play("sakura")
    record = parse_record(next(saves_folder().glob("*.txt")).read_text())
    promised = re.search(r"whose SHA-256 is (\w{64});", shown)
    assert promised
    assert f"commitment={promised[1]} " in record.tags["Fair"]


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.text(max_size=12), max_size=8))
def test_whatever_is_typed_the_game_goes_on(lines: list[str], play: Play) -> None:
    play("sakura", "--seed", "6", lines=(*lines, "quit"), most=0)
