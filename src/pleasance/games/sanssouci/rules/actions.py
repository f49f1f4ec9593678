"""The choices and draws of Sanssouci: the number and the notation of each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NewType, TypeAlias

from pleasance.core.errors import BadNotationError
from pleasance.core.game import Seat
from pleasance.core.space import ActionSpace
from pleasance.games.sanssouci.rules.components import (
    BOARDS,
    CARDS,
    Card,
    Motif,
    board_name,
    card_name,
    motif_letter,
)
from pleasance.games.sanssouci.rules.garden import CELLS, Cell, cell_name

Space = NewType("Space", int)
"""One of the ten spaces of the main board, 0 (2l) to 9 (6r) (S-7)."""

SPACES = tuple(Space(n) for n in range(10))


def space_row(space: Space) -> int:
    """Find the garden row of a tile from *space*, 2 to 6."""
    return space // 2 + 2


def space_name(space: Space) -> str:
    """Write *space* as its row and side.

    >>> space_name(Space(5))
    '4r'
    """
    return f"{space_row(space)}{'lr'[space % 2]}"


class BoardSide(IntEnum):
    """The two sides of a board."""

    A = 0
    B = 1


@dataclass(frozen=True, slots=True)
class Take:
    """Play a card and take the tile of a space (S-12)."""

    card: Card
    space: Space

    def __str__(self) -> str:
        return f"{card_name(self.card)}:{space_name(self.space)}"


@dataclass(frozen=True, slots=True)
class Place:
    """Lay the tile as a gardener (S-14)."""

    cell: Cell

    def __str__(self) -> str:
        return f"@{cell_name(self.cell)}"


@dataclass(frozen=True, slots=True)
class Walk:
    """Let the noble of the cell's column walk to the cell (S-15)."""

    cell: Cell

    def __str__(self) -> str:
        return ">".join(cell_name(self.cell))


@dataclass(frozen=True, slots=True)
class Stay:
    """Let no noble walk (S-15)."""

    def __str__(self) -> str:
        return "-"


@dataclass(frozen=True, slots=True)
class Side:
    """Choose the side of the rewards board (S-20)."""

    side: BoardSide

    def __str__(self) -> str:
        return self.side.name


@dataclass(frozen=True, slots=True)
class Boar:
    """Chase the boar to a neighboring cell (S-25)."""

    cell: Cell

    def __str__(self) -> str:
        return f"~{cell_name(self.cell)}"


@dataclass(frozen=True, slots=True)
class FirstPlayer:
    """The seat that plays first (S-11)."""

    seat: Seat

    def __str__(self) -> str:
        return f"+p{self.seat + 1}"


@dataclass(frozen=True, slots=True)
class GardenBoard:
    """The next seat's garden: which board, which side up (S-8)."""

    board: int
    side: BoardSide

    def __str__(self) -> str:
        return f"+g{board_name(self.board * 2 + self.side)}"


@dataclass(frozen=True, slots=True)
class Mission:
    """A mission card for the next seat (S-10)."""

    motif: Motif

    def __str__(self) -> str:
        return f"+m{motif_letter(self.motif)}"


@dataclass(frozen=True, slots=True)
class RewardsBoard:
    """A rewards board for the next seat (S-20)."""

    board: int

    def __str__(self) -> str:
        return f"+r{self.board + 1}"


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card from the seat's own deck (S-10, S-17)."""

    card: Card

    def __str__(self) -> str:
        return f"+c{card_name(self.card)}"


@dataclass(frozen=True, slots=True)
class TurnedTile:
    """A tile turned up on a space of the main board (S-11, S-16)."""

    space: Space
    motif: Motif

    def __str__(self) -> str:
        return f"+t{space_name(self.space)}={motif_letter(self.motif)}"


Action: TypeAlias = Take | Place | Walk | Stay | Side | Boar
Outcome: TypeAlias = FirstPlayer | GardenBoard | Mission | RewardsBoard | DrawnCard | TurnedTile

SPACE: ActionSpace[Action] = ActionSpace(
    (Take, (CARDS, SPACES)),  # 0..199: card, space
    (Place, (CELLS,)),  # 200..253: cell
    (Walk, (CELLS,)),  # 254..307: cell
    (Stay, ()),  # 308
    (Side, (tuple(BoardSide),)),  # 309..310: rewards board
    (Boar, (CELLS,)),  # 311..364: cell
)

DRAWS: ActionSpace[Outcome] = ActionSpace(
    (FirstPlayer, (range(4),)),  # 0..3: seat
    (GardenBoard, (range(BOARDS), tuple(BoardSide))),  # 4..11: board, side
    (Mission, (tuple(Motif),)),  # 12..20: motif
    (RewardsBoard, (range(BOARDS),)),  # 21..24: board
    (DrawnCard, (CARDS,)),  # 25..44: card
    (TurnedTile, (SPACES, tuple(Motif))),  # 45..134: space, motif
)

_BY_TEXT: dict[str, Action | Outcome] = {
    **{str(action): action for action in SPACE},
    **{str(outcome): outcome for outcome in DRAWS},
}


def parse(text: str) -> Action | Outcome:
    """Read a choice or an outcome; the inverse of `str`.

    >>> parse("36:6r")
    Take(card=15, space=9)
    >>> parse("e>5")
    Walk(cell=40)
    """
    if text not in _BY_TEXT:
        raise BadNotationError("unreadable", token=text)
    return _BY_TEXT[text]
