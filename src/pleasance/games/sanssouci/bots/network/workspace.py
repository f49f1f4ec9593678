"""The workspace of the value network: weights, a box, and all scratch space of the inference."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

from pleasance.compiled.arrays import zeros
from pleasance.compiled.signature import ArrayType
from pleasance.games.sanssouci.bots.network.accumulator import (
    ACCUMULATOR_SIZE,
    INPUTS_SIZE,
    Accumulator,
    Embedding,
    Inner,
    Inputs,
    Layers,
    Net,
    Tail,
    make_layers,
)
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    MAX_AFTERSTATES,
    ROW_SIZE,
    Rows,
    TurnValues,
)
from pleasance.games.sanssouci.kernel.layout import Constants, Shares

SCRATCH_POSITIONS = 5
"""Positions that the functions here and the search need at once."""

SpaceValues: TypeAlias = Annotated[Any, ArrayType("float64", (at.SPACES,))]
"""A value for each space `[SPACES]`, float64."""


class NetWorkspace(NamedTuple):
    """A network and a box, with all scratch space of the inference."""

    constants: Constants
    """The packed box of the game, see `pack_constants`."""

    embedding: Embedding
    """The embeddings, see `Net`."""

    bias: Accumulator
    """The bias of the first layer, see `Net`."""

    inner: Inner
    """The weights of the hidden layer, see `Net`."""

    tail: Tail
    """The other weights, see `Net`."""

    inputs: Inputs
    """Features and cached facts."""

    accumulator: Accumulator
    """The sums of the first layer."""

    layers: Layers
    """The scratch space of the forward pass."""

    scratch: Annotated[Any, ArrayType("int64", (SCRATCH_POSITIONS, at.SIZE))]
    """Positions `[SCRATCH_POSITIONS, SIZE]`."""

    rows: Rows
    """Whole turns; the last row is scratch space."""

    values: TurnValues
    """The actor's expected final points after each whole turn, or its lead over its rivals."""

    costs: SpaceValues
    """The rivals' expected final points once each space is taken."""

    totals: Shares
    """Expected final points of each seat, then its weight as a rival."""


def make_net_workspace(net: Net, constants: Constants) -> NetWorkspace:
    """Allocate the workspace of a network for games with the same box."""
    return NetWorkspace(
        constants=constants,
        embedding=net.embedding,
        bias=net.bias,
        inner=net.inner,
        tail=net.tail,
        inputs=zeros("int64", INPUTS_SIZE),
        accumulator=zeros("int32", ACCUMULATOR_SIZE),
        layers=make_layers(),
        scratch=zeros("int64", SCRATCH_POSITIONS, at.SIZE),
        rows=zeros("int64", MAX_AFTERSTATES, ROW_SIZE),
        values=zeros("float64", MAX_AFTERSTATES),
        costs=zeros("float64", at.SPACES),
        totals=zeros("float64", at.MAX_SEATS),
    )
