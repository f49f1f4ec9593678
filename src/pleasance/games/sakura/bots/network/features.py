"""Feature extraction, compiled: what a seat knows, as the numbers of the active features.

A seat sees the table from its own place: who is how far ahead and behind, in this order, whatever
their seats; so one network serves any number of painters. The position features change while
a round is tried out, the others stay as they were when the round began.
"""

from __future__ import annotations

from pleasance.compiled.jit import jit
from pleasance.compiled.signature import IntArray
from pleasance.games.sakura.bots.network import feature_index as index
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.arrays import Constants, Position
from pleasance.games.sakura.kernel.path import GATE, count_ahead
from pleasance.games.sakura.kernel.rules import COURT_PAINTER
from pleasance.games.sakura.kernel.scoring import next_sakura
from pleasance.games.sakura.rules.components import MAX_PAINTERS
from pleasance.games.sakura.rules.state import ALL_CARDS


@jit
def clip(number: int, low: int, high: int) -> int:
    """Keep a number between two others."""
    return min(max(number, low), high)


@jit
def list_unseen(state: Position, seat: int) -> int:
    """Collect the cards that *seat* does not know; for seat -1, all that are not discarded.

    What the others have put on the table counts as unseen: so it is the same all through a round.
    """
    unseen = ALL_CARDS & ~state[at.DISCARDS]
    if seat >= 0:
        unseen &= ~state[at.HANDS + seat]
        unseen &= ~(1 << state[at.PLAYED + seat])
    return unseen


@jit
def extract_round_features(
    constants: Constants, state: Position, seat: int, knows_hand: bool, features: IntArray
) -> int:
    """List the features that are the same all through a round; return their number."""
    features[0] = (
        index.TABLE + state[at.SEATS] - 2
        if not constants[at.IS_TACTICAL]
        else index.TABLE + at.MAX_SEATS - 1
    )
    features[1] = index.OWN_LOST + clip(-state[at.LOST + seat], 0, index.LOSSES - 1)
    lost = 0
    for other in range(state[at.SEATS]):
        lost -= state[at.LOST + other] * (other != seat)
    features[2] = index.OTHERS_LOST + clip(lost, 0, index.OTHER_LOSSES - 1)
    features[3] = index.ROUND + clip(state[at.NUMBER] // 2, 0, index.ROUNDS - 1)
    features[4] = index.KNOWS_HAND
    return 5 if knows_hand else 4


@jit
def extract_position_features(
    constants: Constants, state: Position, seat: int, features: IntArray, count: int
) -> int:
    """Add the position features to the first *count*; return the new number."""
    own, tokens, scored = state[at.PLACES + seat], state[at.TOKENS + seat], state[at.SCORED]
    away = clip(next_sakura(constants, state) - state[at.EMPEROR], 0, index.AWAY - 1)
    gap = clip(state[at.EMPEROR] - own, 0, index.GAP - 1)
    features[count] = index.STAGE + scored * index.AWAY + away
    features[count + 1] = index.OWN_GAP + gap
    features[count + 2] = (
        index.OWN_NEAR + min(gap, index.NEAR - 1) * index.NEAR + min(away, index.NEAR - 1)
    )
    features[count + 3] = index.OWN_PLACE + min(own, index.BEGIN - 1)
    features[count + 4] = index.OWN_RANK + scored * MAX_PAINTERS + count_ahead(state, own)
    features[count + 5] = index.OWN_TOKENS + min(tokens, 3)
    most = 0
    for other in range(state[at.SEATS]):
        if other != seat:
            most = max(most, state[at.TOKENS + other])
    lead = clip(tokens - most, -index.LEAD, index.LEAD) + index.LEAD
    features[count + 6] = index.OWN_LEAD + scored * (2 * index.LEAD + 1) + lead
    count += 7
    for other in range(state[at.PAINTERS]):
        if other != seat:
            count = extract_opponent_features(state, seat, other, features, count)
    return count


@jit
def extract_opponent_features(
    state: Position, seat: int, other: int, features: IntArray, count: int
) -> int:
    """Add the features of another painter, as *seat* sees it; return the new number."""
    own, place = state[at.PLACES + seat], state[at.PLACES + other]
    slot = index.SLOTS + count_between(state, seat, other) * index.SLOT
    if place <= own:
        slot += index.OTHERS * index.SLOT
    features[count] = slot + min(abs(place - own), index.DISTANCE - 1)
    gap = clip(state[at.EMPEROR] - place, 0, index.POOL_GAP - 1)
    if other == COURT_PAINTER and state[at.SEATS] < state[at.PAINTERS]:
        features[count + 1] = slot + index.SLOT - 1
        features[count + 2] = index.COURT_GAP + gap
    else:
        margin = state[at.TOKENS + seat] - state[at.TOKENS + other]
        features[count + 1] = (
            slot + index.DISTANCE + clip(margin, -index.MARGIN, index.MARGIN) + index.MARGIN
        )
        lead = clip(margin, -index.POOL_LEAD, index.POOL_LEAD) + index.POOL_LEAD
        features[count + 2] = index.POOL + gap * (2 * index.POOL_LEAD + 1) + lead
    if place == GATE:
        features[count + 3] = slot + index.SLOT - 2
        return count + 4
    return count + 3


@jit
def count_between(state: Position, seat: int, other: int) -> int:
    """Count the painters between *seat* and *other*; those in one place come in seat order."""
    own, place = state[at.PLACES + seat], state[at.PLACES + other]
    count = 0
    for third in range(state[at.PAINTERS]):
        stands = state[at.PLACES + third]
        if third not in (seat, other):
            is_between = own < stands < place or place < stands <= own
            count += is_between or (stands == place and third < other)
    return count


@jit
def extract(
    constants: Constants,
    start: Position,
    state: Position,
    seat: int,
    knows_hand: bool,
    features: IntArray,
) -> None:
    """List all features that *seat* knows but cards: the round as it began, the position as it is.

    The places after the last active feature are filled with `FEATURES`.
    """
    count = extract_round_features(constants, start, seat, knows_hand, features)
    count = extract_position_features(constants, state, seat, features, count)
    for place in range(count, index.MAX_ACTIVE_FEATURES):
        features[place] = index.FEATURES
