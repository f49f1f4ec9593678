"""Views of one seat, and determinization: the worlds in which a view could be true."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from pleasance.core.bits import bits, mask_of
from pleasance.core.game import Seat, Turn
from pleasance.core.identity_cache import cache_last
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Choice
from pleasance.games.sakura.rules.components import Box, Card, Space
from pleasance.games.sakura.rules.path import Places
from pleasance.games.sakura.rules.state import Cards, Ledger, State


class View(NamedTuple):
    """Everything one seat may know; nothing else may reach it."""

    seat: Seat | None
    """The viewing seat; `None` is a spectator."""

    turn: Turn
    """The turn: what happens next."""

    legal: tuple[Choice, ...]
    """The legal choices of the viewing seat."""

    box: Box

    number: int
    """The round, from 1; 0 during set-up."""

    emperor: Space
    """The Emperor's space."""

    painters: Places
    """The space of each painter: seat by seat, then the court painter where there is one."""

    ledgers: tuple[Ledger, ...]
    """Each painter's tokens by their cause."""

    scored: int
    """The number of sakura scored."""

    hand: Cards
    """The viewing seat's own cards."""

    origins: tuple[tuple[int, ...], ...]
    """For each seat, how many cards of its hand come from each deck.

    Every seat can keep this count: a draw is seen, though not the card, and a played card shows
    which deck it came from.
    """

    deck_size: int
    """Cards that can be drawn before the deck is rebuilt."""

    discards: Cards

    decks: tuple[Cards, ...]
    """The cards of each deck when it was made."""

    played: tuple[Card, ...]
    """The cards on the table, painter by painter."""

    done: int
    """The number of actions of these cards carried out: two a card, the lowest card first."""

    draws: tuple[Seat, ...]
    """The seats that must still draw a card, in order."""

    @property
    def seats(self) -> int:
        """Count the seats."""
        return len(self.origins)


def view(state: State, seat: Seat | None) -> View:
    """Build up what *seat* knows, field by field; `None` is a spectator."""
    seen = _see(state)
    if seat is None:
        return seen
    return seen._replace(seat=seat, legal=rules.legal(state, seat), hand=state.hands[seat])


@cache_last
def _see(state: State) -> View:
    """Build up what is public."""
    fresh = _leave_out_later(state.decks)
    return View(
        seat=None,
        turn=rules.turn(state),
        legal=(),
        box=state.box,
        number=state.number,
        emperor=state.emperor,
        painters=state.painters,
        ledgers=state.ledgers,
        scored=state.scored,
        hand=0,
        origins=tuple([tuple([(hand & d).bit_count() for d in fresh]) for hand in state.hands]),
        deck_size=state.deck.bit_count(),
        discards=state.discards,
        decks=state.decks,
        played=state.played,
        done=state.done,
        draws=state.draws,
    )


def imagine(view: View, rng: Random) -> State:
    """Deal the hidden cards at random, as the draws would have (K-6).

    An unseen card of an older deck must lie in a hand that has cards from that deck; one of the
    newest deck may also lie in the deck still.
    """
    seen = view.hand | view.discards | mask_of(view.played)
    hands = [view.hand if seat == view.seat else 0 for seat in range(len(view.origins))]
    deck = 0
    for number, fresh in enumerate(_leave_out_later(view.decks)):
        wanted = [
            seat
            for seat, origins in enumerate(view.origins)
            if seat != view.seat
            for _ in range(origins[number])
        ]
        unseen = fresh & ~seen
        dealt = rng.sample(list(bits(unseen)), len(wanted))
        for seat, card in zip(wanted, dealt, strict=True):
            hands[seat] |= 1 << card
        deck = unseen & ~mask_of(dealt)
    return state_from_view(view, tuple(hands), deck)


def state_from_view(view: View, hands: tuple[Cards, ...], deck: Cards) -> State:
    """Fill in the hidden cards of a view."""
    return State(
        box=view.box,
        number=view.number,
        emperor=view.emperor,
        painters=view.painters,
        ledgers=view.ledgers,
        scored=view.scored,
        hands=hands,
        deck=deck,
        discards=view.discards,
        decks=view.decks,
        played=view.played,
        done=view.done,
        draws=view.draws,
    )


def _leave_out_later(decks: tuple[Cards, ...]) -> list[Cards]:
    """Leave in each deck only the cards that came back in no later one."""
    later = 0
    fresh: list[Cards] = []
    for deck in reversed(decks):
        fresh.append(deck & ~later)
        later |= deck
    return fresh[::-1]
