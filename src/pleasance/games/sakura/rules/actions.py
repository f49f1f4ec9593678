"""The actions of Sakura, choices and draws, with their numbers and texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from pleasance.core.errors import BadNotationError
from pleasance.core.space import ActionSpace
from pleasance.games.sakura.rules.components import CARDS, Card


class Heading(IntEnum):
    """The two ways along the path; the value is one step (K-9)."""

    FORWARD = 1
    BACK = -1


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card (K-6)."""

    card: Card

    def __str__(self) -> str:
        return str(self.card)


@dataclass(frozen=True, slots=True)
class PlayBoth:
    """Play a card and another one for the court painter (K-23)."""

    own: Card
    court: Card

    def __str__(self) -> str:
        return f"{self.own}/{self.court}"


@dataclass(frozen=True, slots=True)
class Direction:
    """Choose the way where the card says ± (K-7)."""

    heading: Heading

    def __str__(self) -> str:
        return _SIGNS[self.heading]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card drawn from the deck (K-6), for a hand or for the court painter (K-22)."""

    card: Card

    def __str__(self) -> str:
        return f"+{self.card}"


Choice: TypeAlias = Play | PlayBoth | Direction

SPACE: ActionSpace[Choice] = ActionSpace(
    (Play, (CARDS,)),  # 0..59: card
    (PlayBoth, (CARDS, CARDS)),  # 60..3659: own card, court painter's card
    (Direction, (tuple(Heading),)),  # 3660..3661: forward, back
)

DRAWS: ActionSpace[Dealt] = ActionSpace(
    (Dealt, (CARDS,)),  # 0..59: card
)

_SIGNS = {Heading.FORWARD: "^", Heading.BACK: "v"}
_HEADINGS = {sign: heading for heading, sign in _SIGNS.items()}
_NUMBER = "([1-9]|[1-5][0-9]|60)"
_CARD = re.compile(_NUMBER)
_PAIR = re.compile(f"{_NUMBER}/{_NUMBER}")


def parse(token: str) -> Choice | Dealt:
    """Read a choice or a draw.

    >>> parse("17/42"), parse("+3")
    (PlayBoth(own=17, court=42), Dealt(card=3))
    """
    if token in _HEADINGS:
        return Direction(_HEADINGS[token])
    if pair := _PAIR.fullmatch(token):
        return PlayBoth(Card(int(pair[1])), Card(int(pair[2])))
    number = _CARD.fullmatch(token.removeprefix("+"))
    if number is None:
        raise BadNotationError("unreadable", token=token)
    card = Card(int(number[1]))
    return Dealt(card) if token.startswith("+") else Play(card)
