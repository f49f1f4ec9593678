"""Feature numbers of the networks: the first number of each kind of feature."""

from __future__ import annotations

from pleasance.games.sakura.kernel.layout import MAX_SEATS, SAKURA
from pleasance.games.sakura.rules.components import MAX_PAINTERS

OTHERS = MAX_PAINTERS - 1

# The number of classes of each fact.
LOSSES, OTHER_LOSSES, ROUNDS = 5, 12, 8
AWAY, GAP, NEAR, BEGIN = 14, 16, 8, 8
LEAD, DISTANCE, MARGIN, POOL_GAP, POOL_LEAD = 8, 9, 5, 10, 3
SLOT = DISTANCE + 2 * MARGIN + 1 + 2

# The first number of each kind of feature; those that stay through a round come first.
TABLE = 0
"""The number of seats, and the tactical variant."""
OWN_LOST = TABLE + MAX_SEATS
"""Tokens lost in disgraces: a sign of how carefully a seat plays."""
OTHERS_LOST = OWN_LOST + LOSSES
ROUND = OTHERS_LOST + OTHER_LOSSES
KNOWS_HAND = ROUND + ROUNDS
STAGE = KNOWS_HAND + 1
"""The next sakura and how far the Emperor is away from it."""
OWN_GAP = STAGE + SAKURA * AWAY
"""The painter's distance to the Emperor."""
OWN_NEAR = OWN_GAP + GAP
"""The same together with how far he is away."""
OWN_PLACE = OWN_NEAR + NEAR * NEAR
OWN_RANK = OWN_PLACE + BEGIN
OWN_LEAD = OWN_RANK + SAKURA * MAX_PAINTERS
"""Tokens more than the best of the others."""
OWN_TOKENS = OWN_LEAD + SAKURA * (2 * LEAD + 1)
SLOTS = OWN_TOKENS + 4
"""For each painter ahead, the nearest first, then for each behind: distance, tokens, who it is."""
POOL = SLOTS + 2 * OTHERS * SLOT
"""The others by their distance to the Emperor and their tokens more or less."""
COURT_GAP = POOL + POOL_GAP * (2 * POOL_LEAD + 1)
FEATURES = COURT_GAP + POOL_GAP

MAX_ACTIVE_FEATURES = 6 + 7 + 4 * OTHERS
"""The most features that are active at the same time."""
