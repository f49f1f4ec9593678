"""The compiled twin of the set-up, and the dealing of what a view does not know."""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit, lowest_bit
from pleasance.compiled.kernel import Flat
from pleasance.compiled.rng import Luck, below
from pleasance.games.sakura.kernel.layout import (
    DECK,
    DECK_COUNT,
    DECKS,
    DISCARDS,
    EMPEROR,
    HAND_SIZE,
    HANDS,
    HIDDEN,
    PAINTERS,
    PLAYED,
    QUEUE,
    SEATS,
    START_TOKENS,
    TOKENS,
    TORII,
)
from pleasance.games.sakura.kernel.rules import FEW_PAINTERS, ONE_DRAW
from pleasance.games.sakura.rules.state import ALL_CARDS

LEAST_PAINTERS = 3


@jit
def start(box: Flat, state: Flat, seats: int) -> None:
    """Put the Emperor on the torii and all painters in the gate; deal the hands (K-5, K-22)."""
    state[:] = 0
    painters = max(seats, LEAST_PAINTERS)
    state[EMPEROR] = box[TORII + (painters > FEW_PAINTERS)]
    state[SEATS] = seats
    state[PAINTERS] = painters
    for painter in range(painters):
        state[TOKENS + painter] = box[START_TOKENS]
    for seat in range(seats):
        state[QUEUE] |= (ONE_DRAW * box[HAND_SIZE] + seat) << (8 * seat)
    state[DECK] = ALL_CARDS
    state[DECKS] = ALL_CARDS
    state[DECK_COUNT] = 1


@jit
def pick(cards: int, place: int) -> int:
    """Find the card of a set that has *place* lower ones, as `nth_bit` does.

    Which card it is nobody can foresee, a processor neither: so this goes the same way for all.
    """
    first = 0
    for width in (32, 16, 8):
        low = count_bits(cards & ((1 << width) - 1))
        is_high = place >= low
        place -= low * is_high
        cards >>= width * is_high
        first += width * is_high
    for skipped in range(7):
        cards &= cards - (skipped < place)
    return first + lowest_bit(cards)


@jit
def deal(_box: Flat, state: Flat, luck: Luck) -> None:
    """Deal the cards that a packed view does not know.

    An unseen card of an older deck must lie in a hand that has cards from that deck; one of the
    newest deck may also lie in the deck still.
    """
    rest = ALL_CARDS & ~list_seen(state)
    newest = state[DECK_COUNT] - 1
    for deck in range(newest, -1, -1):
        unseen = rest & state[DECKS + deck]
        rest &= ~unseen
        for seat in range(state[SEATS]):
            for _ in range((state[HIDDEN + seat] >> (4 * deck)) & 15):
                card = 1 << pick(unseen, below(luck, count_bits(unseen)))
                unseen ^= card
                state[HANDS + seat] |= card
        if deck == newest:
            state[DECK] = unseen
    for seat in range(state[SEATS]):
        state[HIDDEN + seat] = 0


@jit
def list_seen(state: Flat) -> int:
    """Collect the cards that lie open or in hands that are known."""
    seen = state[DISCARDS]
    for seat in range(state[SEATS]):
        seen |= state[HANDS + seat]
    for painter in range(state[PAINTERS]):
        seen |= 1 << state[PLAYED + painter]
    return seen
