"""Accessibility violations that axe finds on a page."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_COLORS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


@cache
def _source() -> str:
    return _AXE.read_text("utf-8")


def find_faults(page: Page, *, colors_only: bool = False) -> list[str]:
    """Let axe look at a page, or at nothing but its colors; it stays there to be brought once."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    report = page.evaluate(
        "what => axe.run(document, { runOnly: what, resultTypes: ['violations'] })",
        _COLORS if colors_only else _STANDARD,
    )
    return [
        f"{fault['id']} ({len(fault['nodes'])}): {fault['nodes'][0]['html'][:160]}"
        for fault in report["violations"]
    ]
