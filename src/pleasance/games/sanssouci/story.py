"""Tells what happened between two views, in words."""

from __future__ import annotations

from pleasance.core.game import Seen
from pleasance.core.messages import Words
from pleasance.games.sanssouci.actions import DrawnCard, Place, Take, Walk, space_name
from pleasance.games.sanssouci.components import Motif
from pleasance.games.sanssouci.garden import cell_name, column_of, row_of
from pleasance.games.sanssouci.moves import belongs
from pleasance.games.sanssouci.state import NOWHERE, Phase
from pleasance.games.sanssouci.text import describe
from pleasance.games.sanssouci.view import View
from pleasance.games.sanssouci.wording import card_words, edition_for, name_seat


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
            motif = Motif(before.market[space])
            cell = "none" if after.phase is Phase.PLACE else cell_name(belongs(space, motif))
            name = edition.motifs[motif][words.language]
            played = card_words(card, edition, words)
            place = space_name(space)
            told = words(
                "tell.take",
                who=who, is_you=you, card=played, motif=name, space=place, cell=cell, points=points,
            )  # fmt: skip
        case Place(cell):
            told = words("tell.place", who=who, is_you=you, cell=cell_name(cell), points=points)
        case Walk(cell):
            name, row = edition.motifs[column_of(cell)][words.language], row_of(cell)
            told = words("tell.walk", who=who, is_you=you, motif=name, row=row, points=points)
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
