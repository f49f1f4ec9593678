"""Reads component files: TOML data of a game's pieces, with the line of every entry."""

from __future__ import annotations

import hashlib
import re
import tomllib
from importlib.resources import files
from typing import Any

from pleasance.core.errors import BadDataError, Parameter
from pleasance.core.game import DataSet

MAX_NUMBER = 9999
"""The largest number allowed, so that results stay readable in every record."""

_MAX_DOTS_PER_LINE = 50
"""The limit of dots in a line: a key with tens of thousands takes tomllib minutes to parse."""

_HEADER = re.compile(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?$")
_ENTRY = re.compile(r"\s*(?:\"([^\"]+)\"|([A-Za-z0-9_.-]+))\s*=")
_FENCE = re.compile(r'"""|\'\'\'')
_TOML_PLACE = re.compile(r"^(.*?) \(at (?:line (\d+), column \d+|end of document)\)$", re.DOTALL)


class DataFile:
    """A parsed component file; `refuse` makes errors with the line of an entry."""

    def __init__(self, text: str, *, is_builtin: bool) -> None:
        for number, each in enumerate(text.splitlines(), start=1):
            if each.count(".") > _MAX_DOTS_PER_LINE:
                raise BadDataError("data_toml", line=number, reason="Too many dots in one line")
        self._lines = _find_lines(text)
        self._length = max(1, len(text.splitlines()))
        try:
            self._tables: dict[str, Any] = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # besides bad TOML, endless numbers and lists
            place = _TOML_PLACE.match(str(error))
            line = int(place[2]) if place and place[2] else self._length
            reason = place[1] if place else str(error)
            raise BadDataError("data_toml", line=line, reason=reason) from error
        self._digest = hashlib.sha256(text.encode()).hexdigest()
        self._is_house = is_builtin

    def label(self) -> DataSet:
        """Name the data set, with the SHA-256 of its text."""
        return DataSet(self.text("", "name"), self._digest, self._is_house)

    def table(self, name: str, *, rule: str = "none") -> dict[str, Any]:
        """Return a table by its dotted *name*; refuse a file that lacks it."""
        found: Any = self._tables
        for part in name.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        if not isinstance(found, dict):
            raise BadDataError("data_no_table", line=self._length, table=name, rule=rule)
        return found

    def text(self, table: str, key: str, *, rule: str = "none") -> str:
        """Return an entry that must be text."""
        entry = self._entry(table, key, rule)
        if not isinstance(entry, str):
            raise self.refuse("data_not_text", table, key, rule=rule)
        return entry

    def number(self, table: str, key: str, *, rule: str = "none") -> int:
        """Return an entry that must be a whole number."""
        entry = self._entry(table, key, rule)
        if type(entry) is not int or abs(entry) > MAX_NUMBER:
            raise self.refuse("data_not_number", table, key, rule=rule, most=MAX_NUMBER)
        return entry

    def numbers(self, table: str, key: str, *, rule: str = "none") -> tuple[int, ...]:
        """Return an entry that must be a list of whole numbers."""
        entry = self._entry(table, key, rule)
        is_sound = isinstance(entry, list) and all(
            type(number) is int and abs(number) <= MAX_NUMBER for number in entry
        )
        if not is_sound:
            raise self.refuse("data_not_numbers", table, key, rule=rule, most=MAX_NUMBER)
        return tuple(entry)

    def only(self, table: str, allowed: tuple[str, ...], *, rule: str = "none") -> None:
        """Refuse unknown entries of *table* (`""`: the top of the file)."""
        found = self.table(table, rule=rule) if table else self._tables
        for key in found:
            if key not in allowed:
                known = " ".join(allowed)
                raise self.refuse("data_unknown_key", table, key, rule=rule, known=known)

    def refuse(
        self, code: str, table: str, key: str, *, rule: str, below: int = 0, **params: Parameter
    ) -> BadDataError:
        """Make the error of an entry, at a line *below* its first."""
        entry = f"{table}.{key}" if table else key
        places = ((table, key), (entry, ""), (table, ""))
        line = next((self._lines[place] for place in places if place in self._lines), self._length)
        return BadDataError(code, line=line + below, rule=rule, entry=entry, **params)

    def _entry(self, table: str, key: str, rule: str) -> Any:
        found = self.table(table, rule=rule) if table else self._tables
        if key not in found:
            raise self.refuse("data_no_entry", table, key, rule=rule)
        return found[key]


def load_builtin_components(package: str) -> str:
    """Read the component file that comes with a game."""
    return (files(package) / "components.toml").read_text(encoding="utf-8")


def _find_lines(text: str) -> dict[tuple[str, str], int]:
    """Find the line of every table and entry, which tomllib does not report."""
    lines: dict[tuple[str, str], int] = {}
    table = ""
    is_inside_text = False
    for number, line in enumerate(text.splitlines(), start=1):
        fences = len(_FENCE.findall(line))
        if is_inside_text:
            is_inside_text = fences % 2 == 0
            continue
        is_inside_text = fences % 2 == 1
        if header := _HEADER.match(line):
            table = header[1].strip()
            lines[table, ""] = number
        elif entry := _ENTRY.match(line):
            lines[table, entry[1] or entry[2]] = number
    return lines
