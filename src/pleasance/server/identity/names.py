"""Player names: normalization, and skeletons against confusable names (Unicode TR 39)."""

from __future__ import annotations

import re
import secrets
import unicodedata

from pleasance.server.base.errors import BadRequestError
from pleasance.server.base.translate import server_messages

MAX_NAME_LENGTH = 40
_MAX_MARKS_PER_LETTER = 2
"""The most combining marks on one letter; more reach into the lines above and below."""

_INVISIBLE_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters that render as blanks."""

_CONFUSABLE_SCRIPTS = frozenset({"LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE"})
"""Scripts with letters that look alike."""

_RESERVED = frozenset(
    {"admin", "administrator", "moderator", "pleasance", "root", "server", "support", "system"}
)
_MAX_SKELETON_LENGTH = 200


def clean_name(text: str) -> str:
    r"""Clean a name; refuse one that is then empty or too long.

    >>> clean_name("  Ada\u202e \n Lovelace ")
    'Ada Lovelace'
    """
    composed = unicodedata.normalize("NFC", text)
    kept = "".join(
        " " if _is_space(letter) else letter for letter in composed if _is_allowed(letter)
    )
    # Again, since a letter between two that combine may have been removed.
    name = _limit_marks(unicodedata.normalize("NFC", " ".join(kept.split())))
    if not name:
        raise BadRequestError("name_empty")
    if len(name) > MAX_NAME_LENGTH:
        raise BadRequestError("name_long", length=len(name), most=MAX_NAME_LENGTH)
    return name


def clean_label(text: str, default: str) -> str:
    """Clean the label of a passkey or access token; return *default* for an empty one."""
    try:
        return clean_name(text[:MAX_NAME_LENGTH])
    except BadRequestError:
        return default


def clean_account_name(text: str) -> str:
    """Clean the name of an account; refuse a reserved or confusable one."""
    name = clean_name(text)
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in name if letter.isalpha()}
    if len(scripts & _CONFUSABLE_SCRIPTS) > 1:
        raise BadRequestError("name_mixed", name=name)
    bare = skeleton(name)
    if bare in _RESERVED or not any(letter.isalnum() for letter in bare):
        raise BadRequestError("name_reserved", name=name)
    return name


def skeleton(name: str) -> str:
    r"""Fold a name to the form that must be unique: without case, width and gaps.

    >>> skeleton("\uff21da  Lovelace") == skeleton("ADA lovelace")
    True
    """
    before, bare = "", name
    while bare != before:  # one step can produce letters that the next one folds
        before, bare = bare, _fold(bare)
    return bare[:_MAX_SKELETON_LENGTH]


def guest_name(language: str) -> str:
    """Make a name for a guest who gave none."""
    return server_messages(language)("player.guest", number=str(1000 + secrets.randbelow(9000)))


def deleted_player_name(language: str) -> str:
    """Return the name of an erased player."""
    return server_messages(language)("player.gone")


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(letter for letter in folded if _is_allowed(letter) and not _is_space(letter))
    return re.sub("[\ufe00-\ufe0f]", "", bare)  # variation selectors


def _is_space(letter: str) -> bool:
    return letter.isspace() or letter in _INVISIBLE_LETTERS


def _is_allowed(letter: str) -> bool:
    """Return whether a name may contain *letter*: no control, format or unassigned character."""
    return letter.isspace() or unicodedata.category(letter)[0] != "C"


def _limit_marks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter)[0] == "M" else 0
        if marks <= _MAX_MARKS_PER_LETTER:
            kept.append(letter)
    return "".join(kept)
