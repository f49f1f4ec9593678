"""The moves of cards, tiles, boars and nobles; every rule of movement stands here once."""

from __future__ import annotations

from pleasance.games.sanssouci.rules.actions import SPACES, Space, space_row
from pleasance.games.sanssouci.rules.components import CARDS, FREE_CHOICE, Card, Motif, card_rows
from pleasance.games.sanssouci.rules.garden import (
    CROSS,
    EVERYWHERE,
    Cell,
    Cells,
    cell_at,
    neighbors,
    promenade,
)
from pleasance.games.sanssouci.rules.state import Garden

Spaces = int
"""A set of spaces of the main board: bit *n* is space *n*."""

ALL_SPACES: Spaces = (1 << len(SPACES)) - 1


def _spaces_of_pair(card: Card) -> Spaces:
    """Collect the four spaces of a two-color card."""
    return sum(1 << space for space in SPACES if space_row(space) in card_rows(card))


_FIXED_SPACES = tuple(
    0 if card < len(Motif) else ALL_SPACES if card == FREE_CHOICE else _spaces_of_pair(card)
    for card in CARDS
)
_BELONGS = tuple(tuple(cell_at(space_row(space), motif) for motif in Motif) for space in SPACES)


def spaces_for(card: Card, market: tuple[int, ...]) -> Spaces:
    """Collect the spaces whose tile *card* may take (S-12)."""
    if fixed := _FIXED_SPACES[card]:
        return fixed
    if card not in market:
        return ALL_SPACES
    return sum([1 << space for space in SPACES if market[space] == card])


def belongs(space: Space, motif: int) -> Cell:
    """Name the one cell where a tile of *motif* from *space* belongs (S-13)."""
    return _BELONGS[space][motif]


def gardener_cells(garden: Garden, cell: Cell) -> Cells:
    """Collect where a gardener may stand whose tile belongs on the occupied *cell* (S-14)."""
    free = EVERYWHERE & ~garden.built
    return free & CROSS[cell] or free


def boar_steps(garden: Garden) -> Cells:
    """Collect the free cells next to the boar (S-25)."""
    return neighbors(1 << garden.boar) & ~garden.built


def walks(garden: Garden) -> Cells:
    """Collect the cells where a noble may stop: in its own column, lower, on no gardener (S-15)."""
    return promenade(garden.built) & garden.ahead & ~garden.gardeners
