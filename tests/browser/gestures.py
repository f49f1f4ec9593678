"""Make a choice on a board by mouse, touch or keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page

Choose = Callable[[Page, str], None]
Touch = Callable[[Page, str], None]
"""Touch what a selector finds."""

_FOCUSED_SPOT = "document.activeElement?.closest('[data-spot]')?.dataset.spot ?? ''"
_TAB_DIRECTION = """selector => {
    const at = document.activeElement ?? document.body;
    if (at.closest(selector)) return null;
    const to = document.querySelector(selector);
    const lies = to === null || at === document.body ? 0 : at.compareDocumentPosition(to);
    return lies & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
}"""
"""Which key leads nearer to what a selector finds; none where one is there."""

_FOCUSED_CHOICE = "document.activeElement?.dataset.choice ?? ''"
_MAX_KEYS = 60
"""The number of keys that an experienced player presses."""


def click(page: Page, selector: str) -> None:
    """Touch with the mouse."""
    page.locator(selector).first.click()


def tap(page: Page, selector: str) -> None:
    """Touch with a finger."""
    page.locator(selector).first.tap()


def targets_of(token: str) -> list[str]:
    """Name what has to be touched on the Sanssouci board for a choice, one after another."""
    if ":" in token:
        card, space = token.split(":")
        return [f"card/{card}", f"space/{space}"]
    if token[0] in "@~":
        return [f"cell/{token[1:]}"]
    if ">" in token:
        return [f"cell/{token.replace('>', '')}"]
    return []


def sanssouci_by(touch: Touch) -> Choose:
    """Choose on the Sanssouci board by touching."""

    def choose(page: Page, token: str) -> None:
        must_confirm = needs_confirmation(page, token)
        for spot in targets_of(token):
            touch(page, f'[data-spot="{spot}"]')
        if token == "-":
            touch(page, ".stay")
        if must_confirm:
            touch(page, CONFIRM)

    return choose


def sakura_by(touch: Touch) -> Choose:
    """Choose on the Sakura board by touching."""

    def choose(page: Page, token: str) -> None:
        must_confirm = needs_confirmation(page, token)
        for part in token.split("/"):
            touch(page, f'[data-choice="{part}"]')
        if must_confirm:
            touch(page, CONFIRM)

    return choose


def needs_confirmation(page: Page, token: str) -> bool:
    """Wait until something may be chosen; tell whether this choice is to be confirmed.

    That is asked of what reveals something, but not in a lesson, nor where nothing else is left.
    """
    page.wait_for_selector(CHOICE_DUE)
    return (
        bool(_REVEALING_CHOICE.fullmatch(token)) and not page.locator(f"{LESSON}, {ONLY}").count()
    )


CONFIRM = "[data-what=confirm]"
ONLY = "[data-what=only]"
LESSON = "section[aria-label=Lesson]"
CHOICE_DUE = f"section.mine:has([data-what=hint]:enabled), {LESSON}:has(.your)"
"""The sign that a choice was accepted, at a table or in a lesson.

While a table is still behind its server, it says already, or still, whose turn it is; but it gives
no advice then.
"""

_REVEALING_CHOICE = re.compile(r"-|[a-i]>\d|\d+(/\d+)?")
"""A walk or none, and cards of Sakura."""


def sanssouci_by_keys(page: Page, token: str) -> None:
    """Choose on the Sanssouci board with the keys alone."""
    must_confirm = needs_confirmation(page, token)
    if token == "-":
        _tab(page, ".stay")
        page.keyboard.press("Enter")
    for spot in targets_of(token):
        kind = spot.partition("/")[0]
        if kind == "card":
            _tab(page, f'[data-spot="{spot}"]')
        else:
            _tab(page, f'[data-spot^="{kind}/"]')
            _walk(page, spot)
        page.keyboard.press("Enter")
    if must_confirm:
        _confirm_by_key(page)


def sakura_by_keys(page: Page, token: str) -> None:
    """Choose on the Sakura board with the keys alone: the hand is one stop, arrows go along it."""
    must_confirm = needs_confirmation(page, token)
    for part in token.split("/"):
        if part.isdecimal():
            _tab(page, "[role=radiogroup] [data-choice]")
            _go_along(page, part)
        else:
            _tab(page, f'[data-choice="{part}"]')
        page.keyboard.press("Enter")
    if must_confirm:
        _confirm_by_key(page)


def _go_along(page: Page, card: str) -> None:
    for _ in range(_MAX_KEYS):
        if page.evaluate(_FOCUSED_CHOICE) == card:
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"the arrows never come to card {card}")


def _confirm_by_key(page: Page) -> None:
    page.wait_for_selector(CONFIRM)
    _tab(page, CONFIRM)
    page.keyboard.press("Enter")


def _tab(page: Page, selector: str) -> None:
    """Go to what a selector finds, forward or back, whichever way it lies."""
    for _ in range(_MAX_KEYS):
        key = page.evaluate(_TAB_DIRECTION, selector)
        if key is None:
            return
        page.keyboard.press(key)
    raise AssertionError(f"the keys never come to {selector}")


def _walk(page: Page, spot: str) -> None:
    """Go over a grid with the arrows: first to the row, then along it."""
    for _ in range(_MAX_KEYS):
        at = page.evaluate(_FOCUSED_SPOT)
        if at == spot:
            return
        page.keyboard.press(_arrow(at.partition("/")[2], spot.partition("/")[2]))
    raise AssertionError(f"the arrows never come to {spot}")


def _arrow(at: str, to: str) -> str:
    """Return the arrow key that leads nearer: cells are `e5`, spaces `4l`."""
    (row, column), (to_row, to_column) = (sorted(at), sorted(to))
    if row != to_row:
        return "ArrowDown" if to_row > row else "ArrowUp"
    return "ArrowRight" if to_column > column else "ArrowLeft"
