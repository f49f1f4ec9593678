"""The wording shared by text and pictures: names, cards, and the state of the game."""

from __future__ import annotations

from pleasance.core.catalog import Messages
from pleasance.core.game import Seat
from pleasance.games.sanssouci.rules.components import (
    FREE_CHOICE,
    Card,
    Components,
    Edition,
    Motif,
    board_name,
    card_rows,
)
from pleasance.games.sanssouci.rules.garden import Cell, column_of, row_of
from pleasance.games.sanssouci.rules.state import NO_BOARD, ROUNDS, Phase
from pleasance.games.sanssouci.rules.view import View


def edition_for(components: Components, words: Messages) -> Edition:
    """Find the edition of the theme, or the first one."""
    by_name = {edition.name: edition for edition in components.editions}
    return by_name.get(words.theme, components.editions[0])


def name_motif(motif: int, edition: Edition, words: Messages) -> str:
    """Name a motif, which is also the name of its column."""
    return edition.motifs[motif][words.language]


def name_row(row: int, edition: Edition, words: Messages) -> str:
    """Name *row* 1 to 6."""
    return edition.rows[row - 1][words.language]


def name_cell(cell: Cell, edition: Edition, words: Messages) -> dict[str, str | int]:
    """Name a cell by its column and row, as parameters of a message."""
    return {"motif": name_motif(column_of(cell), edition, words), "row": row_of(cell)}


def card_words(card: Card, edition: Edition, words: Messages) -> str:
    """Name a card."""
    if card < len(Motif):
        return name_motif(card, edition, words)
    if card == FREE_CHOICE:
        return words("card.free")
    one, other = (name_row(row, edition, words) for row in card_rows(card))
    return words("card.pair", one=one, other=other)


def headline(view: View, words: Messages) -> str:
    """Write the headline: the round and the actor."""
    if view.phase is Phase.OVER:
        return words("text.over")
    if view.phase <= Phase.SIDES:
        return words("text.setup")
    round_ = view.turns // len(view.gardens) + 1
    who = words.name_seat(view.actor, words("text.seat", seat=view.actor + 1))
    is_you = "yes" if view.actor == view.seat else "no"
    return words("text.round", round=round_, rounds=ROUNDS, who=who, is_you=is_you)


def garden_title(view: View, seat: Seat, words: Messages) -> str:
    """Name a garden by its owner, its board and the owner's points."""
    garden = view.gardens[seat]
    board = "-" if garden.board == NO_BOARD else board_name(garden.board)
    key = "text.own_garden" if seat == view.seat else "text.garden"
    who, points = name_seat(seat, words), view.scores[seat]
    return words(key, who=who, seat=seat + 1, board=board, points=points)


def name_seat(seat: Seat, words: Messages) -> str:
    """Name the player of a seat, for the beginning of a sentence."""
    return words.name_seat(seat, words("who.seat", seat=seat + 1))
