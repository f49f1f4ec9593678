"""The reports are short, and each number in their tables stands in a data file that they name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pleasance import cli

ROOT = Path(__file__).parents[2]
REPORTS = tuple(
    ROOT / "docs" / f"{name}.md"
    for name in (
        *("performance", "strength", "learning-sakura", "learning-sanssouci", "numbers"),
        "guide/install",
    )
)
MAX_WORDS = 800
COMMANDS = {
    command.name or command.callback.__name__
    for command in cli.app.registered_commands
    if command.callback
}

SCALES = {"%": 100.0, "ms": 1e3, "µs": 1e6, "M": 1e-6, "thousand": 1e-3}
"""Factors between a number of a data file and a table, by the unit of the table."""

UNIT = re.compile(r"%|µs|\bms\b|\bM\b|\bthousand\b")
SHOWN_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?")
STORED_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE]-?\d+)?(?!\w)")
DATA_LINK = re.compile(r"\]\(([^)#:]+\.(?:csv|jsonl?|toml))\)")
CODE = re.compile(r"`[^`]*`")


class Cell(NamedTuple):
    """One cell of a table, with the head of its column."""

    head: str
    text: str


def sections(page: str) -> list[str]:
    """Split a page at its headings."""
    return re.split(r"^#+ ", page, flags=re.MULTILINE)


def cells(section: str) -> Iterator[Cell]:
    """List the cells of the tables of a section, without their heads."""
    heads: list[str] = []
    for line in section.splitlines():
        if not line.startswith("|"):
            heads = []
        elif not heads:
            heads = line.strip("|").split("|")
        elif not line.startswith(("|-", "|:")):
            yield from map(Cell, heads, line.strip("|").split("|"))


def find_unsupported(page: str, folder: Path) -> list[str]:
    """List the cells with numbers that no line of the data files of their section has together.

    A data file is one that the section links to, beginning in *folder*.
    """
    missing = []
    for section in sections(page):
        paths = [folder / target for target in DATA_LINK.findall(section)]
        lines = [line for path in paths for line in path.read_text().splitlines()]
        data = [read_numbers(line) for line in lines]
        missing += [
            cell.text.strip()
            for cell in cells(section)
            if not any(has_numbers(numbers, cell) for numbers in data) and shown_numbers(cell)
        ]
    return missing


def shown_numbers(cell: Cell) -> list[str]:
    """List the numbers of a cell, without those of names in code."""
    return SHOWN_NUMBER.findall(CODE.sub("", cell.text))


def read_numbers(line: str) -> list[float]:
    """List the numbers on a line of a data file.

    >>> read_numbers('{"seats": 2, "mean": -1.5e-3, "sha": "a41f"}')
    [2.0, -0.0015]
    """
    return list(map(float, STORED_NUMBER.findall(line)))


def has_numbers(numbers: list[float], cell: Cell) -> bool:
    """Return whether *numbers* include all numbers of a cell, rounded as it rounds them."""
    scales = {1.0, *(SCALES[unit] for unit in UNIT.findall(cell.head + cell.text))}
    return all(has_number(numbers, shown, scales) for shown in shown_numbers(cell))


def has_number(numbers: list[float], shown: str, scales: set[float]) -> bool:
    """Return whether one of *numbers* is shown as this text on one of the *scales*."""
    half = 0.5 * 10.0 ** -len(shown.partition(".")[2]) * (1 + 1e-6)
    value = float(shown.replace(",", ""))
    return any(abs(number * scale - value) <= half for number in numbers for scale in scales)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_each_number_of_a_table_stands_in_a_data_file(path: Path) -> None:
    page = path.read_text()
    assert any(shown_numbers(cell) for section in sections(page) for cell in cells(section))
    assert find_unsupported(page, path.parent) == []


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_the_programs_that_a_report_names_exist(path: Path) -> None:
    page = path.read_text()
    for script in re.findall(r"python (\S+\.py)", page):
        assert (ROOT / script).is_file(), script
    for module in re.findall(r"python -m (pleasance[\w.]*)", page):
        assert (ROOT / "src" / module.replace(".", "/")).with_suffix(".py").is_file(), module
    for command in re.findall(r"^pleasance (\w+)", page, re.MULTILINE):
        assert command in COMMANDS, command


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_a_report_is_short(path: Path) -> None:
    assert len(path.read_text().split()) <= MAX_WORDS


@pytest.mark.parametrize(
    ("row", "missing"),
    [
        ("| `flat:9` | 61.3 [50.0, 72.5] | 1.25 ms |", []),
        ("| greedy | 61.4 | 1.25 ms |", ["61.4"]),
        ("| greedy | 61.3 [50.0, 99.9] | 1.25 ms |", ["61.3 [50.0, 99.9]"]),
        ("| greedy | 61.3 | 1.25 µs |", ["1.25 µs"]),
        ("| greedy | 61.3 [80.0, 72.5] | none |", ["61.3 [80.0, 72.5]"]),
    ],
)
def test_a_number_that_was_not_measured_is_found(
    row: str, missing: list[str], tmp_path: Path
) -> None:
    lines = '{"share": 0.6126, "low": 0.5, "high": 0.725, "s": 0.00125}\n{"share": 0.8}\n'
    (tmp_path / "data.jsonl").write_text(lines)
    table = f"| player | share, % | time |\n|---|--:|--:|\n{row}\n"
    assert find_unsupported(f"# A\n[data](data.jsonl)\n\n{table}", tmp_path) == missing


def test_the_data_of_another_section_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("games\n120\n")
    table = "| games |\n|--:|\n| 120 |\n"
    page = f"# A\n[data](data.csv)\n\n{table}\n## B\n\n{table}"
    assert find_unsupported(page, tmp_path) == ["120"]
