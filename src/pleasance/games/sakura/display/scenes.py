"""Sakura on stage: what one step made happen, scene by scene, for boards that move.

As in the story, the cards are carried out once more from what the looking seat saw, so that nothing
hidden can come into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pleasance.core.game import Choose, Draw, Over, Seen
from pleasance.games.sakura.display.round_narration import Moment, Witness
from pleasance.games.sakura.display.story import (
    tell_cards,
    tell_court,
    tell_draw,
    tell_next,
    tell_rebuilt,
)
from pleasance.games.sakura.display.wire import show_played
from pleasance.games.sakura.display.wire_types import SakuraHappening, SakuraScene
from pleasance.games.sakura.rules.actions import Dealt, Direction
from pleasance.games.sakura.rules.components import Card
from pleasance.games.sakura.rules.view import View

if TYPE_CHECKING:
    from pleasance.i18n.catalog import Words


def stage(
    before: View, seen: tuple[Seen, ...], after: View, words: Words
) -> tuple[SakuraScene, ...]:
    """Show one step moment by moment; the last scene stands as *after* does."""
    return tuple(_stage(before, seen, after, words))


def _stage(
    before: View, seen: tuple[Seen, ...], after: View, words: Words
) -> Iterator[SakuraScene]:
    """Show what was drawn or turned over, and then what the cards did."""
    action, heading, played = seen[0].action, None, before.played
    for line in tell_rebuilt(before, after, words):
        yield _quiet("rebuilt", before, line)
    if isinstance(before.turn, Draw) and (painter := before.turn.to) is not None:
        card = None if action is None else action.card
        told = tell_draw(before, painter, action, words)
        yield _quiet("draw", after, _join(told), card=card, painter=painter)
        return
    if isinstance(action, Direction):
        heading = action.heading
    elif isinstance(action, Dealt):
        played = (*played, action.card)
        told = tell_court(before, action.card, words)
        yield _quiet("court", before._replace(played=played), _join(told), card=action.card)
    else:
        played, told = tell_cards(before, seen, words)
        yield _quiet("reveal", before._replace(played=played), _join(told))
    if len(played) == len(before.painters):
        witness = Witness(before, played, words)
        yield from (_show_moment(moment, played) for moment in witness.watch(heading))
        yield from _show_next(after, words)


def _show_moment(moment: Moment, played: tuple[Card, ...]) -> SakuraScene:
    """Show what an action of a card does, or what follows at a sakura."""
    return SakuraScene(
        kind=moment.kind,
        caption=_say(moment.text),
        card=moment.card,
        action=None if moment.card is None else moment.done % 2,
        painter=moment.painter,
        emperor=moment.emperor,
        painters=moment.painters,
        tokens=tuple(map(sum, moment.ledgers)),
        scored=moment.scored,
        played=show_played(played, moment.done + (moment.card is not None)),
    )


def _show_next(after: View, words: Words) -> Iterator[SakuraScene]:
    """Show who is asked for a direction, or that the game is over."""
    for line in tell_next(after, words):
        if isinstance(after.turn, Over):
            yield _quiet("over", after, line)
        elif isinstance(after.turn, Choose):
            (owner,) = after.turn.seats
            yield _quiet("ask", after, line, card=after.played[owner], painter=owner)


def _quiet(
    kind: SakuraHappening,
    view: View,
    caption: str,
    *,
    card: Card | None = None,
    painter: int | None = None,
) -> SakuraScene:
    """Show a moment at which nobody moves."""
    return SakuraScene(
        kind=kind,
        caption=_say(caption),
        card=card,
        action=view.done % 2 if kind == "ask" else None,
        painter=painter,
        emperor=view.emperor,
        painters=view.painters,
        tokens=tuple(map(sum, view.ledgers)),
        scored=view.scored,
        played=show_played(view.played, view.done),
    )


def _join(lines: list[str]) -> str:
    """Write in one line what the story breaks into several."""
    return " ".join(line.strip() for line in lines)


def _say(text: str) -> str:
    """Write a part of a sentence as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
