"""Two browsers at one table: a lost network comes back, and who only watches learns no secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, Page

from browser.cuttable_proxy import open_proxy
from browser.gestures import CONFIRM, needs_confirmation
from browser.player import TIMEOUT_MS, BrowserPlayer, Message
from support.live_server import LiveServer

pytestmark = pytest.mark.slow
TOOLS = "summary[aria-label=Settings], summary:has-text('Settings')"
_LONG = 3 * TIMEOUT_MS
"""A page that was offline for long retries seldom."""


def choose_in_words(page: Page, token: str) -> None:
    """Choose by typing the notation, and confirm."""
    must_confirm = needs_confirmation(page, token)
    field = page.get_by_label("Choice in notation")
    if not field.is_visible():  # what was sent at once has left the tools open, if they are there
        page.locator(TOOLS).click()
    field.fill(token)
    field.press("Enter")
    if must_confirm:
        page.locator(TOOLS).click()
        page.locator(CONFIRM).click()


def test_who_loses_the_network_sees_it_and_plays_on(browser: Browser, server: LiveServer) -> None:
    with open_proxy(server.link) as proxy:
        ada = BrowserPlayer(browser, server.link, "Ada")
        ben = BrowserPlayer(browser, proxy.link, "Ben")
        ada.set_pace(0)
        ben.set_pace(0)
        table = ada.open_table("sakura", 2)
        ben.join()
        ben.visit(f"/t/{table}")
        ben.page.get_by_role("button", name="Sit here").first.click()
        ada.visit(f"/t/{table}")
        ada.page.get_by_role("button", name="Begin").click()
        for person in (ada, ben):
            person.page.wait_for_selector("section.mine")
        proxy.cut()
        ben.page.get_by_text("reconnecting").wait_for()
        choose_in_words(ada.page, ada.wait(table, 0)["views"][0]["legal"][0])
        proxy.restore()
        ben.page.get_by_text("reconnecting").wait_for(state="detached", timeout=_LONG)
        ben.wait_until(table, lambda now: 0 in now["chose"])
        choose_in_words(ben.page, ben.wait(table, 1)["views"][0]["legal"][0])
        ply = ada.wait_until(table, lambda now: not now["chose"])["ply"]
        assert ply > 10
        for person in (ada, ben):
            assert person.read_table(table)["ply"] == ply
            person.context.close()
        assert ada.console_errors == []


def _is_beyond(ply: int, now: Message) -> bool:
    return bool(now["ply"] > ply)


def positions_in(told: object) -> Iterator[Message]:
    """Find every position in what a browser was told."""
    if isinstance(told, dict):
        if isinstance(told.get("position"), dict):
            yield told["position"]
        for part in told.values():
            yield from positions_in(part)
    if isinstance(told, list):
        for part in told:
            yield from positions_in(part)


@pytest.mark.parametrize("game", ["sakura", "sanssouci"])
def test_who_only_watches_is_told_no_secret(
    browser: Browser, server: LiveServer, game: str
) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada")
    ada.set_pace(0)
    table = ada.open_table(game, 2, bots=1)
    ada.visit(f"/t/{table}")
    eve = BrowserPlayer(browser, server.link, "Eve")
    eve.set_pace(0)
    eve.visit(f"/t/{table}")
    for _ in range(3):
        seen = ada.wait(table, 0)
        (view,) = seen["views"]
        choose_in_words(ada.page, view["legal"][0])
        ada.wait_until(table, partial(_is_beyond, seen["ply"]))
    eve.page.locator("input[type=range]").fill("0")
    eve.page.get_by_text(re.compile(r"^0 of \d+$")).wait_for()
    told = [*eve.received, *(answer.json() for answer in eve.answers)]
    positions = list(positions_in(told))
    assert len(positions) > 5
    assert all(position["seat"] is None and position["hand"] == [] for position in positions)
    assert {len(mission) for p in positions for mission in p.get("missions", [])} <= {0}
    assert eve.page.get_by_role("button", name="Resign").count() == 0
    assert (ada.console_errors, eve.console_errors) == ([], [])
    ada.context.close()
    eve.context.close()


def test_two_at_one_device_hand_it_over_before_anything_is_seen(
    browser: Browser, server: LiveServer
) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada")
    ada.set_pace(0)
    table = ada.open_table("sakura", 2)
    ada.do(table, kind="sit", seat=1, nonce="6b" * 16, name="Ben")
    ada.do(table, kind="start")
    ada.visit(f"/t/{table}")
    names = ("Ada", "Ben")
    for seat, name in enumerate(names):
        ready = ada.page.get_by_role("button", name=f"I am {name}")
        ready.wait_for()
        assert ada.page.locator("section.mine").count() == 0
        ready.click()
        choose_in_words(ada.page, legal_of(ada, table, seat))
    # A card may ask its player for the way while it is carried out.
    holder = 1
    while len(now := ada.wait_until(table, _is_carried_out)["waiting"]) == 1:
        if holder != now[0]:
            holder = now[0]
            ada.page.get_by_role("button", name=f"I am {names[holder]}").click()
        ply = ada.read_table(table)["ply"]
        choose_in_words(ada.page, legal_of(ada, table, holder))
        ada.wait_until(table, partial(_is_beyond, ply))
    # Who has the device in hand chooses first in the next round.
    choose_in_words(ada.page, legal_of(ada, table, holder))
    ada.page.get_by_role("button", name=f"I am {names[1 - holder]}").wait_for()
    assert ada.console_errors == []
    ada.context.close()


def _is_carried_out(now: Message) -> bool:
    return not now["chose"]


def legal_of(person: BrowserPlayer, table: str, seat: int) -> str:
    """Name something that a seat may choose."""
    (view,) = [each for each in person.read_table(table)["views"] if each["seat"] == seat]
    return str(view["legal"][0])
