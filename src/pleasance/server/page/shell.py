"""Documents of the page: templates filled with words and facts, everything escaped."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from litestar import Request

from pleasance.core.messages import LANGUAGES, Words, load_catalog
from pleasance.core.patterns import (
    Argument,
    Message,
    Number,
    Part,
    Plural,
    Select,
    parse_pattern,
)
from pleasance.server.answers import find_language
from pleasance.server.page.files import make_stamp
from pleasance.server.page.replies import embed
from pleasance.server.speech import server_words

NAMES = {"en": "English", "es": "Español", "de": "Deutsch"}
"""The languages, each in its own words."""

_PREFIX = "page."


class Html(str):
    """Text that is HTML already and is not escaped again."""

    __slots__ = ()


class _Sheet(Template):
    """A template whose blanks are named like words: `${page.sit}`."""

    braceidpattern = r"[a-z][a-z0-9_.]*"
    idpattern = r"(?!)"


class _Blanks(dict[str, str]):
    """What is put into the blanks: what was given, else the words under that key."""

    def __init__(self, words: Words, given: Mapping[str, str]) -> None:
        super().__init__(
            (key, text if isinstance(text, Html) else escape(text)) for key, text in given.items()
        )
        self._words = words

    def __missing__(self, key: str) -> str:
        return escape(self._words(key))


def choose_language(request: Request[Any, Any, Any], wish: str | None) -> str:
    """Choose the language: the one asked for, the player's own, or the browser's."""
    return wish if wish in LANGUAGES else find_language(request)


def make_document(
    template: str, language: str, title: str, facts: Mapping[str, Any], **blanks: str
) -> str:
    """Make a whole document from a template; *facts* are for the scripts, with all their words."""
    words = server_words(language)
    body = fill(template, words, blanks)
    choices = "".join(
        f'<option value="{code}" lang="{code}"{" selected" * (code == language)}>{name}</option>'
        for code, name in NAMES.items()
    )
    told = {"language": language, "words": pack_words(language), **facts}
    around = {
        "title": title,
        "language": language,
        "languages": Html(choices),
        "body": Html(body),
        "facts": Html(embed(told)),
        "stamp": make_stamp(),
        "script": template,
    }
    return fill("frame", words, around)


def fill(template: str, words: Words, blanks: Mapping[str, str]) -> str:
    """Fill the blanks of a template."""
    return _read_template(template).substitute(_Blanks(words, blanks))


@cache
def _read_template(name: str) -> _Sheet:
    file = files(__package__) / "templates" / f"{name}.html"
    return _Sheet(file.read_text(encoding="utf-8"))


@cache
def pack_words(language: str) -> dict[str, object]:
    """Pack the words of the page for a script that need not read patterns."""
    catalog = load_catalog("pleasance.server", "words", language)
    return {
        key: _pack(parse_pattern(pattern))
        for key, pattern in catalog.items()
        if key.startswith(_PREFIX)
    }


def _pack(message: Message) -> list[object]:
    return [_pack_part(part) for part in message]


def _pack_part(part: Part) -> object:
    match part:
        case str():
            return part
        case Argument(name):
            return {"name": name}
        case Number(name):
            return {"number": name}
        case Plural(name, cases):
            return {"plural": name, "cases": {case: _pack(m) for case, m in cases.items()}}
        case Select(name, cases):
            return {"select": name, "cases": {case: _pack(m) for case, m in cases.items()}}
