"""How much a random game holds, for benchmarks: the cards that are really carried out.

Where the Emperor reaches a sakura, the cards after that one are not (K-18); so they do not count.
"""

from __future__ import annotations

from pleasance.compiled.jit import jit, lowest_bit
from pleasance.compiled.kernel import OVER, Flat
from pleasance.compiled.rng import Luck
from pleasance.games.sakura.kernel.codes import turn
from pleasance.games.sakura.kernel.layout import EMPEROR, FACE_SIZE, FACES, FREE, SEATS
from pleasance.games.sakura.kernel.playout import (
    put_down_court,
    put_down_random,
    random_plan,
    refill,
)
from pleasance.games.sakura.kernel.rules import (
    clear_table,
    do_garden,
    do_painter,
    find_owner,
    list_unresolved,
    next_stop,
    score,
)


@jit
def carry_out(box: Flat, state: Flat, plan: int) -> int:
    """Carry out the cards as `resolve` does where all directions are known, and count them."""
    stop = next_stop(box, state)
    cards = list_unresolved(state)
    count = 0
    while cards and state[EMPEROR] != stop:
        card = lowest_bit(cards)
        cards &= cards - 1
        owner = find_owner(state, card)
        face = FACES + card * FACE_SIZE
        back = box[face + FREE] & (plan >> (2 * owner))
        do_garden(box, state, face, back & 1, stop)
        do_painter(box, state, face, back & 2, owner)
        count += 1
    score(box, state)
    clear_table(box, state)
    return count


@jit
def count_cards(box: Flat, state: Flat, luck: Luck) -> int:
    """Play from the start or from between two rounds to the end as `playout` does; count cards."""
    count = 0
    refill(state, luck)
    while turn(state) != OVER:
        for seat in range(state[SEATS]):
            put_down_random(box, state, seat, luck)
        put_down_court(state, luck)
        count += carry_out(box, state, random_plan(state, luck))
        refill(state, luck)
    return count
