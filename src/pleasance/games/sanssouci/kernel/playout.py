"""Random play on the compiled twin: every choice and every draw by luck."""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit, lowest_bit, nth_bit
from pleasance.compiled.kernel import Flat
from pleasance.compiled.rng import Luck, below
from pleasance.games.sanssouci.kernel.layout import (
    ACTOR,
    BAG,
    BOAR,
    DECK,
    EMPTIED,
    HAND,
    MARKET,
    PHASE,
    SEATS,
    TURNS,
)
from pleasance.games.sanssouci.kernel.rules import (
    MOTIFS,
    OVER,
    PLACE,
    REFILL,
    ROUNDS,
    TAKE,
    WALK,
    after_walk,
    boar_steps,
    draw_card,
    gardener_cells,
    lay,
    next_turn,
    seat_block,
    spaces_for,
    step,
    take,
    turn_tile,
    walk,
    walks,
)


@jit
def random_tile(state: Flat, luck: Luck) -> int:
    """Draw a motif from the bag, each by how many are left."""
    left = 0
    for motif in range(MOTIFS):
        left += state[BAG + motif]
    place = below(luck, left)
    for motif in range(MOTIFS):
        place -= state[BAG + motif]
        if place < 0:
            return motif
    return -1


@jit
def random_card(state: Flat, luck: Luck) -> int:
    """Draw a card from the actor's deck."""
    deck = state[seat_block(state[ACTOR]) + DECK]
    return nth_bit(deck, below(luck, count_bits(deck)))


@jit
def draw(state: Flat, luck: Luck) -> None:
    """Make the draw that is due in a turn."""
    if state[PHASE] == REFILL:
        turn_tile(state, random_tile(state, luck))
    else:
        draw_card(state, random_card(state, luck))


@jit
def random_choice(box: Flat, state: Flat, luck: Luck) -> None:
    """Make one of the choices that are due, all equally likely."""
    block = seat_block(state[ACTOR])
    phase = state[PHASE]
    if phase == TAKE:
        hand = state[block + HAND]
        card = lowest_bit(hand)
        spaces = spaces_for(state, card)
        count = count_bits(spaces)
        rest = hand & (hand - 1)
        other = 0
        if rest:
            other = spaces_for(state, lowest_bit(rest))
        place = below(luck, count + count_bits(other))
        if place < count:
            take(box, state, card, nth_bit(spaces, place))
        else:
            take(box, state, lowest_bit(rest), nth_bit(other, place - count))
    elif phase == WALK:
        ends = walks(state, block)
        count = count_bits(ends)
        place = below(luck, count + 1)
        if place < count:
            walk(box, state, nth_bit(ends, place))
        else:
            after_walk(state)
    elif phase == PLACE:
        cells = gardener_cells(state, block)
        lay(box, state, nth_bit(cells, below(luck, count_bits(cells))), 1)
    else:
        steps = boar_steps(state, block)
        state[block + BOAR] = nth_bit(steps, below(luck, count_bits(steps)))
        state[PHASE] = WALK


@jit
def random_turn(box: Flat, state: Flat, luck: Luck) -> None:
    """Play a whole turn at random: what `random_choice` and `draw` do, without stopping between."""
    seat, turns, seats = state[ACTOR], state[TURNS], state[SEATS]
    block = seat_block(seat)
    random_choice(box, state, luck)
    while state[PHASE] != WALK:
        random_choice(box, state, luck)
    ends = walks(state, block)
    count = count_bits(ends)
    place = below(luck, count + 1)
    if place < count:
        step(box, state, block, nth_bit(ends, place))
    left = ROUNDS * seats - 1 - turns  # the supply is exactly one short (S-16)
    if left:
        place = below(luck, left)
        motif = -1
        while place >= 0:
            motif += 1
            place -= state[BAG + motif]
        state[BAG + motif] -= 1
        state[MARKET + state[EMPTIED]] = motif
    deck = state[block + DECK]
    if deck:
        card = 1 << nth_bit(deck, below(luck, count_bits(deck)))
        state[block + DECK] ^= card
        state[block + HAND] |= card
    next_turn(state)


@jit
def play_randomly(box: Flat, state: Flat, luck: Luck) -> None:
    """Play to the end, every choice and every draw at random."""
    while state[PHASE] != OVER:
        if state[PHASE] == TAKE:
            random_turn(box, state, luck)
        elif state[PHASE] >= REFILL:
            draw(state, luck)
        else:
            random_choice(box, state, luck)
