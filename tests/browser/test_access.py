"""Accessibility: axe finds nothing to mend on any screen, in any look, in any language.

Every screen is seen in every look, each time in another language; `make screens ARGS=--axe` sees
every screen in every look in every language.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from browser.axe import find_faults
from browser.screens import LOOKS, come_in, open_screens, settle, show, speak
from pleasance.core.messages import LANGUAGES
from server.house import House

pytestmark = pytest.mark.slow
TURNS = [["light", "dark", "contrast"], ["phone"]]
"""Looks that one page can have one after another."""


@pytest.mark.parametrize("looks", TURNS, ids="-".join)
def test_axe_finds_nothing_on_any_screen(browser: Browser, house: House, looks: list[str]) -> None:
    ada = come_in(browser, house.link, looks[0])
    found = []
    for n, (name, path) in enumerate(open_screens(ada).items()):
        show(ada.page, path)
        for look, language in _take_turns(ada.page, looks, n):
            faults = [*find_faults(ada.page), *ada.complaints]
            found += [f"{name}, {look}, {language}: {fault}" for fault in faults]
            ada.complaints.clear()
    ada.context.close()
    assert not found, "\n".join(found)


def _take_turns(page: Page, looks: list[str], n: int) -> Iterator[tuple[str, str]]:
    """Show the same screen in one look after another, each time in another language."""
    for look in looks:
        language = LANGUAGES[(n + [*LOOKS].index(look)) % len(LANGUAGES)]
        page.set_viewport_size(LOOKS[look]["viewport"])
        page.emulate_media(
            color_scheme=LOOKS[look].get("color_scheme", "no-override"),
            contrast=LOOKS[look].get("contrast", "no-override"),
        )
        speak(page, language)
        settle(page)
        yield look, language
