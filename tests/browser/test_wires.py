"""Two browsers at one table: a lost network comes back, and who only watches learns no secret."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from browser.people import Person
from browser.wire import lay_wire
from server.house import House

pytestmark = pytest.mark.slow


def type_it(page: Page, token: str) -> None:
    """Choose by typing the notation, and confirm."""
    page.fill("form input[size='8']", token)
    page.press("form input[size='8']", "Enter")
    confirm = page.locator("section.mine > .button.main")
    if confirm.count():
        confirm.first.click()


def test_who_loses_the_network_sees_it_and_plays_on(browser: Browser, house: House) -> None:
    with lay_wire(house.link) as wire:
        ada = Person(browser, house.link, "Ada")
        ben = Person(browser, wire.link, "Ben")
        ada.set_pace(0)
        ben.set_pace(0)
        table = ada.open_table("sakura", 2)
        ben.come_in()
        ben.visit(f"/t/{table}")
        ben.page.get_by_role("button", name="Sit here").first.click()
        ada.visit(f"/t/{table}")
        ada.page.get_by_role("button", name="Begin").click()
        for person in (ada, ben):
            person.page.wait_for_selector("section.mine")
        wire.cut()
        ben.page.get_by_text("reconnecting").wait_for()
        ada_token = ada.wait(table, 0)["views"][0]["legal"][0]
        type_it(ada.page, ada_token)
        wire.mend()
        ben.page.get_by_text("reconnecting").wait_for(state="detached")
        ben.page.get_by_text("has chosen").wait_for()
        type_it(ben.page, ben.wait(table, 1)["views"][0]["legal"][0])
        ada.page.wait_for_function("document.querySelectorAll('.moment').length >= 0")
        assert ada.look(table)["ply"] > 10
        assert ada.complaints == []
