"""Accessibility: axe finds nothing to restore on any screen, in any look, in any language.

Every screen is seen in every look, and in every language; `make screens ARGS=--axe` sees every
screen in every look in every language.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from browser.axe import find_faults
from browser.player import BrowserPlayer
from browser.screens import LOOKS, join, open_screens, set_language, show
from pleasance.i18n.catalog import LANGUAGES
from support.live_server import LiveServer

pytestmark = pytest.mark.slow
TURNS = [["light", "dark", "contrast"], ["phone"]]
"""Looks that one page can have one after another."""

SPOKEN = {"light": 0, "dark": 1, "contrast": 2, "phone": 1}
"""Which language each look is seen in, after that of the screen."""

RECOLORED = {"dark"}
"""Looks that differ from the one before in nothing but colors, and the language seen on a phone."""


@pytest.fixture(scope="module")
def owner(browser: Browser, server: LiveServer) -> Iterator[BrowserPlayer]:
    """Sign in a player with tables of every kind."""
    owner = join(browser, server.link, "light")
    yield owner
    assert owner.console_errors == []
    owner.context.close()


@pytest.fixture(scope="module")
def screens(owner: BrowserPlayer) -> dict[str, str]:
    """Name every screen with its address."""
    return open_screens(owner)


@pytest.mark.parametrize("looks", TURNS, ids="-".join)
def test_axe_finds_nothing_on_any_screen(
    browser: Browser, owner: BrowserPlayer, screens: dict[str, str], looks: list[str]
) -> None:
    ada = join(browser, owner.link, looks[0], owner)
    found = []
    for n, (name, path) in enumerate(screens.items()):
        show(ada.page, path)
        for look, language in _take_turns(ada.page, looks, n):
            faults = [*find_faults(ada.page, colors_only=look in RECOLORED), *ada.console_errors]
            found += [f"{name}, {look}, {language}: {fault}" for fault in faults]
            ada.console_errors.clear()
    ada.context.close()
    assert not found, "\n".join(found)


def _take_turns(page: Page, looks: list[str], n: int) -> Iterator[tuple[str, str]]:
    """Show the same screen in one look after another, each time in another language."""
    for look in looks:
        language = LANGUAGES[(n + SPOKEN[look]) % len(LANGUAGES)]
        page.set_viewport_size(LOOKS[look]["viewport"])
        page.emulate_media(
            color_scheme=LOOKS[look].get("color_scheme", "no-override"),
            contrast=LOOKS[look].get("contrast", "no-override"),
        )
        set_language(page, language)
        yield look, language
