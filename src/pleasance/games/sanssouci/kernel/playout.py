"""Compiled random rollouts (playouts): every choice and every draw at random."""

from __future__ import annotations

from pleasance.compiled.export import export
from pleasance.compiled.jit import count_bits, jit, lowest_bit, nth_bit
from pleasance.compiled.rng import RngState, RngStates, randbelow
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.layout import Constants, Position, Positions, seat_block
from pleasance.games.sanssouci.kernel.moves import boar_steps, gardener_cells, spaces_for, walks
from pleasance.games.sanssouci.kernel.placing import lay
from pleasance.games.sanssouci.kernel.rules import (
    after_walk,
    chase_boar,
    draw_card,
    move_noble,
    next_turn,
    take_tile,
    turn_tile,
    walk_noble,
)
from pleasance.games.sanssouci.kernel.setup import (
    choose_side,
    deal_card,
    first_setup_code,
    setup_chances,
    setup_reveal,
)


@jit
def random_tile(state: Position, rng_state: RngState) -> int:
    """Draw a motif from the bag, in proportion to the tiles left."""
    left = 0
    for motif in range(at.MOTIFS):
        left += state[at.BAG + motif]
    place = randbelow(rng_state, left)
    for motif in range(at.MOTIFS):
        place -= state[at.BAG + motif]
        if place < 0:
            return motif
    return -1


@jit
def random_card(state: Position, rng_state: RngState) -> int:
    """Draw a card from the actor's deck."""
    deck = state[seat_block(state[at.ACTOR]) + at.DECK]
    return nth_bit(deck, randbelow(rng_state, count_bits(deck)))


@export()
def draw(constants: Constants, state: Position, rng_state: RngState) -> None:
    """Make the draw that is due at random."""
    phase = state[at.PHASE]
    if phase in (at.REFILL, at.FILL):
        turn_tile(constants, state, random_tile(state, rng_state))
    elif phase == at.CARD:
        draw_card(state, random_card(state, rng_state))
    elif phase == at.DEAL:
        deal_card(state, random_card(state, rng_state))
    else:
        possible = setup_chances(state)
        place = nth_bit(possible, randbelow(rng_state, count_bits(possible)))
        setup_reveal(constants, state, first_setup_code(phase) + place)


@jit
def random_choice(constants: Constants, state: Position, rng_state: RngState) -> None:
    """Make one of the choices that are due, all equally likely."""
    block = seat_block(state[at.ACTOR])
    phase = state[at.PHASE]
    if phase == at.TAKE:
        hand = state[block + at.HAND]
        card = lowest_bit(hand)
        spaces = spaces_for(state, card)
        count = count_bits(spaces)
        rest = hand & (hand - 1)
        other = 0
        if rest:
            other = spaces_for(state, lowest_bit(rest))
        place = randbelow(rng_state, count + count_bits(other))
        if place < count:
            take_tile(constants, state, card, nth_bit(spaces, place))
        else:
            take_tile(constants, state, lowest_bit(rest), nth_bit(other, place - count))
    elif phase == at.WALK:
        ends = walks(state, block)
        count = count_bits(ends)
        place = randbelow(rng_state, count + 1)
        if place < count:
            walk_noble(constants, state, nth_bit(ends, place))
        else:
            after_walk(state)
    elif phase == at.PLACE:
        cells = gardener_cells(state, block)
        lay(constants, state, nth_bit(cells, randbelow(rng_state, count_bits(cells))), 1)
    else:
        steps = boar_steps(state, block)
        chase_boar(state, nth_bit(steps, randbelow(rng_state, count_bits(steps))))


@jit
def random_turn(constants: Constants, state: Position, rng_state: RngState) -> None:
    """Play a whole turn at random, like `random_choice` and `draw` in one pass."""
    seat, turns, seats = state[at.ACTOR], state[at.TURNS], state[at.SEATS]
    block = seat_block(seat)
    random_choice(constants, state, rng_state)
    while state[at.PHASE] != at.WALK:
        random_choice(constants, state, rng_state)
    ends = walks(state, block)
    count = count_bits(ends)
    place = randbelow(rng_state, count + 1)
    if place < count:
        move_noble(constants, state, block, nth_bit(ends, place))
    left = at.ROUNDS * seats - 1 - turns  # the supply is exactly one short (S-16)
    if left:
        place = randbelow(rng_state, left)
        motif = -1
        while place >= 0:
            motif += 1
            place -= state[at.BAG + motif]
        state[at.BAG + motif] -= 1
        state[at.MARKET + state[at.EMPTIED]] = motif
    deck = state[block + at.DECK]
    if deck:
        card = 1 << nth_bit(deck, randbelow(rng_state, count_bits(deck)))
        state[block + at.DECK] ^= card
        state[block + at.HAND] |= card
    next_turn(state)


@export()
def playout(constants: Constants, state: Position, rng_state: RngState) -> None:
    """Play to the end, all choices and draws at random."""
    while state[at.PHASE] != at.OVER:
        if state[at.PHASE] == at.TAKE:
            random_turn(constants, state, rng_state)
        elif at.TAKE < state[at.PHASE] <= at.WALK:
            random_choice(constants, state, rng_state)
        elif state[at.PHASE] == at.SIDES:
            for seat in range(state[at.SEATS]):
                choose_side(state, seat, randbelow(rng_state, 2))
        else:
            draw(constants, state, rng_state)


@export()
def playouts(constants: Constants, positions: Positions, rng_state: RngStates) -> None:
    """Play many positions to the end, each with its own random generator."""
    for game in range(len(positions)):
        playout(constants, positions[game], rng_state[game])


@export()
def count_turns(constants: Constants, state: Position, rng_state: RngState) -> int:
    """Play to the end as `playout` does, and count the turns."""
    before: int = state[at.TURNS]
    playout(constants, state, rng_state)
    after: int = state[at.TURNS]
    return after - before
