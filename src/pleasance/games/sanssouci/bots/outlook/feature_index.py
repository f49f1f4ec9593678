"""What the outlook's network looks at: the words of the vocabulary, and words of one column or row.

The words of a whole garden are those of `vocabulary` up to `TOLD`, which stay what they are when
others are appended, and one more for the moment of the turn. The words of a column and of a row are
numbered on their own; all columns share theirs, and so do all rows.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pleasance.games.sanssouci.bots.network import feature_index as say

TIMES: Final = 19
"""Numbers of turns left, 0 to 18."""

TOLD: Final = 145
"""So many places of the vocabulary are looked at."""

OLD_WORDS: Final = say.PAY + 7 * 9
"""So many words of the vocabulary are known."""

WAITING, SIDES, TAKE, PLACE, CHASE, WALK, DONE = range(7)
"""What the owner of a garden is about to do."""

MOMENT: Final = OLD_WORDS
WORDS: Final = MOMENT + 7 * 2
AT_MOMENT: Final = TOLD
PLACES: Final = TOLD + 1

SIDES_OF_CELL: Final = 6
"""What lies left and right of a cell, whichever is which: free, built, joined to the paths."""

HOPES: Final = 5 * 10 * 4 * 3
"""A free cell by row, how its tile can be had now, where its motif card is, tiles to come."""

# The words of a column; 0 says nothing.
STOPS: Final = 1
SUPPLY: Final = STOPS + 127 * 3
COLUMN_GAPS: Final = SUPPLY + 6 * 4 * 4
STAND: Final = COLUMN_GAPS + 7 * TIMES
CELL: Final = STAND + 7 * TIMES
COLUMN_HOPE: Final = CELL + 5 * say.KINDS * SIDES_OF_CELL
COLUMN_HELD: Final = COLUMN_HOPE + HOPES
COLUMN_WORDS: Final = COLUMN_HELD + 1

AT_STOPS, AT_SUPPLY, AT_COLUMN_GAPS, AT_STAND, AT_COLUMN_HELD = range(5)
AT_CELL: Final = 5
AT_COLUMN_HOPE: Final = 10
COLUMN_PLACES: Final = 15

# The words of a row.
ROW_GAPS: Final = 1
RANK: Final = ROW_GAPS + 10 * TIMES
OPEN: Final = RANK + 5 * say.TIMES
PAIRS: Final = OPEN + 6 * 6 * say.TIMES // 2
ROW_HOPE: Final = PAIRS + 3 * 6
ROW_HELD: Final = ROW_HOPE + HOPES
ROW_WORDS: Final = ROW_HELD + 1

AT_ROW_GAPS, AT_RANK, AT_OPEN, AT_PAIRS, AT_ROW_HELD = range(5)
AT_ROW_HOPE: Final = 5
ROW_PLACES: Final = 14


def mirror_told() -> np.ndarray[tuple[int], np.dtype[Any]]:
    """List for each word of a whole garden what it becomes when left and right are exchanged."""
    moments = np.arange(MOMENT, WORDS)
    return np.concatenate([say.mirror_words()[:OLD_WORDS], moments]).astype(np.int16)
