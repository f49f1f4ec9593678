"""How Sanssouci looks on the wire: the view of a seat, and the facts of the box.

Cells are `a1` to `i6`, a motif is the letter of its column, cards and spaces are as in a choice, so
that every part of a legal choice is found again in what is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

SanssouciPhase: TypeAlias = Literal[
    "first_player",
    "garden",
    "mission",
    "rewards_board",
    "deal",
    "fill",
    "sides",
    "take",
    "place",
    "boar",
    "walk",
    "refill",
    "card",
    "over",
]
"""What is due, in the order of the rules."""


@dataclass(frozen=True, slots=True)
class SanssouciSpace:
    """A space of the main board."""

    space: str
    motif: str | None
    """The tile that lies there."""

    cell: str | None
    """The one cell of a garden where that tile belongs."""


@dataclass(frozen=True, slots=True)
class SanssouciGarden:
    """One player's garden."""

    board: str | None
    """Which side of which garden board this is: `3B`."""

    built: tuple[str, ...]
    """Cells that carry a tile, whichever side is up, or a preprinted motif."""

    gardeners: tuple[str, ...]
    """Cells that carry a tile with the gardener up."""

    nobles: tuple[int, ...]
    """The row where the noble of each column stands; 0 is the terrace."""

    boar: str | None
    """The cell where the boar stands."""

    rewards_board: int | None
    """Which rewards board belongs to it, from 1."""

    rewards_side: str | None
    """Which side of a rewards board lies on it: `4A`."""


@dataclass(frozen=True, slots=True)
class SanssouciCause:
    """One reason why a score is what it is: the message `cause.<code>` with its parameters."""

    code: str
    points: int
    params: dict[str, str | int]


@dataclass(frozen=True, slots=True)
class SanssouciView:
    """What one seat sees; lists by seat are in seat order."""

    seat: int | None
    """Who looks; `None` is a spectator."""

    phase: SanssouciPhase
    actor: int
    """Whose turn it is; while all choose their sides, nobody's in particular."""

    first: int
    """Who plays first."""

    round: int
    """Up to `rounds` of the box; 0 during set-up."""

    turns: int
    """How many turns are complete."""

    market: tuple[SanssouciSpace, ...]
    bag: tuple[int, ...]
    """Tiles yet to come, by motif."""

    gardens: tuple[SanssouciGarden, ...]
    tile: str | None
    """The cell where the tile in hand belongs, while it is being laid as a gardener."""

    emptied: str
    """The space that was emptied last, or is filled next during set-up."""

    hand: tuple[str, ...]
    """The looking seat's own cards."""

    hand_sizes: tuple[int, ...]
    unplayed: tuple[tuple[str, ...], ...]
    """What each seat has in hand or deck."""

    missions: tuple[tuple[str, ...], ...]
    """The looking seat's own missions, as motifs; everybody's once the game is over."""

    mission_counts: tuple[int, ...]
    scores: tuple[int, ...]
    causes: tuple[tuple[SanssouciCause, ...], ...]
    """Why each score is what it is; the points add up to it."""


@dataclass(frozen=True, slots=True)
class SanssouciBoard:
    """One side of a garden board."""

    board: str
    printed: tuple[str, ...]
    """Its preprinted cells."""


@dataclass(frozen=True, slots=True)
class SanssouciMark:
    """What a cell of a rewards board pays for a tile laid motif up, and as a gardener."""

    cell: str
    motif: int
    gardener: int


@dataclass(frozen=True, slots=True)
class SanssouciRewards:
    """One side of a rewards board."""

    side: str
    marks: tuple[SanssouciMark, ...]


@dataclass(frozen=True, slots=True)
class SanssouciEdition:
    """The words, by language, and the colors of one edition."""

    name: str
    title: dict[str, str]
    motifs: tuple[dict[str, str], ...]
    rows: tuple[dict[str, str], ...]
    """What the color of each row is called."""

    colors: tuple[str, ...]
    """The color of each row, as `#c0ffee`."""


@dataclass(frozen=True, slots=True)
class SanssouciBox:
    """What never changes during a game."""

    seats: int
    rounds: int
    hand: int
    """Cards that a seat holds, as long as its deck lasts."""

    has_rewards: bool
    has_boars: bool
    motifs: tuple[str, ...]
    """The columns of a garden, from left to right."""

    row_values: tuple[int, ...]
    """Points for a walk that ends in row 1, 2 and so on."""

    row_bonus: tuple[int, ...]
    column_bonus: int
    spaces: tuple[str, ...]
    cards: tuple[str, ...]
    """Every player's deck."""

    tiles: int
    """How many there are of each motif."""

    gardens: tuple[SanssouciBoard, ...]
    rewards_cells: tuple[str, ...]
    """The cells under a rewards board."""

    rewards: tuple[SanssouciRewards, ...]
    boar_disturbed: int
    boar_removed: int
    editions: tuple[SanssouciEdition, ...]
