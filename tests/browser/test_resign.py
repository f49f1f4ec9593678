"""Before a player resigns, the page says what will follow, and that follows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from browser.player import BrowserPlayer
from support.live_server import LiveServer

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("seats", "bots", "said", "status"),
    [
        (2, 1, "Your opponent wins.", "over"),
        (3, 2, "The game ends, and the bots win.", "over"),
        (3, 1, "A bot plays on for you.", "running"),
    ],
)
def test_what_was_said_before_resigning_happens(
    browser: Browser, server: LiveServer, seats: int, bots: int, said: str, status: str
) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada", viewport={"width": 1366, "height": 768})
    ben = BrowserPlayer(browser, server.link, "Ben")
    ada.set_pace(0)
    ben.join()
    table = ada.open_table("sakura", seats, bots=bots)
    if seats > bots + 1:
        ben.do(table, kind="sit", seat=seats - 1, nonce="5b" * 16)
        ada.do(table, kind="start")
    ada.visit(f"/t/{table}")
    ada.page.locator("summary", has_text="Settings").click()
    ada.page.get_by_role("button", name="Resign").click()
    question = ada.page.get_by_role("dialog")
    question.get_by_text(said, exact=True).wait_for()
    question.get_by_role("button", name="Resign").click()
    question.wait_for(state="detached")
    resigned = ada.wait_until(table, lambda now: bool(now["info"]["places"][0]["has_resigned"]))
    assert resigned["info"]["status"] == status
    ada.context.close()
    ben.context.close()
