"""Wherever a seat has a mark, the mark has the color of the seat's pieces on the board."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from browser.player import BrowserPlayer
from browser.screens import choose_for
from pleasance.games import find_game
from support.live_server import LiveServer

pytestmark = pytest.mark.slow

SEATS = 4


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_have_the_colors_of_the_pieces(
    browser: Browser, server: LiveServer, scheme: str
) -> None:
    colors = piece_colors()
    ada = BrowserPlayer(browser, server.link, "Ada", color_scheme=scheme)
    ada.join()
    ada.set_pace(0)
    table = ada.open_table("sakura", SEATS, bots=SEATS - 1)
    ada.visit("/")
    assert colors_of(ada.page, f"li:has(a[href='/t/{table}']) .who svg") == colors
    ada.page.get_by_role("button", name="Set up a table").nth(0).click()
    ada.page.locator("dialog input[name=seats][value='4']").check(force=True)
    assert colors_of(ada.page, "dialog ol svg") == colors
    ada.play(table, 0, partial(choose_for, ada, table), Random(2))
    ada.visit(f"/replay?table={table}")
    ada.page.locator(".chart path").first.wait_for()
    assert colors_of(ada.page, ".chart path:not(.edge)", "stroke") == colors
    assert colors_of(ada.page, "section ul.plain li > svg:first-child") == colors
    ada.context.close()


def piece_colors() -> list[str]:
    """Read the colors of the painters, as a browser writes colors."""
    wire = find_game("sakura").wire
    assert wire is not None
    return [f"rgb({', '.join(map(str, bytes.fromhex(c[1:])))})" for c in wire.seat_colors[:SEATS]]


def colors_of(page: Page, selector: str, attribute: str = "color") -> list[str]:
    """List the colors of the elements that a selector finds."""
    found = page.locator(selector)
    found.first.wait_for()
    script = "(all, name) => all.map((one) => getComputedStyle(one)[name])"
    colors: list[str] = found.evaluate_all(script, attribute)
    return colors
