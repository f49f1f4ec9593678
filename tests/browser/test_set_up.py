"""The set-up dialog: what is refused is said where it can be seen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from browser.player import BrowserPlayer
from support.live_server import LiveServer

pytestmark = pytest.mark.slow

IS_IN_FRONT = """(element) => {
  element.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


@pytest.mark.parametrize("width", [390, 1366])
def test_a_refused_box_is_told_in_front_of_everything(
    browser: Browser, server: LiveServer, width: int
) -> None:
    ada = BrowserPlayer(browser, server.link, "Ada", viewport={"width": width, "height": 664})
    ada.join()
    ada.visit("/")
    dialog = ada.page.get_by_role("dialog")
    ada.page.get_by_role("button", name="Set up a table").nth(0).click()
    dialog.locator("summary").click()
    box = dialog.get_by_role("textbox", name="or paste its text")
    box.fill('name = "mine"')
    dialog.get_by_role("button", name="Play now").click()
    refusal = dialog.get_by_role("alert")
    refusal.get_by_text("rule").wait_for()
    assert refusal.evaluate(IS_IN_FRONT)
    box.fill("")
    box.blur()
    refusal.get_by_text("rule").wait_for(state="detached")
    ada.context.close()
