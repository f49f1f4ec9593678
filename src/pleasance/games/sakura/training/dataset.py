"""Training rows from self-play, compiled: ends of rounds with TD(λ) targets, and choices."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np

from pleasance.compiled.jit import jit
from pleasance.compiled.signature import ArrayType, Float32Array, IntArray
from pleasance.games.sakura.bots.network.feature_index import MAX_ACTIVE_FEATURES
from pleasance.games.sakura.bots.network.features import extract, list_unseen
from pleasance.games.sakura.bots.network.model import TOKEN_SCALE
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.actions import CARD_COUNT, CODE_PAIR
from pleasance.games.sakura.kernel.arrays import Constants, Position, SeatShares

UNKNOWN_VALUE = -1.0


FeatureRows: TypeAlias = Annotated[Any, ArrayType("int16", (None, MAX_ACTIVE_FEATURES))]
"""The numbers of active features `[row, place]`."""

CardRows: TypeAlias = Annotated[Any, ArrayType("int64", (None, 2))]
"""Two cards of each row."""

TargetRows: TypeAlias = Annotated[Any, ArrayType("float32", (None, 3))]
"""Three targets of each row."""

RowCounts: TypeAlias = Annotated[Any, ArrayType("int64", (2,))]
"""The number of rows for either network."""


class TrainingRows(NamedTuple):
    """Rows to learn from: ends of rounds as one seat saw them, or choices of cards."""

    features: FeatureRows
    hands: IntArray
    unseen: IntArray
    seats: IntArray
    """The seat of each row."""
    kinds: IntArray
    """The kind of player of that seat."""
    cards: CardRows
    """The card played and the one given away, for choices."""
    targets: TargetRows
    """For ends of rounds: share of victory, tokens at the end, those of the best other."""
    next: Float32Array
    """The value predicted at the next choice."""


class RowBuffer(NamedTuple):
    """The rows of one thread: ends of rounds for the value network, choices for the policy."""

    value: TrainingRows
    policy: TrainingRows
    counts: RowCounts
    """Rows in use of each of the two."""


def make_training_rows(count: int) -> TrainingRows:
    """Make room for *count* rows."""
    return TrainingRows(
        features=np.zeros((count, MAX_ACTIVE_FEATURES), dtype=np.int16),
        hands=np.zeros(count, dtype=np.int64),
        unseen=np.zeros(count, dtype=np.int64),
        seats=np.zeros(count, dtype=np.int64),
        kinds=np.zeros(count, dtype=np.int64),
        cards=np.zeros((count, 2), dtype=np.int64),
        targets=np.zeros((count, 3), dtype=np.float32),
        next=np.zeros(count, dtype=np.float32),
    )


def make_row_buffer(count: int) -> RowBuffer:
    """Make room for *count* rows of either kind."""
    counts = np.zeros(2, dtype=np.int64)
    return RowBuffer(make_training_rows(count), make_training_rows(count), counts)


@jit
def record_row(
    constants: Constants,
    start: Position,
    state: Position,
    seat: int,
    knows_hand: bool,
    rows: TrainingRows,
    row: int,
) -> None:
    """Record what is known in a round that began at *start*: by *seat*, or by every seat."""
    extract(constants, start, state, seat, knows_hand, rows.features[row])
    rows.hands[row] = state[at.HANDS + seat]
    rows.unseen[row] = list_unseen(start, seat if knows_hand else -1)
    rows.seats[row] = seat


@jit
def record_cards(code: int, rows: TrainingRows, row: int) -> None:
    """Record the cards of a choice: the own one, and the one for the court painter."""
    is_pair, pair = code >= CODE_PAIR, max(code - CODE_PAIR, 0)
    rows.cards[row, 0] = pair // CARD_COUNT + 1 if is_pair else code + 1
    rows.cards[row, 1] = pair % CARD_COUNT + 1 if is_pair else 0


@jit
def set_targets(
    state: Position, rows: TrainingRows, first: int, end: int, td_lambda: float, won: SeatShares
) -> None:
    """Set the TD(λ) targets of a game: its end, mixed with the values predicted on the way."""
    for row in range(end - 1, first - 1, -1):
        seat = rows.seats[row]
        share = won[seat]
        if rows.next[row] != UNKNOWN_VALUE:
            share = td_lambda * share + (1 - td_lambda) * rows.next[row]
        won[seat] = share
        most = 0
        for other in range(state[at.SEATS]):
            if other != seat:
                most = max(most, state[at.TOKENS + other])
        rows.targets[row, 0] = share
        rows.targets[row, 1] = state[at.TOKENS + seat] * TOKEN_SCALE
        rows.targets[row, 2] = most * TOKEN_SCALE
