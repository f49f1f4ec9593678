"""Message patterns: the part of ICU MessageFormat that our catalogs use.

`{name}`, `{n, number}`, `{n, plural, =0 {…} one {…} other {…}}` with `#`, `{x, select, a {…} other
{…}}` and quoting with apostrophes mean what they mean in ICU. Numbers are written as a browser
writes them, so that one catalog says the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple, NoReturn, TypeAlias

from pleasance.core.errors import Parameter

_SEPARATORS = {"en": ",", "es": ".", "de": "."}
_MIN_GROUPED = {"en": 1_000, "es": 10_000, "de": 1_000}
_MILLION = 1_000_000

_NAME = re.compile(r"\s*([^\W\d]\w*)\s*")
_CASE = re.compile(r"\s*(=-?\d+|\w+)\s*\{")
_TEXT = re.compile(r"[^{}'#]+")


class Argument(NamedTuple):
    """Stands for a parameter, written as it is."""

    name: str


class Number(NamedTuple):
    """Stands for a whole number; `#` inside a plural is the number of the plural."""

    name: str


class Plural(NamedTuple):
    """Stands for the case that fits a number; an exact one (`=0`) goes first."""

    name: str
    cases: Mapping[str, Message]


class Select(NamedTuple):
    """Stands for the case that a word names."""

    name: str
    cases: Mapping[str, Message]


Part: TypeAlias = str | Argument | Number | Plural | Select
Message: TypeAlias = tuple[Part, ...]


def format_number(number: int, language: str) -> str:
    """Write a whole number with the thousands set apart as *language* does.

    >>> [format_number(1234, language) for language in ("en", "es", "de")]
    ['1,234', '1234', '1.234']
    """
    if abs(number) < _MIN_GROUPED[language]:
        return str(int(number))
    return f"{number:,}".replace(",", _SEPARATORS[language])


def plural_form(number: int, language: str) -> str:
    """Name the plural form that *language* uses for a whole number: `one`, `many` or `other`.

    >>> plural_form(1, "de"), plural_form(2_000_000, "es"), plural_form(0, "en")
    ('one', 'many', 'other')
    """
    if abs(number) == 1:
        return "one"
    is_many = language == "es" and number != 0 and number % _MILLION == 0
    return "many" if is_many else "other"


def format_message(message: Message, language: str, params: Mapping[str, Parameter]) -> str:
    """Format a parsed message with *params*."""
    return "".join(_format_part(part, language, params) for part in message)


def _format_part(part: Part, language: str, params: Mapping[str, Parameter]) -> str:
    match part:
        case str():
            return part
        case Argument(name):
            value = params[name]
            return value if isinstance(value, str) else format_number(value, language)
        case Number(name):
            return format_number(_integer(name, params), language)
        case Plural(name, cases):
            number = _integer(name, params)
            general = cases.get(plural_form(number, language), cases["other"])
            return format_message(cases.get(f"={number}", general), language, params)
        case Select(name, cases):
            chosen = cases.get(str(params[name]), cases["other"])
            return format_message(chosen, language, params)


def _integer(name: str, params: Mapping[str, Parameter]) -> int:
    number = params[name]
    if not isinstance(number, int):
        raise TypeError(f"parameter {name} must be a whole number, not {number!r}")
    return int(number)


def parameters(message: Message) -> Iterator[str]:
    """List the parameters of a message, with repetitions."""
    for part in message:
        if isinstance(part, str):
            continue
        yield part.name
        if isinstance(part, Plural | Select):
            for case in part.cases.values():
                yield from parameters(case)


@cache
def parse_pattern(pattern: str) -> Message:
    """Read a pattern.

    >>> parse_pattern("{n, plural, one {# tile} other {# tiles}}")[0].cases["one"]
    (Number(name='n'), ' tile')
    """
    reader = _Reader(pattern)
    message = reader.message(counted=None)
    if not reader.is_at_end():
        reader.fail("a closing brace without its opening one")
    return message


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._position = 0

    def is_at_end(self) -> bool:
        return self._position == len(self._pattern)

    def fail(self, reason: str) -> NoReturn:
        raise ValueError(f"{reason} at {self._position} in pattern {self._pattern!r}")

    def message(self, counted: str | None) -> Message:
        """Read up to the closing brace; *counted* is the number that `#` stands for."""
        parts: list[Part] = []
        while not self.is_at_end():
            char = self._pattern[self._position]
            if char == "}":
                break
            if char == "{":
                parts.append(self._argument())
            elif char == "#" and counted:
                self._position += 1
                parts.append(Number(counted))
            else:
                self._join(parts, self._text(is_counted=counted is not None))
        return tuple(parts)

    @staticmethod
    def _join(parts: list[Part], text: str) -> None:
        if parts and isinstance(last := parts[-1], str):
            parts[-1] = last + text
        else:
            parts.append(text)

    def _text(self, *, is_counted: bool) -> str:
        if plain := _TEXT.match(self._pattern, self._position):
            self._position = plain.end()
            return plain[0]
        char, following = self._pattern[self._position], self._pattern[self._position + 1 :][:1]
        self._position += 1
        if char != "'":
            return char
        if following == "'":
            self._position += 1
        elif following and following in ("{}#" if is_counted else "{}"):
            return self._quoted()
        return "'"

    def _quoted(self) -> str:
        """Read up to the closing apostrophe, or to the end where there is none."""
        quoted = re.compile(r"((?:[^']|'')*)'?").match(self._pattern, self._position)
        assert quoted, "the expression matches any text"
        self._position = quoted.end()
        return quoted[1].replace("''", "'")

    def _argument(self) -> Part:
        self._position += 1
        name = self._word("the name of a parameter")
        if self._take("}"):
            return Argument(name)
        self._need(",")
        kind = self._word("number, plural or select")
        if kind == "number":
            self._need("}")
            return Number(name)
        self._need(",")
        if kind == "plural":
            return Plural(name, self._cases(counted=name))
        if kind == "select":
            return Select(name, self._cases(counted=None))
        return self.fail(f"{kind} is none of number, plural and select")

    def _cases(self, counted: str | None) -> dict[str, Message]:
        cases: dict[str, Message] = {}
        while start := _CASE.match(self._pattern, self._position):
            self._position = start.end()
            case = f"={int(start[1][1:])}" if start[1].startswith("=") else start[1]
            if case in cases:
                self.fail(f"case {case} stands twice")
            cases[case] = self.message(counted)
            self._need("}")
        if "other" not in cases:
            self.fail("case other is missing")
        while not self.is_at_end() and self._pattern[self._position].isspace():
            self._position += 1
        self._need("}")
        return cases

    def _word(self, wanted: str) -> str:
        word = _NAME.match(self._pattern, self._position)
        if not word:
            self.fail(f"not {wanted}")
        self._position = word.end()
        return word[1]

    def _take(self, char: str) -> bool:
        is_here = self._pattern.startswith(char, self._position)
        self._position += is_here
        return is_here

    def _need(self, char: str) -> None:
        if not self._take(char):
            self.fail(f"{char} is missing")
