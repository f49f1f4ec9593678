"""The docs are true: their links lead somewhere, and their lists are complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pleasance import cli
from pleasance.arena.score_statistics import survey
from pleasance.core.game import configurations
from pleasance.core.tags import make_tags
from pleasance.games import find_game, game_names

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def find_anchors(page: Path) -> set[str]:
    """Find the anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^):]+)\)", page.read_text()):
            path, _, anchor = target.partition("#")
            linked = page.parent / path if path else page
            assert linked.exists(), f"{page.name}: {target}"
            assert not anchor or anchor in find_anchors(linked), f"{page.name}: {target}"


def test_the_files_named_on_a_page_exist() -> None:
    """A path with an extension begins at the root, or at a folder of the package or a game."""
    package = ROOT / "src" / "pleasance"
    folders = (ROOT, ROOT / "web" / "src", package, package / "server", *package.glob("games/*"))
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        if "benchmarks" not in page.parts:
            for path in re.findall(r"`(?!/)([\w./*<>-]+/[\w.*-]+\.[a-z]+)`", page.read_text()):
                pattern = path.replace("<game>", "*")
                assert any(list(folder.glob(pattern)) for folder in folders), f"{page}: {path}"


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
    for name in game_names():
        for game, seats in configurations(find_game(name)):
            assert f"| {name} | {seats} | {' '.join(game.options) or 'none'} |" in page


@pytest.mark.slow
@pytest.mark.parametrize(("player", "least", "most"), [("random", 32.5, 35.0), ("greedy", 69, 73)])
def test_two_at_sanssouci_score_what_the_page_says(player: str, least: float, most: float) -> None:
    """Random play averages 33 to 34 points, greedy play about 70."""
    assert least <= survey(find_game("sanssouci"), 2, player, games=200, seed="page").mean <= most
