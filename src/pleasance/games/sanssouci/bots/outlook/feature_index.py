"""The feature numbers of the outlook network: those of a whole garden, of a column and of a row.

The features of a whole garden are the value network's first ones, which keep their numbers when
others are appended, and one for the phase of the owner's turn. The features of columns and of rows
are numbered on their own; all columns share theirs, and so do all rows.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pleasance.games.sanssouci.bots.network import feature_index as index

TURN_COUNTS: Final = 19
"""Numbers of turns left, 0 to 18."""

NETWORK_SLOTS: Final = 145
"""Number of the value network's slots that are used."""

NETWORK_FEATURES: Final = index.PAY + 7 * 9
"""Number of the value network's features that are used."""

WAITING, SIDES, TAKE, PLACE, CHASE, WALK, DONE = range(7)
"""The choice or state that is next for the owner of a garden."""

OWNER_PHASE: Final = NETWORK_FEATURES
FEATURES: Final = OWNER_PHASE + 7 * 2
SLOT_OWNER_PHASE: Final = NETWORK_SLOTS
SLOTS: Final = NETWORK_SLOTS + 1

SIDES_OF_CELL: Final = 6
"""Classes of the two cells beside one, regardless of order: free, built, joined to the paths."""

ACCESS_CLASSES: Final = 5 * 10 * 4 * 3
"""Classes of a free cell: its row, the chance to take its tile, its motif card, tiles to come."""

# The features of a column; 0 means none.
STOPS: Final = 1
SUPPLY: Final = STOPS + 127 * 3
COLUMN_GAPS: Final = SUPPLY + 6 * 4 * 4
STAND: Final = COLUMN_GAPS + 7 * TURN_COUNTS
CELL: Final = STAND + 7 * TURN_COUNTS
COLUMN_ACCESS: Final = CELL + 5 * index.CELL_KINDS * SIDES_OF_CELL
COLUMN_HELD: Final = COLUMN_ACCESS + ACCESS_CLASSES
COLUMN_FEATURES: Final = COLUMN_HELD + 1

SLOT_STOPS, SLOT_SUPPLY, SLOT_COLUMN_GAPS, SLOT_STAND, SLOT_COLUMN_HELD = range(5)
SLOT_CELL: Final = 5
SLOT_COLUMN_ACCESS: Final = 10
COLUMN_SLOTS: Final = 15

# The features of a row.
ROW_GAPS: Final = 1
RANK: Final = ROW_GAPS + 10 * TURN_COUNTS
OPEN: Final = RANK + 5 * index.TIME_CLASSES
PAIRS: Final = OPEN + 6 * 6 * index.TIME_CLASSES // 2
ROW_ACCESS: Final = PAIRS + 3 * 6
ROW_HELD: Final = ROW_ACCESS + ACCESS_CLASSES
ROW_FEATURES: Final = ROW_HELD + 1

SLOT_ROW_GAPS, SLOT_RANK, SLOT_OPEN, SLOT_PAIRS, SLOT_ROW_HELD = range(5)
SLOT_ROW_ACCESS: Final = 5
ROW_SLOTS: Final = 14


def mirror_garden_features() -> np.ndarray[tuple[int], np.dtype[Any]]:
    """List the feature that each one of a garden becomes when left and right are exchanged."""
    phases = np.arange(OWNER_PHASE, FEATURES)
    return np.concatenate([np.array(index.mirror_features()[:NETWORK_FEATURES]), phases]).astype(
        np.int16
    )
