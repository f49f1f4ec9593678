"""Puts a view of Sakura, and the facts of the box, into the shapes of the wire."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never, get_args

from pleasance.core.bits import Roster
from pleasance.core.game import Choose, Draw, Over, Turn
from pleasance.games.sakura.display.move_preview import Landing, land
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

_CARDS = Roster([*CARDS], width=12)
_MOVES: tuple[SakuraMove, ...] = get_args(SakuraMove)
_ACTIONS = 2
"""Actions of a card."""


def show(view: View) -> SakuraView:
    """Tell what a seat knows, field by field."""
    phase, actor = _tell_phase(view.turn)
    return SakuraView(
        seat=view.seat,
        phase=phase,
        actor=actor,
        giver=due_giver(view),
        round=view.number,
        emperor=view.emperor,
        painters=view.painters,
        tokens=tuple([sum(ledger) for ledger in view.ledgers]),
        ledgers=tuple([_show_ledger(ledger) for ledger in view.ledgers]),
        scored=view.scored,
        hand=_list_cards(view.hand),
        hand_sizes=tuple([sum(origins) for origins in view.origins]),
        origins=view.origins,
        deck_size=view.deck_size,
        discards=_list_cards(view.discards),
        decks=tuple([_list_cards(deck) for deck in view.decks]),
        played=show_played(view.played, view.done),
        draws=view.draws,
        landings=_show_landings(land(view)),
    )


def own(view: View) -> dict[str, object]:
    """Tell what a seat alone knows: its hand, and where its painter would land."""
    landings = _show_landings(land(view))
    return {"seat": view.seat, "hand": _CARDS.pick(view.hand >> 1), "landings": landings}


def _tell_phase(turn: Turn) -> tuple[SakuraPhase, int | None]:
    """Tell what is due, and of whom; a card that everybody sees is the court painter's."""
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
def _show_ledger(ledger: Ledger) -> SakuraLedger:
    """Tell where a painter's tokens come from (K-4, K-9, K-19)."""
    return SakuraLedger(ledger[START], ledger[DISGRACES], ledger[SAKURA:])


@lru_cache(maxsize=1 << 10)
def show_played(played: tuple[Card, ...], done: int) -> tuple[SakuraPlayed, ...]:
    """Put the cards on the table in order of initiative (K-6)."""
    return tuple(
        SakuraPlayed(played.index(card), card, min(max(done - _ACTIONS * place, 0), _ACTIONS))
        for place, card in enumerate(sorted(played))
    )


def _show_landings(landings: tuple[Landing, ...]) -> tuple[SakuraLanding, ...]:
    """Tell where the own painter would land by each choice."""
    return tuple([_show_landing(*landing) for landing in landings])


_show_landing = lru_cache(maxsize=1 << 12)(SakuraLanding)
"""Makes a landing, or gives the same again: painters come by the same spaces in all games."""


def unpack(box: Box, seats: int) -> SakuraBox:
    """Tell what never changes during a game for so many *seats*."""
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
        cards=tuple(_show_card(box, card) for card in CARDS),
        painters=tuple(
            SakuraPainter(look.letter, look.shape, look.color, dict(look.names))
            for look in box.painters[:painters]
        ),
    )


def _show_card(box: Box, card: Card) -> SakuraCard:
    """Show what is printed on a card (K-3)."""
    garden, painter = box.faces[card]
    return SakuraCard(card, _show_action(garden), _show_action(painter))


def _show_action(action: CardAction) -> SakuraAction:
    return SakuraAction(_MOVES[action.move], action.steps, action.is_free)
