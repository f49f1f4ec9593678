"""The feature numbers of the value network: sparse facts about a garden, some 150 active at once.

Each feature has an embedding in the network's first layer; those of the active features are added
up. A slot holds one feature at a time, so a small change of the garden replaces few of them.
Features that name no cell are shared by all columns or spaces.
"""

from __future__ import annotations

from typing import Final

CELL_KINDS: Final = 12
"""Kinds of cells: free or built, joined to the paths or not, and more."""

TIME_CLASSES: Final = 8
"""Classes of the number of turns left: the fewer, the finer."""

TIME_CLASS: Final = (0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7)
"""The class of each number of own turns left."""

THREAT_CLASSES: Final = 5
"""Classes of the rivals' demand for a tile before the own turn."""

LACK_CLASSES: Final = 4
"""Classes of the number of free cells of a row."""

HELP_CLASSES: Final = 5
"""Classes of a tile's use for completing a line or joining the paths."""

NEXT_TURN_HORIZON: Final = 4
"""Largest number of own turns left at which the next turn's gain is a feature."""

GAIN_CLASSES: Final = 12
"""Classes of the next turn's gain, in points."""

# The number of features of each kind. `features` and its siblings choose among them.
_SIZES: Final = (
    ("nothing", 1),
    ("cell", 45 * CELL_KINDS),
    ("stops", 127 * 3),
    ("free_cells", 32 * 4 * 3),
    ("supply", 6 * 4 * 4),
    ("column", 6 * TIME_CLASSES // 2),
    ("row", 5 * 7 * TIME_CLASSES // 2),
    ("open", 6 * 6 * TIME_CLASSES // 2),
    ("slack", 13 * TIME_CLASSES // 2),
    ("market", 5 * 7 * 9),
    ("pair", 11 * 4),
    ("role", 12 * 2),
    ("turn", 19),
    ("option", 4 * TIME_CLASSES),
    ("boar", 12 * TIME_CLASSES),
    ("boar_cell", 54),
    ("reward", 7 * 4 * 3),
    ("pay", 7 * 9),
    ("threat", 9 * 7 * THREAT_CLASSES),
    ("pair_need", 10 * 2 * LACK_CLASSES**2),
    ("help", 2 * HELP_CLASSES * 9 * 3),
    ("next", 2 * NEXT_TURN_HORIZON * GAIN_CLASSES),
)


def _offsets() -> dict[str, int]:
    offsets, total = {}, 0
    for kind, size in _SIZES:
        offsets[kind] = total
        total += size
    return {**offsets, "end": total}


_OFFSET = _offsets()
CELL: Final = _OFFSET["cell"]
STOPS: Final = _OFFSET["stops"]
FREE_CELLS: Final = _OFFSET["free_cells"]
SUPPLY: Final = _OFFSET["supply"]
COLUMN: Final = _OFFSET["column"]
ROW: Final = _OFFSET["row"]
OPEN: Final = _OFFSET["open"]
SLACK: Final = _OFFSET["slack"]
MARKET: Final = _OFFSET["market"]
PAIR: Final = _OFFSET["pair"]
ROLE: Final = _OFFSET["role"]
TURN: Final = _OFFSET["turn"]
OPTION: Final = _OFFSET["option"]
BOAR: Final = _OFFSET["boar"]
BOAR_CELL: Final = _OFFSET["boar_cell"]
REWARD: Final = _OFFSET["reward"]
PAY: Final = _OFFSET["pay"]
THREAT: Final = _OFFSET["threat"]
PAIR_NEED: Final = _OFFSET["pair_need"]
HELP: Final = _OFFSET["help"]
NEXT: Final = _OFFSET["next"]
FEATURES: Final = _OFFSET["end"]
"""Number of features; feature 0 means none."""

# The first slot of each kind.
SLOT_CELL: Final = 0
SLOT_STOPS: Final = 45
SLOT_FREE_CELLS: Final = 54
SLOT_SUPPLY: Final = 63
SLOT_COLUMN: Final = 72
SLOT_ROW: Final = 81
SLOT_OPEN: Final = 86
SLOT_SLACK: Final = 92
SLOT_MARKET: Final = 93
SLOT_PAIR: Final = 103
SLOT_ROLE: Final = 114
SLOT_TURN: Final = 115
SLOT_OPTION: Final = 116
SLOT_BOAR: Final = 117
SLOT_BOAR_CELL: Final = 118
SLOT_REWARD: Final = 119
SLOT_PAY: Final = 135
SLOT_THREAT: Final = 145
SLOT_PAIR_NEED: Final = 155
SLOT_HELP: Final = 165
SLOT_NEXT: Final = 175
SLOTS: Final = 176
"""Largest number of active features."""


def mirror_features() -> list[int]:
    """List the feature that each one becomes when left and right are exchanged."""
    features = list(range(FEATURES))
    for cell in range(54):
        features[BOAR_CELL + cell] = BOAR_CELL + cell + 8 - 2 * (cell % 9)
    for cell in range(45):
        other = cell + 8 - 2 * (cell % 9)
        for kind in range(CELL_KINDS):
            features[CELL + cell * CELL_KINDS + kind] = CELL + other * CELL_KINDS + kind
    return features
