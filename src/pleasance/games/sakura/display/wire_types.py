"""How Sakura looks on the wire: the view of a seat, and the facts of the box.

Cards and spaces are their numbers, as in a choice; a space counts from the gate, which is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

SakuraPhase: TypeAlias = Literal["choose", "court", "direction", "draw", "over"]
"""What is due: all choose a card, the court painter draws, one chooses a direction, one draws."""

SakuraMove: TypeAlias = Literal["emperor", "closest", "furthest", "walk", "leap", "count"]
"""Who moves by an action: three in the garden, and three ways for the card's own painter."""

SakuraHappening: TypeAlias = Literal[
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
"""What a scene shows: cards drawn or turned over; the Emperor goes, and comes upon a painter; a
painter goes, leaps, or bumps into him; nobody moves, or somebody must choose the way; cards are not
carried out, tokens are paid, ranks close; the end."""


@dataclass(frozen=True, slots=True)
class SakuraLedger:
    """Where a painter's tokens come from; they add up to what it has."""

    start: int
    disgraces: int
    """Never above 0."""

    sakura: tuple[int, ...]
    """What it was paid at each sakura."""


@dataclass(frozen=True, slots=True)
class SakuraPlayed:
    """A card on the table."""

    painter: int
    card: int
    done: int
    """How many of its two actions have been carried out."""


@dataclass(frozen=True, slots=True)
class SakuraLanding:
    """Where the own painter would come to stand by a choice, if nobody else moved."""

    token: str
    """The choice: the own card, or a direction; one that leaves a way open is here repeatedly."""

    space: int
    emperor: int
    """Where the Emperor would stand then."""

    is_disgraced: bool


@dataclass(frozen=True, slots=True)
class SakuraView:
    """What one seat sees; lists by painter are in seat order, the court painter last."""

    seat: int | None
    """Who looks; `None` is a spectator."""

    phase: SakuraPhase
    actor: int | None
    """Who chooses a direction or draws; `None` where all choose, or nobody."""

    giver: int | None
    """Who must choose a card for the court painter too."""

    round: int
    """From 1; 0 during set-up."""

    emperor: int
    """The space where the Emperor stands."""

    painters: tuple[int, ...]
    """The space where each painter stands."""

    tokens: tuple[int, ...]
    """What each painter has."""

    ledgers: tuple[SakuraLedger, ...]
    """Why each painter has it."""

    scored: int
    """How many sakura have been scored."""

    hand: tuple[int, ...]
    """The looking seat's own cards."""

    hand_sizes: tuple[int, ...]
    origins: tuple[tuple[int, ...], ...]
    """For each seat, how many cards of its hand come from each deck."""

    deck_size: int
    """How many cards can be drawn before the deck is rebuilt."""

    discards: tuple[int, ...]
    decks: tuple[tuple[int, ...], ...]
    """What was in each deck when it was made: the first one, and those rebuilt from discards."""

    played: tuple[SakuraPlayed, ...]
    """The cards on the table, in the order in which they are carried out."""

    draws: tuple[int, ...]
    """Who must still draw a card, in order."""

    landings: tuple[SakuraLanding, ...]
    """Where the own painter would land by each choice that is due."""


@dataclass(frozen=True, slots=True)
class SakuraScene:
    """One moment of a step, and how all stand after it."""

    kind: SakuraHappening
    caption: str
    """The same in words."""

    card: int | None
    """The card that is drawn or carried out."""

    action: int | None
    """Which of its two actions: 0 in the garden, 1 of the painter."""

    painter: int | None
    """Whom it is about; `None` where that is the Emperor, or nobody."""

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
    """What is printed on a card, in the order in which it is carried out."""

    card: int
    garden: SakuraAction
    painter: SakuraAction


@dataclass(frozen=True, slots=True)
class SakuraPath:
    """The path from the gate, which is space 0, to the last sakura."""

    bridges: tuple[int, ...]
    """Every space of the four bridges."""

    torii: int
    """Where the Emperor starts."""

    sakura: tuple[int, ...]
    """The three sakura spaces; the last one ends the path."""


@dataclass(frozen=True, slots=True)
class SakuraPainter:
    """How one painter looks."""

    letter: str
    shape: str
    color: str
    names: dict[str, str]
    """The name of the color in each language."""


@dataclass(frozen=True, slots=True)
class SakuraBox:
    """What never changes during a game."""

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
