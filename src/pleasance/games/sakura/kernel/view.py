"""Compiled `rules/view`: the view of a packed position, and determinization of a packed view."""

from __future__ import annotations

from pleasance.compiled.export import export
from pleasance.compiled.jit import copy_into, count_bits, jit, nth_bit_branchless
from pleasance.compiled.rng import RngState, randbelow
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.arrays import Constants, Position
from pleasance.games.sakura.rules.state import ALL_CARDS


@jit
def view(state: Position, seat: int, seen: Position) -> None:
    """Fill *seen* with the packed view of *seat*."""
    copy_into(seen, state)
    seen[at.DECK] = 0
    for other in range(state[at.SEATS]):
        hand, hidden = state[at.HANDS + other], 0
        for deck in range(state[at.DECK_COUNT] - 1, -1, -1):
            hidden |= count_bits(hand & state[at.DECKS + deck]) << (4 * deck)
            hand &= ~state[at.DECKS + deck]
        if other != seat:
            seen[at.HANDS + other] = 0
            seen[at.HIDDEN + other] = hidden


@export()
def imagine(_constants: Constants, state: Position, rng_state: RngState) -> None:
    """Deal the cards that a packed view hides, as the draws would (K-6).

    An unseen card of an older deck must lie in a hand that has cards from that deck; one of the
    newest deck may also lie in the deck still.
    """
    rest = ALL_CARDS & ~list_seen(state)
    newest = state[at.DECK_COUNT] - 1
    for deck in range(newest, -1, -1):
        unseen = rest & state[at.DECKS + deck]
        rest &= ~unseen
        for seat in range(state[at.SEATS]):
            for _ in range((state[at.HIDDEN + seat] >> (4 * deck)) & 15):
                card = 1 << nth_bit_branchless(unseen, randbelow(rng_state, count_bits(unseen)))
                unseen ^= card
                state[at.HANDS + seat] |= card
        if deck == newest:
            state[at.DECK] = unseen
    for seat in range(state[at.SEATS]):
        state[at.HIDDEN + seat] = 0


@jit
def list_seen(state: Position) -> int:
    """Collect the cards that lie open or in hands that are known."""
    seen = state[at.DISCARDS]
    for seat in range(state[at.SEATS]):
        seen |= state[at.HANDS + seat]
    for painter in range(state[at.PAINTERS]):
        seen |= 1 << state[at.PLAYED + painter]
    return seen
