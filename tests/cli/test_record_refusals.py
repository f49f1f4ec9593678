"""Bad input to commands on whole games: one line with file, line number and remedy."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support.cli import Capture, run_command, run_refused


def change_first_turn(text: str, change: Callable[[str], str]) -> str:
    """Change the line of the first turn."""
    return re.sub(r"(?m)^1\. .*$", lambda line: change(line[0]), text, count=1)


CORRUPTIONS: dict[str, Callable[[str], str]] = {
    "unreadable": lambda text: re.sub(r"\n1\. \S+", "\n1. x9:9z", text, count=1),
    "illegal": lambda text: re.sub(r"\n1\. \S+", "\n1. @a6", text, count=1),
    "shuffled": lambda text: re.sub(r"(\n1\. .*)(\n2\. .*)", r"\2\1", text, count=1),
    "truncated": lambda text: re.sub(r"(?s)\n12\. .*?\n\n", "\n\n", text, count=1),
    "extra": lambda text: re.sub(r"(\n36\. .*)", r"\1 -", text, count=1),
    "result": lambda text: re.sub(r'\[Result ".*"\]', '[Result "1 2"]', text, count=1),
    "seats": lambda text: text.replace('[Seats "2"]', '[Seats "7"]', 1),
    "option": lambda text: text.replace("[Players", '[Options "dragons"]\n[Players', 1),
    "rules": lambda text: text.replace('[Rules "1"]', '[Rules "9"]', 1),
    "game": lambda text: text.replace('[Game "sanssouci"]', '[Game "chess"]', 1),
    "hidden": lambda text: change_first_turn(text, lambda line: re.sub(r"\+c\S+", "+?", line)),
    "data": lambda text: text.replace("[Players", f'[Data "mine {"0" * 64}"]\n[Players', 1),
}
"""Ways to corrupt the first record of a file."""


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("unreadable", "cannot be read as a choice of seat"),
        ("illegal", "cannot be chosen by seat"),
        ("shuffled", "cannot be"),
        ("truncated", "breaks off before token"),
        ("extra", "The game is over before token"),
        ("result", "replaying it gives"),
        ("seats", "is for 2-4 players, not 7"),
        ("option", "has no option dragons; its options are: rewards, boars"),
        ("rules", "this program plays version 1"),
        ("game", "There is no game chess; the games are: "),
        ("hidden", "give the full record"),
        ("data", "--data FILE"),
    ],
)
def test_a_broken_record_is_refused_with_file_line_and_reason(
    how: str, expected: str, games: Path, capsys: Capture
) -> None:
    whole = games.read_text()
    games.write_text(CORRUPTIONS[how](whole))
    assert games.read_text() != whole
    for command in ("replay", "verify"):
        message = run_refused(capsys, command, str(games))
        assert re.match(rf"{re.escape(str(games))}:\d+: ", message), message
        assert expected in message


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("record chess --seats 2", "There is no game chess; the games are: "),
        ("record sakura", "Missing option '--seats'"),
        ("record sakura --seats 7", "sakura is for 2-6 players, not 7."),
        ("record sakura --seats two", "Invalid value for '--seats'"),
        ("record sakura --seats 3 --options tactical", "Option tactical is for 2 players, not 3."),
        ("record sakura --seats 2 --options rewards", "sakura has no option rewards"),
        ("record sanssouci --seats 2 --options boars,boars", "Option boars is named twice"),
        ("record sakura --seats 3 --players greedy,random", "2 players are named for 3 seats"),
        ("record sakura --seats 2 --players deepblue", "There is no player deepblue"),
        ("record sakura --seats 2 --games 0", "--games must be 1 or more"),
        ("record sakura --seats 2 --data nowhere.toml", "There is no file nowhere.toml"),
        ("perft sakura --seats 2 --depth 0", "--depth must be 1 or more"),
        ("perft sakura", "Say how many play"),
        ("perft sakura --seats 2 --from nowhere.txt", "There is no file nowhere.txt"),
        ("replay nowhere.txt", "There is no file nowhere.txt"),
        ("replay .", ". is a folder; name a file."),
        ("verify nowhere.txt", "There is no file nowhere.txt"),
        ("data chess", "There is no game chess"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(
    arguments: str, expected: str, capsys: Capture
) -> None:
    assert expected in run_refused(capsys, *arguments.split())


def test_a_broken_component_file_is_refused_with_file_line_and_rule(
    tmp_path: Path, capsys: Capture
) -> None:
    box = tmp_path / "mine.toml"
    text = run_command(capsys, "data", "sanssouci").replace("pairs = [24, 25", "pairs = [25, 25")
    box.write_text(text)
    line = 1 + text[: text.index("pairs =")].count("\n")
    message = run_refused(capsys, "record", "sanssouci", "--seats", "2", "--data", str(box))
    assert message.startswith(f"{box}:{line}: ")
    assert "(rule S-4)" in message
    message = run_refused(capsys, "replay", "--data", str(box), str(_record(tmp_path, capsys)))
    assert message.startswith(f"{box}:{line}: ")


def _record(folder: Path, capsys: Capture) -> Path:
    file = folder / "game.txt"
    file.write_text(run_command(capsys, "record", "sanssouci", "--seats", "2"))
    return file


@pytest.mark.parametrize("text", ["x = 1" + "0" * 5000, "x = " + "[" * 5000, "x = 1\x00", ""])
def test_a_component_file_of_nonsense_is_refused_in_one_line(
    text: str, tmp_path: Path, capsys: Capture
) -> None:
    box = tmp_path / "mine.toml"
    box.write_text(text)
    message = run_refused(capsys, "record", "sanssouci", "--seats", "2", "--data", str(box))
    assert message.startswith(f"{box}:")


def test_the_record_of_one_seat_can_be_shown_but_not_replayed(games: Path, capsys: Capture) -> None:
    games.write_text(CORRUPTIONS["hidden"](games.read_text()))
    message = run_command(capsys, "show", str(games))
    assert " +?       hidden\n" in message
    assert " plays " in message
    games.write_text(CORRUPTIONS["unreadable"](games.read_text()))
    assert "cannot be read" in run_refused(capsys, "show", str(games))
