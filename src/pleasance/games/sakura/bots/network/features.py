"""What the networks look at, compiled: facts that a seat knows, each true or not, by their numbers.

A seat sees the table from its own place: who is how far ahead and behind, in this order, whatever
their seats; so one network serves any number of painters. The facts of the procession change while
a round is tried out, the others stay as they were when the round began.
"""

from __future__ import annotations

from pleasance.compiled.jit import jit
from pleasance.compiled.kernel import Flat
from pleasance.games.sakura.kernel.codes import COURT
from pleasance.games.sakura.kernel.layout import (
    DISCARDS,
    EMPEROR,
    HANDS,
    IS_TACTICAL,
    LOST,
    MOST_SEATS,
    NUMBER,
    PAINTERS,
    PLACES,
    PLAYED,
    SAKURA,
    SCORED,
    SEATS,
    TOKENS,
)
from pleasance.games.sakura.kernel.moves import GATE, count_ahead
from pleasance.games.sakura.kernel.rules import next_stop
from pleasance.games.sakura.rules.components import MOST_PAINTERS
from pleasance.games.sakura.rules.state import ALL_CARDS

OTHERS = MOST_PAINTERS - 1

# How many steps of each fact are told apart.
LOSSES, OTHER_LOSSES, ROUNDS = 5, 12, 8
AWAY, GAP, NEAR, BEGIN = 14, 16, 8, 8
LEAD, DISTANCE, MARGIN, POOL_GAP, POOL_LEAD = 8, 9, 5, 10, 3
SLOT = DISTANCE + 2 * MARGIN + 1 + 2

# Where the facts of each kind begin: first those that stay.
TABLE = 0
"""The number of seats, and the tactical variant."""
OWN_LOST = TABLE + MOST_SEATS
"""Tokens lost in disgraces: they tell how carefully somebody plays."""
OTHERS_LOST = OWN_LOST + LOSSES
ROUND = OTHERS_LOST + OTHER_LOSSES
KNOWS_HAND = ROUND + ROUNDS
STAGE = KNOWS_HAND + 1
"""The next sakura and how far the Emperor is away from it."""
OWN_GAP = STAGE + SAKURA * AWAY
"""How far behind the Emperor the painter stands."""
OWN_NEAR = OWN_GAP + GAP
"""The same together with how far he is away."""
OWN_PLACE = OWN_NEAR + NEAR * NEAR
OWN_RANK = OWN_PLACE + BEGIN
OWN_LEAD = OWN_RANK + SAKURA * MOST_PAINTERS
"""Tokens more than the best of the others."""
OWN_TOKENS = OWN_LEAD + SAKURA * (2 * LEAD + 1)
SLOTS = OWN_TOKENS + 4
"""For each painter ahead, the nearest first, then for each behind: distance, tokens, who it is."""
POOL = SLOTS + 2 * OTHERS * SLOT
"""How many others stand so far behind the Emperor with so many tokens more or less."""
COURT_GAP = POOL + POOL_GAP * (2 * POOL_LEAD + 1)
FACTS = COURT_GAP + POOL_GAP

MOST_TRUE = 6 + 7 + 4 * OTHERS
"""So many facts are true at the same time at most."""


@jit
def clip(number: int, low: int, high: int) -> int:
    """Keep a number between two others."""
    return min(max(number, low), high)


@jit
def list_unseen(state: Flat, seat: int) -> int:
    """Collect the cards that *seat* does not know, or for nobody those that are not discarded.

    What the others have put on the table counts as unseen: so it is the same all through a round.
    """
    unseen = ALL_CARDS & ~state[DISCARDS]
    if seat >= 0:
        unseen &= ~state[HANDS + seat]
        unseen &= ~(1 << state[PLAYED + seat])
    return unseen


@jit
def list_lasting(box: Flat, state: Flat, seat: int, knows_hand: bool, facts: Flat) -> int:
    """List the facts that are the same all through a round; tell how many there are."""
    facts[0] = TABLE + state[SEATS] - 2 if not box[IS_TACTICAL] else TABLE + MOST_SEATS - 1
    facts[1] = OWN_LOST + clip(-state[LOST + seat], 0, LOSSES - 1)
    lost = 0
    for other in range(state[SEATS]):
        lost -= state[LOST + other] * (other != seat)
    facts[2] = OTHERS_LOST + clip(lost, 0, OTHER_LOSSES - 1)
    facts[3] = ROUND + clip(state[NUMBER] // 2, 0, ROUNDS - 1)
    facts[4] = KNOWS_HAND
    return 5 if knows_hand else 4


@jit
def list_passing(box: Flat, state: Flat, seat: int, facts: Flat, count: int) -> int:
    """Add the facts of the procession to the first *count*; tell how many there are then."""
    own, tokens, scored = state[PLACES + seat], state[TOKENS + seat], state[SCORED]
    away = clip(next_stop(box, state) - state[EMPEROR], 0, AWAY - 1)
    gap = clip(state[EMPEROR] - own, 0, GAP - 1)
    facts[count] = STAGE + scored * AWAY + away
    facts[count + 1] = OWN_GAP + gap
    facts[count + 2] = OWN_NEAR + min(gap, NEAR - 1) * NEAR + min(away, NEAR - 1)
    facts[count + 3] = OWN_PLACE + min(own, BEGIN - 1)
    facts[count + 4] = OWN_RANK + scored * MOST_PAINTERS + count_ahead(state, own)
    facts[count + 5] = OWN_TOKENS + min(tokens, 3)
    most = 0
    for other in range(state[SEATS]):
        if other != seat:
            most = max(most, state[TOKENS + other])
    lead = clip(tokens - most, -LEAD, LEAD) + LEAD
    facts[count + 6] = OWN_LEAD + scored * (2 * LEAD + 1) + lead
    count += 7
    for other in range(state[PAINTERS]):
        if other != seat:
            count = list_other(state, seat, other, facts, count)
    return count


@jit
def list_other(state: Flat, seat: int, other: int, facts: Flat, count: int) -> int:
    """Add the facts about another painter, as *seat* sees it."""
    own, place = state[PLACES + seat], state[PLACES + other]
    slot = SLOTS + count_between(state, seat, other) * SLOT
    if place <= own:
        slot += OTHERS * SLOT
    facts[count] = slot + min(abs(place - own), DISTANCE - 1)
    gap = clip(state[EMPEROR] - place, 0, POOL_GAP - 1)
    if other == COURT and state[SEATS] < state[PAINTERS]:
        facts[count + 1] = slot + SLOT - 1
        facts[count + 2] = COURT_GAP + gap
    else:
        margin = state[TOKENS + seat] - state[TOKENS + other]
        facts[count + 1] = slot + DISTANCE + clip(margin, -MARGIN, MARGIN) + MARGIN
        lead = clip(margin, -POOL_LEAD, POOL_LEAD) + POOL_LEAD
        facts[count + 2] = POOL + gap * (2 * POOL_LEAD + 1) + lead
    if place == GATE:
        facts[count + 3] = slot + SLOT - 2
        return count + 4
    return count + 3


@jit
def count_between(state: Flat, seat: int, other: int) -> int:
    """Count the painters between *seat* and *other*; those in one place come in seat order."""
    own, place = state[PLACES + seat], state[PLACES + other]
    count = 0
    for third in range(state[PAINTERS]):
        stands = state[PLACES + third]
        if third not in (seat, other):
            is_between = own < stands < place or place < stands <= own
            count += is_between or (stands == place and third < other)
    return count


@jit
def list_facts(
    box: Flat, start: Flat, state: Flat, seat: int, knows_hand: bool, facts: Flat
) -> None:
    """List all that *seat* knows but cards: the round as it began, the procession as it is.

    Where fewer facts are true than there is room for, the rest is `FACTS`.
    """
    count = list_lasting(box, start, seat, knows_hand, facts)
    count = list_passing(box, state, seat, facts, count)
    for place in range(count, MOST_TRUE):
        facts[place] = FACTS
