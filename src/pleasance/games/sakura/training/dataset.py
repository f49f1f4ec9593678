"""What there is to learn from a game, compiled: ends of rounds and choices, row by row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pleasance.compiled.jit import jit
from pleasance.compiled.kernel import Flat, Shares
from pleasance.games.sakura.bots.network.features import MOST_TRUE, list_facts, list_unseen
from pleasance.games.sakura.bots.network.model import TOKEN_SCALE
from pleasance.games.sakura.kernel.codes import CODE_PAIR
from pleasance.games.sakura.kernel.layout import HANDS, SEATS, TOKENS

UNKNOWN = -1.0


class Rows(NamedTuple):
    """What there is to learn: ends of rounds as one seat saw them, or choices of cards."""

    facts: Flat
    hands: Flat
    unseen: Flat
    seats: Flat
    """Whose row it is."""
    kinds: Flat
    """What kind of player that is."""
    cards: Flat
    """The card played and the one given away, for choices."""
    goals: Shares
    """For ends of rounds: share of victory, tokens at the end, those of the best other."""
    next: Shares
    """What was foretold at the next choice."""


def make_rows(count: int) -> Rows:
    """Make room for so many rows."""
    return Rows(
        facts=np.zeros((count, MOST_TRUE), dtype=np.int16),
        hands=np.zeros(count, dtype=np.int64),
        unseen=np.zeros(count, dtype=np.int64),
        seats=np.zeros(count, dtype=np.int64),
        kinds=np.zeros(count, dtype=np.int64),
        cards=np.zeros((count, 2), dtype=np.int64),
        goals=np.zeros((count, 3), dtype=np.float32),
        next=np.zeros(count, dtype=np.float32),
    )


@jit
def note_choice(
    box: Flat, state: Flat, seat: int, code: int, rows: Rows, row: int, facts: Flat
) -> None:
    """Note what a seat has chosen to play, and what everybody knew."""
    list_facts(box, state, state, seat, False, facts)
    for place in range(MOST_TRUE):
        rows.facts[row, place] = facts[place]
    rows.hands[row] = state[HANDS + seat]
    rows.unseen[row] = list_unseen(state, -1)
    rows.seats[row] = seat
    rows.cards[row, 0] = code + 1 if code < CODE_PAIR else (code - CODE_PAIR) // 60 + 1
    rows.cards[row, 1] = 0 if code < CODE_PAIR else (code - CODE_PAIR) % 60 + 1


@jit
def note_end(
    box: Flat, begun: Flat, state: Flat, seat: int, rows: Rows, row: int, facts: Flat
) -> None:
    """Note how a round that has *begun* in some position has ended for a seat."""
    list_facts(box, begun, state, seat, True, facts)
    for place in range(MOST_TRUE):
        rows.facts[row, place] = facts[place]
    rows.hands[row] = state[HANDS + seat]
    rows.unseen[row] = list_unseen(begun, seat)
    rows.seats[row] = seat
    rows.next[row] = UNKNOWN


@jit
def set_goals(state: Flat, rows: Rows, first: int, end: int, patience: float, won: Shares) -> None:
    """Tell each row of a game how it ended, softened by what was foretold on the way."""
    for row in range(end - 1, first - 1, -1):
        seat = rows.seats[row]
        share = won[seat]
        if rows.next[row] != UNKNOWN:
            share = patience * share + (1 - patience) * rows.next[row]
        won[seat] = share
        most = 0
        for other in range(state[SEATS]):
            if other != seat:
                most = max(most, state[TOKENS + other])
        rows.goals[row, 0] = share
        rows.goals[row, 1] = state[TOKENS + seat] * TOKEN_SCALE
        rows.goals[row, 2] = most * TOKEN_SCALE
