"""Compiled `rules/view`: the view of a packed position, and determinization of a packed view."""

from __future__ import annotations

from pleasance.compiled.export import export
from pleasance.compiled.jit import copy_into, count_bits, nth_bit
from pleasance.compiled.rng import RngState, randbelow
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.garden import FIRST_ROW
from pleasance.games.sanssouci.kernel.layout import Constants, Position, seat_block


@export("train")
def view(state: Position, seat: int, seen: Position) -> None:
    """Fill *seen* with the packed view of *seat*."""
    copy_into(seen, state)
    for other in range(state[at.SEATS]):
        block = seat_block(other)
        if other != seat:
            seen[block + at.HIDDEN_CARDS] = count_bits(state[block + at.HAND])
            seen[block + at.HIDDEN_MISSIONS] = count_bits(state[block + at.MISSIONS])
            seen[block + at.DECK] |= state[block + at.HAND]
            seen[block + at.HAND] = 0
            seen[block + at.MISSIONS] = 0


@export()
def imagine(_constants: Constants, state: Position, rng_state: RngState) -> None:
    """Deal the hands and missions that a packed view hides, as the draws would."""
    unseen = FIRST_ROW
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
