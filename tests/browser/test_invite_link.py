"""Two who meet by a link: a name is given, a word is received, and a wrong link says so."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from browser.player import BrowserPlayer
from support.live_server import LiveServer

pytestmark = pytest.mark.slow


def test_a_friend_with_a_long_name_sits_down_and_is_heard(
    browser: Browser, server: LiveServer
) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada", viewport={"width": 1366, "height": 700})
    ada.set_pace(0)
    ada.join()
    table = str(ada.ask("POST", "/api/tables", {"game": "sanssouci", "seats": 2})["id"])
    ada.do(table, kind="sit", seat=0, nonce="5a" * 16)
    ben = BrowserPlayer(browser, f"{server.link}/t/{table}", "Ben")
    ben.page.get_by_role("button", name="Sit here").click()
    field = ben.page.get_by_role("textbox", name="Your name")
    field.press_sequentially("Benedict" * 6)
    field.press("Enter")
    begin = ben.page.get_by_role("button", name="Begin")
    begin.wait_for()
    ada.visit(f"/t/{table}")
    begin.click()
    ada.page.wait_for_selector(".log li")
    ben.page.get_by_role("textbox", name="Say").fill("good luck")
    ben.page.get_by_role("textbox", name="Say").press("Enter")
    told = f"{('Benedict' * 6)[:40]}: good luck"
    ada.page.get_by_role("alert").get_by_role("button", name=told, exact=True).wait_for()
    assert ben.page.get_by_role("alert").get_by_role("button").count() == 0
    assert ada.console_errors == ben.console_errors == []
    ada.context.close()
    ben.context.close()


def test_a_link_that_leads_nowhere_looks_like_the_rest(
    browser: Browser, server: LiveServer
) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{server.link}/t/nowhere12")
    page.get_by_text("There is no such table").wait_for()
    face = page.evaluate(
        "document.fonts.ready.then(() => getComputedStyle(document.body).fontFamily)"
    )
    assert "Source Sans" in face
    page.context.close()
