"""Compiled `rules/setup`: the draws and choices before the first turn (S-8 to S-11, S-20)."""

from __future__ import annotations

from pleasance.compiled.export import export
from pleasance.compiled.jit import count_bits, jit
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.actions import (
    CODE_SIDE,
    OUTCOME_GARDEN,
    OUTCOME_MISSION,
    OUTCOME_REWARDS,
    ChosenCodes,
)
from pleasance.games.sanssouci.kernel.garden import EVERYWHERE
from pleasance.games.sanssouci.kernel.layout import Constants, Position, seat_block
from pleasance.games.sanssouci.rules.garden import BOAR_START
from pleasance.games.sanssouci.rules.setup import COVERED
from pleasance.games.sanssouci.rules.state import HAND, MISSIONS

MIN_SEATS = 2


@export("train")
def start(constants: Constants, state: Position, seats: int) -> None:
    """Lay out the box for *seats* players; the first draw is due (S-8, S-9)."""
    for place in range(at.SIZE):
        state[place] = 0
    seats = min(max(seats, MIN_SEATS), at.MAX_SEATS)
    state[at.SEATS] = seats
    state[at.TILE] = at.NOWHERE
    for space in range(at.SPACES):
        state[at.MARKET + space] = at.NO_TILE
    for motif in range(at.MOTIFS):
        state[at.BAG + motif] = constants[at.TILES + seats - MIN_SEATS]
    for seat in range(seats):
        block = seat_block(seat)
        state[block + at.DECK] = constants[at.CARDS]
        state[block + at.AHEAD] = EVERYWHERE
        state[block + at.BOAR] = at.NOWHERE
        state[block + at.BOARD] = at.NO_BOARD
        state[block + at.REWARDS_BOARD] = at.NO_BOARD
        state[block + at.REWARDS_SIDE] = at.NO_BOARD


@jit
def next_seat(state: Position, again: int, then: int) -> None:
    """Repeat the step for the next seat, or go on to the next step after the last one."""
    state[at.ACTOR] += 1
    state[at.PHASE] = again
    if state[at.ACTOR] == state[at.SEATS]:
        state[at.ACTOR] = 0
        state[at.PHASE] = then


@jit
def lay_board(constants: Constants, state: Position, side: int) -> None:
    """Lay the garden board out (S-8, S-24)."""
    block = seat_block(state[at.ACTOR])
    state[block + at.BOARD] = side
    state[block + at.BUILT] = constants[at.GARDENS + side]
    state[block + at.BOAR] = BOAR_START if constants[at.HAS_BOARS] else at.NOWHERE
    state[at.PHASE] = at.MISSION


@jit
def after_missions(constants: Constants, state: Position) -> None:
    """Go on to the rewards board or to the next seat."""
    if constants[at.HAS_REWARDS]:
        state[at.PHASE] = at.REWARDS_DUE
    else:
        next_seat(state, at.GARDEN, at.DEAL)


@jit
def deal_card(state: Position, card: int) -> None:
    """Give the seat one of its first two cards (S-10)."""
    block = seat_block(state[at.ACTOR])
    state[block + at.DECK] ^= 1 << card
    state[block + at.HAND] |= 1 << card
    if count_bits(state[block + at.HAND]) == HAND:
        next_seat(state, at.DEAL, at.FILL)


@jit
def after_fill(constants: Constants, state: Position) -> None:
    """Go on to the next space; when all ten are filled, to the sides or the first turn (S-11)."""
    if state[at.EMPTIED] + 1 < at.SPACES:
        state[at.EMPTIED] += 1
    elif constants[at.HAS_REWARDS]:
        state[at.PHASE] = at.SIDES
    else:
        state[at.PHASE] = at.TAKE
        state[at.ACTOR] = state[at.FIRST]


@jit
def choose_sides(state: Position, codes: ChosenCodes) -> None:
    """Cover each garden with the chosen side of its rewards board (S-20)."""
    for seat in range(state[at.SEATS]):
        choose_side(state, seat, codes[seat] - CODE_SIDE)


@jit
def choose_side(state: Position, seat: int, side: int) -> None:
    """Cover a garden with a side of its rewards board; after the last seat play begins (S-20)."""
    block = seat_block(seat)
    state[block + at.REWARDS_SIDE] = state[block + at.REWARDS_BOARD] * 2 + side
    state[block + at.BUILT] &= ~COVERED
    if seat + 1 == state[at.SEATS]:
        state[at.PHASE] = at.TAKE
        state[at.ACTOR] = state[at.FIRST]


@jit
def setup_chances(state: Position) -> int:
    """Collect the outcomes of the set-up draw that is due, as a set within its kind."""
    seats, phase = state[at.SEATS], state[at.PHASE]
    used = 0
    if phase == at.FIRST_PLAYER:
        return (1 << seats) - 1
    for seat in range(seats):
        block = seat_block(seat)
        if phase == at.MISSION:
            used |= state[block + at.MISSIONS]
        elif seat < state[at.ACTOR]:
            if phase == at.GARDEN:
                used |= 3 << (state[block + at.BOARD] & ~1)
            else:
                used |= 1 << state[block + at.REWARDS_BOARD]
    every = 255 if phase == at.GARDEN else 511 if phase == at.MISSION else 15
    return every & ~used


@jit
def setup_reveal(constants: Constants, state: Position, code: int) -> None:
    """Carry out a set-up draw that comes before the cards (S-8 to S-10, S-20)."""
    phase, block = state[at.PHASE], seat_block(state[at.ACTOR])
    if phase == at.FIRST_PLAYER:
        state[at.FIRST] = code
        state[at.PHASE] = at.GARDEN
    elif phase == at.GARDEN:
        lay_board(constants, state, code - OUTCOME_GARDEN)
    elif phase == at.MISSION:
        state[block + at.MISSIONS] |= 1 << (code - OUTCOME_MISSION)
        if count_bits(state[block + at.MISSIONS]) == MISSIONS:
            after_missions(constants, state)
    else:
        state[block + at.REWARDS_BOARD] = code - OUTCOME_REWARDS
        next_seat(state, at.GARDEN, at.DEAL)


@jit
def first_setup_code(phase: int) -> int:
    """Find where the codes of a set-up draw begin."""
    if phase == at.FIRST_PLAYER:
        return 0
    if phase == at.GARDEN:
        return OUTCOME_GARDEN
    return OUTCOME_MISSION if phase == at.MISSION else OUTCOME_REWARDS
