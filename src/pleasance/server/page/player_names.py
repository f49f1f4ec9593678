"""Display names of players and bots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pleasance.i18n.catalog import MessageCatalog, number_duplicates
from pleasance.table.table_config import SeatAssignment


def name_bot(bot: str, words: MessageCatalog) -> str:
    """Return the display name of a bot: `ismcts:1s` has one in every language."""
    # Some budgets have a name of their own: `master:2s`.
    for key in (f"page.bot.{bot.replace(':', '_')}", f"page.bot.{bot.partition(':')[0]}"):
        if key in words:
            return words(key)
    return bot


def name_people(places: Iterable[SeatAssignment], words: MessageCatalog) -> tuple[str, ...]:
    """Return the unique display names of all seats of a table."""
    called = [each.name if each.bot is None else name_bot(each.bot, words) for each in places]
    return tuple(number_duplicates(called))


def name_recorded(tags: Mapping[str, str], seats: int, words: MessageCatalog) -> tuple[str, ...]:
    """Return the display names of a recorded game; none if the record does not name all seats."""
    written = [name.strip() for name in tags.get("Players", "").split(",")]
    called = [name_bot(name, words) for name in written if name]
    return tuple(number_duplicates(called)) if len(called) == seats else ()
