"""The array layout of packed positions and constants: the offset of each fact."""

from __future__ import annotations

from pleasance.games.sakura.rules.components import CARDS, MAX_PAINTERS

SAKURA = 3
MAX_SEATS = MAX_PAINTERS

MAX_DECKS = 15
"""The most decks that a position holds; then the two oldest are merged.

A view of such a position knows a little less about where old cards lie, nothing else changes. With
the house set this takes some seventy rounds.
"""

# A position: first all that carrying out cards changes.
EMPEROR = 0
SCORED = 1
DONE = 2
PLACES = 3
"""The space of each painter."""
TOKENS = PLACES + MAX_PAINTERS
"""The tokens of each painter; a ledger's first entry is what the others leave of it."""
ROUND_SIZE = TOKENS + MAX_PAINTERS
"""The size of the part above; what follows does not change how a round goes on."""

LOST = ROUND_SIZE
"""Tokens of each painter lost in disgraces, never above 0."""
PAID = LOST + MAX_PAINTERS
"""Tokens paid to each painter, sakura by sakura."""
PLAYED = PAID + SAKURA * MAX_PAINTERS
"""The card of each painter on the table, 0 where there is none."""
QUEUE = PLAYED + MAX_PAINTERS
"""The seats that must still draw, a byte for each run of one seat: `8 * draws + seat`."""
DISCARDS = QUEUE + 1
NUMBER = QUEUE + 2
SEATS = QUEUE + 3
PAINTERS = QUEUE + 4
DECK = QUEUE + 5
DECK_COUNT = QUEUE + 6
HANDS = QUEUE + 7
HIDDEN = HANDS + MAX_SEATS
"""The unknown cards of a packed view: those each seat holds from each deck, four bits a deck."""
DECKS = HIDDEN + MAX_SEATS
SIZE = DECKS + MAX_DECKS

# A box: what the rules look up, for up to four painters and for more.
IS_TACTICAL = 0
HAND_SIZE = 1
START_TOKENS = 2
SETBACK = 3
TORII = 4
SAKURA_SPACES = TORII + 2
"""The sakura spaces, three for each of the two paths."""
PAY = SAKURA_SPACES + 2 * SAKURA
"""Tokens for six ranks, at each sakura, for each of the two paths."""
FACES = PAY + 2 * SAKURA * MAX_PAINTERS

# A face: both actions, and which of them let the owner choose the direction.
GARDEN_MOVE = 0
GARDEN_STEPS = 1
PAINTER_MOVE = 2
PAINTER_STEPS = 3
FREE = 4
"""Bit 0 for the garden action, bit 1 for the painter action."""
FACE_SIZE = 8
CONSTANTS_SIZE = FACES + (len(CARDS) + 1) * FACE_SIZE
