"""The workspace of a search by the networks: its arrays, each with its length."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

from pleasance.compiled.arrays import zeros
from pleasance.compiled.signature import ArrayType
from pleasance.games.sakura.bots.network.feature_index import MAX_ACTIVE_FEATURES
from pleasance.games.sakura.bots.network.model import POLICY, VALUE
from pleasance.games.sakura.bots.planner.player import load_weights
from pleasance.games.sakura.bots.planner.potential import PlannerWeights
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.actions import MAX_CHOICES
from pleasance.games.sakura.kernel.arrays import ChoiceValues, Codes, Position

ActiveFeatures: TypeAlias = Annotated[Any, ArrayType("int64", (MAX_ACTIVE_FEATURES,))]
"""The numbers of active features."""

BaseAccumulators: TypeAlias = Annotated[Any, ArrayType("float32", (MAX_CHOICES + 1, VALUE.first))]
"""Accumulators `[choice, column]`."""

Accumulator: TypeAlias = Annotated[Any, ArrayType("float32", (VALUE.first,))]
"""An accumulator of either network."""

Hidden: TypeAlias = Annotated[Any, ArrayType("float32", (VALUE.second,))]
"""The second layer of either network."""

Outputs: TypeAlias = Annotated[Any, ArrayType("float64", (POLICY.outputs,))]
"""The sums of either upper layer, before they are rounded."""

CardWeights: TypeAlias = Annotated[Any, ArrayType("float64", (at.MAX_SEATS, POLICY.outputs))]
"""The weight of each card `[seat, card]`: to be played, and for the court painter."""


class LookaheadWorkspace(NamedTuple):
    """The arrays of a search; compiled code allocates none."""

    world: Position
    """The imagined world at hand."""
    work: Position
    """A copy of it to try a choice in."""
    codes: Codes
    features: ActiveFeatures
    base_accumulators: BaseAccumulators
    """The accumulator of the value network for each choice, without the position features."""
    accumulator: Accumulator
    hidden: Hidden
    outputs: Outputs
    card_weights: CardWeights
    """The policy's weight of each card, by seat: to be played, and for the court painter."""
    choice_values: ChoiceValues
    """The sum of the values of each choice over all worlds so far."""
    weights: PlannerWeights
    """The planner's weights, by which the others choose directions."""


def make_lookahead_workspace() -> LookaheadWorkspace:
    """Allocate the arrays of a search."""
    return LookaheadWorkspace(
        world=zeros("int64", at.SIZE),
        work=zeros("int64", at.SIZE),
        codes=zeros("int64", MAX_CHOICES),
        features=zeros("int64", MAX_ACTIVE_FEATURES),
        base_accumulators=zeros("float32", MAX_CHOICES + 1, VALUE.first),
        accumulator=zeros("float32", VALUE.first),
        hidden=zeros("float32", VALUE.second),
        outputs=zeros("float64", POLICY.outputs),
        card_weights=zeros("float64", at.MAX_SEATS, POLICY.outputs),
        choice_values=zeros("float64", MAX_CHOICES),
        weights=load_weights(),
    )
