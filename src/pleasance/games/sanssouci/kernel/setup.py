"""The compiled twin of the set-up, and the dealing of what a view does not know."""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit, nth_bit
from pleasance.compiled.kernel import Flat
from pleasance.compiled.rng import Luck, below
from pleasance.games.sanssouci.kernel.layout import (
    ACTOR,
    AHEAD,
    BAG,
    BOAR,
    BOARD,
    BUILT,
    CARDS,
    DECK,
    EMPTIED,
    FIRST,
    GARDENS,
    HAND,
    HAS_BOARS,
    HAS_REWARDS,
    HIDDEN_CARDS,
    HIDDEN_MISSIONS,
    MARKET,
    MISSIONS,
    PHASE,
    REWARDS_BOARD,
    REWARDS_SIDE,
    SEATS,
    TILE,
    TILES,
)
from pleasance.games.sanssouci.kernel.playout import random_card, random_tile
from pleasance.games.sanssouci.kernel.rules import (
    CARD,
    EVERYWHERE,
    MOTIFS,
    REFILL,
    SPACES,
    TAKE,
    draw_card,
    seat_block,
    turn_tile,
)
from pleasance.games.sanssouci.rules.setup import COVERED

FIRST_PLAYER, GARDEN, MISSION, REWARDS_DUE, DEAL, FILL, SIDES = range(7)
NO_BOARD, NO_TILE, NOWHERE, BOAR_START = -1, -1, -1, 31

# Where the codes of each kind of outcome begin.
OUTCOME_GARDEN, OUTCOME_MISSION, OUTCOME_REWARDS, OUTCOME_CARD, OUTCOME_TILE = 4, 12, 21, 25, 45


@jit
def start(box: Flat, state: Flat, seats: int) -> None:
    """Lay out the box for so many seats; the first draw is due (S-8, S-9)."""
    state[:] = 0
    state[SEATS] = seats
    state[TILE] = NOWHERE
    for space in range(SPACES):
        state[MARKET + space] = NO_TILE
    for motif in range(MOTIFS):
        state[BAG + motif] = box[TILES + seats - 2]
    for seat in range(seats):
        block = seat_block(seat)
        state[block + DECK] = box[CARDS]
        state[block + AHEAD] = EVERYWHERE
        state[block + BOAR] = NOWHERE
        state[block + BOARD] = NO_BOARD
        state[block + REWARDS_BOARD] = NO_BOARD
        state[block + REWARDS_SIDE] = NO_BOARD


@jit
def next_seat(state: Flat, again: int, then: int) -> None:
    """Do the same for the next seat, or go on to the next step when all are served."""
    state[ACTOR] += 1
    state[PHASE] = again
    if state[ACTOR] == state[SEATS]:
        state[ACTOR] = 0
        state[PHASE] = then


@jit
def lay_board(box: Flat, state: Flat, side: int) -> None:
    """Lay the garden board out (S-8, S-24)."""
    block = seat_block(state[ACTOR])
    state[block + BOARD] = side
    state[block + BUILT] = box[GARDENS + side]
    state[block + BOAR] = BOAR_START if box[HAS_BOARS] else NOWHERE
    state[PHASE] = MISSION


@jit
def give_mission(box: Flat, state: Flat, motif: int) -> None:
    """Give the seat one of its two missions (S-10)."""
    block = seat_block(state[ACTOR])
    state[block + MISSIONS] |= 1 << motif
    if count_bits(state[block + MISSIONS]) == 2:
        if box[HAS_REWARDS]:
            state[PHASE] = REWARDS_DUE
        else:
            next_seat(state, GARDEN, DEAL)


@jit
def deal_card(state: Flat, card: int) -> None:
    """Give the seat one of its first two cards (S-10)."""
    block = seat_block(state[ACTOR])
    state[block + DECK] ^= 1 << card
    state[block + HAND] |= 1 << card
    if count_bits(state[block + HAND]) == 2:
        next_seat(state, DEAL, FILL)


@jit
def fill_space(box: Flat, state: Flat, motif: int) -> None:
    """Turn up one of the first ten tiles (S-11)."""
    state[MARKET + state[EMPTIED]] = motif
    state[BAG + motif] -= 1
    if state[EMPTIED] + 1 < SPACES:
        state[EMPTIED] += 1
    elif box[HAS_REWARDS]:
        state[PHASE] = SIDES
    else:
        state[PHASE] = TAKE
        state[ACTOR] = state[FIRST]


@jit
def choose_side(state: Flat, seat: int, side: int) -> None:
    """Cover a garden with a side of its rewards board; after the last seat play begins (S-20)."""
    block = seat_block(seat)
    state[block + REWARDS_SIDE] = state[block + REWARDS_BOARD] * 2 + side
    state[block + BUILT] &= ~COVERED
    if seat + 1 == state[SEATS]:
        state[PHASE] = TAKE
        state[ACTOR] = state[FIRST]


@jit
def setup_choices(state: Flat) -> int:
    """Collect what the set-up draw that is due can bring, as a set within its kind."""
    seats, phase = state[SEATS], state[PHASE]
    used = 0
    if phase == FIRST_PLAYER:
        return (1 << seats) - 1
    for seat in range(seats):
        block = seat_block(seat)
        if phase == MISSION:
            used |= state[block + MISSIONS]
        elif seat < state[ACTOR]:
            if phase == GARDEN:
                used |= 3 << (state[block + BOARD] & ~1)
            else:
                used |= 1 << state[block + REWARDS_BOARD]
    every = 255 if phase == GARDEN else 511 if phase == MISSION else 15
    return every & ~used


@jit
def reveal(box: Flat, state: Flat, code: int) -> None:
    """Carry out an outcome by its code."""
    phase = state[PHASE]
    if phase == REFILL:
        turn_tile(state, (code - OUTCOME_TILE) % MOTIFS)
    elif phase == CARD:
        draw_card(state, code - OUTCOME_CARD)
    elif phase == FILL:
        fill_space(box, state, (code - OUTCOME_TILE) % MOTIFS)
    elif phase == DEAL:
        deal_card(state, code - OUTCOME_CARD)
    else:
        set_up(box, state, code)


@jit
def set_up(box: Flat, state: Flat, code: int) -> None:
    """Carry out a draw of the set-up that comes before the cards."""
    phase = state[PHASE]
    if phase == FIRST_PLAYER:
        state[FIRST] = code
        state[PHASE] = GARDEN
    elif phase == GARDEN:
        lay_board(box, state, code - OUTCOME_GARDEN)
    elif phase == MISSION:
        give_mission(box, state, code - OUTCOME_MISSION)
    else:
        state[seat_block(state[ACTOR]) + REWARDS_BOARD] = code - OUTCOME_REWARDS
        next_seat(state, GARDEN, DEAL)


@jit
def draw(box: Flat, state: Flat, luck: Luck) -> None:
    """Make the draw that is due by luck."""
    phase = state[PHASE]
    if phase == REFILL:
        turn_tile(state, random_tile(state, luck))
    elif phase == CARD:
        draw_card(state, random_card(state, luck))
    elif phase == FILL:
        fill_space(box, state, random_tile(state, luck))
    elif phase == DEAL:
        deal_card(state, random_card(state, luck))
    else:
        possible = setup_choices(state)
        place = nth_bit(possible, below(luck, count_bits(possible)))
        first = (
            0
            if phase == FIRST_PLAYER
            else OUTCOME_GARDEN
            if phase == GARDEN
            else OUTCOME_MISSION
            if phase == MISSION
            else OUTCOME_REWARDS
        )
        set_up(box, state, first + place)


@jit
def deal(_box: Flat, state: Flat, luck: Luck) -> None:
    """Deal the hands and missions that a packed view does not know."""
    unseen = 511
    for seat in range(state[SEATS]):
        unseen &= ~state[seat_block(seat) + MISSIONS]
    for seat in range(state[SEATS]):
        block = seat_block(seat)
        while state[block + HIDDEN_CARDS]:
            deck = state[block + DECK]
            card = 1 << nth_bit(deck, below(luck, count_bits(deck)))
            state[block + DECK] ^= card
            state[block + HAND] |= card
            state[block + HIDDEN_CARDS] -= 1
        while state[block + HIDDEN_MISSIONS]:
            mission = 1 << nth_bit(unseen, below(luck, count_bits(unseen)))
            unseen ^= mission
            state[block + MISSIONS] |= mission
            state[block + HIDDEN_MISSIONS] -= 1
