"""The compiled twin of the rules: a round of cards over flat arrays of integers.

Every function here and in the other `kernel` files repeats a rule for speed; tests hold the twins
equal, position by position. Positions are changed in place: to keep one, copy the array.

All directions of a round fit in one number, its plan: bit `2 * painter` is set where that painter's
garden action goes back, the bit above it where its painter action does (K-7).
"""

from __future__ import annotations

import numpy as np

from pleasance.compiled.jit import count_bits, jit, lowest_bit
from pleasance.compiled.kernel import Flat
from pleasance.games.sakura.kernel.layout import (
    DECK,
    DECK_COUNT,
    DECKS,
    DISCARDS,
    DONE,
    EMPEROR,
    FACE_SIZE,
    FACES,
    FREE,
    GARDEN_MOVE,
    GARDEN_STEPS,
    HANDS,
    IS_TACTICAL,
    MOST_DECKS,
    MOST_SEATS,
    PAID,
    PAINTER_MOVE,
    PAINTER_STEPS,
    PAINTERS,
    PAY,
    PLACES,
    PLAYED,
    QUEUE,
    SAKURA,
    SCORED,
    SEATS,
    STOPS,
    TOKENS,
)
from pleasance.games.sakura.kernel.moves import (
    GATE,
    NOBODY,
    count_ahead,
    count_gate,
    find_closest,
    find_furthest,
    leap,
    walk,
    walk_emperor,
)
from pleasance.games.sakura.rules.components import MOST_PAINTERS

# What actions do, as plain numbers: compiled code knows no enumerations.
MOVE_EMPEROR, MOVE_CLOSEST, MOVE_FURTHEST, MOVE_WALK, MOVE_LEAP, MOVE_COUNT = range(6)

FEW_PAINTERS = 4
"""With more than these another path and other pay count (K-2, K-19)."""

ALL_DECIDED = -1
"""No painter is asked for a direction; the plan knows them all."""

ONE_DRAW = 8
"""One draw of a seat in a queue of draws."""

QUEUES = np.array(
    [
        sum((ONE_DRAW + seat) << 8 * seat for seat in range(seats))
        for seats in range(MOST_SEATS + 1)
    ],
    dtype=np.int64,
)
"""Everybody draws once, by the number of seats."""


@jit
def next_stop(box: Flat, state: Flat) -> int:
    """Find the next sakura to be scored; it always stops the Emperor (K-12)."""
    group = state[PAINTERS] > FEW_PAINTERS
    return box[STOPS + group * SAKURA + state[SCORED]]


@jit
def find_owner(state: Flat, card: int) -> int:
    """Find the painter whose *card* lies on the table."""
    owner = 0
    for painter in range(1, MOST_PAINTERS):
        owner += painter * (state[PLAYED + painter] == card)
    return owner


@jit
def list_unresolved(state: Flat) -> int:
    """Collect the cards on the table that still have something to do."""
    cards = 0
    for painter in range(state[PAINTERS]):
        cards |= 1 << state[PLAYED + painter]
    for _ in range(state[DONE] // 2):
        cards &= cards - 1
    return cards


@jit
def court_decides(state: Flat) -> int:
    """Mark the directions that nobody is asked for: the court painter goes forward (K-22)."""
    return -1 << (2 * state[SEATS])


@jit
def do_garden(box: Flat, state: Flat, face: int, is_back: int, stop: int) -> None:
    """Carry out a garden action (K-13 to K-15)."""
    move, steps = box[face + GARDEN_MOVE], box[face + GARDEN_STEPS]
    if move == MOVE_EMPEROR:
        walk_emperor(box, state, -steps if is_back else steps, stop)
        return
    painter = find_closest(state) if move == MOVE_CLOSEST else find_furthest(state)
    if painter != NOBODY:
        walk(box, state, painter, steps)


@jit
def do_painter(box: Flat, state: Flat, face: int, is_back: int, owner: int) -> None:
    """Carry out a painter action (K-16, K-17)."""
    move = box[face + PAINTER_MOVE]
    if move == MOVE_LEAP:
        leap(box, state, owner)
        return
    steps = box[face + PAINTER_STEPS]
    if move == MOVE_COUNT:
        steps = count_ahead(state, state[PLACES + owner])
    walk(box, state, owner, -steps if is_back else steps)


@jit
def carry_on(box: Flat, state: Flat, plan: int, decided: int) -> bool:
    """Carry out the cards from the lowest number to the highest (K-6), as the *plan* says.

    Stop before a direction that is not among those *decided* (K-7), and tell whether none was.
    """
    stop = next_stop(box, state)
    cards = list_unresolved(state)
    done = state[DONE]
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        owner = find_owner(state, card)
        face = FACES + card * FACE_SIZE
        free = box[face + FREE]
        asked = free & ~(decided >> (2 * owner))
        back = free & (plan >> (2 * owner))
        if done & 1 == 0:
            if asked & 1:
                state[DONE] = done
                return False
            do_garden(box, state, face, back & 1, stop)
            done += 1
        if asked & 2:
            state[DONE] = done
            return False
        do_painter(box, state, face, back & 2, owner)
        done += 1
        if state[EMPEROR] == stop:
            break
    return True


@jit
def resolve(box: Flat, state: Flat, plan: int, decided: int) -> None:
    """Carry out the cards on the table and, where no direction is missing, end the round."""
    if carry_on(box, state, plan, decided):
        score(box, state)
        clear_table(box, state)


@jit
def rank_pay(box: Flat, state: Flat, painter: int, in_gate: int) -> int:
    """Tell what a painter's rank is paid at the next sakura (K-19)."""
    place = state[PLACES + painter]
    if place == GATE and in_gate > 1:
        return 0
    group = state[PAINTERS] > FEW_PAINTERS
    pay = PAY + (group * SAKURA + state[SCORED]) * MOST_PAINTERS
    return box[pay + count_ahead(state, place)]


@jit
def score(box: Flat, state: Flat) -> None:
    """Pay the ranks at a new sakura; unless it is the last, close them (K-18 to K-21)."""
    if state[EMPEROR] != next_stop(box, state):
        return
    in_gate = count_gate(state)
    paid = PAID + state[SCORED] * MOST_PAINTERS
    for painter in range(state[PAINTERS]):
        tokens = rank_pay(box, state, painter, in_gate)
        state[paid + painter] = tokens
        state[TOKENS + painter] += tokens
    state[SCORED] += 1
    if state[SCORED] < SAKURA:
        close_ranks(state)


@jit
def close_ranks(state: Flat) -> None:
    """Let each painter go right behind the one ahead of it (K-20)."""
    is_lone = count_gate(state) == 1
    first = GATE
    ranks = 0
    for painter in range(state[PAINTERS]):
        place = state[PLACES + painter]
        first = max(first, place)
        ranks |= count_ahead(state, place) << (3 * painter)
    for painter in range(state[PAINTERS]):
        if state[PLACES + painter] != GATE or is_lone:
            state[PLACES + painter] = max(first - ((ranks >> (3 * painter)) & 7), GATE)


@jit
def clear_table(box: Flat, state: Flat) -> None:
    """Discard all cards, resolved or not (K-18), and let everyone draw, if the game goes on."""
    state[DISCARDS] |= take_table(state)
    state[DONE] = 0
    if state[SCORED] < SAKURA:
        state[QUEUE] = list_draws(box, state)


@jit
def take_table(state: Flat) -> int:
    """Take all cards off the table."""
    cards = 0
    for painter in range(state[PAINTERS]):
        cards |= 1 << state[PLAYED + painter]
        state[PLAYED + painter] = 0
    return cards


@jit
def list_draws(box: Flat, state: Flat) -> int:
    """Let all draw in seat order; who has played two cards draws one more (K-6, K-23)."""
    queue = QUEUES[state[SEATS]]
    if box[IS_TACTICAL]:
        first, second = count_bits(state[HANDS]), count_bits(state[HANDS + 1])
        if first < second:
            queue |= ONE_DRAW << 16
        elif second < first:
            queue += ONE_DRAW << 8
    return queue


@jit
def find_giver(box: Flat, state: Flat) -> int:
    """Find who plays a card for the court painter: the player further from the Emperor (K-23)."""
    first, second = state[PLACES], state[PLACES + 1]
    if not box[IS_TACTICAL] or first == second:
        return NOBODY
    return 0 if first < second else 1


@jit
def ready_deck(state: Flat) -> int:
    """Tell the cards that can be drawn; make a new deck of the discards if there are none (K-6)."""
    if not state[DECK]:
        if state[DECK_COUNT] == MOST_DECKS:
            join_oldest(state)
        state[DECKS + state[DECK_COUNT]] = state[DISCARDS]
        state[DECK_COUNT] += 1
        state[DECK] = state[DISCARDS]
        state[DISCARDS] = 0
    return state[DECK]


@jit
def join_oldest(state: Flat) -> None:
    """Take the two oldest decks as one."""
    state[DECKS + 1] |= state[DECKS]
    for deck in range(1, state[DECK_COUNT]):
        state[DECKS + deck - 1] = state[DECKS + deck]
    state[DECK_COUNT] -= 1
