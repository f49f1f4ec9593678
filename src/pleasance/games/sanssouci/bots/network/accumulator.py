"""The value network, compiled: words in, points out, with a first layer that is only corrected.

The first layer is a sum of rows, one for each word. When a word is replaced by another, the sum is
corrected, so that the many gardens that one turn can leave cost little each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pleasance.compiled.jit import jit, jit_loosely
from pleasance.compiled.kernel import Flat
from pleasance.games.sanssouci.bots.network.feature_index import PLACES, WORDS

WIDTH, DEPTH = 96, 32
SCALE = 10.0
"""So many points are one for the network."""

# A sheet: the word at each place, the words that the sums hold, then what was seen last.
SUMMED = PLACES
MEMO = 2 * PLACES
"""See `kernel_sights`."""
CHANCE = MEMO + 16
"""How likely each tile of the main board can be taken, in classes."""
CARDS = CHANCE + 10
"""Where each motif card is."""
SHOWN = CARDS + 9
"""How many tiles of each motif lie on the main board."""
THREATS = SHOWN + 9
"""How much those who come before want the tile of each space, in classes."""
GAINS = THREATS + 10
"""What the tile of each space would bring in the next turn, in ninths of a point."""
BESTS = GAINS + 10
"""What each card that may come would bring."""
SHEET = BESTS + 20

# What a sheet keeps in mind of the garden and who looks.
BUILT, GARDENERS, AHEAD, BOAR, WALKED, NEXT, LINKS, STALE = range(MEMO, MEMO + 8)
LEFT, TIME, MISSIONS, KNOWS, SIDE, TAKEN, HELD, COMING = range(MEMO + 8, MEMO + 16)

# The tail of a network: all but its first layer's rows.
INNER = WIDTH
SECOND = INNER + WIDTH * DEPTH
OUTER = SECOND + DEPTH
LAST = OUTER + DEPTH
SHARES = LAST + 1
TAIL = SHARES + 19

NEXT_SHARES = (0.0, 0.85, 0.6, 0.35, 0.2)
"""How much of what the next turn can bring is counted on, by own turns left."""


class Net(NamedTuple):
    """The weights of the network, all of float32."""

    words: Any
    """`[WORDS, WIDTH]`; the row of word 0 is 0."""

    tail: Any
    """The bias of the first layer `[WIDTH]`, the second layer `[DEPTH, WIDTH]` with its bias, and
    the last with its own, and the shares of what the next turn can bring that are counted on, by
    own turns left, in one row `[TAIL]`."""


def make_net(rng: np.random.Generator) -> Net:
    """Make a network that knows nothing yet."""
    words = rng.standard_normal((WORDS, WIDTH)) * 0.1
    words[0] = 0
    tail = np.zeros(TAIL)
    tail[INNER:SECOND] = rng.standard_normal(WIDTH * DEPTH) * (2 / WIDTH) ** 0.5
    tail[OUTER:LAST] = rng.standard_normal(DEPTH) * 0.1 * (2 / DEPTH) ** 0.5
    tail[SHARES : SHARES + len(NEXT_SHARES)] = NEXT_SHARES
    return Net(words.astype(np.float32), tail.astype(np.float32))


def split_net(net: Net) -> dict[str, Any]:
    """Give each layer of a network its name, as training and files know it."""
    tail = net.tail
    return {
        "words": net.words,
        "first": tail[:INNER],
        "inner": tail[INNER:SECOND].reshape(DEPTH, WIDTH).T.copy(),
        "second": tail[SECOND:OUTER],
        "outer": tail[OUTER:LAST],
        "last": tail[LAST:SHARES],
        "shares": tail[SHARES:],
    }


def join_net(parts: Mapping[str, Any]) -> Net:
    """Make a network of its layers."""
    names = ("first", "inner", "second", "outer", "last", "shares")
    layers = {name: np.asarray(parts[name], dtype=np.float32) for name in names}
    layers["inner"] = layers["inner"].T
    tail = np.concatenate([layers[name].ravel() for name in names])
    words = np.ascontiguousarray(parts["words"], dtype=np.float32)
    assert words.shape == (WORDS, WIDTH), words.shape
    assert tail.shape == (TAIL,), tail.shape
    return Net(words, tail)


@jit
def wipe(sheet: Flat) -> None:
    """Begin with no words at all."""
    for place in range(2 * PLACES):
        sheet[place] = 0


@jit
def put(sheet: Flat, place: int, word: int) -> None:
    """Put a word at a place."""
    sheet[place] = word


@jit
def start_sums(tail: Any, sums: Any) -> None:
    """Set the first layer to what no words at all give."""
    for unit in range(WIDTH):
        sums[unit] = tail[unit]


@jit
def settle(words: Any, sheet: Flat, sums: Any) -> None:
    """Correct the first layer for the words that have changed."""
    for place in range(PLACES):
        new, old = sheet[place], sheet[SUMMED + place]
        if new != old:
            sheet[SUMMED + place] = new
            for unit in range(WIDTH):
                sums[unit] += words[new, unit] - words[old, unit]


@jit_loosely
def read_out(tail: Any, sums: Any) -> float:
    """Tell what the network makes of the words, in points."""
    total = tail[LAST]
    for unit in range(DEPTH):
        first = INNER + unit * WIDTH
        inner = tail[SECOND + unit]
        for above in range(WIDTH):
            inner += max(sums[above], np.float32(0.0)) * tail[first + above]
        total += max(inner, np.float32(0.0)) * tail[OUTER + unit]
    return SCALE * total
