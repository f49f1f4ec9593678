"""Message catalogs: the texts of the program in three languages.

A catalog is a flat JSON object from keys to ICU MessageFormat patterns. The program has one for
each language, and so has each game, whose messages override the program's.
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
    from pleasance.core.catalog import ScoreItem
    from pleasance.core.game import AnyGame, SeenEvent

LANGUAGES = ("en", "es", "de")
"""English, Spanish and German; the first is the fallback."""


class MessageCatalog:
    """Formats the messages of one language.

    >>> words = load_messages("en")
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

    def among(self, people: Iterable[str]) -> MessageCatalog:
        """Return a catalog that names these *people*, in the order of the seats."""
        return MessageCatalog(self.language, self._patterns, self.theme, tuple(people))

    def in_brief(self) -> MessageCatalog:
        """Return a catalog with brief score items, as under a heading."""
        return self._with_prefix_replaced("score_item.", "brief.")

    def for_advice(self) -> MessageCatalog:
        """Return a catalog that names choices as options, not as events."""
        return self._with_prefix_replaced("action.", "choice.")

    def _with_prefix_replaced(self, usual: str, other: str) -> MessageCatalog:
        """Return a catalog that replaces the messages of one prefix by those of another."""
        renamed = {usual + key.removeprefix(other): self._patterns[key] for key in self.keys(other)}
        return MessageCatalog(self.language, {**self._patterns, **renamed}, self.theme, self.people)

    def name_seat(self, seat: int, otherwise: str) -> str:
        """Return the name of the player on a seat, or *otherwise* where it is unknown."""
        return self.people[seat] if seat < len(self.people) else otherwise

    def __call__(self, key: str, /, **params: Parameter) -> str:
        """Format the message under *key*."""
        if key not in self._patterns:
            raise KeyError(f"no words for {key} in {self.language}")
        try:
            return format_message(parse_pattern(self._patterns[key]), self.language, params)
        except KeyError as missing:
            name = missing.args[0]
            raise KeyError(f"{key} in {self.language} needs the parameter {name}") from missing

    def __contains__(self, key: str) -> bool:
        """Return whether there is a message under *key*."""
        return key in self._patterns

    def keys(self, start: str) -> tuple[str, ...]:
        """List the keys that begin with *start*, in the order of the catalog."""
        return tuple(key for key in self._patterns if key.startswith(start))

    def parameters(self, key: str) -> frozenset[str]:
        """Name the parameters that the message under *key* uses."""
        return frozenset(parameters(parse_pattern(self._patterns[key])))

    def error(self, refusal: PleasanceError) -> str:
        """Format the message of an error."""
        return self(f"error.{refusal.code}", **refusal.params)

    def score_item(self, item: ScoreItem, **named: str) -> str:
        """Format a score item; *named* replaces parameters by the game's own words."""
        points = item.points if item.points >= 0 else f"\N{MINUS SIGN}{-item.points}"
        return self(f"score_item.{item.code}", **{**item.params, **named, "points": points})


@cache
def load_messages(language: str, package: str | None = None, theme: str = "") -> MessageCatalog:
    """Load the messages of the core, overridden by those of the game in *package*.

    A game that is not translated speaks English. A *theme* names the edition whose words are
    preferred, where the game has several.
    """
    if language not in LANGUAGES:
        raise BadSetupError("language_unknown", language=language, known=", ".join(LANGUAGES))
    patterns = read_patterns(__package__, "catalogs", language)
    if package is not None:
        is_translated = (files(package) / "messages" / f"{language}.json").is_file()
        patterns |= read_patterns(package, "messages", language if is_translated else LANGUAGES[0])
    return MessageCatalog(language, patterns, theme)


def read_patterns(package: str, folder: str, language: str) -> dict[str, str]:
    """Read one catalog: keys and their patterns."""
    text = (files(package) / folder / f"{language}.json").read_text(encoding="utf-8")
    catalog: dict[str, str] = json.loads(text)
    return catalog


def number_duplicates(names: Sequence[str]) -> Iterator[str]:
    """Add numbers to equal names, in the order of the seats."""
    counts, seen = Counter(names), Counter[str]()
    for name in names:
        seen[name] += 1
        yield f"{name} {seen[name]}" if counts[name] > 1 else name


def describe_event(game: AnyGame, event: SeenEvent, words: MessageCatalog) -> str:
    """Describe one event of a game without a narration of its own."""
    if event.seat is None:
        assert event.action is not None, event
        return words("event.open", what=game.describe(event.action, words))
    who = words.name_seat(event.seat, words("event.who", seat=event.seat + 1))
    if event.action is None:
        return words("event.hidden", who=who)
    return words("event.seat", who=who, what=game.describe(event.action, words))
