"""The people at a table by the names under which the page tells of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pleasance.i18n.catalog import Words, tell_apart
from pleasance.table.table_config import Place


def name_bot(bot: str, words: Words) -> str:
    """Name a bot as people call it: `ismcts:1s` has a name in every language."""
    # Some have words of their own for how long they think: `master:2s`.
    for key in (f"page.bot.{bot.replace(':', '_')}", f"page.bot.{bot.partition(':')[0]}"):
        if key in words:
            return words(key)
    return bot


def name_people(places: Iterable[Place], words: Words) -> tuple[str, ...]:
    """Name everybody at a table, so that no two are called the same."""
    called = [each.name if each.bot is None else name_bot(each.bot, words) for each in places]
    return tuple(tell_apart(called))


def name_recorded(tags: Mapping[str, str], seats: int, words: Words) -> tuple[str, ...]:
    """Name who played a recorded game; nobody where it does not tell of everybody."""
    written = [name.strip() for name in tags.get("Players", "").split(",")]
    called = [name_bot(name, words) for name in written if name]
    return tuple(tell_apart(called)) if len(called) == seats else ()
