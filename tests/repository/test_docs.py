"""The docs are true: their commands and code run, their lists are complete."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from pleasance import cli
from pleasance.arena.score_statistics import TABLE_HEAD, survey
from pleasance.core.game import configurations
from pleasance.core.tags import make_tags
from pleasance.games import find_game, game_names
from support.programs import run_program

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[object]:
    """Collect the code blocks of one language from all pages."""
    return [
        pytest.param(
            text,
            id=f"{page.relative_to(ROOT)}:{number}",
            marks=pytest.mark.slow if "pleasance arena" in text or ".kernel()" in text else (),
        )
        for page in PAGES
        for number, (kind, text) in enumerate(BLOCK.findall(page.read_text()), start=1)
        if kind == language
    ]


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """Make a place where `pleasance` can be called by its name."""
    command = tmp_path / "bin" / "pleasance"
    command.parent.mkdir()
    call = f'"{sys.executable}" -c "from pleasance.cli import main; main()" "$@"'
    command.write_text(f"#!/bin/sh\nexec {call}\n")
    command.chmod(0o755)
    path = f"{command.parent}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PLEASANCE_HOME": str(tmp_path), "PLEASANCE_LANGUAGE": "en"}


@pytest.mark.parametrize("text", blocks("console"))
def test_the_commands_of_a_page_run_one_after_the_other(
    text: str, tmp_path: Path, shell: dict[str, str]
) -> None:
    for line in text.splitlines():
        if line.startswith("make "):  # a clean clone tries make play and make test
            assert re.search(rf"^{line.split()[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
            continue
        # One choice makes a game worth keeping, so that --resume finds it: side A of the rewards.
        answers = "sakura\nquit\n" if line == "pleasance play" else "a\nquit\n"
        done = run_program("sh", "-c", line, cwd=tmp_path, env=shell, input=answers)
        assert (done.returncode, done.stderr) == (0, ""), line


@pytest.mark.parametrize("text", blocks("python"))
def test_the_code_of_a_page_runs(text: str, tmp_path: Path) -> None:
    done = run_program(sys.executable, "-c", text, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_changelog_names_every_command() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text()
    for command in cli.app.registered_commands:
        assert command.callback
        assert f"`{command.name or command.callback.__name__}`" in changes


def test_the_page_about_records_names_every_tag_and_kind_of_token() -> None:
    page = (ROOT / "docs" / "guide" / "records.md").read_text()
    game = find_game(game_names()[0])
    for tag in make_tags(game, 2, players=["a", "b"], scores=[1, 2], fair_tag="x"):
        assert f"`{tag}`" in page or f'[{tag} "' in page
    shown = {shape(token) for token in re.findall(r"`(\S+)`", page)}
    for name in game_names():
        actions = (*find_game(name).space, *find_game(name).draws)
        assert {shape(str(action)) for action in actions} <= shown


def shape(token: str) -> str:
    """Forget which cell, card or space a token names.

    >>> shape("36:6r")
    '0:0l'
    """
    for what, instead in ((r"\d+", "0"), (r"[a-i]", "a"), (r"[lr]", "l"), ("B", "A")):
        token = re.sub(what, instead, token)
    return token


def test_every_page_of_the_guide_is_listed() -> None:
    listed = (ROOT / "docs" / "guide" / "README.md").read_text()
    for page in (ROOT / "docs" / "guide").glob("[a-z]*.md"):
        assert f"({page.name})" in listed


def test_every_decision_is_listed() -> None:
    listed = (ROOT / "docs" / "decisions" / "README.md").read_text()
    for page in (ROOT / "docs" / "decisions").glob("0*.md"):
        assert f"({page.name})" in listed


def test_the_page_of_numbers_has_every_configuration() -> None:
    page = (ROOT / "docs" / "numbers.md").read_text()
    assert TABLE_HEAD in page
    for name in game_names():
        for game, seats in configurations(find_game(name)):
            for player in ("random", "greedy"):
                options = " ".join(game.options) or "none"
                assert f"| {name} | {seats} | {options} | {player} |" in page


@pytest.mark.slow
@pytest.mark.parametrize(("player", "least", "most"), [("random", 32.5, 35.0), ("greedy", 69, 73)])
def test_two_at_sanssouci_score_what_the_page_says(player: str, least: float, most: float) -> None:
    """Random play averages 33 to 34 points, greedy play about 70."""
    assert least <= survey(find_game("sanssouci"), 2, player, games=200, seed="page").mean <= most
