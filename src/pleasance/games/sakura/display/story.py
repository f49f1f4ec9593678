"""The story of Sakura: the events of one step, sentence by sentence.

It is made from what the viewing seat saw, by carrying out the cards once more, so that nothing
hidden can come into it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pleasance.core.catalog import Messages
from pleasance.core.game import Choose, Draw, Over, SeenEvent
from pleasance.games.sakura.display.round_narration import RoundNarrator, in_lines
from pleasance.games.sakura.display.wording import name_person, say_action, who_is
from pleasance.games.sakura.rules.actions import Dealt, Direction, Play, PlayBoth
from pleasance.games.sakura.rules.components import Card, Move
from pleasance.games.sakura.rules.view import View


def narrate(
    before: View, seen: tuple[SeenEvent, ...], after: View, words: Messages
) -> tuple[str, ...]:
    """Narrate one step, in the order of its events."""
    return tuple(
        line[:1].upper() + line[1:] for line in _list_sentences(before, seen, after, words)
    )


def _list_sentences(
    before: View, seen: tuple[SeenEvent, ...], after: View, words: Messages
) -> Iterator[str]:
    """Narrate what was drawn or chosen, and then what the cards did."""
    action, heading = seen[0].action, None
    yield from narrate_rebuilt(before, after, words)
    if isinstance(before.turn, Draw) and before.turn.to is not None:
        yield from narrate_draw(before, before.turn.to, action, words)
        return
    played = before.played
    if isinstance(action, Direction):
        heading = action.heading
    elif isinstance(action, Dealt):
        played = (*played, action.card)
        yield from narrate_court_card(before, action.card, words)
    else:
        played, lines = narrate_cards(before, seen, words)
        yield from lines
    if len(played) == len(before.painters):
        yield from RoundNarrator(before, played, words).narrate(heading)
        yield from narrate_next(after, words)


def narrate_rebuilt(before: View, after: View, words: Messages) -> Iterator[str]:
    """Narrate that the discards have become a new deck (K-6)."""
    if len(after.decks) > len(before.decks):
        yield words("story.rebuilt", cards=after.decks[-1].bit_count())


def narrate_court_card(view: View, card: Card, words: Messages) -> list[str]:
    """Narrate which card the court painter plays (K-22)."""
    does = [say_action(each, words) for each in view.box.faces[card]]
    return in_lines(words("story.court", card=card), does)


def narrate_draw(view: View, painter: int, outcome: Dealt | None, words: Messages) -> list[str]:
    """Narrate a draw, with the card where it was seen."""
    name = name_person(view, painter, words)
    if outcome is None:
        return [words("story.draw_hidden", painter=name)]
    does = [say_action(each, words) for each in view.box.faces[outcome.card]]
    drawn = words("story.draw", who=who_is(view, painter), painter=name, card=outcome.card)
    return in_lines(drawn, does)


def narrate_cards(
    view: View, seen: tuple[SeenEvent, ...], words: Messages
) -> tuple[tuple[Card, ...], list[str]]:
    """Narrate the cards turned over, beginning with the own one; list them by painter too."""
    own: dict[int, Card] = {}
    given: list[Card] = []
    lines: list[str] = []
    for seat, choice in seen:
        assert seat is not None, choice
        if isinstance(choice, PlayBoth):
            own[seat] = choice.own
            given.append(choice.court)
            names = {"painter": name_person(view, seat, words), "who": who_is(view, seat)}
            lines.append(words("story.for_court", **names, card=choice.court))
        elif isinstance(choice, Play):
            own[seat] = choice.card
    first, *others = sorted(own, key=lambda painter: (painter != view.seat, painter))
    name = name_person(view, first, words)
    parts = [words("story.play", who=who_is(view, first), painter=name, card=own[first])]
    for other in others:
        name = name_person(view, other, words)
        parts.append(words("story.play_too", painter=name, card=own[other]))
    return (*own.values(), *given), [", ".join(parts) + ".", *lines]


def narrate_next(after: View, words: Messages) -> Iterator[str]:
    """Narrate whose direction is needed, or that the game is over."""
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
