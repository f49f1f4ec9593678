"""Accessibility: axe finds nothing to mend on any screen, in any look, in any language."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browser.screens import LOOKS, visit_screens
from pleasance.core.messages import LANGUAGES
from server.house import House

pytestmark = pytest.mark.slow
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
TURNS = [(look, LANGUAGES[n % 3]) for n, look in enumerate(LOOKS)]
"""Every look and every language; both at once change nothing that axe could see."""


@pytest.mark.parametrize(("look", "language"), TURNS)
def test_axe_finds_nothing_on_any_screen(
    browser: Browser, house: House, look: str, language: str
) -> None:
    source = AXE.read_text("utf-8")
    found = []
    for name, person in visit_screens(browser, house.link, look, language):
        person.page.evaluate(source)
        report = person.page.evaluate(
            "tags => axe.run(document, { runOnly: tags, resultTypes: ['violations'] })", STANDARD
        )
        for fault in report["violations"]:
            where = fault["nodes"][0]["html"][:160]
            found.append(f"{name}: {fault['id']} ({len(fault['nodes'])}): {where}")
        if person.complaints:
            found += [f"{name}: {complaint}" for complaint in person.complaints]
            person.complaints.clear()
    assert not found, "\n".join(found)
