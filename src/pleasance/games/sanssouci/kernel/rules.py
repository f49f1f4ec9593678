"""Compiled `rules/rules`: turns, legal codes, playing a code, and the draws that are due.

The modules of this folder repeat those of `rules/` for speed, name by name; tests compare both,
position by position. Positions are changed in place: to keep one, copy the array.
"""

from __future__ import annotations

from pleasance.compiled.export import export
from pleasance.compiled.jit import jit, lowest_bit
from pleasance.compiled.kernel import ALL, DRAW
from pleasance.compiled.kernel import OVER as ENDED
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.actions import (
    CODE_BOAR,
    CODE_PLACE,
    CODE_SIDE,
    CODE_STAY,
    CODE_WALK,
    OUTCOME_CARD,
    OUTCOME_TILE,
    OUTCOMES,
    ChosenCodes,
    Codes,
    OutcomeWeights,
)
from pleasance.games.sanssouci.kernel.garden import COLUMN_A, row_of
from pleasance.games.sanssouci.kernel.layout import Constants, Position, seat_block
from pleasance.games.sanssouci.kernel.moves import (
    belongs,
    boar_steps,
    gardener_cells,
    spaces_for,
    walks,
)
from pleasance.games.sanssouci.kernel.placing import lay
from pleasance.games.sanssouci.kernel.setup import (
    after_fill,
    choose_sides,
    deal_card,
    first_setup_code,
    setup_chances,
    setup_reveal,
)


@export()
def turn(state: Position) -> int:
    """Return the seat that chooses alone, or `ALL`, `DRAW` or `OVER` of the kernel protocol."""
    phase = state[at.PHASE]
    if phase == at.SIDES:
        return ALL
    if phase == at.OVER:
        return ENDED
    return state[at.ACTOR] if at.TAKE <= phase <= at.WALK else DRAW


@export()
def legal(_constants: Constants, state: Position, seat: int, codes: Codes) -> int:
    """List the codes that *seat* may choose, in order."""
    phase = state[at.PHASE]
    if phase == at.SIDES:
        return list_codes(3, CODE_SIDE, codes)
    if seat != state[at.ACTOR] or phase < at.TAKE or phase > at.WALK:
        return 0
    block = seat_block(seat)
    if phase == at.TAKE:
        return legal_takes(state, state[block + at.HAND], codes)
    if phase == at.PLACE:
        return list_codes(gardener_cells(state, block), CODE_PLACE, codes)
    if phase == at.CHASE:
        return list_codes(boar_steps(state, block), CODE_BOAR, codes)
    count = list_codes(walks(state, block), CODE_WALK, codes)
    codes[count] = CODE_STAY
    return count + 1


@jit
def list_codes(cells: int, first: int, codes: Codes) -> int:
    """List the members of a set as codes."""
    count = 0
    while cells:
        codes[count] = first + lowest_bit(cells)
        cells &= cells - 1
        count += 1
    return count


@jit
def legal_takes(state: Position, hand: int, codes: Codes) -> int:
    """List each card in hand with each tile it may take (S-12)."""
    count = 0
    while hand:
        card = lowest_bit(hand)
        spaces = spaces_for(state, card)
        while spaces:
            codes[count] = card * at.SPACES + lowest_bit(spaces)
            spaces &= spaces - 1
            count += 1
        hand &= hand - 1
    return count


@export()
def play(constants: Constants, state: Position, codes: ChosenCodes) -> None:
    """Carry out a choice: card and tile, gardener, boar, walk (S-12 to S-15, S-25)."""
    if state[at.PHASE] == at.SIDES:
        choose_sides(state, codes)
        return
    code = codes[state[at.ACTOR]]
    if code < CODE_PLACE:
        take_tile(constants, state, code // at.SPACES, code % at.SPACES)
    elif code < CODE_WALK:
        lay(constants, state, code - CODE_PLACE, 1)
    elif code < CODE_STAY:
        walk_noble(constants, state, code - CODE_WALK)
    elif code == CODE_STAY:
        after_walk(state)
    else:
        chase_boar(state, code - CODE_BOAR)


@jit
def take_tile(constants: Constants, state: Position, card: int, space: int) -> None:
    """Play the card and take the tile; lay it where it belongs if that is free (S-12, S-13)."""
    block = seat_block(state[at.ACTOR])
    state[block + at.HAND] &= ~(1 << card)
    cell = belongs(space, state[at.MARKET + space])
    state[at.MARKET + space] = at.NO_TILE
    state[at.EMPTIED] = space
    state[at.TILE] = cell
    if (state[block + at.BUILT] >> cell) & 1:
        state[at.PHASE] = at.PLACE
    else:
        lay(constants, state, cell, 0)


@jit
def chase_boar(state: Position, cell: int) -> None:
    """Let the boar step to a free cell beside it (S-25)."""
    state[seat_block(state[at.ACTOR]) + at.BOAR] = cell
    state[at.PHASE] = at.WALK


@jit
def walk_noble(constants: Constants, state: Position, cell: int) -> None:
    """Let a noble walk to a lower row of its column; it scores that row's value (S-15)."""
    move_noble(constants, state, seat_block(state[at.ACTOR]), cell)
    after_walk(state)


@jit
def move_noble(constants: Constants, state: Position, block: int, cell: int) -> None:
    """Move a noble down its column to *cell* and enter the row's value; the turn goes on."""
    row = row_of(cell)
    down_to = (COLUMN_A << (cell - 9 * row)) & ((2 << cell) - 1)
    state[block + at.AHEAD] &= ~down_to
    state[block + at.LEDGER + at.WALKS] += constants[at.ROW_VALUES + row]


@jit
def after_walk(state: Position) -> None:
    """Refill the main board while the bag lasts (S-16)."""
    for motif in range(at.MOTIFS):
        if state[at.BAG + motif]:
            state[at.PHASE] = at.REFILL
            return
    after_refill(state)


@jit
def after_refill(state: Position) -> None:
    """Draw a card while the seat's deck lasts (S-17)."""
    if state[seat_block(state[at.ACTOR]) + at.DECK]:
        state[at.PHASE] = at.CARD
    else:
        next_turn(state)


@jit
def next_turn(state: Position) -> None:
    """Hand on to the left; after 18 rounds the game ends (S-18)."""
    state[at.TURNS] += 1
    state[at.ACTOR] += 1
    if state[at.ACTOR] == state[at.SEATS]:
        state[at.ACTOR] = 0
    state[at.PHASE] = at.TAKE if state[at.TURNS] < at.ROUNDS * state[at.SEATS] else at.OVER


@jit
def turns_left(state: Position, seat: int, turns: int) -> int:
    """Count the turns that *seat* has left after *turns* turns of the game."""
    seats = state[at.SEATS]
    place = (seat - state[at.FIRST] + seats) % seats
    return at.ROUNDS - turns // seats - (place < turns % seats)


@export()
def chances(_constants: Constants, state: Position, weights: OutcomeWeights) -> None:
    """Weight the outcomes of the draw that is due, by their codes."""
    for outcome in range(OUTCOMES):
        weights[outcome] = 0
    phase = state[at.PHASE]
    if phase in (at.REFILL, at.FILL):
        first = OUTCOME_TILE + state[at.EMPTIED] * at.MOTIFS
        for motif in range(at.MOTIFS):
            weights[first + motif] = state[at.BAG + motif]
        return
    if phase in (at.CARD, at.DEAL):
        possible, first = state[seat_block(state[at.ACTOR]) + at.DECK], OUTCOME_CARD
    else:
        possible, first = setup_chances(state), first_setup_code(phase)
    while possible:
        weights[first + lowest_bit(possible)] = 1
        possible &= possible - 1


@export()
def reveal(constants: Constants, state: Position, code: int) -> None:
    """Carry out a draw by its code (S-8 to S-11, S-16, S-17)."""
    phase = state[at.PHASE]
    if phase in (at.REFILL, at.FILL):
        turn_tile(constants, state, (code - OUTCOME_TILE) % at.MOTIFS)
    elif phase == at.CARD:
        draw_card(state, code - OUTCOME_CARD)
    elif phase == at.DEAL:
        deal_card(state, code - OUTCOME_CARD)
    else:
        setup_reveal(constants, state, code)


@jit
def turn_tile(constants: Constants, state: Position, motif: int) -> None:
    """Turn a tile up on the emptied space (S-11, S-16)."""
    state[at.MARKET + state[at.EMPTIED]] = motif
    state[at.BAG + motif] -= 1
    if state[at.PHASE] == at.FILL:
        after_fill(constants, state)
    else:
        after_refill(state)


@jit
def draw_card(state: Position, card: int) -> None:
    """Take a card from the own deck and end the turn (S-17)."""
    block = seat_block(state[at.ACTOR])
    state[block + at.DECK] ^= 1 << card
    state[block + at.HAND] |= 1 << card
    next_turn(state)
