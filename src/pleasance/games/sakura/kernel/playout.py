"""Compiled random rollouts (playouts), round by round, and their number of cards."""

from __future__ import annotations

from pleasance.compiled.export import export
from pleasance.compiled.jit import count_bits, jit, lowest_bit, nth_bit_branchless
from pleasance.compiled.kernel import OVER
from pleasance.compiled.rng import RngState, RngStates, randbelow
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.arrays import Constants, Position, Positions
from pleasance.games.sakura.kernel.moves import (
    ALL_DECIDED,
    carry_out_garden,
    carry_out_painter,
    decided_directions,
    list_unresolved,
    painter_of,
)
from pleasance.games.sakura.kernel.rules import (
    COURT_PAINTER,
    end_round,
    find_giver,
    misses_court,
    refill_deck,
    resolve_round,
    reveal,
    turn,
)
from pleasance.games.sakura.kernel.scoring import next_sakura


@export()
def draw(constants: Constants, state: Position, rng_state: RngState) -> None:
    """Make the draw that is due at random."""
    cards = refill_deck(state)
    reveal(constants, state, nth_bit_branchless(cards, randbelow(rng_state, count_bits(cards))) - 1)


@jit
def take_random_card(state: Position, seat: int, rng_state: RngState) -> int:
    """Take a card out of a seat's hand, all equally likely."""
    hand = state[at.HANDS + seat]
    card = nth_bit_branchless(hand, randbelow(rng_state, count_bits(hand)))
    state[at.HANDS + seat] = hand ^ (1 << card)
    return card


@jit
def draw_from_deck(state: Position, rng_state: RngState) -> int:
    """Take the top card of the deck (K-6)."""
    deck = refill_deck(state)
    card = nth_bit_branchless(deck, randbelow(rng_state, count_bits(deck)))
    state[at.DECK] = deck ^ (1 << card)
    return card


@jit
def put_down_court(state: Position, rng_state: RngState) -> None:
    """Give the court painter the deck's top card where it has none yet (K-22)."""
    if misses_court(state):
        state[at.PLAYED + COURT_PAINTER] = draw_from_deck(state, rng_state)


@jit
def put_down_random(constants: Constants, state: Position, seat: int, rng_state: RngState) -> None:
    """Make one of a seat's choices of cards, all equally likely (K-6, K-23)."""
    state[at.PLAYED + seat] = take_random_card(state, seat, rng_state)
    if seat == find_giver(constants, state):
        state[at.PLAYED + COURT_PAINTER] = take_random_card(state, seat, rng_state)


@jit
def random_directions(state: Position, rng_state: RngState) -> int:
    """Choose every direction at random; the court painter goes forward (K-7, K-22)."""
    return randbelow(rng_state, 4096) & ~decided_directions(state)


@jit
def refill_hands(state: Position, rng_state: RngState) -> None:
    """Make all draws that are due; then the next round begins (K-6)."""
    queue = state[at.QUEUE]
    while queue:
        for _ in range((queue >> 3) & 31):
            state[at.HANDS + (queue & 7)] |= 1 << draw_from_deck(state, rng_state)
        queue >>= 8
    state[at.NUMBER] += state[at.QUEUE] != 0
    state[at.QUEUE] = 0


@jit
def random_round(constants: Constants, state: Position, rng_state: RngState) -> None:
    """Play a whole round at random in one pass."""
    for seat in range(state[at.SEATS]):
        put_down_random(constants, state, seat, rng_state)
    finish_random_round(constants, state, rng_state)


@jit
def finish_random_round(constants: Constants, state: Position, rng_state: RngState) -> None:
    """Carry out the cards on the table with random directions, and refill the hands."""
    put_down_court(state, rng_state)
    resolve_round(constants, state, random_directions(state, rng_state), ALL_DECIDED)
    refill_hands(state, rng_state)


@export()
def playout(constants: Constants, state: Position, rng_state: RngState) -> None:
    """Play to the end, all choices and draws at random."""
    refill_hands(state, rng_state)
    if state[at.PLAYED]:
        finish_random_round(constants, state, rng_state)
    while turn(state) != OVER:
        random_round(constants, state, rng_state)


@export()
def playouts(constants: Constants, positions: Positions, rng_state: RngStates) -> None:
    """Play many positions to the end, each with its own random generator."""
    for game in range(min(len(positions), len(rng_state))):
        playout(constants, positions[game], rng_state[game])


@jit
def resolve_and_count(constants: Constants, state: Position, directions: int) -> int:
    """Carry out the cards as `resolve_round` does where all directions are known; count them."""
    stop = next_sakura(constants, state)
    cards = list_unresolved(state)
    count = 0
    while cards and state[at.EMPEROR] != stop:
        card = lowest_bit(cards)
        cards &= cards - 1
        owner = painter_of(state, card)
        face = at.FACES + card * at.FACE_SIZE
        back = constants[face + at.FREE] & (directions >> (2 * owner))
        carry_out_garden(constants, state, face, back & 1, stop)
        carry_out_painter(constants, state, face, back & 2, owner)
        count += 1
    end_round(constants, state)
    return count


@export()
def count_cards(constants: Constants, state: Position, rng_state: RngState) -> int:
    """Play to the end as `playout` does, from the start or between two rounds; count the cards."""
    count = 0
    refill_hands(state, rng_state)
    while turn(state) != OVER:
        for seat in range(state[at.SEATS]):
            put_down_random(constants, state, seat, rng_state)
        put_down_court(state, rng_state)
        count += resolve_and_count(constants, state, random_directions(state, rng_state))
        refill_hands(state, rng_state)
    return count
