"""Small networks, compiled: facts and cards in, two hidden layers, numbers out.

A network is one row of numbers, in this order: a row of the first layer for each fact, for each
card of the own hand and for each unseen card, its bias; the second layer and its bias; the last
layer and its bias. All arrays are of float32.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from pleasance.compiled.jit import jit, lowest_bit
from pleasance.compiled.kernel import Flat, Shares
from pleasance.games.sakura.bots.network.features import FACTS

TOKEN_SCALE = 0.1

FACES_KNOWN = 61
"""One row for each card; the first is never used."""

ONE: float = np.float32(1)  # type: ignore[assignment]  # a plain number once compiled
UNSEEN_SCALE: float = np.float32(0.1)  # type: ignore[assignment]  # as above
"""Unseen cards are many; so each counts less."""


class Shape(NamedTuple):
    """How large a network is."""

    first: int
    second: int
    out: int

    def size(self) -> int:
        """Count the numbers that make the network."""
        rows = FACTS + 2 * FACES_KNOWN + 1
        return rows * self.first + (self.first + 1) * self.second + (self.second + 1) * self.out


VALUE = Shape(128, 32, 3)
"""Tells a seat's share of victory, as a logit; its own tokens at the end; the best other's."""

POLICY = Shape(64, 32, 2 * FACES_KNOWN)
"""Tells how much a seat likes to play each card; then to give each to the court painter."""


@jit
def add_row(network: Shares, row: int, width: int, scale: float, sums: Shares) -> None:
    """Add a row of the first layer to its sums."""
    start = row * width
    for place in range(width):
        sums[place] += scale * network[start + place]


@jit
def add_cards(
    network: Shares, first: int, cards: int, width: int, scale: float, sums: Shares
) -> None:
    """Add the row of each of some cards; the rows of cards begin with *first*."""
    while cards:
        add_row(network, first + lowest_bit(cards), width, scale, sums)
        cards &= cards - 1


@jit
def begin(network: Shares, width: int, hand: int, unseen: int, sums: Shares) -> None:
    """Begin the first layer: its bias and the cards."""
    for place in range(width):
        sums[place] = 0
    add_row(network, FACTS + 2 * FACES_KNOWN, width, ONE, sums)
    add_cards(network, FACTS, hand, width, ONE, sums)
    add_cards(network, FACTS + FACES_KNOWN, unseen, width, UNSEEN_SCALE, sums)


@jit
def add_facts(network: Shares, width: int, facts: Flat, count: int, sums: Shares) -> None:
    """Add the rows of facts to the first layer."""
    for place in range(count):
        add_row(network, facts[place], width, ONE, sums)


@jit
def pass_on(network: Shares, start: int, sums: Shares, width: int, outs: int, out: Shares) -> int:
    """Carry sums that are above 0 through a layer of so many columns; tell where the next begins.

    A layer is its rows and then its bias. Only its first columns are carried out, *outs* of them.
    """
    bias = start + len(sums) * width
    for place in range(outs):
        out[place] = network[bias + place]
    for row in range(len(sums)):
        if sums[row] > 0:
            level, weights = sums[row], start + row * width
            for place in range(outs):
                out[place] += level * network[weights + place]
    return bias + width


@jit
def finish(
    network: Shares, shape: Shape, outs: int, sums: Shares, inner: Shares, out: Shares
) -> None:
    """Carry the sums of the first layer through the others; only the first *outs* are needed."""
    start = (FACTS + 2 * FACES_KNOWN + 1) * shape.first
    second = shape.second
    start = pass_on(network, start, sums[: shape.first], second, second, inner)
    pass_on(network, start, inner[:second], shape.out, outs, out)


@jit
def squash(logit: float) -> float:
    """Turn a logit into a share."""
    return 1.0 / (1.0 + exp(-logit))
