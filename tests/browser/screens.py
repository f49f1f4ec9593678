"""List every screen of the app; as a command, take a picture of each.

    python tests/browser/screens.py pictures

writes `pictures/<screen>-<look>-<language>.png`: light, dark, with high contrast and on a phone, in
three languages. With `--axe` axe checks each as well, and its findings are printed;
`--vision deuteranopia` and the like simulate a color vision deficiency.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.axe import find_faults
from browser.chromium import FLAGS, find_chromium
from browser.player import BrowserPlayer
from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base.translate import server_messages
from pleasance.server.store.store import Store
from support.live_server import open_server

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    "contrast": {"viewport": {"width": 1024, "height": 768}, "contrast": "more"},
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    },
}

FIXED = {
    "home": "/",
    "learn": "/learn",
    "words": "/learn/words",
    "own-box": "/learn/own-box",
    "replay": "/replay",
    "ratings": "/ratings",
    "you": "/you",
}
VISIONS = ("none", "deuteranopia", "protanopia", "tritanopia", "achromatopsia")
GAMES = {"sakura": 3, "sanssouci": 2}
_CHOICES_PLAYED = 7
"""After how many choices a game looks like one."""

COUNT_REQUESTS = """() => {
  window.asked = 0;
  const { fetch } = window;
  window.fetch = (...args) => {
    window.asked += 1;
    return fetch(...args).finally(() => { window.asked -= 1; });
  };
}"""
"""Lets a page count what it has asked for and not received yet."""

WAIT_UNTIL_IDLE = """async (loading) => {
  const frame = () => new Promise(requestAnimationFrame);
  const isStill = () => window.asked === 0 && document.querySelector("main :is(h1, h2)")
    && !loading.some((word) => document.querySelector("main").innerText.includes(word));
  for (let still = 0, n = 0; still < 4; still = isStill() ? still + 1 : 0) {
    if (++n > 1200) throw new Error("the page never stands still");
    await frame();
  }
  await document.fonts.ready;
  await Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})));
}"""
"""Waits until what has come stands where it stays."""


def open_screens(person: BrowserPlayer) -> dict[str, str]:
    """Open a table for each stage of each game; name every screen with its address."""
    screens = dict(FIXED)
    for game, seats in GAMES.items():
        screens[f"{game}-learn"] = f"/learn/{game}"
        screens[f"{game}-rules"] = f"/learn/{game}/rules"
        screens[f"{game}-tutorial"] = f"/learn/{game}/tutorial"
        screens[f"{game}-open"] = f"/t/{person.open_table(game, 2)}"
        table = person.open_table(game, seats, bots=seats - 1)
        person.play(table, 0, partial(choose_for, person, table), Random(1), most=_CHOICES_PLAYED)
        screens[f"{game}-table"] = f"/t/{table}"
        shared = person.open_table(game, 2, guests=1)
        screens[f"{game}-shared"] = f"/t/{shared}"
        table = person.open_table(game, seats, bots=seats - 1)
        person.play(table, 0, partial(choose_for, person, table), Random(2))
        screens[f"{game}-over"] = f"/t/{table}"
        screens[f"{game}-replay"] = f"/replay?table={table}"
    return screens


def choose_for(person: BrowserPlayer, table: str, _page: Page, token: str, seat: int = 0) -> None:
    """Choose without a board."""
    now = person.read_table(table)
    at = {"ply": now["ply"], "revision": now["revision"]}
    person.do(table, kind="choose", seat=seat, token=token, **at)


def join(
    browser: Browser, link: str, look: str, like: BrowserPlayer | None = None
) -> BrowserPlayer:
    """Open a browser with one theme, as a new guest or an existing player."""
    state = {} if like is None else {"storage_state": like.context.storage_state()}
    ada = BrowserPlayer(browser, link, "Ada", **LOOKS[look], **state)
    if like is None:
        ada.join()
        ada.set_pace(0)
    ada.page.add_init_script(f"({COUNT_REQUESTS})()")
    ada.visit("/")
    return ada


def show(page: Page, path: str) -> None:
    """Go to a screen as a link would, without loading the page again."""
    page.evaluate(
        """path => {
          history.pushState(null, "", path);
          dispatchEvent(new PopStateEvent("popstate"));
          document.activeElement?.blur();
        }""",
        path,
    )
    wait_until_idle(page)


def set_language(page: Page, language: str) -> None:
    """Choose a language as anybody does."""
    page.locator("header select").select_option(language)
    wait_until_idle(page)


def wait_until_idle(page: Page) -> None:
    """Wait until the page stands still."""
    page.evaluate(WAIT_UNTIL_IDLE, [server_messages(each)("page.loading") for each in LANGUAGES])


def emulate_vision(page: Page, vision: str) -> None:
    """Emulate a color-vision deficiency on a page."""
    chromium = page.context.new_cdp_session(page)
    chromium.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})


def visit_all(
    browser: Browser, link: str, looks: list[str], languages: list[str]
) -> Iterator[tuple[str, Page]]:
    """Go to every screen in each look and language, one after another."""
    first = join(browser, link, looks[0])
    screens = open_screens(first)
    for look in looks:
        ada = join(browser, link, look, first)
        for language in languages:
            set_language(ada.page, language)
            for name, path in screens.items():
                show(ada.page, path)
                yield f"{name}-{look}-{language}", ada.page
        ada.context.close()
    first.context.close()


def main() -> None:
    """Take pictures of everything."""
    parser = argparse.ArgumentParser(description="Take a picture of every screen.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--look", choices=LOOKS, action="append")
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    parser.add_argument("--axe", action="store_true", help="let axe look at each as well")
    parser.add_argument(
        "--vision", choices=VISIONS, default="none", help="simulate a color vision deficiency"
    )
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    looks, languages = wanted.look or list(LOOKS), wanted.language or list(LANGUAGES)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        url = f"sqlite:///{home}/pleasance.db"
        Store.open(url).close()
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        with open_server(url) as server:
            for name, page in visit_all(chromium, server.link, looks, languages):
                emulate_vision(page, wanted.vision)
                path = wanted.folder / f"{name}.png"
                page.screenshot(path=path, full_page="phone" not in name)
                faults = find_faults(page) if wanted.axe else []
                print(path, *faults, sep="\n  ")
        chromium.close()


if __name__ == "__main__":
    main()
