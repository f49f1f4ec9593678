"""Links of a page: rewritten for the site, where files that are no pages lie in the repository."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from docs_site.pages import Places

REPOSITORY = "https://github.com/pleasance-games/pleasance"
_RAW = "https://raw.githubusercontent.com/pleasance-games/pleasance/main/"
_OWN = re.compile(rf"(?:{re.escape(REPOSITORY)}/(?:blob|tree|raw)/main/|{re.escape(_RAW)})")
_FOREIGN = re.compile(r"[a-z][a-z+.-]*:|//")

# Code is matched first, so that nothing inside it is taken for a link.
_PIECE = re.compile(
    r"^[ ]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^[ ]*(?P=fence)[ ]*$"
    r"|(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)"
    r"|\]\((?P<inline>[^()\s]+)"
    r"|^\[[^\]\n]+\]:[ ]+(?P<definition>\S+)"
    r"|\s(?:href|src|srcset)=\"(?P<attribute>[^\"]+)\"",
    re.MULTILINE | re.DOTALL,
)


def rewrite_links(text: str, name: str, places: Places, root: Path) -> tuple[str, list[str]]:
    """Rewrite the links of the page *name*; return its text and the links that lead nowhere."""
    broken: list[str] = []

    def rewrite(piece: re.Match[str]) -> str:
        kind = piece.lastgroup
        if kind not in {"inline", "definition", "attribute"}:
            return piece.group()
        link = resolve(piece[kind], name, places, root)
        if link is None:
            broken.append(f"{name}: {piece[kind]} leads nowhere")
            return piece.group()
        start, end = (at - piece.start() for at in piece.span(kind))
        return piece.group()[:start] + link + piece.group()[end:]

    return _PIECE.sub(rewrite, text), broken


def resolve(link: str, name: str, places: Places, root: Path) -> str | None:
    """Resolve one link of the page *name* for the site; `None` if it leads nowhere."""
    own = _OWN.match(link)
    if (_FOREIGN.match(link) and not own) or link.startswith("#"):
        return link
    path, hash_sign, anchor = link.partition("#")
    target = path[own.end() :] if own else posixpath.join(posixpath.dirname(name), path)
    target = posixpath.normpath(target)
    file = root / target
    if target.startswith("../") or not file.exists():
        return None
    if f"{target}/README.md" in places:
        target += "/README.md"
    if target in places:
        folder = posixpath.dirname(places[name])
        return posixpath.relpath(places[target], folder or ".") + hash_sign + anchor
    return f"{REPOSITORY}/{'tree' if file.is_dir() else 'blob'}/main/{target}{hash_sign}{anchor}"
