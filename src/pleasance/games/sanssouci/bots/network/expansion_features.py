"""Features of the main board's tiles and of both expansions in one garden, compiled."""

from __future__ import annotations

from pleasance.compiled.jit import jit
from pleasance.games.sanssouci.bots.network import accumulator as fact
from pleasance.games.sanssouci.bots.network import feature_index as index
from pleasance.games.sanssouci.bots.network.accumulator import Inputs, set_feature
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.garden import EVERYWHERE
from pleasance.games.sanssouci.kernel.layout import Constants, Position
from pleasance.games.sanssouci.kernel.moves import PAIR_SPACES, belongs
from pleasance.games.sanssouci.kernel.scoring import boar_area
from pleasance.games.sanssouci.rules.components import REWARDS_CELLS

AREA_CLASS = (0, 1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 9)
"""The class of each number of free cells around a boar."""

SPACE_CARDS = tuple(
    sum(1 << card for card in range(9, 20) if PAIR_SPACES[card] >> space & 1) for space in range(10)
)
"""The cards that may take the tile of each space, whatever its motif."""


@jit
def classify_free_cell(inputs: Inputs, cell: int) -> int:
    """Classify a free cell: away from the paths, next to them, or joining a cut-off part."""
    return ((inputs[fact.NEXT] >> cell) & 1) + ((inputs[fact.LINKS] >> cell) & 1)


@jit
def extract_tiles(inputs: Inputs, constants: Constants, state: Position) -> None:
    """Extract each tile of the main board: its cell's kind and the chance to take it."""
    for space in range(at.SPACES):
        motif = state[at.MARKET + space]
        feature = pay = threat = 0
        if motif >= 0 and space != inputs[fact.TAKEN]:
            row, chance = space // 2, inputs[fact.CHANCE + space]
            cell = belongs(space, motif)
            kind = 6
            if not (inputs[fact.BUILT] >> cell) & 1:
                kind = classify_free_cell(inputs, cell) + 3 * ((inputs[fact.AHEAD] >> cell) & 1)
                if inputs[fact.SIDE] >= 0:
                    reward = classify_reward(constants, inputs[fact.SIDE], cell)
                    pay = index.PAY + reward * 9 + chance
            feature = index.MARKET + (row * 7 + kind) * 9 + chance
            threat = index.THREAT + (chance * 7 + kind) * index.THREAT_CLASSES
            threat += inputs[fact.THREATS + space]
        set_feature(inputs, index.SLOT_MARKET + space, feature)
        set_feature(inputs, index.SLOT_PAY + space, pay)
        set_feature(inputs, index.SLOT_THREAT + space, threat)


@jit
def classify_reward(constants: Constants, side: int, cell: int) -> int:
    """Classify a cell's reward: none, two sizes of penalty, three of bonus, or a gardener's."""
    first = at.REWARDS + (side * 54 + cell) * 2
    motif, gardener = constants[first], constants[first + 1]
    if motif < 0:
        return 1 if motif > -3 else 2
    if motif > 0:
        return 2 + min(motif, 3)
    return 6 if gardener > 0 else 0


@jit
def extract_rewards(inputs: Inputs, constants: Constants) -> None:
    """Extract the free cells of the rewards board."""
    third = inputs[fact.TIME] // 3
    for slot in range(16):
        cell = REWARDS_CELLS[slot]
        feature = 0
        if not (inputs[fact.BUILT] >> cell) & 1:
            kind = classify_reward(constants, inputs[fact.SIDE], cell) * 4
            kind += 2 * ((inputs[fact.AHEAD] >> cell) & 1) + ((inputs[fact.NEXT] >> cell) & 1)
            feature = index.REWARD + kind * 3 + third
        set_feature(inputs, index.SLOT_REWARD + slot, feature)


@jit
def extract_boar(inputs: Inputs, constants: Constants, boar: int) -> None:
    """Extract the boar: its cell and the size of its area."""
    if not constants[at.HAS_BOARS]:
        return
    area = cell = 0
    if boar >= 0:
        size = boar_area(EVERYWHERE & ~inputs[fact.BUILT], boar)
        area = AREA_CLASS[size] if size < 21 else 10 if size < 27 else 11
        cell = index.BOAR_CELL + boar
    set_feature(inputs, index.SLOT_BOAR, index.BOAR + area * index.TIME_CLASSES + inputs[fact.TIME])
    set_feature(inputs, index.SLOT_BOAR_CELL, cell)
