"""Compiled `rules/placing`: the tile, the cell's reward or penalty, then the boar (S-27)."""

from __future__ import annotations

from pleasance.compiled.jit import jit
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.layout import Constants, Position, seat_block
from pleasance.games.sanssouci.kernel.moves import boar_steps
from pleasance.games.sanssouci.kernel.scoring import points_of


@jit
def lay(constants: Constants, state: Position, cell: int, is_gardener: int) -> None:
    """Lay a tile; then the reward or penalty of the cell, then the boar (S-27)."""
    block = seat_block(state[at.ACTOR])
    state[block + at.BUILT] |= 1 << cell
    if is_gardener:
        state[block + at.GARDENERS] |= 1 << cell
    side = state[block + at.REWARDS_SIDE]
    if side != at.NO_BOARD:
        pay = constants[at.REWARDS + (side * at.CELLS + cell) * 2 + is_gardener]
        enter_reward(state, block, pay, is_gardener)
    state[at.PHASE] = at.WALK
    if state[block + at.BOAR] == cell:
        disturb_boar(constants, state, block)


@jit
def enter_reward(state: Position, block: int, pay: int, is_gardener: int) -> None:
    """Enter what a cell pays or costs; a score never falls below 0 (S-21 to S-23)."""
    if pay < 0:
        state[block + at.LEDGER + at.PENALTY] -= min(-pay, points_of(state, block))
    else:
        state[block + at.LEDGER + at.MOTIF_BONUS + is_gardener] += pay


@jit
def disturb_boar(constants: Constants, state: Position, block: int) -> None:
    """Pay for the boar; it must step aside, or is removed for more if it cannot (S-25)."""
    state[block + at.LEDGER + at.BOAR_POINTS] += constants[at.BOAR_DISTURBED]
    if boar_steps(state, block):
        state[at.PHASE] = at.CHASE
    else:
        state[block + at.LEDGER + at.BOAR_POINTS] += constants[at.BOAR_REMOVED]
        state[block + at.BOAR] = at.NOWHERE
