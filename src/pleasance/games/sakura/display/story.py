"""Sakura as a story: what one step made happen, sentence by sentence.

It is told from what the looking seat saw, by carrying out the cards once more, so that nothing
hidden can come into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pleasance.core.game import Choose, Draw, Over, Seen
from pleasance.games.sakura.display.round_narration import Witness, in_lines
from pleasance.games.sakura.display.wording import name_person, say_action, who_is
from pleasance.games.sakura.rules.actions import Dealt, Direction, Play, PlayBoth
from pleasance.games.sakura.rules.components import Card, Move
from pleasance.games.sakura.rules.view import View

if TYPE_CHECKING:
    from pleasance.i18n.catalog import Words


def recount(before: View, seen: tuple[Seen, ...], after: View, words: Words) -> tuple[str, ...]:
    """Tell what happened in one step, in the order in which it did."""
    return tuple(line[:1].upper() + line[1:] for line in _tell(before, seen, after, words))


def _tell(before: View, seen: tuple[Seen, ...], after: View, words: Words) -> Iterator[str]:
    """Tell what was drawn or chosen, and then what the cards did."""
    action, heading = seen[0].action, None
    yield from tell_rebuilt(before, after, words)
    if isinstance(before.turn, Draw) and before.turn.to is not None:
        yield from tell_draw(before, before.turn.to, action, words)
        return
    played = before.played
    if isinstance(action, Direction):
        heading = action.heading
    elif isinstance(action, Dealt):
        played = (*played, action.card)
        yield from tell_court(before, action.card, words)
    else:
        played, told = tell_cards(before, seen, words)
        yield from told
    if len(played) == len(before.painters):
        yield from Witness(before, played, words).tell(heading)
        yield from tell_next(after, words)


def tell_rebuilt(before: View, after: View, words: Words) -> Iterator[str]:
    """Tell that the discards have become a new deck (K-6)."""
    if len(after.decks) > len(before.decks):
        yield words("story.rebuilt", cards=after.decks[-1].bit_count())


def tell_court(view: View, card: Card, words: Words) -> list[str]:
    """Tell which card the court painter plays (K-22)."""
    does = [say_action(each, words) for each in view.box.faces[card]]
    return in_lines(words("story.court", card=card), does)


def tell_draw(view: View, painter: int, outcome: Dealt | None, words: Words) -> list[str]:
    """Tell who draws a card and, where that was seen, which."""
    name = name_person(view, painter, words)
    if outcome is None:
        return [words("story.draw_hidden", painter=name)]
    does = [say_action(each, words) for each in view.box.faces[outcome.card]]
    drawn = words("story.draw", who=who_is(view, painter), painter=name, card=outcome.card)
    return in_lines(drawn, does)


def tell_cards(
    view: View, seen: tuple[Seen, ...], words: Words
) -> tuple[tuple[Card, ...], list[str]]:
    """Tell which cards are turned over, beginning with the own one; and list them by painter."""
    own: dict[int, Card] = {}
    given: list[Card] = []
    told: list[str] = []
    for seat, choice in seen:
        assert seat is not None, choice
        if isinstance(choice, PlayBoth):
            own[seat] = choice.own
            given.append(choice.court)
            names = {"painter": name_person(view, seat, words), "who": who_is(view, seat)}
            told.append(words("story.for_court", **names, card=choice.court))
        elif isinstance(choice, Play):
            own[seat] = choice.card
    first, *others = sorted(own, key=lambda painter: (painter != view.seat, painter))
    name = name_person(view, first, words)
    parts = [words("story.play", who=who_is(view, first), painter=name, card=own[first])]
    for other in others:
        name = name_person(view, other, words)
        parts.append(words("story.play_too", painter=name, card=own[other]))
    return (*own.values(), *given), [", ".join(parts) + ".", *told]


def tell_next(after: View, words: Words) -> Iterator[str]:
    """Tell who is asked for a direction, or that the game is over."""
    if isinstance(after.turn, Over):
        yield words("story.over")
    if not isinstance(after.turn, Choose):
        return
    (owner,) = after.turn.seats
    card = sorted(after.played)[after.done // 2]
    move = after.box.faces[card][after.done % 2].move
    what = "emperor" if move is Move.EMPEROR else "painter"
    name = name_person(after, owner, words)
    yield words("story.ask", who=who_is(after, owner), painter=name, what=what)
