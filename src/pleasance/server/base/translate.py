"""What the server says, in the language of whoever is told."""

from __future__ import annotations

from functools import cache

from pleasance.core.errors import PleasanceError
from pleasance.i18n.catalog import LANGUAGES, Words, load_catalog, load_words


@cache
def server_words(language: str) -> Words:
    """Load the words of the core and the server."""
    known = load_catalog("pleasance.i18n", "catalogs", language)
    return Words(language, known | load_catalog("pleasance.server", "words", language))


def explain(refusal: PleasanceError, language: str, package: str | None = None) -> str:
    """Say why something was refused; *package* is where the game lives whose rules refused it."""
    known = language if language in LANGUAGES else LANGUAGES[0]
    if package is not None:
        words = load_words(known, package)
        if f"error.{refusal.code}" in words:
            return words.error(refusal)
    return server_words(known).error(refusal)
