"""Lists: indented for Python-Markdown, which asks for more spaces than the repository's host."""

from __future__ import annotations

import re

_LINE = re.compile(r"(?P<indent> *)(?:(?P<marker>(?:[-*+]|\d+[.)]) +)(?=\S))?")
_FENCE = re.compile(r" *(`{3,}|~{3,})")


def indent_lists(text: str) -> str:
    r"""Indent what belongs to an item by four spaces, and begin each list with a blank line.

    >>> print(indent_lists("Then:\n1. Ask:\n\n   - who,\n   - when.\n2. Go."))
    Then:
    <BLANKLINE>
    1. Ask:
    <BLANKLINE>
        - who,
        - when.
    2. Go.
    """
    columns: list[int] = []
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        match = _LINE.match(line)
        assert match
        indent = len(match["indent"])
        if line.strip() and not fence:
            if match["marker"] and not columns and lines and lines[-1].strip():
                lines.append("")
            is_lazy = bool(lines and lines[-1].strip() and not match["marker"])
            columns = [column for column in columns if is_lazy or column <= indent]
        shift = 4 * len(columns) - columns[-1] if columns else 0
        lines.append(" " * (indent + shift) + line[indent:] if line.strip() else "")
        if not fence and match["marker"]:
            columns = [*columns, indent + len(match["marker"])]
        fence = _next_fence(fence, line)
    return "\n".join(lines)


def _next_fence(fence: str, line: str) -> str:
    """Return the fence that is open after a line."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) else fence
