"""Checks a built site: links and anchors lead somewhere, and no other host is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {
    "audio": "src", "embed": "src", "iframe": "src", "img": "src", "input": "src", "link": "href",
    "object": "data", "script": "src", "source": "src", "video": "src",
}  # fmt: skip
_STYLE = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
# Its links start at the root of a host that the build does not know.
_NOT_FOUND_PAGE = "404.html"


class _Page(HTMLParser):
    """Collects the anchors, links and loaded files of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors = {"", "top"}
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what one tag names."""
        values = {name: value for name, value in attrs if value}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.add(values["href"])
        if tag in _LOADED and _LOADED[tag] in values:
            self.loaded.add(values[_LOADED[tag]])
        for candidate in values.get("srcset", "").split(","):
            self.loaded |= set(candidate.split()[:1])
        self.loaded |= set(_loaded_by_style(values.get("style", "")))


def check_site(site: Path) -> list[str]:
    """List what is wrong with a site: links and anchors that lead nowhere, files of other hosts."""
    pages = {
        path: _Page(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
        if path != site / _NOT_FOUND_PAGE
    }
    styles = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.css"))}
    faults = [
        f"{path.relative_to(site)}: {fault}"
        for path, page in pages.items()
        for fault in [
            *(
                f"{link} leads nowhere"
                for link in sorted(page.links)
                if _is_dead(link, path, pages)
            ),
            *_faults_of_loaded(path, page.loaded),
        ]
    ]
    return faults + [
        f"{path.relative_to(site)}: {fault}"
        for path, text in styles.items()
        for fault in _faults_of_loaded(path, set(_loaded_by_style(text)))
    ]


def _is_dead(link: str, path: Path, pages: dict[Path, _Page]) -> bool:
    """Return whether a link within the site leads to no file, or to no anchor of its page."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target in pages:
        return unquote(parts.fragment) not in pages[target].anchors
    return not target.is_file()


def _faults_of_loaded(path: Path, loaded: set[str]) -> Iterator[str]:
    """List the files that a page or style sheet loads from elsewhere, or that are missing."""
    for link in sorted(loaded):
        parts = urlsplit(link)
        if parts.scheme not in {"", "data"} or parts.netloc:
            yield f"{link} is loaded from another host"
        elif not parts.scheme and parts.path and not (path.parent / unquote(parts.path)).is_file():
            yield f"{link} is missing"


def _loaded_by_style(text: str) -> Iterator[str]:
    """List the files that a style sheet loads."""
    for url, imported in _STYLE.findall(text):
        if not (url or imported).startswith("#"):
            yield url or imported
