"""What the network looks at: facts about a garden as words; a position has some 150 of them.

Each word has a row of weights in the network's first layer; the rows of a position's words are
added up. A place (slot) holds one word at a time, so when a turn changes little, few rows change.
Words that do not name a cell are shared by all columns or spaces.
"""

from __future__ import annotations

from typing import Final

import numpy as np

KINDS: Final = 12
"""What a cell can be: free or built, joined to the paths or not, and more."""

TIMES: Final = 8
"""Turns left, in classes: the fewer the finer."""

TIME = np.array([0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7], dtype=np.int64)
"""The class of each number of own turns left."""

THREATS: Final = 5
"""How much others who come before want a tile, in classes."""

LACKS: Final = 4
"""How many cells a row lacks, in classes."""

HELPS: Final = 5
"""How much a tile would help to complete a line or to join the paths, in classes."""

AHEAD_TURNS: Final = 4
"""From so many own turns left on, what the next turn can bring is told."""

GAINS: Final = 12
"""What the next turn can bring, in points."""

# How many words each kind has. What it tells stands where they are chosen, in `kernel_sights`.
_SIZES: Final = (
    ("nothing", 1),
    ("cell", 45 * KINDS),
    ("stops", 127 * 3),
    ("beds", 32 * 4 * 3),
    ("supply", 6 * 4 * 4),
    ("column", 6 * TIMES // 2),
    ("row", 5 * 7 * TIMES // 2),
    ("open", 6 * 6 * TIMES // 2),
    ("slack", 13 * TIMES // 2),
    ("market", 5 * 7 * 9),
    ("pair", 11 * 4),
    ("role", 12 * 2),
    ("turn", 19),
    ("option", 4 * TIMES),
    ("boar", 12 * TIMES),
    ("boar_cell", 54),
    ("reward", 7 * 4 * 3),
    ("pay", 7 * 9),
    ("threat", 9 * 7 * THREATS),
    ("hope", 10 * 2 * LACKS**2),
    ("help", 2 * HELPS * 9 * 3),
    ("next", 2 * AHEAD_TURNS * GAINS),
)


def _begins() -> dict[str, int]:
    begins, total = {}, 0
    for kind, size in _SIZES:
        begins[kind] = total
        total += size
    return {**begins, "end": total}


_AT = _begins()
CELL: Final = _AT["cell"]
STOPS: Final = _AT["stops"]
BEDS: Final = _AT["beds"]
SUPPLY: Final = _AT["supply"]
COLUMN: Final = _AT["column"]
ROW: Final = _AT["row"]
OPEN: Final = _AT["open"]
SLACK: Final = _AT["slack"]
MARKET: Final = _AT["market"]
PAIR: Final = _AT["pair"]
ROLE: Final = _AT["role"]
TURN: Final = _AT["turn"]
OPTION: Final = _AT["option"]
BOAR: Final = _AT["boar"]
BOAR_CELL: Final = _AT["boar_cell"]
REWARD: Final = _AT["reward"]
PAY: Final = _AT["pay"]
THREAT: Final = _AT["threat"]
HOPE: Final = _AT["hope"]
HELP: Final = _AT["help"]
NEXT: Final = _AT["next"]
WORDS: Final = _AT["end"]
"""How many words there are; word 0 says nothing."""

# Where each kind of word has its places.
AT_CELL: Final = 0
AT_STOPS: Final = 45
AT_BEDS: Final = 54
AT_SUPPLY: Final = 63
AT_COLUMN: Final = 72
AT_ROW: Final = 81
AT_OPEN: Final = 86
AT_SLACK: Final = 92
AT_MARKET: Final = 93
AT_PAIR: Final = 103
AT_ROLE: Final = 114
AT_TURN: Final = 115
AT_OPTION: Final = 116
AT_BOAR: Final = 117
AT_BOAR_CELL: Final = 118
AT_REWARD: Final = 119
AT_PAY: Final = 135
AT_THREAT: Final = 145
AT_HOPE: Final = 155
AT_HELP: Final = 165
AT_NEXT: Final = 175
PLACES: Final = 176
"""How many words a position has at most."""


def mirror_words() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """List for each word the one it becomes when left and right are exchanged."""
    words = np.arange(WORDS, dtype=np.int64)
    for cell in range(54):
        other = cell + 8 - 2 * (cell % 9)
        words[BOAR_CELL + cell] = BOAR_CELL + other
    kinds = np.arange(KINDS)
    for cell in range(45):
        other = cell + 8 - 2 * (cell % 9)
        words[CELL + cell * KINDS + kinds] = CELL + other * KINDS + kinds
    return words
