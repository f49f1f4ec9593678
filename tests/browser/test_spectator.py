"""A spectator is told that they watch, and sets the pace and the sound, but has no commands."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from browser.player import BrowserPlayer
from support.live_server import LiveServer

pytestmark = pytest.mark.slow


def test_a_spectator_knows_it_and_has_settings(browser: Browser, server: LiveServer) -> None:
    ada, ben = (BrowserPlayer(browser, server.link, name) for name in ("Ada", "Ben"))
    table = ada.open_table("sakura", 2, bots=1)
    for person, told, commands in ((ada, "Your turn", 1), (ben, "You are watching.", 0)):
        person.visit(f"/t/{table}")
        expect(person.page.locator("p.status")).to_contain_text(told)
        person.page.locator("summary", has_text="Settings").click()
        expect(person.page.get_by_label("Sound")).to_be_visible()
        expect(person.page.get_by_role("button", name="Resign")).to_have_count(commands)
        person.context.close()
