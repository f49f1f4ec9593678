"""The tutorials to their end, and a game looked at again: replayed, checked, played on from."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser.gestures import LESSON, Choose, click, sakura_by, sanssouci_by
from browser.player import TIMEOUT_MS, BrowserPlayer
from support.live_server import LiveServer
from support.ws_client import play, seat_all

pytestmark = pytest.mark.slow
GAMES = Path(__file__).parents[2] / "src" / "pleasance" / "games"
expect.set_options(timeout=TIMEOUT_MS)


SPILLED = """() => [...document.querySelectorAll("button[data-choice], button[data-spot]")]
  .filter((card) => card.scrollHeight > card.clientHeight + 1
    || card.scrollWidth > card.clientWidth + 1)
  .map((card) => card.innerText)"""
"""Finds the cards from which something that is printed on them hangs out."""


def read_stops(game: str) -> list[dict[str, Any]]:
    """Read at which moments of a tutorial something is said or asked."""
    text = (GAMES / game / "web" / "tutorial.json").read_text("utf-8")
    stops: list[dict[str, Any]] = json.loads(text)["stops"]
    return stops


@pytest.mark.parametrize(
    ("game", "choose"), [("sakura", sakura_by(click)), ("sanssouci", sanssouci_by(click))]
)
def test_a_tutorial_leads_to_its_end_and_into_a_first_game(
    browser: Browser, server: LiveServer, game: str, choose: Choose
) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada")
    ada.set_pace(0)
    ada.visit(f"/learn/{game}/tutorial")
    lesson = ada.page.locator(LESSON)
    # The lessons call the others by their colors, and so do their places.
    if game == "sakura":
        expect(ada.page.get_by_text("Yellow", exact=True)).to_be_visible()
    stops = read_stops(game)
    assert len(stops) >= 7
    for number, stop in enumerate(stops, start=1):
        expect(lesson).to_contain_text(f"{number} of {len(stops)}")
        expect(lesson.locator("h2")).to_be_visible()
        assert ada.page.evaluate(SPILLED) == []
        if "wanted" in stop:
            choose(ada.page, stop["wanted"])
        if "wanted" not in stop or lesson.get_by_role("button", name="Go on").count():
            lesson.get_by_role("button", name="Go on").click()
    expect(lesson.locator("h2")).to_have_text("That is all you need")
    lesson.get_by_role("button", name="Play your first game").click()
    ada.page.wait_for_url("**/t/*")
    ada.page.wait_for_selector("section.mine")
    assert ada.console_errors == []
    ada.context.close()


def finish_game(server: LiveServer, game: str) -> str:
    """Let two people play a game to its end; name the table."""
    with server.visit("Ada") as ada, server.visit("Ben") as ben:
        table = ada.open_table(game)
        with ada.connect() as a, ben.connect() as b:
            seat_all(table, [a, b])
            play(table, [a, b], Random(3))
    return str(table)


@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
def test_a_game_is_replayed_checked_and_played_on_from(
    browser: Browser, server: LiveServer, game: str
) -> None:
    table = finish_game(server, game)
    eve = BrowserPlayer(browser, server.link, "Eve")
    eve.join()
    eve.set_pace(0)
    eve.visit(f"/replay?table={table}")
    slider = eve.page.get_by_label("Moment", exact=True)
    slider.wait_for()
    slider.fill("40")
    expect(eve.page.get_by_text("40 of")).to_be_visible()
    eve.page.get_by_role("button", name="Check every draw").click()
    expect(eve.page.get_by_text("from the secret that was promised")).to_be_visible()
    eve.page.get_by_role("button", name="Play on from step 40").click()
    eve.page.wait_for_url("**/t/*")
    eve.page.wait_for_selector("main section.mine, main [aria-current=true]")
    assert eve.console_errors == []
    eve.context.close()
