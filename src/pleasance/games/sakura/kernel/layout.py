"""Where each fact of a position lies in the flat arrays of the compiled twin."""

from __future__ import annotations

from pleasance.games.sakura.rules.components import CARDS, MOST_PAINTERS

SAKURA = 3
MOST_SEATS = MOST_PAINTERS

MOST_DECKS = 15
"""So many decks a position can tell apart; then the two oldest are taken as one.

Who looks at such a position knows a little less about where old cards lie, nothing else changes. In
the house set this takes some seventy rounds.
"""

# A position: first the procession, which is all that carrying out cards changes.
EMPEROR = 0
SCORED = 1
DONE = 2
PLACES = 3
"""Where each painter stands."""
TOKENS = PLACES + MOST_PAINTERS
"""What each painter has; a ledger's first entry is what the others leave of it."""
PROCESSION = TOKENS + MOST_PAINTERS
"""How many numbers tell where a round stands; what follows does not change how it goes on."""

LOST = PROCESSION
"""What each painter has lost in disgraces, never above 0."""
PAID = LOST + MOST_PAINTERS
"""What each painter was paid, sakura by sakura."""
PLAYED = PAID + SAKURA * MOST_PAINTERS
"""The card of each painter on the table, 0 where there is none."""
QUEUE = PLAYED + MOST_PAINTERS
"""Who must still draw, a byte for each run of the same seat: `8 * draws + seat`, lowest first."""
DISCARDS = QUEUE + 1
NUMBER = QUEUE + 2
SEATS = QUEUE + 3
PAINTERS = QUEUE + 4
DECK = QUEUE + 5
DECK_COUNT = QUEUE + 6
HANDS = QUEUE + 7
HIDDEN = HANDS + MOST_SEATS
"""What a packed view does not know: cards each seat holds from each deck, four bits a deck."""
DECKS = HIDDEN + MOST_SEATS
SIZE = DECKS + MOST_DECKS

# A box: what the rules look up, for up to four painters and for more.
IS_TACTICAL = 0
HAND_SIZE = 1
START_TOKENS = 2
SETBACK = 3
TORII = 4
STOPS = TORII + 2
"""The sakura spaces, three for each of the two paths."""
PAY = STOPS + 2 * SAKURA
"""Tokens for six ranks, at each sakura, for each of the two paths."""
FACES = PAY + 2 * SAKURA * MOST_PAINTERS

# A face: both actions, and which of them let the owner choose the direction.
GARDEN_MOVE = 0
GARDEN_STEPS = 1
PAINTER_MOVE = 2
PAINTER_STEPS = 3
FREE = 4
"""Bit 0 for the garden action, bit 1 for the painter action."""
FACE_SIZE = 8
BOX_SIZE = FACES + (len(CARDS) + 1) * FACE_SIZE
