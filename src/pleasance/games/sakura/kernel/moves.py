"""Compiled `rules/moves`: carrying out the actions of cards, one by one and card by card.

All directions of a round fit in one number: bit `2 * painter` is set where that painter's garden
action goes back, the bit above it where its painter action does (K-7).
"""

from __future__ import annotations

from pleasance.compiled.jit import jit, lowest_bit
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.arrays import Constants, Position
from pleasance.games.sakura.kernel.path import (
    BEYOND_PATH,
    FIRST,
    GATE,
    NO_PAINTER,
    count_ahead,
    find_closest,
    find_furthest,
    go_back,
    go_forward,
)
from pleasance.games.sakura.kernel.scoring import next_sakura
from pleasance.games.sakura.rules.components import MAX_PAINTERS

# What actions do, as plain numbers: compiled code knows no enumerations.
MOVE_EMPEROR, MOVE_CLOSEST, MOVE_FURTHEST, MOVE_WALK, MOVE_LEAP, MOVE_COUNT = range(6)

ALL_DECIDED = -1
"""No seat is asked for a direction; all of them are decided."""


@jit
def disgrace(constants: Constants, state: Position, painter: int) -> None:
    """Take a token, if there is one, and go back from the Emperor's space (K-9)."""
    loss = min(state[at.TOKENS + painter], 1)
    state[at.TOKENS + painter] -= loss
    state[at.LOST + painter] -= loss
    state[at.PLACES + painter] = GATE  # the space it came from is empty now and counts
    state[at.PLACES + painter] = go_back(state, state[at.EMPEROR], constants[at.SETBACK])


@jit
def advance(constants: Constants, state: Position, painter: int, start: int, steps: int) -> None:
    """Move a painter forward from *start*; to reach the Emperor is a disgrace (K-9)."""
    place = go_forward(state, start, steps)
    if place >= state[at.EMPEROR]:
        disgrace(constants, state, painter)
    else:
        state[at.PLACES + painter] = place


@jit
def walk(constants: Constants, state: Position, painter: int, steps: int) -> None:
    """Move a painter forward or back over empty spaces (K-8 to K-10, K-16)."""
    if steps < 0:
        state[at.PLACES + painter] = go_back(state, state[at.PLACES + painter], -steps)
    elif steps:
        advance(constants, state, painter, state[at.PLACES + painter], steps)


@jit
def leap(constants: Constants, state: Position, painter: int) -> None:
    """Go to the first empty space in front of the next painter ahead (K-17)."""
    own = state[at.PLACES + painter]
    ahead = BEYOND_PATH
    for other in range(state[at.PAINTERS]):
        place = state[at.PLACES + other]
        if own < place < ahead:
            ahead = place
    if ahead < BEYOND_PATH:
        advance(constants, state, painter, ahead, 1)


@jit
def walk_emperor(constants: Constants, state: Position, steps: int, stop: int) -> None:
    """Move the Emperor space by space; the next sakura stops him (K-11, K-12)."""
    if steps > 0:
        state[at.EMPEROR] = min(state[at.EMPEROR] + steps, stop)
        return
    for _ in range(-steps):
        place = max(state[at.EMPEROR] - 1, FIRST)
        state[at.EMPEROR] = place
        for painter in range(state[at.PAINTERS]):
            if state[at.PLACES + painter] == place:
                disgrace(constants, state, painter)
                break


@jit
def carry_out_garden(
    constants: Constants, state: Position, face: int, is_back: int, stop: int
) -> None:
    """Carry out the garden action of a *face* (K-13 to K-15)."""
    move, steps = constants[face + at.GARDEN_MOVE], constants[face + at.GARDEN_STEPS]
    if move == MOVE_EMPEROR:
        walk_emperor(constants, state, -steps if is_back else steps, stop)
        return
    painter = find_closest(state) if move == MOVE_CLOSEST else find_furthest(state)
    if painter != NO_PAINTER:
        walk(constants, state, painter, steps)


@jit
def carry_out_painter(
    constants: Constants, state: Position, face: int, is_back: int, owner: int
) -> None:
    """Carry out the painter action of a *face* (K-16, K-17)."""
    move = constants[face + at.PAINTER_MOVE]
    if move == MOVE_LEAP:
        leap(constants, state, owner)
        return
    steps = constants[face + at.PAINTER_STEPS]
    if move == MOVE_COUNT:
        steps = count_ahead(state, state[at.PLACES + owner])
    walk(constants, state, owner, -steps if is_back else steps)


@jit
def painter_of(state: Position, card: int) -> int:
    """Find the painter whose *card* lies on the table."""
    owner = 0
    for painter in range(1, MAX_PAINTERS):
        owner += painter * (state[at.PLAYED + painter] == card)
    return owner


@jit
def list_unresolved(state: Position) -> int:
    """Collect the cards on the table that still have something to do."""
    cards = 0
    for painter in range(state[at.PAINTERS]):
        cards |= 1 << state[at.PLAYED + painter]
    for _ in range(state[at.DONE] // 2):
        cards &= cards - 1
    return cards


@jit
def decided_directions(state: Position) -> int:
    """Mark the directions that no seat chooses: those of the court painter are forward (K-22)."""
    return -1 << (2 * state[at.SEATS])


@jit
def resolve_cards(constants: Constants, state: Position, directions: int, decided: int) -> bool:
    """Carry out the cards from the lowest number to the highest (K-6), by the *directions*.

    Stop before a direction that is not among those *decided* (K-7); return whether none was.
    """
    stop = next_sakura(constants, state)
    cards = list_unresolved(state)
    done = state[at.DONE]
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        owner = painter_of(state, card)
        face = at.FACES + card * at.FACE_SIZE
        free = constants[face + at.FREE]
        asked = free & ~(decided >> (2 * owner))
        back = free & (directions >> (2 * owner))
        if done & 1 == 0:
            if asked & 1:
                state[at.DONE] = done
                return False
            carry_out_garden(constants, state, face, back & 1, stop)
            done += 1
        if asked & 2:
            state[at.DONE] = done
            return False
        carry_out_painter(constants, state, face, back & 2, owner)
        done += 1
        if state[at.EMPEROR] == stop:
            break
    return True
