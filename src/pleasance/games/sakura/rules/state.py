"""The state of a game of Sakura, hidden facts included."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, TypeAlias

from pleasance.core.bits import mask_of
from pleasance.core.game import Seat
from pleasance.games.sakura.rules.components import CARDS, Box, Card, Space
from pleasance.games.sakura.rules.path import Places

Cards: TypeAlias = int
"""A set of cards: bit 17 stands for card 17."""

ALL_CARDS: Cards = mask_of(CARDS)

Ledger: TypeAlias = tuple[int, ...]
"""A painter's tokens by their cause: the start, disgraces (never above 0), the three sakura."""

START = 0
DISGRACES = 1
SAKURA = 2
"""Entries of a ledger; the first sakura is entry 2."""


class State(NamedTuple):
    """A game of Sakura at one moment."""

    box: Box

    number: int
    """The round, from 1; 0 during set-up. Refilling the hands belongs to the round it ends."""

    emperor: Space
    """The Emperor's space."""

    painters: Places
    """The space of each painter: seat by seat, then the court painter where there is one."""

    ledgers: tuple[Ledger, ...]
    """Each painter's tokens by their cause; they add up to what it has."""

    scored: int
    """The number of sakura scored."""

    hands: tuple[Cards, ...]
    """The cards of each seat."""

    deck: Cards
    """The cards that can still be drawn; the order is not decided before a card is drawn."""

    discards: Cards
    """The cards that have been played and lie open."""

    decks: tuple[Cards, ...]
    """The cards of each deck when it was made: the first one, and those rebuilt from discards.

    All seats saw the discards go in, so this is public. A card in a hand comes from the last
    deck that holds it.
    """

    played: tuple[Card, ...]
    """The cards on the table, painter by painter; the court painter's may still be missing."""

    done: int
    """The number of actions of these cards carried out: two a card, the lowest card first."""

    draws: tuple[Seat, ...]
    """The seats that must still draw a card, in order."""


new_state = partial(State.__new__, State)
"""Makes a state in two thirds of the time that calling the class takes."""
