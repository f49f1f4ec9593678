"""Pages of the site: which file of the repository becomes which page, and which menu lists it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import TypeAlias

Places: TypeAlias = Mapping[str, str]
"""The place on the site of each page and picture, by its path in the repository."""

Entry: TypeAlias = "str | dict[str, list[Entry]]"
"""A page of a menu, or pages under a title; a page is named by its own heading."""

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
    menus: Sequence[Entry], pages: Iterable[str], unlisted: Sequence[str]
) -> list[Entry]:
    """Replace patterns by the pages that match; refuse one without, and a page in no menu."""
    left = list(pages)
    faults: list[str] = []

    def take(pattern: str) -> list[str]:
        found = [page for page in left if fnmatchcase(page, pattern)]
        left[:] = [page for page in left if page not in found]
        if not found:
            faults.append(f"{SETTINGS}/pages.toml: no page matches {pattern}")
        return found

    def expand(entries: Sequence[Entry]) -> list[Entry]:
        expanded: list[Entry] = []
        for entry in entries:
            if isinstance(entry, str):
                expanded += take(entry)
            else:
                expanded.append({title: expand(inner) for title, inner in entry.items()})
        return expanded

    expanded = expand(menus)
    for pattern in unlisted:
        take(pattern)
    faults += [f"{page}: no menu in {SETTINGS}/pages.toml lists this page" for page in left]
    if faults:
        raise BadPagesError("\n".join(faults))
    return expanded


def write_toml(value: object) -> str:
    """Write menus as a value of TOML."""
    match value:
        case dict():
            pairs = (f"{write_toml(key)} = {write_toml(item)}" for key, item in value.items())
            return "{ " + ", ".join(pairs) + " }"
        case list():
            return "[" + ", ".join(write_toml(item) for item in value) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)
