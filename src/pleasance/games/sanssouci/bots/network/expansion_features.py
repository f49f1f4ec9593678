"""What the network sees of the main board and the expansions in one garden, compiled."""

from __future__ import annotations

import numpy as np

from pleasance.compiled.jit import jit
from pleasance.compiled.kernel import Flat
from pleasance.games.sanssouci.bots.network import feature_index as say
from pleasance.games.sanssouci.bots.network.accumulator import (
    AHEAD,
    BUILT,
    CHANCE,
    LINKS,
    NEXT,
    SIDE,
    TAKEN,
    THREATS,
    TIME,
    put,
)
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.codes import boar_area
from pleasance.games.sanssouci.kernel.rules import EVERYWHERE, PAIR_SPACES, SPACES
from pleasance.games.sanssouci.rules.components import REWARDS_CELLS

COVERED = np.array(REWARDS_CELLS, dtype=np.int64)
AREAS = np.array([0, 1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 9], dtype=np.int64)
"""The class of each number of free cells around a boar."""

SPACE_CARDS = np.array(
    [
        sum(1 << card for card in range(9, 20) if PAIR_SPACES[card] >> space & 1)
        for space in range(10)
    ],
    dtype=np.int64,
)
"""The cards that may take the tile of each space whatever it shows."""


@jit
def class_bed(sheet: Flat, cell: int) -> int:
    """Class a free cell: away from the paths, next to them, or next to what is cut off too."""
    return ((sheet[NEXT] >> cell) & 1) + ((sheet[LINKS] >> cell) & 1)


@jit
def see_tiles(sheet: Flat, box: Flat, state: Flat) -> None:
    """See what each tile of the main board would be in this garden, and whether it can be had."""
    for space in range(SPACES):
        motif = state[at.MARKET + space]
        word = pay = threat = 0
        if motif >= 0 and space != sheet[TAKEN]:
            row, chance = space // 2, sheet[CHANCE + space]
            cell = 9 * row + 9 + motif
            kind = 6
            if not (sheet[BUILT] >> cell) & 1:
                kind = class_bed(sheet, cell) + 3 * ((sheet[AHEAD] >> cell) & 1)
                if sheet[SIDE] >= 0:
                    pay = say.PAY + class_reward(box, sheet[SIDE], cell) * 9 + chance
            word = say.MARKET + (row * 7 + kind) * 9 + chance
            threat = say.THREAT + (chance * 7 + kind) * say.THREATS + sheet[THREATS + space]
        put(sheet, say.AT_MARKET + space, word)
        put(sheet, say.AT_PAY + space, pay)
        put(sheet, say.AT_THREAT + space, threat)


@jit
def class_reward(box: Flat, side: int, cell: int) -> int:
    """Class what a cell pays: nothing, less, much less, three kinds of more, more as gardener."""
    first = at.REWARDS + (side * 54 + cell) * 2
    motif, gardener = box[first], box[first + 1]
    if motif < 0:
        return 1 if motif > -3 else 2
    if motif > 0:
        return 2 + min(motif, 3)
    return 6 if gardener > 0 else 0


@jit
def see_rewards(sheet: Flat, box: Flat) -> None:
    """See what the free cells of the rewards board pay."""
    third = sheet[TIME] // 3
    for place in range(16):
        cell = COVERED[place]
        word = 0
        if not (sheet[BUILT] >> cell) & 1:
            kind = class_reward(box, sheet[SIDE], cell) * 4
            kind += 2 * ((sheet[AHEAD] >> cell) & 1) + ((sheet[NEXT] >> cell) & 1)
            word = say.REWARD + kind * 3 + third
        put(sheet, say.AT_REWARD + place, word)


@jit
def see_boar(sheet: Flat, box: Flat, boar: int) -> None:
    """See where the boar is, and how much it would cost."""
    if not box[at.HAS_BOARS]:
        return
    area = cell = 0
    if boar >= 0:
        size = boar_area(EVERYWHERE & ~sheet[BUILT], boar)
        area = AREAS[size] if size < 21 else 10 if size < 27 else 11
        cell = say.BOAR_CELL + boar
    put(sheet, say.AT_BOAR, say.BOAR + area * say.TIMES + sheet[TIME])
    put(sheet, say.AT_BOAR_CELL, cell)
