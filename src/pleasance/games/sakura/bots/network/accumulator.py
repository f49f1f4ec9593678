"""The accumulator of a network: its first layer, an embedding summed over the active features."""

from __future__ import annotations

import numpy as np

from pleasance.compiled.jit import jit, lowest_bit
from pleasance.compiled.kernel import FloatArray, IntArray
from pleasance.games.sakura.bots.network.feature_index import FEATURES

CARD_ROWS = 61
"""One row for each card; the first is never used."""

ONE: float = np.float32(1)  # type: ignore[assignment]  # a plain number once compiled
UNSEEN_SCALE: float = np.float32(0.1)  # type: ignore[assignment]  # as above
"""Unseen cards are many; so each counts less."""


@jit
def add_row(
    network: FloatArray, row: int, width: int, scale: float, accumulator: FloatArray
) -> None:
    """Add a row of the first layer to the accumulator."""
    start = row * width
    for place in range(width):
        accumulator[place] += scale * network[start + place]


@jit
def add_cards(
    network: FloatArray, first: int, cards: int, width: int, scale: float, accumulator: FloatArray
) -> None:
    """Add the row of each of some cards; the rows of cards begin with *first*."""
    while cards:
        add_row(network, first + lowest_bit(cards), width, scale, accumulator)
        cards &= cards - 1


@jit
def start_accumulator(
    network: FloatArray, width: int, hand: int, unseen: int, accumulator: FloatArray
) -> None:
    """Start an accumulator with the bias and the cards."""
    for place in range(width):
        accumulator[place] = 0
    add_row(network, FEATURES + 2 * CARD_ROWS, width, ONE, accumulator)
    add_cards(network, FEATURES, hand, width, ONE, accumulator)
    add_cards(network, FEATURES + CARD_ROWS, unseen, width, UNSEEN_SCALE, accumulator)


@jit
def update_accumulator(
    network: FloatArray, width: int, features: IntArray, count: int, accumulator: FloatArray
) -> None:
    """Update an accumulator: add the rows of the active features."""
    for place in range(count):
        add_row(network, features[place], width, ONE, accumulator)
