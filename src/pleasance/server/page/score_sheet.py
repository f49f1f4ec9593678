"""The score sheet: the parts of all scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pleasance.core.catalog import ScoreItem
from pleasance.core.game import AnyGame
from pleasance.i18n.catalog import MessageCatalog


class Share(Struct, frozen=True):
    """The points of one seat in one part."""

    points: int
    items: tuple[str, ...]
    """The items of the points, where they say more than their sum."""


class Part(Struct, frozen=True):
    """One line of the score sheet, with a share for every seat."""

    label: str
    shares: tuple[Share, ...]


def score_sheet(game: AnyGame, state: object, words: MessageCatalog) -> tuple[Part, ...]:
    """Sum up what brought points, in the order in which it is counted."""
    score_items = game.score_items(state)
    brief = words.in_brief()
    labels = _list_heads([item for own in score_items for item in own], words)
    return tuple(
        Part(label, tuple(_share(game, label, own, (words, brief)) for own in score_items))
        for label in labels
    )


def _list_heads(score_items: Sequence[ScoreItem], words: MessageCatalog) -> tuple[str, ...]:
    """Name the parts in the order in which the catalog has them."""
    order = words.keys("part.")
    ranked = sorted(score_items, key=lambda item: order.index(_find_key(item, words)))
    return tuple(dict.fromkeys(_head(item, words) for item in ranked))


def _find_key(item: ScoreItem, words: MessageCatalog) -> str:
    key = f"part.{item.code}"
    return key if key in words else "part.other"


def _head(item: ScoreItem, words: MessageCatalog) -> str:
    """Name the part of the score sheet that a cause belongs to."""
    return words(_find_key(item, words), **item.params)


def _share(
    game: AnyGame,
    label: str,
    score_items: Sequence[ScoreItem],
    words: tuple[MessageCatalog, MessageCatalog],
) -> Share:
    full, brief = words
    own = [item for item in score_items if _head(item, full) == label]
    return Share(sum(item.points for item in own), tuple(_list_items(game, own, full, brief)))


def _list_items(
    game: AnyGame, score_items: Sequence[ScoreItem], full: MessageCatalog, brief: MessageCatalog
) -> Iterator[str]:
    """Name the causes one by one where the head of the part does not say it all."""
    for item in score_items:
        if f"brief.{item.code}" in full or f"part.{item.code}" not in full:
            yield game.describe(item, brief)
