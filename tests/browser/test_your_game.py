"""The page about a game of one's own, to its end: the game in a browser, as text and as a board."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.player import BrowserPlayer
from repository.your_game import ROOT, read_steps, wire_board, write_files
from support.programs import run_program
from support.server_process import COMMAND, read_until, run_process

pytestmark = pytest.mark.slow

SERVE = (*COMMAND, "serve", "--no-browser", "--port", "0")
SETTINGS = """localStorage.setItem(
    "pleasance.settings", JSON.stringify({ pace: 0, confirmMode: "never" }))"""
"""Nothing is animated, and a click is enough to choose."""

SKIPPED = shutil.ignore_patterns(".git", ".venv", "node_modules", "__pycache__", "*_cache", "dist")


def choose_by_words(page: Page, token: str) -> None:
    """Click the button of a choice."""
    words = {"keep": "keep the fish", "free": "free the fish", "catch": "catch the fish"}
    words |= {"leave": "leave the fish"}
    name = words.get(token, f"show the fish of weight {token}")
    page.get_by_role("button", name=re.compile(f"^{name}", re.IGNORECASE)).first.click()


def play_against_a_bot(browser: Browser, link: str) -> BrowserPlayer:
    """Open a table from the first page, seat a bot, and play to the end."""
    ada = BrowserPlayer(browser, link, "Ada")
    expect(ada.page.get_by_role("heading", name="Pond")).to_be_visible()
    ada.page.evaluate(SETTINGS)
    table = ada.open_table("pond", 2, bots=1)
    ada.visit(f"/t/{table}")
    assert ada.play(table, 0, choose_by_words, Random(1)) >= 3
    ada.page.get_by_role("link", name="Watch it again").wait_for()
    assert ada.console_errors == []
    return ada


def read_rules(ada: BrowserPlayer, text: str) -> None:
    """Go to the rules from the page about the game, which offers no tutorial where none is."""
    ada.visit("/learn/pond")
    expect(ada.page.get_by_role("link", name="tutorial")).to_have_count(0)
    ada.page.locator("main").get_by_role("link", name="Rules").click()
    expect(ada.page.locator("main")).to_contain_text(text)
    assert ada.console_errors == []


def test_a_game_of_ones_own_is_played_as_text(
    browser: Browser,
    built_app: None,  # noqa: ARG001  (built first)
    tmp_path: Path,
) -> None:
    write_files(tmp_path / "games" / "pond")
    games = {"PLEASANCE_GAMES": str(tmp_path / "games")}
    with run_process(SERVE, tmp_path / "home", **games) as process:
        link = read_until(process, "http://").split()[-1]
        ada = play_against_a_bot(browser, link)
        expect(ada.page.locator("pre")).to_contain_text("Seat 2:")
        expect(ada.page.locator(".log")).to_contain_text(": show the fish of weight")
        read_rules(ada, "pleasance rules pond")
        ada.context.close()


STEPS = """\
unset PLEASANCE_GAMES
mv games/pond src/pleasance/games/
python -m pleasance.server.http.typescript
make play
"""
"""The last commands of the page; `make play` builds the page and serves."""


def test_its_board_is_drawn_once_the_page_is_built(browser: Browser, tmp_path: Path) -> None:
    assert read_steps()[-1].commands == STEPS
    root = tmp_path / "clone"
    shutil.copytree(ROOT, root, ignore=SKIPPED)
    (root / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    game = root / "src" / "pleasance" / "games" / "pond"
    write_files(game)
    wire_board(game)
    paths = {"PYTHONPATH": os.pathsep.join([str(root / "src"), str(root / "web")])}
    commands = [("-m", "pleasance.server.http.typescript"), ("web/build.py",)]
    if (ROOT / "web" / "node_modules" / ".bin" / "svelte-check").exists():  # after `make check`
        commands.append(("-c", CHECK_BOARD))
    for command in commands:
        done = run_program(sys.executable, *command, cwd=root, env={**os.environ, **paths})
        assert done.returncode == 0, done.stdout + done.stderr
    with run_process(SERVE, tmp_path / "home", **paths) as process:
        link = read_until(process, "http://").split()[-1]
        ada = play_against_a_bot(browser, link)
        expect(ada.page.locator("svg[viewBox='0 0 600 180'] ellipse")).to_have_count(2)
        read_rules(ada, "P-1 Two or three players.")
        ada.context.close()


CHECK_BOARD = """
from build import ROOT, find_node, run
from check import ESLINT, PRETTIER
web = "src/pleasance/games/pond/web/*"
run(find_node(), "prettier", *PRETTIER, "--check", "--log-level=warn", web, cwd=ROOT)
run(find_node(), "eslint", *ESLINT, web, cwd=ROOT)
run(find_node(), "svelte-check", "--fail-on-warnings", "--output", "human")
"""
"""The checks of `make check` for a board."""
