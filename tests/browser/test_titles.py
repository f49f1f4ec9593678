"""Every page has a title of its own, and an address that leads nowhere says so."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from browser.player import BrowserPlayer
from browser.screens import show
from support.live_server import LiveServer

pytestmark = pytest.mark.slow

TITLES = {
    "/": "Pleasance",
    "/replay": "Replay | Pleasance",
    "/learn": "Learn | Pleasance",
    "/learn/words": "Words | Learn | Pleasance",
    "/learn/own-box": "Your own box | Learn | Pleasance",
    "/learn/sakura": "Sakura | Learn | Pleasance",
    "/learn/sakura/rules": "Sakura: the rules | Learn | Pleasance",
    "/learn/sakura/tutorial": "Sakura: the tutorial | Learn | Pleasance",
    "/ratings": "Ratings | Pleasance",
}


def test_every_page_has_a_title_of_its_own(browser: Browser, server: LiveServer) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada")
    ada.page.add_init_script("window.asked = 0")
    ada.visit("/")
    for path, title in TITLES.items():
        show(ada.page, path)
        expect(ada.page).to_have_title(title.replace("|", "\N{EN DASH}"))
    ada.context.close()


def test_a_game_that_is_not_there_is_named(browser: Browser, server: LiveServer) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada")
    ada.visit("/learn/chess")
    expect(ada.page.get_by_role("status").filter(has_text="chess")).to_be_visible()
    ada.context.close()


def test_only_the_owner_is_told_how_to_open_the_server(
    browser: Browser, server: LiveServer
) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada")
    table = ada.open_table("sakura", 2)
    ben = BrowserPlayer(browser, server.link, "Ben")
    for person, count in ((ada, 1), (ben, 0)):
        person.visit(f"/t/{table}")
        expect(person.page.get_by_role("button", name="Copy")).to_be_visible()
        expect(person.page.get_by_text("make play LAN=1")).to_have_count(count)
        person.context.close()
