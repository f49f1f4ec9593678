"""The array layout of a packed position: the offset of each fact, and enumerations as numbers."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pleasance.compiled.jit import jit
from pleasance.compiled.signature import ArrayType
from pleasance.games.sanssouci.rules.components import HEIGHT, WIDTH, Motif
from pleasance.games.sanssouci.rules.state import Source

# Phases, sources and sizes as plain numbers: compiled code knows no enumerations.
FIRST_PLAYER, GARDEN, MISSION, REWARDS_DUE, DEAL, FILL, SIDES = range(7)
TAKE, PLACE, CHASE, WALK, REFILL, CARD, OVER = range(7, 14)
WALKS, MOTIF_BONUS, GARDENER_BONUS, PENALTY, BOAR_POINTS = range(5)
MOTIFS, SPACES, CELLS, ROUNDS = 9, 10, 54, 18
FREE_CHOICE = 19
NO_BOARD, NO_TILE, NOWHERE = -1, -1, -1

# A position: the shared facts, then one block for each of four seats.
PHASE = 0
ACTOR = 1
TURNS = 2
SEATS = 3
FIRST = 4
TILE = 5
EMPTIED = 6
MARKET = 7
BAG = MARKET + 10
BLOCK = BAG + len(Motif)
"""The index at which the block of the first seat begins."""

# A block.
HAND = 0
DECK = 1
MISSIONS = 2
BUILT = 3
GARDENERS = 4
AHEAD = 5
BOAR = 6
LEDGER = 7
BOARD = LEDGER + len(Source)
REWARDS_BOARD = BOARD + 1
REWARDS_SIDE = BOARD + 2
HIDDEN_CARDS = BOARD + 3
"""Number of cards of the deck that belong in the hand of a packed view."""
HIDDEN_MISSIONS = BOARD + 4
BLOCK_SIZE = BOARD + 5
SIZE = BLOCK + 4 * BLOCK_SIZE

# The constants: facts of the box that the rules look up.
HAS_REWARDS = 0
HAS_BOARS = 1
CARDS = 2
TILES = 3
"""Tiles of each motif for 2, 3 and 4 players."""
COLUMN_BONUS = TILES + 3
BOAR_DISTURBED = COLUMN_BONUS + 1
BOAR_REMOVED = COLUMN_BONUS + 2
ROW_VALUES = COLUMN_BONUS + 3
ROW_BONUS = ROW_VALUES + HEIGHT
GARDENS = ROW_BONUS + HEIGHT
REWARDS = GARDENS + 8
"""Eight sides of 54 cells, each with its reward for a motif and for a gardener."""
CONSTANTS_SIZE = REWARDS + 8 * WIDTH * HEIGHT * 2

MAX_SEATS = 4

Position: TypeAlias = Annotated[Any, ArrayType("int64", (SIZE,))]
"""A packed position or view `[SIZE]`, int64."""

Positions: TypeAlias = Annotated[Any, ArrayType("int64", (None, SIZE))]
"""Packed positions `[game, SIZE]`, int64."""

Constants: TypeAlias = Annotated[Any, ArrayType("int64", (CONSTANTS_SIZE,))]
"""The packed facts of a box `[CONSTANTS_SIZE]`, int64."""

Points: TypeAlias = Annotated[Any, ArrayType("int64", (MAX_SEATS,))]
"""The points of each seat `[4]`, int64."""

Shares: TypeAlias = Annotated[Any, ArrayType("float64", (MAX_SEATS,))]
"""Each seat's share of victory `[4]`, or another number of each seat, float64."""


@jit
def seat_block(seat: int) -> int:
    """Find where the block of *seat* begins."""
    return BLOCK + seat * BLOCK_SIZE
