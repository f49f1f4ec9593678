"""The reports are short, and each row of their tables stands in a data file that they name."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
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


class Record(NamedTuple):
    """A line of a data file, a table of TOML, or an object of JSON with what stands above it."""

    fields: Mapping[str, object]
    text: str
    """The whole of it in small letters, with the path to it."""

    numbers: list[float]


def rows(section: str) -> Iterator[list[Cell]]:
    """List the rows of the tables of a section, without their heads."""
    heads: list[str] = []
    for line in section.splitlines():
        if not line.startswith("|"):
            heads = []
        elif not heads:
            heads = line.strip("|").split("|")
        elif not line.startswith(("|-", "|:")):
            yield list(map(Cell, heads, line.strip("|").split("|")))


def read_records(path: Path) -> Iterator[Record]:
    """Read the records of a data file."""
    text, game = path.read_text(encoding="utf-8"), path.parent.name
    found: list[tuple[str, Mapping[str, object]]]
    match path.suffix:
        case ".csv":
            found = [(game, fields) for fields in csv.DictReader(text.splitlines())]
        case ".jsonl":
            found = [(game, json.loads(line)) for line in text.splitlines()]
        case ".json":
            found = list(list_objects(json.loads(text), path.parents[1].name, {}))
        case _:
            game = path.parent.name
            found = [
                (game, {"seats": name, **table}) for name, table in tomllib.loads(text).items()
            ]
    for place, fields in found:
        values = json.dumps(list(fields.values()))
        numbers = re.sub(r'"(-?[\d.]+)"', r"\1", values)  # those of CSV are texts
        yield Record(fields, f"{place} {json.dumps(fields)}".lower(), read_numbers(numbers))


def list_objects(
    value: object, place: str, above: Mapping[str, object]
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """List the innermost objects of JSON with their paths, and the plain values above them."""
    if isinstance(value, list):
        for part in value:
            yield from list_objects(part, place, above)
    elif isinstance(value, dict):
        inner = {key: part for key, part in value.items() if has_objects(part)}
        fields = {**above, **{key: part for key, part in value.items() if key not in inner}}
        if not inner:
            yield place, fields
        for key, part in inner.items():
            yield from list_objects(part, f"{place} {key}", fields)


def has_objects(value: object) -> bool:
    """Return whether a JSON value is an object, or a list with one."""
    return isinstance(value, dict) or (isinstance(value, list) and any(map(has_objects, value)))


def find_unsupported(page: str, folder: Path) -> list[str]:
    """List the cells with numbers that no record of the data files of their section supports.

    A data file is one that the section links to, beginning in *folder*. The record has all numbers
    of the cell and agrees with the other cells of the row: it has the names in them that any record
    has, and the same numbers in the fields that columns are named after, such as the seats.
    """
    missing = []
    for section in sections(page):
        paths = [folder / target for target in DATA_LINK.findall(section)]
        records = [record for path in paths for record in read_records(path)]
        for row in rows(section):
            names = [name for name in map(find_name, row) if any(has(one, name) for one in records)]
            fitting = [one for one in records if agrees(one, row, names)]
            missing += [cell.text.strip() for cell in row if not is_supported(cell, fitting)]
    return missing


def find_name(cell: Cell) -> str:
    """Return the name in a cell, such as a game or a player; a number is none."""
    return "" if shown_numbers(cell) else cell.text.strip().strip("`").lower()


def has(record: Record, name: str) -> bool:
    """Return whether a record holds a name."""
    return bool(name) and bool(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w:-])", record.text))


def agrees(record: Record, row: list[Cell], names: list[str]) -> bool:
    """Return whether a record has the names of a row, and its numbers in fields of their heads."""
    return all(has(record, name) for name in names) and all(
        has_number(read_numbers(str(record.fields[head])), shown[0], {1.0})
        for cell in row
        if (head := cell.head.strip()) in record.fields and (shown := shown_numbers(cell))
    )


def is_supported(cell: Cell, records: list[Record]) -> bool:
    """Return whether one record has all numbers of a cell."""
    return not shown_numbers(cell) or any(has_numbers(one.numbers, cell) for one in records)


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
    assert any(
        shown_numbers(cell) for section in sections(page) for row in rows(section) for cell in row
    )
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


SWAPPED = {
    "data.csv": "game,seats,share\nsakura,2,61.3\nsakura,3,40.5\nsanssouci,2,85.0\n",
    "data.jsonl": """
{"game": "sakura", "seats": 2, "share": 0.613}
{"game": "sakura", "seats": 3, "share": 0.405}
{"game": "sanssouci", "seats": 2, "share": 0.85}
""".lstrip(),
    "data.json": """
{"sakura": {"runs": [{"seats": 2, "wins": {"all": 0.613}}, {"seats": 3, "wins": {"all": 0.405}}]},
 "sanssouci": {"runs": [{"seats": 2, "wins": {"all": 0.85}}]}}
""",
}


@pytest.mark.parametrize("name", SWAPPED)
@pytest.mark.parametrize(
    ("shares", "missing"),
    [
        (("61.3", "40.5", "85.0"), []),
        (("40.5", "61.3", "85.0"), ["40.5", "61.3"]),  # the same game at other tables
        (("85.0", "40.5", "61.3"), ["85.0", "61.3"]),  # other games at the same table
    ],
)
def test_rows_with_numbers_of_each_other_are_found(
    name: str, shares: tuple[str, str, str], missing: list[str], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(SWAPPED[name])
    first, second, third = shares
    table = (
        f"| game | seats | won, % |\n|---|--:|--:|\n| sakura | 2 | {first} |\n"
        f"| sakura | 3 | {second} |\n| sanssouci | 2 | {third} |\n"
    )
    assert find_unsupported(f"# A\n[data]({name})\n\n{table}", tmp_path) == missing


def test_swapped_rows_of_a_report_are_found() -> None:
    page, folder = (ROOT / "docs" / "strength.md").read_text(), ROOT / "docs"
    first, second = (
        line for line in page.splitlines() if re.match(r"\| sakura \| [23] \| \d.*\[", line)
    )
    swapped = page.replace(first, f"| sakura | 2 | {second[13:]}")
    assert swapped != page
    assert find_unsupported(swapped, folder)
