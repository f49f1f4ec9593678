"""Every screen of the app; as a command, pictures of all of them.

    python tests/browser/screens.py pictures

writes `pictures/<screen>-<look>-<language>.png`: light, dark and on a phone, in three languages.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.chromium import FLAGS, find_chromium
from browser.people import Person
from pleasance.core.messages import LANGUAGES
from pleasance.server.speech import server_words
from pleasance.server.store.store import Store
from server.house import open_house

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
GAMES = ("sakura", "sanssouci")
_SETTLES = 150
"""Milliseconds until what has come stands where it stays."""


def list_screens(person: Person) -> Iterator[tuple[str, str]]:
    """List every screen with its address; the tables are opened on the way."""
    yield from FIXED.items()
    for game in GAMES:
        yield f"{game}-learn", f"/learn/{game}"
        yield f"{game}-rules", f"/learn/{game}/rules"
        yield f"{game}-tutorial", f"/learn/{game}/tutorial"
        yield f"{game}-open", f"/t/{person.open_table(game, 2)}"
        seats = 3 if game == "sakura" else 2
        table = person.open_table(game, seats, bots=seats - 1)
        yield f"{game}-table", f"/t/{table}"
        person.do(table, kind="resign", seat=0)
        yield f"{game}-over", f"/t/{table}"
        yield f"{game}-replay", f"/replay?table={table}"


def visit_screens(
    browser: Browser, link: str, look: str, language: str
) -> Iterator[tuple[str, Person]]:
    """Go to every screen, one after another, and wait until it stands still."""
    person = Person(browser, link, "Ada", locale=language, **LOOKS[look])
    person.language = language
    person.come_in()
    person.set_pace(0)
    for name, path in list_screens(person):
        person.visit(path)
        person.page.get_by_text(server_words(language)("page.loading")).wait_for(state="detached")
        person.page.evaluate("document.fonts.ready")
        person.page.wait_for_timeout(_SETTLES)
        yield name, person
    person.context.close()


def main() -> None:
    """Take pictures of everything."""
    parser = argparse.ArgumentParser(description="Take a picture of every screen.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--look", choices=LOOKS, action="append")
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        sync_playwright() as playwright,
    ):
        url = f"sqlite:///{home}/pleasance.db"
        Store.open(url).close()
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        with open_house(url) as house:
            for look in wanted.look or LOOKS:
                for language in wanted.language or LANGUAGES:
                    for name, person in visit_screens(chromium, house.link, look, language):
                        path = wanted.folder / f"{name}-{look}-{language}.png"
                        person.page.screenshot(path=path, full_page=look != "phone")
                        print(path)
        chromium.close()


if __name__ == "__main__":
    main()
