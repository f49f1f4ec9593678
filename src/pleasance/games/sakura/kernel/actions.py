"""Compiled `rules/actions`: the first code of each kind of choice, and the cards it plays."""

from __future__ import annotations

from pleasance.compiled.jit import jit

CODE_PAIR, CODE_FORWARD, CODE_BACK = 60, 3660, 3661

CARD_COUNT = 60

MAX_CHOICES = 72
"""Two of nine cards, in any order (K-23)."""


@jit
def list_cards(code: int) -> int:
    """Collect the cards that a choice plays."""
    if code >= CODE_FORWARD:
        return 0
    if code < CODE_PAIR:
        return 2 << code
    pair = code - CODE_PAIR
    return (2 << (pair // CARD_COUNT)) | (2 << (pair % CARD_COUNT))
