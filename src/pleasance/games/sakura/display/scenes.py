"""Scenes of one step for animated boards: its events, one by one.

As in the story, the cards are carried out once more from what the viewing seat saw, so that nothing
hidden can come into it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pleasance.core.catalog import Messages
from pleasance.core.game import Choose, Draw, Over, SeenEvent
from pleasance.games.sakura.display.round_narration import Moment, RoundNarrator
from pleasance.games.sakura.display.story import (
    narrate_cards,
    narrate_court_card,
    narrate_draw,
    narrate_next,
    narrate_rebuilt,
)
from pleasance.games.sakura.display.wire import played_to_wire
from pleasance.games.sakura.display.wire_types import SakuraScene, SakuraSceneKind
from pleasance.games.sakura.rules.actions import Dealt, Direction
from pleasance.games.sakura.rules.components import Card
from pleasance.games.sakura.rules.view import View


def step_to_scenes(
    before: View, seen: tuple[SeenEvent, ...], after: View, words: Messages
) -> tuple[SakuraScene, ...]:
    """Show one step moment by moment; the last scene stands as *after* does."""
    return tuple(_scenes(before, seen, after, words))


def _scenes(
    before: View, seen: tuple[SeenEvent, ...], after: View, words: Messages
) -> Iterator[SakuraScene]:
    """Show what was drawn or turned over, and then what the cards did."""
    action, heading, played = seen[0].action, None, before.played
    for line in narrate_rebuilt(before, after, words):
        yield _still_scene("rebuilt", before, line)
    if isinstance(before.turn, Draw) and (painter := before.turn.to) is not None:
        card = None if action is None else action.card
        lines = narrate_draw(before, painter, action, words)
        yield _still_scene("draw", after, _join(lines), card=card, painter=painter)
        return
    if isinstance(action, Direction):
        heading = action.heading
    elif isinstance(action, Dealt):
        played = (*played, action.card)
        lines = narrate_court_card(before, action.card, words)
        yield _still_scene("court", before._replace(played=played), _join(lines), card=action.card)
    else:
        played, lines = narrate_cards(before, seen, words)
        yield _still_scene("reveal", before._replace(played=played), _join(lines))
    if len(played) == len(before.painters):
        narrator = RoundNarrator(before, played, words)
        yield from (_show_moment(moment, played) for moment in narrator.list_moments(heading))
        yield from _show_next(after, words)


def _show_moment(moment: Moment, played: tuple[Card, ...]) -> SakuraScene:
    """Show what an action of a card does, or what follows at a sakura."""
    kind, text, done, card, painter, emperor, painters, ledgers, scored = moment
    action = None if card is None else done % 2
    tokens, shown = tuple(map(sum, ledgers)), played_to_wire(played, done + (card is not None))
    figures = (painter, emperor, painters, tokens, scored)
    return SakuraScene(kind, _say(text), card, action, *figures, shown)


def _show_next(after: View, words: Messages) -> Iterator[SakuraScene]:
    """Show who is asked for a direction, or that the game is over."""
    for line in narrate_next(after, words):
        if isinstance(after.turn, Over):
            yield _still_scene("over", after, line)
        elif isinstance(after.turn, Choose):
            (owner,) = after.turn.seats
            yield _still_scene("ask", after, line, card=after.played[owner], painter=owner)


def _still_scene(
    kind: SakuraSceneKind,
    view: View,
    caption: str,
    *,
    card: Card | None = None,
    painter: int | None = None,
) -> SakuraScene:
    """Make a scene in which no piece moves."""
    action = view.done % 2 if kind == "ask" else None
    tokens, shown = tuple(map(sum, view.ledgers)), played_to_wire(view.played, view.done)
    figures = (painter, view.emperor, view.painters, tokens, view.scored)
    return SakuraScene(kind, _say(caption), card, action, *figures, shown)


def _join(lines: list[str]) -> str:
    """Write in one line what the story breaks into several."""
    return " ".join(line.strip() for line in lines)


def _say(text: str) -> str:
    """Write a part of a sentence as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
