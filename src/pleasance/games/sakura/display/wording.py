"""Wording shared by text, pictures and stories: painters, cards, and what comes next."""

from __future__ import annotations

from typing import assert_never

from pleasance.core.catalog import Messages
from pleasance.core.game import Choose, Draw, Over, Seat
from pleasance.games.sakura.rules.actions import Heading
from pleasance.games.sakura.rules.components import Box, Card, CardAction
from pleasance.games.sakura.rules.rules import find_giver
from pleasance.games.sakura.rules.view import View


def name_color(view: View, painter: int, words: Messages) -> str:
    """Name a painter by its color alone, as in the middle of a sentence."""
    return view.box.painters[painter].names[words.language]


def name_person(view: View, painter: int, words: Messages) -> str:
    """Name whose painter it is, where that is known, and else its color."""
    if painter >= len(view.origins):
        return words("story.the_court")
    return words.name_seat(painter, name_color(view, painter, words))


def name_sign(view: View, painter: int, words: Messages) -> str:
    """Name a painter by whose it is or by its color, with its letter on the path."""
    name = words.name_seat(painter, name_color(view, painter, words))
    return words("text.sign", name=name, letter=view.box.painters[painter].letter)


def name_painter(view: View, painter: int, words: Messages) -> str:
    """Name a painter: its color and letter, and whose it is."""
    letter = view.box.painters[painter].letter
    sign = words("text.sign", name=name_color(view, painter, words), letter=letter)
    if painter >= len(view.origins):
        return words("text.court_painter", sign=sign)
    seat = painter + 1
    if painter == view.seat:
        return words("text.you", sign=sign, seat=seat)
    return words(
        "text.player", sign=sign, who=words.name_seat(painter, words("text.seat", seat=seat))
    )


def who_is(view: View, painter: int) -> str:
    """Name the person of a message: `you` for the viewer, the `court` painter, or any `other`."""
    if painter == view.seat:
        return "you"
    return "court" if painter >= len(view.origins) else "other"


def say_card(box: Box, card: Card, words: Messages) -> str:
    """Put what is printed on a card into words."""
    return "; ".join(say_action(action, words) for action in box.faces[card])


def say_action(action: CardAction, words: Messages) -> str:
    """Put one action of a card into words."""
    way = "free" if action.is_free else Heading(1 if action.steps >= 0 else -1).name.lower()
    return words(f"move.{action.move.name.lower()}", steps=abs(action.steps), way=way)


def headline(view: View, words: Messages) -> str:
    """Say which round it is, what happens next, and how many cards are left."""
    cards = words("text.cards", deck=view.deck_size, discards=view.discards.bit_count())
    return f"{words('text.round', number=view.number)} · {_say_next(view, words)} · {cards}"


def due_giver(view: View) -> Seat | None:
    """Find the seat that must choose a card for the court painter too, if any now (K-23)."""
    is_choosing = isinstance(view.turn, Choose) and not view.played
    return find_giver(view.box, view.painters) if is_choosing else None


def _say_next(view: View, words: Messages) -> str:
    """Say what happens next; a card drawn in public is the court painter's."""
    match view.turn:
        case Over():
            return words("text.over")
        case Draw(to):
            return words("text.court") if to is None else _say_of("text.draw", view, to, words)
        case Choose((owner,)):
            return _say_of("text.direction", view, owner, words)
        case Choose():
            giver = due_giver(view)
            if giver is None:
                return words("text.choose")
            return _say_of("text.choose_two", view, giver, words)
        case _:
            assert_never(view.turn)


def _say_of(key: str, view: View, painter: int, words: Messages) -> str:
    """Say something of one painter, or to the viewer."""
    name = name_sign(view, painter, words)
    return words(key, who=who_is(view, painter), painter=name)
