"""Serializers of views and box facts to the wire types."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never, get_args

from pleasance.core.bits import SubsetLookup
from pleasance.core.game import Choose, Draw, Over, Turn
from pleasance.games.sakura.display.move_preview import Landing, list_landings
from pleasance.games.sakura.display.wire_types import (
    SakuraAction,
    SakuraBox,
    SakuraCard,
    SakuraLanding,
    SakuraLedger,
    SakuraMove,
    SakuraPainter,
    SakuraPath,
    SakuraPhase,
    SakuraPlayed,
    SakuraView,
)
from pleasance.games.sakura.display.wording import due_giver
from pleasance.games.sakura.rules.components import CARDS, Box, Card, CardAction
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.rules.state import DISGRACES, SAKURA, START, Cards, Ledger
from pleasance.games.sakura.rules.view import View

_CARDS = SubsetLookup([*CARDS], width=12)
_MOVES: tuple[SakuraMove, ...] = get_args(SakuraMove)
_ACTIONS = 2
"""Actions of a card."""


def view_to_wire(view: View) -> SakuraView:
    """Convert what a seat knows, field by field."""
    phase, actor = _find_phase(view.turn)
    return SakuraView(
        seat=view.seat,
        phase=phase,
        actor=actor,
        giver=due_giver(view),
        round=view.number,
        emperor=view.emperor,
        painters=view.painters,
        tokens=tuple([sum(ledger) for ledger in view.ledgers]),
        ledgers=tuple([_ledger_to_wire(ledger) for ledger in view.ledgers]),
        scored=view.scored,
        hand=_list_cards(view.hand),
        hand_sizes=tuple([sum(origins) for origins in view.origins]),
        origins=view.origins,
        deck_size=view.deck_size,
        discards=_list_cards(view.discards),
        decks=tuple([_list_cards(deck) for deck in view.decks]),
        played=played_to_wire(view.played, view.done),
        draws=view.draws,
        landings=_landings_to_wire(list_landings(view)),
    )


def private_to_wire(view: View) -> dict[str, object]:
    """Convert what a seat alone knows: its hand, and where its painter would land."""
    landings = _landings_to_wire(list_landings(view))
    return {"seat": view.seat, "hand": _CARDS.pick(view.hand >> 1), "landings": landings}


def _find_phase(turn: Turn) -> tuple[SakuraPhase, int | None]:
    """Find the phase and its seat; a card drawn in public is the court painter's."""
    match turn:
        case Over():
            return "over", None
        case Draw(to):
            return ("court" if to is None else "draw"), to
        case Choose((owner,)):
            return "direction", owner
        case Choose():
            return "choose", None
        case _:
            assert_never(turn)


@lru_cache(maxsize=1 << 10)
def _list_cards(cards: Cards) -> tuple[Card, ...]:
    """List the cards of a set; there is no card 0."""
    return _CARDS.pick(cards >> 1)


@lru_cache(maxsize=1 << 10)
def _ledger_to_wire(ledger: Ledger) -> SakuraLedger:
    """Convert a ledger: the causes of a painter's tokens (K-4, K-9, K-19)."""
    return SakuraLedger(ledger[START], ledger[DISGRACES], ledger[SAKURA:])


@lru_cache(maxsize=1 << 10)
def played_to_wire(played: tuple[Card, ...], done: int) -> tuple[SakuraPlayed, ...]:
    """Put the cards on the table in order of initiative (K-6)."""
    return tuple(
        SakuraPlayed(played.index(card), card, min(max(done - _ACTIONS * place, 0), _ACTIONS))
        for place, card in enumerate(sorted(played))
    )


def _landings_to_wire(landings: tuple[Landing, ...]) -> tuple[SakuraLanding, ...]:
    """Convert the spaces where the own painter would land by each choice."""
    return tuple([_landing_to_wire(*landing) for landing in landings])


_landing_to_wire = lru_cache(maxsize=1 << 12)(SakuraLanding)
"""Makes a landing, or gives the same again: painters come by the same spaces in all games."""


def box_to_wire(box: Box, seats: int) -> SakuraBox:
    """Convert the facts that never change during a game for *seats* players."""
    painters = 3 if seats == 2 else seats  # noqa: PLR2004  (two players and the court painter)
    path = box.paths[seats]
    return SakuraBox(
        seats=seats,
        is_tactical=TACTICAL in box.options,
        hand=box.hand,
        tokens=box.tokens,
        disgrace=box.disgrace,
        path=SakuraPath(path.bridges, path.torii, path.sakura),
        pay=box.pay[seats],
        cards=tuple(_card_to_wire(box, card) for card in CARDS),
        painters=tuple(
            SakuraPainter(look.letter, look.shape, look.color, dict(look.names))
            for look in box.painters[:painters]
        ),
    )


def _card_to_wire(box: Box, card: Card) -> SakuraCard:
    """Show what is printed on a card (K-3)."""
    garden, painter = box.faces[card]
    return SakuraCard(card, _action_to_wire(garden), _action_to_wire(painter))


def _action_to_wire(action: CardAction) -> SakuraAction:
    return SakuraAction(_MOVES[action.move], action.steps, action.is_free)
