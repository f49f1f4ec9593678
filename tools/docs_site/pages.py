"""Pages of the site: which file of the repository becomes which page, and which menu lists it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeAlias

Places: TypeAlias = Mapping[str, str]
"""The place on the site of each page and picture, by its path in the repository."""

SETTINGS = "docs/site"
_PICTURES = {".jpg", ".png", ".svg", ".webp"}


class BadPagesError(Exception):
    """Refuse pages, menus or links that do not fit together; the text has a line for each fault."""


def find_places(root: Path) -> dict[str, str]:
    """Find all pages and pictures: the README, other texts beside it, `docs`, and the rules."""
    places = {path.name: path.name for path in sorted(root.glob("*.md"))}
    for path in sorted((root / "docs").rglob("*")):
        name = path.relative_to(root).as_posix()
        if (path.suffix == ".md" or path.suffix in _PICTURES) and not name.startswith(SETTINGS):
            places[name] = name.removeprefix("docs/")
    for path in sorted(root.glob("src/pleasance/games/*/RULES.md")):
        places[path.relative_to(root).as_posix()] = f"rules/{path.parent.name}.md"
    return {name: _as_index(place) for name, place in places.items()}


def _as_index(place: str) -> str:
    """Let a README be the page of its folder."""
    path = PurePosixPath(place)
    return str(path.with_name("index.md")) if path.name == "README.md" else place


def list_navigation(
    groups: Mapping[str, Sequence[str]], pages: Iterable[str], unlisted: Sequence[str]
) -> dict[str, list[str]]:
    """List the pages of each menu; refuse a pattern without a page, and a page without a menu."""
    left = [page for page in sorted(pages) if page != "index.md"]
    faults: list[str] = []
    menus: dict[str, list[str]] = {}
    for title, patterns in {**groups, "": unlisted}.items():
        menus[title] = []
        for pattern in patterns:
            found = [page for page in left if _matches(page, pattern)]
            left = [page for page in left if page not in found]
            menus[title] += found
            if not found:
                faults.append(f"{SETTINGS}/pages.toml: no page matches {pattern}")
    faults += [f"{page}: no menu in {SETTINGS}/pages.toml lists this page" for page in left]
    if faults:
        raise BadPagesError("\n".join(faults))
    del menus[""]
    return menus


def _matches(page: str, pattern: str) -> bool:
    """Match a whole path; `folder/**/*.md` is every page below a folder."""
    if "/**/" in pattern:
        return page.startswith(pattern.partition("**/")[0])
    return PurePosixPath(page).match(pattern) and page.count("/") == pattern.count("/")


def write_navigation(menus: Mapping[str, Sequence[str]]) -> str:
    """Write the menus as the setting `nav`; a page is named by its own heading."""
    lines = [f"    {{ {json.dumps(title)} = {json.dumps(list(menus[title]))} }}," for title in menus]
    return "\n".join(["nav = [", '    { "Home" = "index.md" },', *lines, "]"])
