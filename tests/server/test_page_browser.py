"""The page in real browsers, where Playwright and Chromium are installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from pleasance.core.messages import LANGUAGES
from pleasance.core.patterns import Argument, Number, Part, Plural, Select, parse_pattern
from pleasance.server.page.shell import pack_words
from pleasance.server.speech import server_words
from server.house import House, open_lodge

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
]


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    with open_lodge(request) as house:
        yield house


@pytest.fixture
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Person:
    """Somebody with a window of their own; what the browser complains about is kept."""

    def __init__(self, browser: Any, house: House, name: str, **look: Any) -> None:
        self.complaints: list[str] = []
        self.page = browser.new_context(**look).new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._note)
        self.page.goto(house.link)
        self.page.fill("#name", name)
        self.page.press("#name", "Enter")

    def _note(self, message: Any) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    @property
    def has_choices(self) -> bool:
        return bool(self.page.locator("#choices button:not([aria-disabled])").count())

    def choose_by_keys(self) -> None:
        self.page.locator("#choices button").first.focus()
        self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")


def open_table(person: Person, game: str, other: str) -> str:
    """Open a table from the lobby; give its address."""
    card = person.page.locator(f"form.card[aria-label={game}]")
    card.locator(".seat-row select").first.select_option(other)
    card.locator("button.large").click()
    person.page.wait_for_url("**/t/*")
    return str(person.page.url)


@pytest.mark.parametrize("game", ["Sakura", "Sanssouci"])
def test_two_browsers_play_a_game_to_its_end_with_the_keys_alone(
    browser: Any, house: House, game: str
) -> None:
    ada = Person(browser, house, "Ada")
    ben = Person(browser, house, "<i>Ben</i>", viewport={"width": 360, "height": 740})
    link = open_table(ada, game, "friend")
    ben.page.goto(link)
    ben.page.locator(".controls button.main").first.click()
    ada.page.locator("#invite button.large").click()
    ended = "#ending h2"
    while not ada.page.locator(ended).count():
        for person in (ada, ben):
            if person.has_choices:
                person.choose_by_keys()
        ada.page.wait_for_selector(f"#choices button:not([aria-disabled]), .seat.turn, {ended}")
    for person in (ada, ben):
        person.page.wait_for_selector(ended)
        assert "<i>Ben</i>" in person.page.inner_text("#seats")
        assert person.page.locator("#story i").count() == 0
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert person.complaints == []


def test_between_two_at_one_device_a_curtain_falls(browser: Any, house: House) -> None:
    ada = Person(browser, house, "Ada")
    open_table(ada, "Sakura", "here")
    for _ in range(2):
        ada.page.wait_for_selector("#curtain:not([hidden])")
        assert ada.page.locator("#choices button").count() == 0
        assert ada.page.locator("#story li").count() == 0
        assert ada.page.get_attribute("#image", "src") is None
        ada.page.keyboard.press("Enter")
        ada.page.wait_for_selector("#choices button:not([aria-disabled])")
        ada.choose_by_keys()
    assert ada.complaints == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_the_server_would_say(browser: Any, house: House, language: str) -> None:
    page = browser.new_context(locale=language).new_page()
    page.goto(house.link)
    words = server_words(language)
    source = page.get_attribute("script[type=module]", "src").replace("lobby.js", "words.js")
    script = "async ([source, key, params]) => (await import(source)).say(key, params)"
    for key in pack_words(language):
        for params in samples(key, language):
            said = page.evaluate(script, [source, key, params])
            assert said == words(key, **params), key


def samples(key: str, language: str) -> Iterator[dict[str, Any]]:
    """Try each message with small and large numbers."""
    from pleasance.core.messages import load_catalog

    parts = list(walk(parse_pattern(load_catalog("pleasance.server", "words", language)[key])))
    for number in (0, 1, 2, 12_345):
        params: dict[str, Any] = {}
        for part in parts:
            if isinstance(part, Number | Plural):
                params[part.name] = number
            elif isinstance(part, Select):
                params[part.name] = min(part.cases)
        for part in parts:
            if isinstance(part, Argument):
                params.setdefault(part.name, "Ada")
        yield params


def walk(message: tuple[Part, ...]) -> Iterator[Part]:
    for part in message:
        yield part
        if isinstance(part, Plural | Select):
            for case in part.cases.values():
                yield from walk(case)
