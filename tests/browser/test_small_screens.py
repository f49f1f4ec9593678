"""Small screens show all that a decision needs: a phone, upright or across, and a laptop."""

from __future__ import annotations

import re
from functools import partial
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from browser.gestures import CHOICE_DUE, CONFIRM, Touch, click, tap, targets_of
from browser.player import BrowserPlayer, has_chosen
from pleasance.i18n.catalog import LANGUAGES, read_patterns
from support.live_server import LiveServer

pytestmark = pytest.mark.slow
UPRIGHT = {"width": 360, "height": 740}
ACROSS = {"width": 740, "height": 360}
LAPTOP = {"width": 1024, "height": 768}
TABLET = {"width": 768, "height": 1024}
NAME = "Bartholomea of the Thousand Steps"
BAR = "section.mine"
_SLIM = 115

_CONTROLS = """() => {
  const all = document.querySelectorAll("section.mine :is(button, summary)");
  const seen = [...all].filter((each) => each.checkVisibility({ visibilityProperty: true }));
  return seen.map((each) => {
    const { width, height, bottom } = each.getBoundingClientRect();
    return { name: each.textContent.trim(), size: Math.min(width, height), bottom };
  });
}"""
_IS_READ = """(words) => [...document.querySelectorAll("main small")].some((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  const seen = document.elementFromPoint(x + width / 2, y + height / 2);
  return each.textContent === words && seen === each;
})"""

_PLACE = """(bar) => {
  const { x, y, width, height } = bar.getBoundingClientRect();
  return [x + scrollX, y + scrollY, width, height];
}"""
"""The place of an element on the page, however far that is scrolled."""
_TOLD = """(name) => {
  const isTold = document.querySelector(".narration")?.textContent.includes(name);
  return isTold && { isAlone: !document.querySelector(".status").checkVisibility() };
}"""


@pytest.mark.parametrize("screen", [UPRIGHT, ACROSS], ids=["upright", "across"])
@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
def test_who_picks_on_a_phone_sees_the_board_and_confirms(
    browser: Browser, server: LiveServer, game: str, screen: dict[str, Any]
) -> None:
    ada = BrowserPlayer(browser, server.link, NAME, viewport=screen, has_touch=True, is_mobile=True)
    _ask_always(ada.page)
    table = ada.open_table(game, 2, bots=1)
    ada.visit(f"/t/{table}")
    ada.page.wait_for_selector(CHOICE_DUE)
    assert ada.page.evaluate(_IS_READ, "(you)"), "a long name swallows who one is"
    before = ada.read_table(table)
    _pick(ada.page, Random(1).choice(before["views"][0]["legal"]))
    bar = ada.page.locator(BAR).bounding_box()
    assert bar is not None
    assert bar["height"] <= _SLIM
    assert bar["y"] + bar["height"] == pytest.approx(screen["height"], abs=1)
    controls = ada.page.evaluate(_CONTROLS)
    assert {"Confirm", "Cancel", "Hint"} <= {each["name"] for each in controls}
    assert all(each["name"] and each["size"] >= 44 for each in controls)
    assert all(each["bottom"] <= screen["height"] for each in controls)
    ada.page.locator(CONFIRM).tap()
    ada.wait_until(table, partial(has_chosen, before, 0))
    assert ada.console_errors == []
    ada.context.close()


def test_a_phone_tells_what_a_bot_does(browser: Browser, server: LiveServer) -> None:
    ada = BrowserPlayer(
        browser, server.link, "Ada", viewport=UPRIGHT, has_touch=True, is_mobile=True
    )
    table = ada.open_table("sanssouci", 2, bots=1)
    ada.visit(f"/t/{table}")
    ada.page.wait_for_selector(CHOICE_DUE)
    token = ""
    while token != "-":  # ends a turn
        now = ada.wait(table, 0)
        token = now["views"][0]["legal"][-1]
        at = {"ply": now["ply"], "revision": now["revision"]}
        ada.do(table, kind="choose", seat=0, token=token, **at)
        ada.wait_until(table, partial(has_chosen, now, 0))
    assert ada.page.wait_for_function(_TOLD, arg="Greedy").json_value() == {"isAlone": True}
    ada.context.close()


@pytest.mark.parametrize("screen", [LAPTOP, TABLET], ids=["laptop", "tablet"])
@pytest.mark.parametrize(
    ("game", "options"), [("sakura", ["tactical"]), ("sanssouci", ["rewards", "boars"])]
)
def test_a_board_does_not_jump_when_something_is_picked(
    browser: Browser, server: LiveServer, game: str, options: list[str], screen: dict[str, Any]
) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada", viewport=screen)
    _ask_always(ada.page)
    table = ada.open_table(game, 2, bots=1, options=options)
    _play_some(ada, table)
    ada.context.route("**/*.js", partial(_ask_in_many_words, game))
    for language in LANGUAGES:
        # Changing the language at a table reconnects the socket, whatever is picked meanwhile.
        ada.ask("PATCH", "/api/me", {"language": language})
        ada.visit(f"/t/{table}")
        ada.page.wait_for_selector(f"html[lang={language}]")
        ada.page.wait_for_selector(CHOICE_DUE)
        before = ada.page.locator(BAR).evaluate(_PLACE)
        assert _find_wordiest(game, language) in ada.page.locator(f"{BAR} .status").inner_text()
        _pick(ada.page, _find_longest(ada, table, language), click)
        ada.page.locator(".picked").filter(has_text=re.compile(".")).wait_for()
        assert ada.page.locator(BAR).evaluate(_PLACE) == before, language
    ada.context.close()


def _list_expected(game: str, language: str) -> list[str]:
    """List every prompt that a game can show for a decision."""
    words = read_patterns(f"pleasance.games.{game}", "messages", language)
    return [text for key, text in words.items() if key.startswith("due.")]


def _find_wordiest(game: str, language: str) -> str:
    return max(_list_expected(game, language), key=len)


def _ask_in_many_words(game: str, route: Route) -> None:
    """Let the app always say what takes the most words when something is expected."""
    answer = route.fetch()
    code = answer.text()
    for language in LANGUAGES:
        for words in _list_expected(game, language):
            code = code.replace(words, _find_wordiest(game, language))
    route.fulfill(response=answer, body=code)


def _play_some(ada: BrowserPlayer, table: str) -> None:
    """Play on until something was chosen that may be taken back, or a while."""
    for _ in range(12):
        now = ada.wait(table, 0)
        (view,) = now["views"]
        if view["can_undo"]:
            return
        at = {"ply": now["ply"], "revision": now["revision"]}
        ada.do(table, kind="choose", seat=0, token=view["legal"][0], **at)
        ada.wait_until(table, partial(has_chosen, now, 0))


def _find_longest(ada: BrowserPlayer, table: str, language: str) -> str:
    """Find the choice that takes the most words."""
    told = ada.ask("GET", f"/t/{table}/choices.json?seat=0&language={language}")
    return str(
        max(told["items"], key=lambda item: len(f"{item['text']} {item['effect']}"))["token"]
    )


def _ask_always(page: Page) -> None:
    page.evaluate(
        """() => localStorage.setItem(
            "pleasance.settings", JSON.stringify({ pace: 0, confirmMode: "always" }))"""
    )


def _pick(page: Page, token: str, touch: Touch = tap) -> None:
    spots = [f'[data-spot="{spot}"]' for spot in targets_of(token)]
    for spot in spots or [f'[data-choice="{part}"]' for part in token.split("/")]:
        touch(page, spot)
    page.wait_for_selector(CONFIRM)
