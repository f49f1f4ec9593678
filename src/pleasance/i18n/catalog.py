"""Message catalogues: what the program says, in three languages.

A catalogue is a flat JSON object from keys to ICU MessageFormat patterns. The core has one for each
language, and so has each game; a game's words go before the core's.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from pleasance.core.errors import BadSetupError, Parameter, PleasanceError
from pleasance.i18n.icu_messages import format_message, parameters, parse_pattern

if TYPE_CHECKING:
    from pleasance.core.game import Cause

LANGUAGES = ("en", "es", "de")
"""English, Spanish, German; the first is the one to fall back on."""


class Words:
    """Says things in one language.

    >>> words = load_words("en")
    >>> words("error.option_twice", option="boars")
    'Option boars is named twice; name it once.'
    """

    __slots__ = ("_patterns", "language", "people", "theme")

    def __init__(
        self,
        language: str,
        patterns: Mapping[str, str],
        theme: str = "",
        people: tuple[str, ...] = (),
    ) -> None:
        self.language = language
        self.theme = theme
        self.people = people
        self._patterns = patterns

    def among(self, people: Iterable[str]) -> Words:
        """Make words for a table where these *people* sit, in the order of the seats."""
        return Words(self.language, self._patterns, self.theme, tuple(people))

    def in_brief(self) -> Words:
        """Make words that name causes shortly, as under a head that says what kind they are."""
        return self._say_instead("cause.", "brief.")

    def for_advice(self) -> Words:
        """Make words that name a choice to who may make it, not as what somebody did."""
        return self._say_instead("action.", "choice.")

    def _say_instead(self, usual: str, other: str) -> Words:
        """Make words that say what begins with *other* in the place of the *usual*."""
        said = {usual + key.removeprefix(other): self._patterns[key] for key in self.keys(other)}
        return Words(self.language, {**self._patterns, **said}, self.theme, self.people)

    def name_seat(self, seat: int, otherwise: str) -> str:
        """Call a seat by the name of who sits there, where that is known."""
        return self.people[seat] if seat < len(self.people) else otherwise

    def __call__(self, key: str, /, **params: Parameter) -> str:
        """Say what stands under *key*."""
        if key not in self._patterns:
            raise KeyError(f"no words for {key} in {self.language}")
        try:
            return format_message(parse_pattern(self._patterns[key]), self.language, params)
        except KeyError as missing:
            name = missing.args[0]
            raise KeyError(f"{key} in {self.language} needs the parameter {name}") from missing

    def __contains__(self, key: str) -> bool:
        """Tell whether there are words under *key*."""
        return key in self._patterns

    def keys(self, start: str) -> tuple[str, ...]:
        """List the keys that begin with *start*, in the order of the catalogue."""
        return tuple(key for key in self._patterns if key.startswith(start))

    def parameters(self, key: str) -> frozenset[str]:
        """Name the parameters that the message under *key* uses."""
        return frozenset(parameters(parse_pattern(self._patterns[key])))

    def error(self, refusal: PleasanceError) -> str:
        """Say why something was refused."""
        return self(f"error.{refusal.code}", **refusal.params)

    def cause(self, cause: Cause, **named: str) -> str:
        """Say what brought points; *named* are parameters for which a game has words of its own."""
        points = cause.points if cause.points >= 0 else f"\N{MINUS SIGN}{-cause.points}"
        return self(f"cause.{cause.code}", **{**cause.params, **named, "points": points})


@cache
def load_words(language: str, package: str | None = None, theme: str = "") -> Words:
    """Load the words of the core and, before them, those of the game that lives in *package*.

    A *theme* names the edition whose words a game prefers, where its component data knows several.
    """
    if language not in LANGUAGES:
        raise BadSetupError("language_unknown", language=language, known=", ".join(LANGUAGES))
    patterns = load_catalog(__package__, "catalogs", language)
    if package is not None:
        patterns |= load_catalog(package, "messages", language)
    return Words(language, patterns, theme)


def load_catalog(package: str, folder: str, language: str) -> dict[str, str]:
    """Read one catalogue: keys and their patterns."""
    text = (files(package) / folder / f"{language}.json").read_text(encoding="utf-8")
    catalogue: dict[str, str] = json.loads(text)
    return catalogue


def tell_apart(names: Sequence[str]) -> Iterator[str]:
    """Give those who share a name numbers, in the order in which they sit."""
    often, met = Counter(names), Counter[str]()
    for name in names:
        met[name] += 1
        yield f"{name} {met[name]}" if often[name] > 1 else name
