"""HTML documents: the built page of the app with facts inserted, and plain message pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from typing import Any

from litestar import Request

from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base.translate import server_messages
from pleasance.server.identity.dependencies import find_language
from pleasance.server.page.assets import dist_folder
from pleasance.server.page.responses import embed


def choose_language(request: Request[Any, Any, Any], wanted: str | None) -> str:
    """Choose the language: the requested one, the player's own, or the browser's."""
    return wanted if wanted in LANGUAGES else find_language(request)


def make_document(language: str, title: str, facts: Mapping[str, Any]) -> str | None:
    """Make the document of the app; `None` where it has not been built."""
    shell = _read_shell()
    if shell is None:
        return None
    words = server_messages(language)
    description = escape(words("page.lead"))
    head = (
        f'<meta name="description" content="{description}">'
        f'<meta property="og:title" content="{escape(title)}">'
        f'<meta property="og:description" content="{description}">'
        f'<script type="application/json" id="facts">{embed(facts)}</script>'
    )
    return (
        shell.replace('<html lang="en">', f'<html lang="{language}">')
        .replace("<title>Pleasance</title>", f"<title>{escape(title)}</title>")
        .replace("<!-- facts -->", head)
        .replace("<!-- needs-script -->", f"<p>{escape(words('page.needs_script'))}</p>")
    )


def make_message_page(language: str, title: str, text: str) -> str:
    """Make a page with one message; it needs no script."""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>{_find_styles()}</head>"
        f'<body><main class="sheet alone"><h1>{escape(title)}</h1><p>{escape(text)}</p>'
        '<p><a class="button main" href="/">'
        f"{escape(server_messages(language)('page.to_lobby'))}</a></p></main></body></html>"
    )


def _find_styles() -> str:
    """Find the style sheet links of the app, if it has been built."""
    return "".join(re.findall(r'<link rel="stylesheet"[^>]*>', _read_shell() or ""))


@cache
def _read_shell() -> str | None:
    found = dist_folder() / "index.html"
    return found.read_text(encoding="utf-8") if found.is_file() else None
