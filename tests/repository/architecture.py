"""The tables of docs/ARCHITECTURE.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "ARCHITECTURE.md"
_FILE = re.compile(r"`([\w/.]+\.(?:py|ts))`")
_CODE = re.compile(r"`([\w.]+)`")


class Call(NamedTuple):
    """A function that the page names, and the file in which it lies."""

    file: str
    function: str


def read_rows(heading: str) -> list[list[str]]:
    """Read the rows of the tables below a heading, without their heads."""
    section = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    lines = section.partition("\n## ")[0].splitlines()
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line[:1] == "|"
    ]
    rules = [n for n, row in enumerate(rows) if set("".join(row)) <= {"-"}]
    assert rules, heading
    heads = {n for rule in rules for n in (rule - 1, rule)}
    return [row for n, row in enumerate(rows) if n not in heads]


def read_calls(heading: str) -> list[Call]:
    """Read the functions of a table; a row without a file continues the one above it."""
    calls: list[Call] = []
    file = ""
    for row in read_rows(heading):
        if found := _FILE.search(" ".join(row)):
            file = found[1]
        column = next(
            cell for cell in row if _CODE.fullmatch(cell.split(",")[0]) and cell != f"`{file}`"
        )
        calls += [Call(file, name) for name in _CODE.findall(column)]
    return calls
