"""Where each fact of a position lies in the flat arrays of the compiled twin."""

from __future__ import annotations

from pleasance.games.sanssouci.rules.components import HEIGHT, WIDTH, Motif
from pleasance.games.sanssouci.rules.state import Source

# A position: what all share, then one block for each of four seats.
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
"""Where the block of the first seat begins."""

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
"""How many cards of the deck belong in the hand: what a packed view does not know."""
HIDDEN_MISSIONS = BOARD + 4
BLOCK_SIZE = BOARD + 5
SIZE = BLOCK + 4 * BLOCK_SIZE

# A box: what the rules look up.
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
"""Eight sides of 54 cells, each with what it pays for a motif and for a gardener."""
BOX_SIZE = REWARDS + 8 * WIDTH * HEIGHT * 2
