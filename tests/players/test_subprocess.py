"""Players that are programs: what they are told, and one line for each thing they can do wrong."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest

from conformance import error_text, find_configuration, play_fair, play_game, random_game
from pleasance.core.errors import BadSetupError, PleasanceError
from pleasance.core.game import Choose
from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.players.registry import make_player, player_names
from pleasance.players.subprocess_player import (
    SubprocessPlayer,
    SubprocessPlayerError,
    resolve_player,
)
from support.cli import Capture, run_command, run_refused

EXAMPLE = Path(__file__).parents[2] / "examples" / "stdio_bot.py"
ENTRANT = f"exec:{sys.executable} {EXAMPLE}"
SAKURA = find_configuration("sakura-3")

FIRST = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    answer = {"name": "first"} if "protocol" in told else {"choice": told["legal"][0]}
    print(json.dumps(answer), flush=True)
"""


pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write a program; give the name of the player it makes."""

    def name_of(text: str, limit: str = "") -> str:
        file = tmp_path / "bot.py"
        file.write_text(text)
        return f"exec{limit}:{sys.executable} {file}"

    return name_of


def first_view(seed: int = 1) -> Any:
    """Show a position where a seat has something to choose."""
    for state, turn in random_game(SAKURA, seed):
        if isinstance(turn, Choose):
            return SAKURA.game.view(state, turn.seats[0])
    raise AssertionError


def choose(name: str) -> Any:
    return resolve_player(name, SAKURA.game)(first_view(), Random(1))


def fail(name: str) -> str:
    """Let a program choose that does it wrong; give the line that says so."""
    with pytest.raises(SubprocessPlayerError) as refusal:
        choose(name)
    for language in LANGUAGES:
        assert "\n" not in load_messages(language).error(refusal.value)
    return load_messages("en").error(refusal.value)


@pytest.mark.parametrize("name", ["sakura-3", "sanssouci-2-rewards-boars", "pond-2"])
def test_the_example_plays_whole_games_and_the_same_again(name: str) -> None:
    config = find_configuration(name)
    records = []
    for _ in range(2):
        players = [resolve_player(ENTRANT, config.game)] * config.seats
        records.append(play_fair(config, players).record)
    assert records[0] == records[1]


def test_a_program_is_told_what_its_seat_may_know_and_nothing_else(
    write: Callable[..., str], tmp_path: Path
) -> None:
    told = tmp_path / "told.txt"
    name = write(
        FIRST.replace("    answer", f"    open({str(told)!r}, 'a').write(line)\n    answer")
    )
    game, view = SAKURA.game, first_view()
    player = resolve_player(name, game)
    assert player(view, Random(1)) == view.legal[0]
    player(game.view(game.imagine(view, Random(5)), view.seat), Random(1))
    greeting, question, same = map(json.loads, told.read_text().splitlines())
    assert {key: greeting[key] for key in ("protocol", "version", "game", "options", "seats")} == {
        "protocol": "pleasance-bot",
        "version": 1,
        "game": "sakura",
        "options": [],
        "seats": 3,
    }
    assert greeting["data"]["sha256"] == game.data.sha256
    assert greeting["box"]["hand"] == len(view.legal)
    assert question == same
    assert (question["seat"], question["seats"]) == (view.seat, 3)
    assert question["legal"] == [str(action) for action in view.legal]
    assert [str(card) for card in question["view"]["hand"]] == question["legal"]
    assert "hands" not in question["view"]
    assert question["seconds"] == 10
    assert 0 <= question["seed"] < 2**53
    assert isinstance(player, SubprocessPlayer)
    assert player.name == "first"


def test_a_game_that_shows_itself_to_nobody_is_drawn(write: Callable[..., str]) -> None:
    drawn = FIRST.replace('["legal"][0]', '["legal"][len(told["view"]) % 2]')
    game = replace(SAKURA.game, wire=None)
    view = first_view()
    chosen = resolve_player(write(drawn), game)(view, Random(1))
    size = len(game.render(view, load_messages("en", game.spec.package), 100))
    assert chosen == view.legal[size % 2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has ended with status 0 instead of answering."),
        (
            "raise SystemExit('Error: no such module\\n\\nNode.js 20')",
            "said: Error: no such module.",
        ),
        ("raise SystemExit('no sakura today')", "status 1 instead of answering; it said: no sak"),
        ("import os; os.kill(os.getpid(), 9)", "has ended with status -9"),
        ("print('hello')\ninput()", "answered “hello”; due is a JSON object on one line"),
        ("print('{\"nick\": 1}')\ninput()", "with the text “name”."),
        ("print('[[' * 9999)\ninput()", "answered “[[[["),
        ("print('{\"name\": 7}')\ninput()", "with the text “name”."),
        ("print('x' * 70000)\ninput()", "an answer is one line of at most 65536 bytes"),
        ("print('\\udcff'.encode('utf8', 'surrogateescape'))\ninput()", "due is a JSON object"),
    ],
)
def test_what_a_program_does_wrong_is_said_in_one_line(
    write: Callable[..., str], text: str, said: str
) -> None:
    assert said in fail(write(text))


def test_an_illegal_choice_is_named(write: Callable[..., str]) -> None:
    said = fail(write(FIRST.replace('told["legal"][0]', '"a1"')))
    assert "chose “a1”, which is not legal; it may choose: " in said
    assert str(first_view().legal[0]) in said


@pytest.mark.slow
def test_a_program_that_says_nothing_is_not_waited_for(tmp_path: Path) -> None:
    # Python itself may take longer to start, where much else is done.
    silent = tmp_path / "silent.sh"
    silent.write_text("echo thinking hard >&2\nexec sleep 99\n")
    started = perf_counter()
    said = fail(f"exec@0.7s:sh {silent}")
    assert perf_counter() - started < 50
    assert "has not answered within 0.7 s" in said
    assert said.endswith("it said: thinking hard.")


@pytest.mark.slow
def test_a_program_that_reads_nothing_is_not_waited_for(write: Callable[..., str]) -> None:
    blind = 'import time\nprint(\'{"name": "blind"}\', flush=True)\ntime.sleep(99)'
    assert "has not answered within 0.5 s" in fail(write(blind, "@0.5s"))


def test_a_program_can_be_asked_again_after_it_failed(write: Callable[..., str]) -> None:
    name = write(FIRST.replace("import json, sys", "import json, sys, os\nos.mkdir('was_here')"))
    before = Path.cwd()
    os.chdir(Path(name.rsplit(" ", 1)[1]).parent)
    try:
        player = resolve_player(name, SAKURA.game)
        Path("was_here").mkdir()
        with pytest.raises(SubprocessPlayerError, match="subprocess_ended"):
            player(first_view(), Random(1))
        Path("was_here").rmdir()
        assert player(first_view(), Random(1)) == first_view().legal[0]
    finally:
        os.chdir(before)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("exec:", "subprocess_command"),
        ("exec:   ", "subprocess_command"),
        ("exec:'unclosed", "subprocess_command"),
        ("exec:no-such-program-anywhere --fast", "subprocess_missing"),
        ("exec@fast:python", "player_unknown"),
        ("clever", "player_unknown"),
    ],
)
def test_a_command_that_cannot_be_started_is_refused(name: str, code: str) -> None:
    with pytest.raises(BadSetupError) as refusal:
        resolve_player(name, SAKURA.game)
    assert refusal.value.code == code
    assert error_text(refusal.value)


def test_a_file_that_is_no_program_cannot_be_started(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_bytes(b"\x00\x01 no program")
    file.chmod(0o755)
    assert "cannot be started: " in fail(f"exec:{file}")


def test_only_who_asks_for_programs_gets_one() -> None:
    with pytest.raises(PleasanceError, match="player_unknown"):
        make_player(ENTRANT, SAKURA.game)
    assert not any(name.startswith("exec") for name in player_names())
    with pytest.raises(PleasanceError, match="player_unknown"):
        play_game(SAKURA, 1, ENTRANT)


@pytest.mark.slow
@pytest.mark.parametrize("stubborn", ["", "import signal; signal.signal(15, signal.SIG_IGN)\n"])
def test_a_program_ends_with_its_player(write: Callable[..., str], stubborn: str) -> None:
    wait = "\nimport time\nwhile True: time.sleep(99)" if stubborn else ""
    player = resolve_player(write(stubborn + FIRST + wait), SAKURA.game)
    player(first_view(), Random(1))
    assert isinstance(player, SubprocessPlayer)
    assert player._process is not None
    process = player._process._process
    assert process.poll() is None
    del player
    gc.collect()
    assert process.poll() is not None


def test_the_page_about_bots_names_everything_a_program_is_told(
    write: Callable[..., str], tmp_path: Path
) -> None:
    told = tmp_path / "told.txt"
    choose(
        write(FIRST.replace("    answer", f"    open({str(told)!r}, 'a').write(line)\n    answer"))
    )
    page = (EXAMPLE.parents[1] / "docs" / "guide" / "bots.md").read_text()
    shown = [json.loads(line) for line in page.splitlines() if line.startswith("{")]
    greeting, question = map(json.loads, told.read_text().splitlines())
    assert [list(line) for line in shown] == [
        list(greeting),
        ["name"],
        list(question),
        ["choice"],
    ]
    for field in question:
        assert f"| `{field}` |" in page


ARENA = ("arena", "sakura", "--seats", "3", "--games", "3")


def test_programs_meet_others_in_the_arena(capsys: Capture) -> None:
    told = json.loads(
        run_command(capsys, *ARENA, "--workers", "1", "--players", f"{ENTRANT},random", "--json")
    )
    assert told["players"] == [ENTRANT, "random"]
    assert told["standings"][0]["moves"] > 0


@pytest.mark.slow
def test_each_process_of_an_arena_starts_the_program(capsys: Capture, tmp_path: Path) -> None:
    players = ("--players", f'"{ENTRANT} --ideas 1,2", greedy', "--games", "12", "--json")
    two, one = (
        json.loads(run_command(capsys, *ARENA, "--workers", workers, *players)) for workers in "21"
    )
    assert two["players"] == [f"{ENTRANT} --ideas 1,2", "greedy"]
    assert [found["score"] for found in two["standings"]] == [
        found["score"] for found in one["standings"]
    ]
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_an_arena_says_what_a_program_did_wrong(write: Callable[..., str], capsys: Capture) -> None:
    name = write("raise SystemExit('out of ideas')")
    for workers in ("1", "2"):
        said = run_refused(capsys, *ARENA, "--workers", workers, "--players", f"{name},random")
        assert "has ended with status 1" in said
        assert "out of ideas" in said


def test_programs_play_for_the_record(capsys: Capture) -> None:
    made = run_command(
        capsys, "record", "sakura", "--seats", "2", "--players", f"{ENTRANT},random", "--seed", "1"
    )
    assert f'[Players "{ENTRANT}, random"]' in made
