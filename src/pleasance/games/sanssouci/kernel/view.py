"""Compiled `rules/view`: determinization, the dealing of hidden cards and missions."""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit, nth_bit
from pleasance.compiled.kernel import IntArray
from pleasance.compiled.rng import RngState, randbelow
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.layout import seat_block


@jit
def imagine(_constants: IntArray, state: IntArray, rng_state: RngState) -> None:
    """Deal the hands and missions that a packed view hides."""
    unseen = 511
    for seat in range(state[at.SEATS]):
        unseen &= ~state[seat_block(seat) + at.MISSIONS]
    for seat in range(state[at.SEATS]):
        block = seat_block(seat)
        while state[block + at.HIDDEN_CARDS]:
            deck = state[block + at.DECK]
            card = 1 << nth_bit(deck, randbelow(rng_state, count_bits(deck)))
            state[block + at.DECK] ^= card
            state[block + at.HAND] |= card
            state[block + at.HIDDEN_CARDS] -= 1
        while state[block + at.HIDDEN_MISSIONS]:
            mission = 1 << nth_bit(unseen, randbelow(rng_state, count_bits(unseen)))
            unseen ^= mission
            state[block + at.MISSIONS] |= mission
            state[block + at.HIDDEN_MISSIONS] -= 1
