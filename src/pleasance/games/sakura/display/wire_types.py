"""The wire types of Sakura: the view of a seat, and the facts of the box.

Cards and spaces are their numbers, as in a choice; a space counts from the gate, which is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

SakuraPhase: TypeAlias = Literal["choose", "court", "direction", "draw", "over"]
"""The phase: all choose a card, the court painter draws, one chooses a direction, one draws."""

SakuraMove: TypeAlias = Literal["emperor", "closest", "furthest", "walk", "leap", "count"]
"""The moves of actions: three in the garden, and three ways for the card's own painter."""

SakuraSceneKind: TypeAlias = Literal[
    "rebuilt",
    "draw",
    "reveal",
    "court",
    "emperor",
    "caught",
    "walk",
    "leap",
    "bump",
    "stay",
    "ask",
    "unresolved",
    "score",
    "ranks",
    "over",
]
"""The subject of a scene: cards drawn or turned over; the Emperor goes, and comes upon a painter; a
painter goes, leaps, or bumps into him; no piece moves, or a seat must choose the way; cards are not
carried out, tokens are paid, ranks close; the end."""


@dataclass(frozen=True, slots=True)
class SakuraLedger:
    """The causes of a painter's tokens; they add up to what it has."""

    start: int
    disgraces: int
    """Never above 0."""

    sakura: tuple[int, ...]
    """Tokens paid at each sakura."""


@dataclass(frozen=True, slots=True)
class SakuraPlayed:
    """A card on the table."""

    painter: int
    card: int
    done: int
    """The number of its two actions that have been carried out."""


@dataclass(frozen=True, slots=True)
class SakuraLanding:
    """The space of the own painter after a choice, if no one else moved."""

    token: str
    """The choice: the own card, or a direction; one that leaves a way open is here repeatedly."""

    space: int
    emperor: int
    """The Emperor's space then."""

    is_disgraced: bool


@dataclass(frozen=True, slots=True)
class SakuraView:
    """The view of one seat; lists by painter are in seat order, the court painter last."""

    seat: int | None
    """The viewing seat; `None` is a spectator."""

    phase: SakuraPhase
    actor: int | None
    """The seat that chooses a direction or draws; `None` where all choose, or none."""

    giver: int | None
    """The seat that must choose a card for the court painter too."""

    round: int
    """From 1; 0 during set-up."""

    emperor: int
    """The space where the Emperor stands."""

    painters: tuple[int, ...]
    """The space where each painter stands."""

    tokens: tuple[int, ...]
    """The tokens of each painter."""

    ledgers: tuple[SakuraLedger, ...]
    """The causes of each painter's tokens."""

    scored: int
    """The number of sakura scored."""

    hand: tuple[int, ...]
    """The viewing seat's own cards."""

    hand_sizes: tuple[int, ...]
    origins: tuple[tuple[int, ...], ...]
    """For each seat, how many cards of its hand come from each deck."""

    deck_size: int
    """Cards that can be drawn before the deck is rebuilt."""

    discards: tuple[int, ...]
    decks: tuple[tuple[int, ...], ...]
    """The cards of each deck when it was made: the first one, and those rebuilt from discards."""

    played: tuple[SakuraPlayed, ...]
    """The cards on the table, in the order in which they are carried out."""

    draws: tuple[int, ...]
    """The seats that must still draw a card, in order."""

    landings: tuple[SakuraLanding, ...]
    """The landing of the own painter by each choice that is due."""


@dataclass(frozen=True, slots=True)
class SakuraScene:
    """One moment of a step, and how all stand after it."""

    kind: SakuraSceneKind
    caption: str
    """The same in words."""

    card: int | None
    """The card that is drawn or carried out."""

    action: int | None
    """The number of its action: 0 in the garden, 1 of the painter."""

    painter: int | None
    """Its painter; `None` where it is about the Emperor, or no piece."""

    emperor: int
    painters: tuple[int, ...]
    tokens: tuple[int, ...]
    scored: int
    played: tuple[SakuraPlayed, ...]
    """The cards on the table, in the order in which they are carried out."""


@dataclass(frozen=True, slots=True)
class SakuraAction:
    """One of the two actions of a card."""

    move: SakuraMove
    steps: int
    """Spaces to go: positive forward, negative back; 0 where the position tells."""

    is_free: bool
    """Whether the owner chooses the direction."""


@dataclass(frozen=True, slots=True)
class SakuraCard:
    """The face of a card, in the order in which it is carried out."""

    card: int
    garden: SakuraAction
    painter: SakuraAction


@dataclass(frozen=True, slots=True)
class SakuraPath:
    """The path from the gate, which is space 0, to the last sakura."""

    bridges: tuple[int, ...]
    """Every space of the four bridges."""

    torii: int
    """The Emperor's first space."""

    sakura: tuple[int, ...]
    """The three sakura spaces; the last one ends the path."""


@dataclass(frozen=True, slots=True)
class SakuraPainter:
    """The look of one painter."""

    letter: str
    shape: str
    color: str
    names: dict[str, str]
    """The name of the color in each language."""


@dataclass(frozen=True, slots=True)
class SakuraBox:
    """The facts that never change during a game."""

    seats: int
    is_tactical: bool
    hand: int
    """Cards that a player holds."""

    tokens: int
    """Tokens that a painter starts with."""

    disgrace: int
    """Empty spaces that a disgraced painter goes back."""

    path: SakuraPath
    pay: tuple[tuple[int, ...], ...]
    """Tokens for each rank, at each sakura."""

    cards: tuple[SakuraCard, ...]
    painters: tuple[SakuraPainter, ...]
    """In seat order; one more than seats where there is a court painter."""
