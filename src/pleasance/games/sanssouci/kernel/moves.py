"""Compiled `rules/moves`: the moves of cards, tiles, boars and nobles."""

from __future__ import annotations

from pleasance.compiled.jit import jit
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.garden import EVERYWHERE, cross, neighbors, promenade
from pleasance.games.sanssouci.kernel.layout import Position

ALL_SPACES = (1 << at.SPACES) - 1
PAIR_SPACES = (
    *(0,) * at.MOTIFS,
    *(
        (3 << 2 * (one - 2)) | (3 << 2 * (other - 2))
        for one in range(2, 6)
        for other in range(one + 1, 7)
    ),
    ALL_SPACES,
)
"""The spaces of each card that do not depend on the tiles."""


@jit
def spaces_for(state: Position, card: int) -> int:
    """Collect the spaces whose tile *card* may take (S-12)."""
    if card >= at.MOTIFS:
        return PAIR_SPACES[card]
    spaces = 0
    for space in range(at.SPACES):
        if state[at.MARKET + space] == card:
            spaces |= 1 << space
    return spaces or ALL_SPACES


@jit
def belongs(space: int, motif: int) -> int:
    """Name the one cell where a tile of *motif* from *space* belongs (S-13)."""
    return 9 * ((space >> 1) + 1) + motif


@jit
def gardener_cells(state: Position, block: int) -> int:
    """Collect where the tile in hand may stand as a gardener (S-14)."""
    free = EVERYWHERE & ~state[block + at.BUILT]
    line = free & cross(state[at.TILE])
    return line or free


@jit
def boar_steps(state: Position, block: int) -> int:
    """Collect the free cells next to the boar (S-25)."""
    return neighbors(1 << state[block + at.BOAR]) & ~state[block + at.BUILT]


@jit
def walks(state: Position, block: int) -> int:
    """Collect the cells where a noble may stop (S-15)."""
    reachable = promenade(state[block + at.BUILT])
    return reachable & state[block + at.AHEAD] & ~state[block + at.GARDENERS]
