"""Tells what happened between two views, in words."""

from __future__ import annotations

from pleasance.core.game import Seen
from pleasance.core.messages import Words
from pleasance.games.sanssouci.actions import DrawnCard, Place, Take, Walk
from pleasance.games.sanssouci.moves import belongs
from pleasance.games.sanssouci.state import NOWHERE, Phase
from pleasance.games.sanssouci.text import describe
from pleasance.games.sanssouci.view import View
from pleasance.games.sanssouci.wording import card_words, edition_for, name_cell, name_seat


def recount(before: View, seen: tuple[Seen, ...], after: View, words: Words) -> tuple[str, ...]:
    """Tell each choice and draw with what it brought."""
    return tuple(line for event in seen for line in _tell(before, event, after, words))


def _tell(before: View, event: Seen, after: View, words: Words) -> tuple[str, ...]:
    """Tell one choice or draw."""
    if event.seat is None:
        return (words("event.open", what=describe(before.box.components, event.action, words)),)
    if event.action is None:
        return (words("tell.hidden", who=name_seat(event.seat, words)),)
    is_you = event.seat == before.seat
    who = words("who.you") if is_you else name_seat(event.seat, words)
    you = "yes" if is_you else "no"
    edition = edition_for(before.box.components, words)
    points = sum(after.gardens[event.seat].ledger) - sum(before.gardens[event.seat].ledger)
    match event.action:
        case Take(card, space):
            # The tile says where it goes: to its row, in the column of its motif (S-13).
            at = name_cell(belongs(space, before.market[space]), edition, words)
            played = card_words(card, edition, words)
            becomes = "gardener" if after.phase is Phase.PLACE else "tile"
            told = words(
                "tell.take",
                who=who, is_you=you, card=played, becomes=becomes, points=points, **at,
            )  # fmt: skip
        case Place(cell) | Walk(cell):
            at = name_cell(cell, edition, words)
            key = "tell.place" if isinstance(event.action, Place) else "tell.walk"
            told = words(key, who=who, is_you=you, points=points, **at)
        case DrawnCard(card):
            told = words("tell.card", who=who, is_you=you, card=card_words(card, edition, words))
        case other:
            what = describe(before.box.components, other, words)
            told = words("tell.other", who=name_seat(event.seat, words), what=what)
    return (told, *_tell_boar(before, event, after, words))


def _tell_boar(before: View, event: Seen, after: View, words: Words) -> tuple[str, ...]:
    """Tell of a boar that was removed (S-25)."""
    assert event.seat is not None, event
    was, now = before.gardens[event.seat].boar, after.gardens[event.seat].boar
    return (words("tell.boar_gone"),) if was != NOWHERE and now == NOWHERE else ()
