"""What scores are made of, part by part, so that a page can count them up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pleasance.core.game import AnyGame, Cause
from pleasance.i18n.catalog import Words


class Share(Struct, frozen=True):
    """What one part of the tally brought one seat."""

    points: int
    items: tuple[str, ...]
    """What the points are made of, where there is more to say than their sum."""


class Part(Struct, frozen=True):
    """One line of the tally, with a share for every seat."""

    label: str
    shares: tuple[Share, ...]


def tally(game: AnyGame, state: object, words: Words) -> tuple[Part, ...]:
    """Sum up what brought points, in the order in which it is counted."""
    causes = game.causes(state)
    brief = words.in_brief()
    labels = _list_heads([cause for own in causes for cause in own], words)
    return tuple(
        Part(label, tuple(_share(game, label, own, (words, brief)) for own in causes))
        for label in labels
    )


def _list_heads(causes: Sequence[Cause], words: Words) -> tuple[str, ...]:
    """Name the parts in the order in which the catalogue has them."""
    order = words.keys("part.")
    ranked = sorted(causes, key=lambda cause: order.index(_find_key(cause, words)))
    return tuple(dict.fromkeys(_head(cause, words) for cause in ranked))


def _find_key(cause: Cause, words: Words) -> str:
    key = f"part.{cause.code}"
    return key if key in words else "part.other"


def _head(cause: Cause, words: Words) -> str:
    """Name the part of the tally that a cause belongs to."""
    return words(_find_key(cause, words), **cause.params)


def _share(game: AnyGame, label: str, causes: Sequence[Cause], words: tuple[Words, Words]) -> Share:
    full, brief = words
    own = [cause for cause in causes if _head(cause, full) == label]
    return Share(sum(cause.points for cause in own), tuple(_list_items(game, own, full, brief)))


def _list_items(game: AnyGame, causes: Sequence[Cause], full: Words, brief: Words) -> Iterator[str]:
    """Name the causes one by one where the head of the part does not say it all."""
    for cause in causes:
        if f"brief.{cause.code}" in full or f"part.{cause.code}" not in full:
            yield game.describe(cause, brief)
