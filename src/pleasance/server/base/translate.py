"""Messages of the server in the language of the reader."""

from __future__ import annotations

from functools import cache

from pleasance.core.errors import PleasanceError
from pleasance.i18n.catalog import LANGUAGES, MessageCatalog, load_messages, read_patterns


@cache
def server_messages(language: str) -> MessageCatalog:
    """Load the message catalog of the core and the server."""
    known = read_patterns("pleasance.i18n", "catalogs", language)
    return MessageCatalog(language, known | read_patterns("pleasance.server", "catalogs", language))


def error_message(refusal: PleasanceError, language: str, package: str | None = None) -> str:
    """Translate a refusal; *package* is that of the game whose rules refused it."""
    known = language if language in LANGUAGES else LANGUAGES[0]
    if package is not None:
        words = load_messages(known, package)
        if f"error.{refusal.code}" in words:
            return words.error(refusal)
    return server_messages(known).error(refusal)


def is_error_known(code: str, package: str | None = None) -> bool:
    """Return whether the server has words for an error, or the package of the game has."""
    key, language = f"error.{code}", LANGUAGES[0]
    is_of_game = package is not None and key in load_messages(language, package)
    return is_of_game or key in server_messages(language)
