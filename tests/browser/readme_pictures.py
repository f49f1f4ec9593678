"""Take the pictures of the README: a board of each game, and a table that waits for friends.

python tests/browser/readme_pictures.py docs/pictures
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.chromium import FLAGS, find_chromium
from browser.player import BrowserPlayer
from browser.screens import choose_for, wait_until_idle
from pleasance.server.base.links import IPV4_WILDCARD
from pleasance.server.store.store import Store
from support.live_server import open_server

BOTS = {"sanssouci": ("journeyman", "foreman"), "sakura": ("journeyman", "foreman", "master")}
_CHOICES_PLAYED = {"sanssouci": 34, "sakura": 9}
"""After how many choices of the player a board shows most of what there is."""

_LAPTOP = {"width": 1240, "height": 700}
_PHONE = {"width": 360, "height": 700}
_FRAMES = """<style>
body { margin: 0; padding: 24px; display: flex; gap: 24px; width: max-content; background: #fff }
img { display: block; height: 700px; border: 10px solid #2b2b2b; border-radius: 18px }
img + img { border-radius: 34px }
</style>"""


def take_board(browser: Browser, link: str, game: str, path: Path) -> None:
    """Play against bots up to the middle of a game."""
    ada = BrowserPlayer(browser, link, "Ada", viewport={"width": 1440, "height": 900})
    ada.join()
    ada.set_pace(0)
    table = ada.open_table(game, len(BOTS[game]) + 1)
    for seat, bot in enumerate(BOTS[game], start=1):
        ada.do(table, kind="seat_bot", seat=seat, bot=bot)
    ada.do(table, kind="start")
    choose = partial(choose_as_hinted, ada, table)
    ada.play(table, 0, choose, Random(3), most=_CHOICES_PLAYED[game])
    ada.wait(table, 0)
    save(ada, table, path)


def choose_as_hinted(person: BrowserPlayer, table: str, page: Page, _token: str) -> None:
    """Choose what the hint says, so that the board looks like a game."""
    hint = person.ask("POST", f"/t/{table}/hint?seat=0")
    choose_for(person, table, page, hint["token"])


def take_waiting_table(browser: Browser, link: str, path: Path) -> None:
    """Put a table that waits on a laptop beside the same table on a phone."""
    ada = BrowserPlayer(browser, link, "Ada", viewport=_LAPTOP, device_scale_factor=1.5)
    table = ada.open_table("sakura", 4)
    look = {"viewport": _PHONE, "is_mobile": True, "has_touch": True, "device_scale_factor": 1.5}
    ben = BrowserPlayer(browser, link, "Ben", **look)
    ben.join()
    ben.do(table, kind="sit", seat=1, nonce="5b" * 16)
    with tempfile.TemporaryDirectory() as folder:
        images = [Path(folder) / f"{each.name}.png" for each in (ada, ben)]
        ada.visit(f"/t/{table}")
        save(ben, table, images[1])
        save(ada, table, images[0])
        coded = [base64.b64encode(each.read_bytes()).decode() for each in images]
    page = browser.new_page(viewport={"width": 1800, "height": 768})
    page.set_content(_FRAMES + "".join(f'<img src="data:image/png;base64,{c}">' for c in coded))
    page.locator("body").screenshot(path=path)


def save(person: BrowserPlayer, table: str, path: Path) -> None:
    """Take a picture of a table as one person sees it."""
    person.visit(f"/t/{table}")
    stand_still(person.page)
    person.page.screenshot(path=path)
    print(path)


def stand_still(page: Page) -> None:
    """Wait until everything is drawn."""
    page.wait_for_load_state("networkidle")
    page.evaluate("() => { window.asked = 0; document.activeElement?.blur(); }")
    wait_until_idle(page)


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description="Take the pictures of the README.")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        url = f"sqlite:///{home}/pleasance.db"
        Store.open(url).close()
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        with open_server(url, bot_processes=1) as server:
            for game in BOTS:
                take_board(chromium, server.link, game, folder / f"{game}.png")
        with open_server(url, host=IPV4_WILDCARD, port=8040) as server:
            take_waiting_table(chromium, server.link, folder / "host.png")
        chromium.close()


if __name__ == "__main__":
    main()
