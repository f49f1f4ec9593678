"""A takeback that one asks for: the asker may withdraw it, and the log says who did what."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from playwright.sync_api import Browser, expect

from browser.player import BrowserPlayer
from browser.screens import choose_for
from support.live_server import LiveServer

pytestmark = pytest.mark.slow


def test_the_asker_withdraws_and_the_other_declines(browser: Browser, server: LiveServer) -> None:
    ada, ben = (BrowserPlayer(browser, server.link, name) for name in ("Ada", "Ben"))
    ben.join()
    table = ada.open_table("sanssouci", 2)
    ben.do(table, kind="sit", seat=1, nonce="5b" * 16)
    ada.do(table, kind="start")
    for person in (ada, ben):
        person.set_pace(0)
        person.visit(f"/t/{table}")
    first = ada.read_table(table)["waiting"][0]
    if first == 0:
        ada.play(table, 0, partial(choose_for, ada, table), Random(1), most=1)
    else:
        (view,) = [each for each in ben.read_table(table)["views"] if each["seat"] == 1]
        choose_for(ben, table, ben.page, view["legal"][0], seat=1)
    for person, button, told in (
        (ada, "Withdraw", "Ada no longer asks for that."),
        (ben, "Decline", "Ben declines."),
    ):
        ada.do(table, kind="request_takeback", seat=0)
        expect(ada.page.get_by_text("You asked to take the last choice back")).to_be_visible()
        expect(ben.page.locator(".notice")).to_contain_text("Ada asks to take the last")
        person.page.get_by_role("button", name=button).click()
        for reader in (ada, ben):
            expect(reader.page.locator(".log")).to_contain_text(told)
            expect(reader.page.locator(".notice")).to_have_count(0)
    assert ada.console_errors == ben.console_errors == []
    ada.context.close()
    ben.context.close()
