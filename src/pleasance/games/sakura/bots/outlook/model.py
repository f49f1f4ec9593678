"""Compiled forecasts by the networks: shares of victory, tokens, and the cards of others."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pleasance.compiled.export import export
from pleasance.compiled.jit import copy_into, jit, lowest_bit
from pleasance.compiled.rng import RngState
from pleasance.compiled.signature import ArrayType, FloatArray
from pleasance.games.sakura.bots.network.accumulator import (
    CARD_ROWS,
    start_accumulator,
    update_accumulator,
)
from pleasance.games.sakura.bots.network.features import (
    extract_position_features,
    extract_round_features,
    list_unseen,
)
from pleasance.games.sakura.bots.network.model import (
    TOKEN_SCALE,
    VALUE,
    PolicyNetwork,
    ValueNetwork,
    forward,
    sigmoid,
)
from pleasance.games.sakura.bots.network.search import predict_cards
from pleasance.games.sakura.bots.network.workspace import LookaheadWorkspace
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.arrays import Constants, Position, SeatShares
from pleasance.games.sakura.kernel.view import imagine

WORLDS = 200
"""Worlds imagined to estimate the hands of others and what they play."""

CardChances: TypeAlias = Annotated[Any, ArrayType("float64", (at.MAX_SEATS, CARD_ROWS))]
"""How likely each seat plays each card `[seat, card]`."""


@export()
def forecast_seats(
    constants: Constants,
    view: Position,
    seat: int,
    value: ValueNetwork,
    workspace: LookaheadWorkspace,
    shares: SeatShares,
    tokens: SeatShares,
) -> None:
    """Estimate what each seat wins and has at the end, from what *seat* knows, without hands."""
    width = VALUE.first
    for other in range(view[at.SEATS]):
        start_accumulator(value, width, 0, list_unseen(view, seat), workspace.accumulator)
        count = extract_round_features(constants, view, other, False, workspace.features)
        count = extract_position_features(constants, view, other, workspace.features, count)
        update_accumulator(value, width, workspace.features, count, workspace.accumulator)
        forward(
            value, VALUE, VALUE.outputs, workspace.accumulator, workspace.hidden, workspace.outputs
        )
        shares[other] = sigmoid(workspace.outputs[0])
        tokens[other] = workspace.outputs[1] / TOKEN_SCALE


@export()
def forecast_cards(
    constants: Constants,
    view: Position,
    seat: int,
    rng_state: RngState,
    policy: PolicyNetwork,
    workspace: LookaheadWorkspace,
    chances: CardChances,
) -> None:
    """Estimate how likely each of the others plays each card, over imagined worlds."""
    world = workspace.world
    for other in range(view[at.SEATS]):
        if other != seat:
            predict_cards(constants, view, other, policy, workspace)
    for _ in range(WORLDS):
        copy_into(world, view)
        imagine(constants, world, rng_state)
        for other in range(view[at.SEATS]):
            if other != seat:
                add_card_chances(
                    world[at.HANDS + other],
                    workspace.card_weights[other],
                    1.0 / WORLDS,
                    chances[other],
                )


@jit
def add_card_chances(hand: int, card_weights: FloatArray, part: float, chances: FloatArray) -> None:
    """Spread a part of the probability over the cards of a hand, by the policy's weights."""
    total, cards = 0.0, hand
    while cards:
        total += card_weights[lowest_bit(cards)]
        cards &= cards - 1
    cards = hand
    while cards:
        card = lowest_bit(cards)
        chances[card] += part * card_weights[card] / total
        cards &= cards - 1
