"""The story of a step: its choices and draws in words, with their results."""

from __future__ import annotations

from typing import assert_never

from pleasance.core.catalog import Messages
from pleasance.core.game import SeenEvent
from pleasance.games.sanssouci.display.text import describe
from pleasance.games.sanssouci.display.wording import (
    card_words,
    edition_for,
    name_cell,
    name_motif,
    name_seat,
)
from pleasance.games.sanssouci.rules import actions
from pleasance.games.sanssouci.rules.actions import Action, Outcome
from pleasance.games.sanssouci.rules.moves import belongs
from pleasance.games.sanssouci.rules.state import NOWHERE, Phase
from pleasance.games.sanssouci.rules.view import View


def narrate(
    before: View, seen: tuple[SeenEvent, ...], after: View, words: Messages
) -> tuple[str, ...]:
    """Narrate each choice and draw with its result."""
    return tuple(line for event in seen for line in _narrate_event(before, event, after, words))


def _narrate_event(before: View, event: SeenEvent, after: View, words: Messages) -> tuple[str, ...]:
    """Narrate one choice or draw."""
    if event.seat is None:
        return (words("event.open", what=describe(before.box.components, event.action, words)),)
    if event.action is None:
        return (words("tell.hidden", who=name_seat(event.seat, words)),)
    is_you = event.seat == before.seat
    who = words("who.you") if is_you else name_seat(event.seat, words)
    key, named = _find_message(before, event.action, after, words)
    points = sum(after.gardens[event.seat].ledger) - sum(before.gardens[event.seat].ledger)
    sentence = words(key, who=who, is_you="yes" if is_you else "no", points=points, **named)
    return (sentence, *_narrate_boar(before, event, after, words))


def _find_message(
    before: View, action: Action | Outcome, after: View, words: Messages
) -> tuple[str, dict[str, str | int]]:
    """Find the message of a choice or draw, and its parameters."""
    edition = edition_for(before.box.components, words)
    match action:
        case actions.Take(card, space):
            # The tile says where it goes: to its row, in the column of its motif (S-13).
            named = name_cell(belongs(space, before.market[space]), edition, words)
            becomes = "gardener" if after.phase is Phase.PLACE else "tile"
            return "tell.take", {
                "card": card_words(card, edition, words), "becomes": becomes, **named
            }  # fmt: skip
        case actions.Place(cell) | actions.Walk(cell) | actions.Boar(cell):
            return f"tell.{type(action).__name__.lower()}", name_cell(cell, edition, words)
        case actions.Side(side):
            return "tell.side", {"side": side.name}
        case actions.DrawnCard(card):
            return "tell.card", {"card": card_words(card, edition, words)}
        case actions.Mission(motif):
            return "tell.mission", {"motif": name_motif(motif, edition, words)}
        case actions.Stay():
            return "tell.stay", {}
        case (
            actions.FirstPlayer()
            | actions.GardenBoard()
            | actions.RewardsBoard()
            | actions.TurnedTile()
        ):
            raise AssertionError(f"{action} is not told of one seat")
        case _:
            assert_never(action)


def _narrate_boar(before: View, event: SeenEvent, after: View, words: Messages) -> tuple[str, ...]:
    """Narrate the removal of a boar (S-25)."""
    assert event.seat is not None, event
    was, now = before.gardens[event.seat].boar, after.gardens[event.seat].boar
    return (words("tell.boar_gone"),) if was != NOWHERE and now == NOWHERE else ()
