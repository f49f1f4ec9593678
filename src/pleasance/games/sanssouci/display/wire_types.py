"""The wire types of Sanssouci: the view of a seat, and the facts of the box.

Cells are `a1` to `i6`, and a motif is the letter of its column. Cards and spaces use the same
notation as choices, so each part of a legal choice can be found on the board.
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
"""The phase of the game, in the order of the rules."""


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
class SanssouciScoreItem:
    """One item of a score: the message `score_item.<code>` with its parameters."""

    code: str
    points: int
    params: dict[str, str | int]


@dataclass(frozen=True, slots=True)
class SanssouciView:
    """The view of one seat; lists by seat are in seat order."""

    seat: int | None
    """The viewing seat; `None` is a spectator."""

    phase: SanssouciPhase
    actor: int
    """The seat whose turn it is; meaningless while all choose their sides."""

    first: int
    """The first player."""

    round: int
    """Up to `rounds` of the box; 0 during set-up."""

    turns: int
    """Number of complete turns."""

    market: tuple[SanssouciSpace, ...]
    bag: tuple[int, ...]
    """Tiles yet to come, by motif."""

    gardens: tuple[SanssouciGarden, ...]
    tile: str | None
    """A cell: where the tile in hand belongs, while it is being laid as a gardener."""

    emptied: str
    """The space that was emptied last, or is filled next during set-up."""

    hand: tuple[str, ...]
    """The viewing seat's own cards."""

    hand_sizes: tuple[int, ...]
    unplayed: tuple[tuple[str, ...], ...]
    """The cards that each seat has in hand or deck."""

    missions: tuple[tuple[str, ...], ...]
    """The viewing seat's own missions, as motifs; all missions once the game is over."""

    mission_counts: tuple[int, ...]
    scores: tuple[int, ...]
    score_items: tuple[tuple[SanssouciScoreItem, ...], ...]
    """The items of each score; their points add up to it."""


@dataclass(frozen=True, slots=True)
class SanssouciBoard:
    """One side of a garden board."""

    board: str
    printed: tuple[str, ...]
    """Its preprinted cells."""


@dataclass(frozen=True, slots=True)
class SanssouciMark:
    """The reward of a cell for a tile laid motif up, and as a gardener."""

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
    """The color name of each row."""

    colors: tuple[str, ...]
    """The color of each row, as `#c0ffee`."""


@dataclass(frozen=True, slots=True)
class SanssouciBox:
    """The facts that never change during a game."""

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
    """Number of tiles of each motif."""

    gardens: tuple[SanssouciBoard, ...]
    rewards_cells: tuple[str, ...]
    """The cells under a rewards board."""

    rewards: tuple[SanssouciRewards, ...]
    boar_disturbed: int
    boar_removed: int
    editions: tuple[SanssouciEdition, ...]
