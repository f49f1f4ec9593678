"""The state of a game of Sanssouci: all facts, hidden ones included."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from pleasance.core.data import load_builtin_components
from pleasance.core.game import Seat
from pleasance.games.sanssouci.rules.actions import Space
from pleasance.games.sanssouci.rules.components import HEIGHT, Components, read_components
from pleasance.games.sanssouci.rules.garden import COLUMN, EVERYWHERE, Cell, Cells

Cards = int
"""A set of action cards: bit *n* is card *n*."""

Columns = int
"""A set of motifs: bit *n* is motif *n*."""

NOWHERE = Cell(-1)
"""The place of a boar that is not in the garden, and of a tile that no seat holds."""

NO_BOARD = -1
"""The number of a board that has not been drawn or turned yet."""

NO_TILE = -1
"""The value of an empty space of the main board."""

ROUNDS = 18
HAND = 2
MISSIONS = 2


class Phase(IntEnum):
    """The phases of the game, in the order of the rules."""

    FIRST_PLAYER = 0
    GARDEN = 1
    MISSION = 2
    REWARDS_BOARD = 3
    DEAL = 4
    FILL = 5
    SIDES = 6
    TAKE = 7
    PLACE = 8
    BOAR = 9
    WALK = 10
    REFILL = 11
    CARD = 12
    OVER = 13


# Looking a member up through its class costs a call in Python 3.11, and the rules do it often.
FILL: Final = Phase.FILL
SIDES: Final = Phase.SIDES
DEAL: Final = Phase.DEAL
TAKE: Final = Phase.TAKE
PLACE: Final = Phase.PLACE
BOAR: Final = Phase.BOAR
WALK: Final = Phase.WALK
REFILL: Final = Phase.REFILL
CARD: Final = Phase.CARD
OVER: Final = Phase.OVER


class Source(IntEnum):
    """The sources of points before the end of the game."""

    WALKS = 0
    MOTIF_BONUS = 1
    GARDENER_BONUS = 2
    PENALTY = 3
    BOAR = 4


WALKS: Final = Source.WALKS


@dataclass(frozen=True, slots=True)
class Box:
    """The box that a game is played with: the components and the expansions."""

    components: Components
    has_rewards: bool = False
    has_boars: bool = False


def open_box(package: str, options: tuple[str, ...], text: str | None) -> Box:
    """Read and check a component file; without a *text*, the house set of *package*."""
    house = load_builtin_components(package)
    source = house if text is None else text
    components = read_components(source, is_builtin=source == house)
    return Box(components, has_rewards="rewards" in options, has_boars="boars" in options)


class Garden(NamedTuple):
    """One player's garden."""

    built: Cells
    """Cells that carry a tile, whichever side is up, or a preprinted motif."""

    gardeners: Cells
    """Cells that carry a tile with the gardener up."""

    ahead: Cells
    """The cells that the nobles have ahead of them, each in its own column; see `noble_row`."""

    boar: Cell
    """The cell of the boar, or `NOWHERE`."""

    ledger: tuple[int, ...]
    """The points it has brought so far, by source; see `Source`."""

    board: int
    """Which side of which garden board this is, counted 1A, 1B, 2A, …; or `NO_BOARD`."""

    rewards_board: int
    """Which rewards board belongs to it, from 0; or `NO_BOARD`."""

    rewards_side: int
    """Which side of a rewards board lies on it, counted 1A, 1B, 2A, …; or `NO_BOARD`."""


BARE = Garden(0, 0, EVERYWHERE, NOWHERE, (0,) * len(Source), NO_BOARD, NO_BOARD, NO_BOARD)
"""A garden before its board is drawn; all nobles stand on the terrace (S-9)."""


def noble_row(garden: Garden, column: int) -> int:
    """Return the row where the noble of *column* stands; 0 is the terrace."""
    return HEIGHT - (garden.ahead & COLUMN[column]).bit_count()


class State(NamedTuple):
    """A position, set-up included.

    What changes often stands first: the rules make the next state from the changed head and the
    unchanged tail, at half the cost of `_replace`.
    """

    phase: Phase
    """The phase that is due."""

    actor: Seat
    """The seat that acts or receives; meaningless while all choose their sides."""

    turns: int
    """Number of complete turns."""

    market: tuple[int, ...]
    """The motif on each space of the main board, or `NO_TILE`."""

    bag: tuple[int, ...]
    """Tiles of each motif that have yet to be turned up."""

    hands: tuple[Cards, ...]

    decks: tuple[Cards, ...]
    """The cards each seat has yet to draw; unordered, since each is drawn at random."""

    gardens: tuple[Garden, ...]

    tile: Cell
    """The cell where the tile in hand belongs, while it is being laid as a gardener."""

    emptied: Space
    """The space that was emptied last, or is filled next during set-up."""

    missions: tuple[Columns, ...]

    first: Seat
    """The first player."""

    box: Box
