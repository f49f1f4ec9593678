"""Whole games in a real browser: with the mouse, with the keys alone, with a finger on a phone."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Browser

from browser.gestures import (
    Choose,
    click,
    sakura_by,
    sakura_by_keys,
    sanssouci_by,
    sanssouci_by_keys,
    tap,
)
from browser.player import BrowserPlayer
from support.live_server import LiveServer

pytestmark = pytest.mark.slow

NOTE_ALL = """() => {
  window.told = [];
  const note = () => {
    const text = document.querySelector("[role=status]").textContent;
    if (window.told.at(-1) !== text) window.told.push(text);
  };
  note();
  const whatever = { childList: true, characterData: true, subtree: true };
  new MutationObserver(note).observe(document.body, whatever);
}"""
"""Notes whatever is told, however soon something else is."""
NEXT = re.compile("Let a noble walk|Its place is taken")
"""The prompts that may follow a taken tile; chance decides which."""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize(
    ("game", "choose", "look"),
    [
        pytest.param("sanssouci", sanssouci_by(click), {}, id="sanssouci-mouse"),
        pytest.param("sakura", sakura_by(click), {}, id="sakura-mouse"),
        pytest.param("sanssouci", sanssouci_by_keys, {}, id="sanssouci-keys"),
        pytest.param("sakura", sakura_by_keys, {}, id="sakura-keys"),
        pytest.param("sanssouci", sanssouci_by(tap), PHONE, id="sanssouci-finger"),
        pytest.param("sakura", sakura_by(tap), PHONE, id="sakura-finger"),
    ],
)
def test_a_whole_game_against_a_bot(
    browser: Browser, server: LiveServer, game: str, choose: Choose, look: dict[str, object]
) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada", **look)
    ada.set_pace(0)
    table = ada.open_table(game, 2, bots=1)
    ada.visit(f"/t/{table}")
    assert ada.play(table, 0, choose, Random(1)) > 5
    ada.page.get_by_role("link", name="Watch it again").wait_for()
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= ada.page.evaluate(
        "document.documentElement.clientWidth"
    )
    assert ada.console_errors == []
    ada.context.close()


def test_what_comes_next_is_not_told_before_the_last_choice_was_shown(
    browser: Browser, server: LiveServer
) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada")
    table = ada.open_table("sanssouci", 2, bots=1)
    ada.visit(f"/t/{table}")
    ada.page.wait_for_selector(".live")
    ada.page.evaluate(NOTE_ALL)
    (view,) = ada.wait(table, 0)["views"]
    sanssouci_by(click)(ada.page, view["legal"][0])
    ada.page.get_by_role("status").get_by_text(NEXT).wait_for()
    told = ada.page.evaluate("window.told")
    assert NEXT.search(told[-1])
    assert told[-2] == "Watch what happens."
    assert not any(NEXT.search(text) for text in told[:-1])
    ada.context.close()
