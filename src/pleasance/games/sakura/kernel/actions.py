"""Codes of choices for compiled code, and the cards that they play (rules/actions.py)."""

from __future__ import annotations

from pleasance.compiled.jit import jit

# Where the codes of each kind of choice begin.
CODE_PAIR, CODE_FORWARD, CODE_BACK = 60, 3660, 3661

CARD_COUNT = 60


@jit
def list_cards(code: int) -> int:
    """Collect the cards that a choice plays."""
    if code >= CODE_FORWARD:
        return 0
    if code < 60:
        return 2 << code
    return (2 << ((code - 60) // 60)) | (2 << ((code - 60) % 60))
