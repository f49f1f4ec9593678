"""The accumulator of a network: its first layer, an embedding summed over the active features.

It is of float32. Each sum of two such numbers is rounded once, so that plain Python, which adds
in float64 and stores as float32, gets the same bits as compiled code.
"""

from __future__ import annotations

from pleasance.compiled.jit import jit, lowest_bit
from pleasance.compiled.signature import Float32Array, IntArray
from pleasance.games.sakura.bots.network.feature_index import FEATURES

CARD_ROWS = 61
"""One row for each card; the first is never used."""

UNSEEN_SCALE = 0.1
"""Unseen cards are many; so each counts less. The rows for them are stored with this factor."""


@jit
def add_row(network: Float32Array, row: int, width: int, accumulator: Float32Array) -> None:
    """Add a row of the first layer to the accumulator."""
    start = row * width
    for place in range(width):
        accumulator[place] += network[start + place]


@jit
def add_cards(
    network: Float32Array, first: int, cards: int, width: int, accumulator: Float32Array
) -> None:
    """Add the row of each of some cards; the rows of cards begin with *first*."""
    while cards:
        add_row(network, first + lowest_bit(cards), width, accumulator)
        cards &= cards - 1


@jit
def start_accumulator(
    network: Float32Array, width: int, hand: int, unseen: int, accumulator: Float32Array
) -> None:
    """Start an accumulator with the bias and the cards."""
    for place in range(width):
        accumulator[place] = 0.0
    add_row(network, FEATURES + 2 * CARD_ROWS, width, accumulator)
    add_cards(network, FEATURES, hand, width, accumulator)
    add_cards(network, FEATURES + CARD_ROWS, unseen, width, accumulator)


@jit
def update_accumulator(
    network: Float32Array, width: int, features: IntArray, count: int, accumulator: Float32Array
) -> None:
    """Update an accumulator: add the rows of the active features."""
    for place in range(count):
        add_row(network, features[place], width, accumulator)
