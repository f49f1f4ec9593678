"""The accumulator of the value network (NNUE-style), updated incrementally, and the forward pass.

3,494 sparse features (about 160 active) feed 96 units, and these one hidden layer of 32: some
339,000 weights, 286 KB as int8. The first layer is a sum of embeddings, one for each active
feature. When a feature is replaced, the sum is corrected by the difference, so that each of the
many afterstates of a turn costs little.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

from pleasance.compiled.arrays import zeros
from pleasance.compiled.export import export
from pleasance.compiled.jit import jit
from pleasance.compiled.signature import ArrayType, FloatArray
from pleasance.games.sanssouci.bots.network.feature_index import FEATURES, SLOTS

ACCUMULATOR_SIZE, HIDDEN_SIZE = 96, 32
POINTS_PER_UNIT = 10.0
"""Points of the game per unit of the network's output."""

# The inputs: the feature in each slot, the features that the accumulator holds, then a cache.
ACCUMULATED = SLOTS
CACHE = 2 * SLOTS
"""Facts of the last garden, kept so that `features` updates only what has changed."""
CHANCE = CACHE + 16
"""Class of the chance to take each tile of the main board."""
CARDS = CHANCE + 10
"""Location of each motif card."""
SHOWN = CARDS + 9
"""Number of tiles of each motif on the main board."""
THREATS = SHOWN + 9
"""Class of the rivals' demand for the tile of each space before this seat's turn."""
GAINS = THREATS + 10
"""Gain of the tile of each space in the next turn, in ninths of a point."""
BESTS = GAINS + 10
"""Best gain by each card that may be drawn."""
INPUTS_SIZE = BESTS + 20

# The cached facts: the garden as it was extracted last, and its viewer.
BUILT, GARDENERS, AHEAD, BOAR, WALKED, NEXT, LINKS, STALE = range(CACHE, CACHE + 8)
TURNS_LEFT, TIME, MISSIONS, IS_OWNER, SIDE, TAKEN, HELD, COMING = range(CACHE + 8, CACHE + 16)

# The tail of a network: all but the matrices of its layers.
SECOND = 0
OUTER = SECOND + HIDDEN_SIZE
LAST = OUTER + HIDDEN_SIZE
SHARES = LAST + 1
TAIL_SIZE = SHARES + 19

STEPS_PER_UNIT = 2048.0
"""Steps of the first layer's whole numbers in 1; a power of two, so that scaling is exact."""
MAX_STEPS = 32767.0
"""The largest weight of the first layer in steps; the shipped ones reach 27,750."""

Inputs: TypeAlias = Annotated[Any, ArrayType("int64", (INPUTS_SIZE,))]
"""Features and cached facts `[INPUTS_SIZE]`, int64."""

Embedding: TypeAlias = Annotated[Any, ArrayType("int16", (FEATURES, ACCUMULATOR_SIZE))]
"""The embedding of each feature in steps `[FEATURES, ACCUMULATOR_SIZE]`, int16."""

Accumulator: TypeAlias = Annotated[Any, ArrayType("int32", (ACCUMULATOR_SIZE,))]
"""Sums of embeddings in steps `[ACCUMULATOR_SIZE]`, int32."""

Inner: TypeAlias = Annotated[Any, ArrayType("float64", (ACCUMULATOR_SIZE, HIDDEN_SIZE))]
"""The weights of the hidden layer `[ACCUMULATOR_SIZE, HIDDEN_SIZE]`, float64."""

Tail: TypeAlias = Annotated[Any, ArrayType("float64", (TAIL_SIZE,))]
"""All other weights `[TAIL_SIZE]`, float64."""

ActiveUnits: TypeAlias = Annotated[Any, ArrayType("int64", (ACCUMULATOR_SIZE,))]
"""Some units of the first layer `[ACCUMULATOR_SIZE]`, int64."""

LANES = 8
"""Hidden units that are computed side by side."""


class Layers(NamedTuple):
    """The scratch space of the forward pass."""

    active: ActiveUnits
    """The active units of the first layer."""

    hidden: Annotated[Any, ArrayType("float64", (HIDDEN_SIZE,))]
    """The hidden layer `[HIDDEN_SIZE]`, float64."""


def make_layers() -> Layers:
    """Allocate the scratch space of the forward pass."""
    return Layers(
        active=zeros("int64", ACCUMULATOR_SIZE),
        hidden=zeros("float64", HIDDEN_SIZE),
    )


class Net(NamedTuple):
    """The weights of the network, as inference needs them.

    The first layer is in whole numbers: its sums are exact, whichever way features came and went.
    The rest is in float64, summed in one order. So each machine computes the same bits.
    """

    embedding: Embedding
    """One embedding for each feature; that of feature 0 is 0."""

    bias: Accumulator
    """The bias of the first layer."""

    inner: Inner
    """The weights of the hidden layer, divided by `STEPS_PER_UNIT`."""

    tail: Tail
    """All other weights in one row: the bias of the hidden layer, the last layer with its bias, and
    the share of the next turn's gain that is counted on, by own turns left."""


@jit
def count_steps(weight: float) -> int:
    """Round a weight of the first layer to whole steps."""
    steps = max(min(weight * STEPS_PER_UNIT, MAX_STEPS), -MAX_STEPS)
    return int(steps + (MAX_STEPS + 0.5)) - int(MAX_STEPS)


@export()
def unpack_first_layer(
    words: Annotated[Any, ArrayType("int8", (None, ACCUMULATOR_SIZE))],
    steps: FloatArray,
    first: Annotated[Any, ArrayType("float64", (ACCUMULATOR_SIZE,))],
    embedding: Embedding,
    bias: Accumulator,
) -> None:
    """Unpack the first layer: stored embeddings, whole numbers with a step each, and the bias."""
    for unit in range(ACCUMULATOR_SIZE):
        bias[unit] = count_steps(first[unit])
    for feature in range(min(len(words), len(steps), FEATURES)):
        for unit in range(ACCUMULATOR_SIZE):
            embedding[feature, unit] = count_steps(words[feature, unit] * steps[feature])


@jit
def clear_features(inputs: Inputs) -> None:
    """Remove all features."""
    for slot in range(2 * SLOTS):
        inputs[slot] = 0


@jit
def set_feature(inputs: Inputs, slot: int, feature: int) -> None:
    """Set the feature of a slot."""
    inputs[slot] = feature


@jit
def start_accumulator(bias: Accumulator, accumulator: Accumulator) -> None:
    """Set the accumulator to the bias, as if no feature were active."""
    for unit in range(ACCUMULATOR_SIZE):
        accumulator[unit] = bias[unit]


@jit
def update_accumulator(embedding: Embedding, inputs: Inputs, accumulator: Accumulator) -> None:
    """Update the accumulator incrementally for the features that have changed."""
    for slot in range(SLOTS):
        new, old = inputs[slot], inputs[ACCUMULATED + slot]
        if new != old:
            inputs[ACCUMULATED + slot] = new
            added, removed = embedding[new], embedding[old]
            for unit in range(ACCUMULATOR_SIZE):
                accumulator[unit] += added[unit] - removed[unit]


@jit
def forward(inner: Inner, tail: Tail, accumulator: Accumulator, layers: Layers) -> float:
    """Compute the output of the network from the accumulator, in points."""
    hidden, count = layers.hidden, list_active(accumulator, layers.active)
    for unit in range(HIDDEN_SIZE):
        hidden[unit] = tail[SECOND + unit]
    for unit in range(0, HIDDEN_SIZE, LANES):
        sum_lanes(inner, accumulator, layers, count, unit)
    for unit in range(HIDDEN_SIZE):
        hidden[unit] = max(hidden[unit], 0.0) * tail[OUTER + unit]
    for halving in range(1, 6):  # a fixed tree, which is quicker than a chain of 32 sums
        half = HIDDEN_SIZE >> halving
        for unit in range(half):
            hidden[unit] += hidden[half + unit]
    return POINTS_PER_UNIT * (tail[LAST] + hidden[0])


@jit
def list_active(accumulator: Accumulator, active: ActiveUnits) -> int:
    """List the active units of the first layer, about 20, without branches; return their number."""
    count = 0
    for unit in range(ACCUMULATOR_SIZE):
        active[count] = unit
        count += accumulator[unit] > 0
    return count


@jit
def sum_lanes(
    inner: Inner, accumulator: Accumulator, layers: Layers, count: int, unit: int
) -> None:
    """Sum the inputs of eight hidden units side by side.

    The names let a compiler keep the sums in registers; an array might overlap the weights.
    """
    hidden = layers.hidden
    one, two, three, four = hidden[unit], hidden[unit + 1], hidden[unit + 2], hidden[unit + 3]
    five, six, seven, eight = hidden[unit + 4], hidden[unit + 5], hidden[unit + 6], hidden[unit + 7]
    for place in range(count):
        source = layers.active[place]
        steps, weights = float(accumulator[source]), inner[source]
        one += steps * weights[unit]
        two += steps * weights[unit + 1]
        three += steps * weights[unit + 2]
        four += steps * weights[unit + 3]
        five += steps * weights[unit + 4]
        six += steps * weights[unit + 5]
        seven += steps * weights[unit + 6]
        eight += steps * weights[unit + 7]
    hidden[unit], hidden[unit + 1], hidden[unit + 2], hidden[unit + 3] = one, two, three, four
    hidden[unit + 4], hidden[unit + 5], hidden[unit + 6], hidden[unit + 7] = five, six, seven, eight
