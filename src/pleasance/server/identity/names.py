"""Names: cleaned so that nothing invisible, backwards or endless stands in them."""

from __future__ import annotations

import re
import secrets
import unicodedata

from pleasance.server.base.errors import BadRequestError
from pleasance.server.base.translate import server_words

LONGEST = 40
_MOST_MARKS = 2
"""How many marks one letter may carry; more of them reach into the lines above and below."""

_BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters that show nothing."""

_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE"})
"""Scripts whose letters are taken for each other."""

_RESERVED = frozenset(
    {"admin", "administrator", "moderator", "pleasance", "root", "server", "support", "system"}
)
_LONGEST_SKELETON = 200


def clean_name(text: str) -> str:
    r"""Clean a name; refuse one of which nothing is left, or too much.

    >>> clean_name("  Ada\u202e \n Lovelace ")
    'Ada Lovelace'
    """
    composed = unicodedata.normalize("NFC", text)
    kept = "".join(" " if _is_space(letter) else letter for letter in composed if _shows(letter))
    # Once more, since what stood between two letters that combine may be gone.
    name = _fewer_marks(unicodedata.normalize("NFC", " ".join(kept.split())))
    if not name:
        raise BadRequestError("name_empty")
    if len(name) > LONGEST:
        raise BadRequestError("name_long", length=len(name), most=LONGEST)
    return name


def clean_label(text: str, otherwise: str) -> str:
    """Clean what somebody calls a passkey or token; *otherwise* where nothing is left."""
    try:
        return clean_name(text[:LONGEST])
    except BadRequestError:
        return otherwise


def clean_login(text: str) -> str:
    """Clean the name of an account; refuse one made to be taken for another."""
    name = clean_name(text)
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in name if letter.isalpha()}
    if len(scripts & _ALIKE) > 1:
        raise BadRequestError("name_mixed", name=name)
    bare = skeleton(name)
    if bare in _RESERVED or not any(letter.isalnum() for letter in bare):
        raise BadRequestError("name_reserved", name=name)
    return name


def skeleton(name: str) -> str:
    r"""Reduce a name to what must differ between accounts: no case, no width, no gaps.

    >>> skeleton("\uff21da  Lovelace") == skeleton("ADA lovelace")
    True
    """
    before, bare = "", name
    while bare != before:  # what one step uncovers, the next one may fold
        before, bare = bare, _fold(bare)
    return bare[:_LONGEST_SKELETON]


def guest_name(language: str) -> str:
    """Make up a name for somebody who gave none."""
    return server_words(language)("player.guest", number=str(1000 + secrets.randbelow(9000)))


def gone_name(language: str) -> str:
    """Tell what somebody is called who has left for good."""
    return server_words(language)("player.gone")


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(letter for letter in folded if _shows(letter) and not _is_space(letter))
    return re.sub("[\ufe00-\ufe0f]", "", bare)  # these choose between pictures of one letter


def _is_space(letter: str) -> bool:
    return letter.isspace() or letter in _BLANKS


def _shows(letter: str) -> bool:
    """Tell whether *letter* may stand in a name: no control, no direction, nothing unassigned."""
    return letter.isspace() or unicodedata.category(letter)[0] != "C"


def _fewer_marks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter)[0] == "M" else 0
        if marks <= _MOST_MARKS:
            kept.append(letter)
    return "".join(kept)
