"""A determinized search one round deep, compiled: sampled worlds, then the value network.

In each world the hidden cards are dealt as the draws would have dealt them, the others' cards are
sampled from the policy network, and every choice of the seat is carried out to the end of the
round, where the value network estimates its share of victory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from pleasance.compiled.exponential import exp
from pleasance.compiled.export import export
from pleasance.compiled.jit import copy_into, jit, lowest_bit
from pleasance.compiled.rng import RngState, fork_rng_state, random_fraction
from pleasance.core.budget import SearchBudget
from pleasance.games.sakura.bots.network.accumulator import (
    CARD_ROWS,
    add_cards,
    start_accumulator,
    update_accumulator,
)
from pleasance.games.sakura.bots.network.feature_index import FEATURES
from pleasance.games.sakura.bots.network.features import (
    extract_position_features,
    extract_round_features,
    list_unseen,
)
from pleasance.games.sakura.bots.network.model import (
    POLICY,
    VALUE,
    Networks,
    PolicyNetwork,
    ValueNetwork,
    forward,
    sigmoid,
)
from pleasance.games.sakura.bots.network.storage import NetworkLoader, load_networks
from pleasance.games.sakura.bots.network.workspace import (
    CardWeights,
    LookaheadWorkspace,
    make_lookahead_workspace,
)
from pleasance.games.sakura.bots.planner.potential import (
    apply_choice,
    find_best_directions,
    list_open_directions,
)
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.actions import CODE_FORWARD, MAX_CHOICES, list_cards
from pleasance.games.sakura.kernel.arrays import Constants, Position
from pleasance.games.sakura.kernel.moves import ALL_DECIDED, resolve_cards
from pleasance.games.sakura.kernel.packing import pack_constants, pack_view
from pleasance.games.sakura.kernel.playout import draw_from_deck
from pleasance.games.sakura.kernel.rules import (
    COURT_PAINTER,
    find_giver,
    legal,
)
from pleasance.games.sakura.kernel.scoring import score_sakura, victory_key
from pleasance.games.sakura.kernel.view import imagine
from pleasance.games.sakura.rules.actions import Choice
from pleasance.games.sakura.rules.view import View

_WORLDS_PER_CLOCK_CHECK = 16
"""Worlds per deadline check."""


@export()
def prepare_search(
    constants: Constants, view: Position, seat: int, nets: Networks, workspace: LookaheadWorkspace
) -> int:
    """Fill the workspace for the search from a packed view; return the number of choices."""
    count = legal(constants, view, seat, workspace.codes)
    width = VALUE.first
    common = workspace.base_accumulators[MAX_CHOICES]
    start_accumulator(nets.value, width, 0, list_unseen(view, seat), common)
    known = extract_round_features(constants, view, seat, True, workspace.features)
    update_accumulator(nets.value, width, workspace.features, known, common)
    for choice in range(count):
        copy_into(workspace.base_accumulators[choice], common)
        hand = view[at.HANDS + seat] & ~list_cards(workspace.codes[choice])
        add_cards(nets.value, FEATURES, hand, width, workspace.base_accumulators[choice])
        workspace.choice_values[choice] = 0.0
    if not view[at.PLAYED]:
        for other in range(view[at.SEATS]):
            if other != seat:
                predict_cards(constants, view, other, nets.policy, workspace)
    return count


@jit
def predict_cards(
    constants: Constants,
    view: Position,
    seat: int,
    policy: PolicyNetwork,
    workspace: LookaheadWorkspace,
) -> None:
    """Weigh by the policy network how likely *seat* plays each card, by what every seat knows."""
    sums, hidden, outputs = workspace.accumulator, workspace.hidden, workspace.outputs
    start_accumulator(policy, POLICY.first, 0, list_unseen(view, -1), sums)
    count = extract_round_features(constants, view, seat, False, workspace.features)
    count = extract_position_features(constants, view, seat, workspace.features, count)
    update_accumulator(policy, POLICY.first, workspace.features, count, sums)
    output_count = 2 * CARD_ROWS if find_giver(constants, view) == seat else CARD_ROWS
    forward(policy, POLICY, output_count, sums, hidden, outputs)
    for place in range(output_count):
        workspace.card_weights[seat, place] = exp(min(max(outputs[place], -12.0), 12.0))


@jit
def sample_card(
    state: Position, seat: int, first: int, rng_state: RngState, card_weights: CardWeights
) -> int:
    """Sample a card of a seat's hand by the policy network's weights, and take it out."""
    total, cards = 0.0, state[at.HANDS + seat]
    while cards:
        total += card_weights[seat, first + lowest_bit(cards)]
        cards &= cards - 1
    left = total * random_fraction(rng_state)
    cards = state[at.HANDS + seat]
    card = lowest_bit(cards)
    while cards:
        card = lowest_bit(cards)
        left -= card_weights[seat, first + card]
        if left < 0:
            break
        cards &= cards - 1
    state[at.HANDS + seat] &= ~(1 << card)
    return card


@jit
def put_down_predicted(
    constants: Constants, state: Position, seat: int, rng_state: RngState, card_weights: CardWeights
) -> None:
    """Sample the cards of all seats but *seat* (K-6, K-22, K-23)."""
    giver = find_giver(constants, state)
    for other in range(state[at.SEATS]):
        if other != seat:
            state[at.PLAYED + other] = sample_card(state, other, 0, rng_state, card_weights)
            if other == giver:
                state[at.PLAYED + COURT_PAINTER] = sample_card(
                    state, other, CARD_ROWS, rng_state, card_weights
                )
    has_court = state[at.SEATS] < state[at.PAINTERS]
    if has_court and giver != seat and not state[at.PLAYED + COURT_PAINTER]:
        state[at.PLAYED + COURT_PAINTER] = draw_from_deck(state, rng_state)


@jit
def victory_share(state: Position, seat: int) -> float:
    """Compute the share of victory of *seat* at the end of the game (K-21)."""
    own, count = victory_key(state, seat), 0
    for other in range(state[at.SEATS]):
        standing = victory_key(state, other)
        if standing > own:
            return 0.0
        count += standing == own
    return 1.0 / count


@jit
def evaluate_position(
    constants: Constants, seat: int, choice: int, value: ValueNetwork, workspace: LookaheadWorkspace
) -> float:
    """Estimate the share of victory of *seat* at the end of the round that a *choice* began."""
    state, sums = workspace.work, workspace.accumulator
    if state[at.SCORED] == at.SAKURA:
        return victory_share(state, seat)
    copy_into(sums, workspace.base_accumulators[choice])
    count = extract_position_features(constants, state, seat, workspace.features, 0)
    update_accumulator(value, VALUE.first, workspace.features, count, sums)
    forward(value, VALUE, 1, sums, workspace.hidden, workspace.outputs)
    return sigmoid(workspace.outputs[0])


@jit
def search_choice(
    constants: Constants, seat: int, choice: int, value: ValueNetwork, workspace: LookaheadWorkspace
) -> float:
    """Carry out a choice in the world at hand; each seat then chooses its best directions."""
    world, work = workspace.world, workspace.work
    directions, ways = apply_choice(constants, world, work, seat, workspace.codes[choice])
    for other in range(world[at.SEATS]):
        others_ways = list_open_directions(constants, world, other) if other != seat else 0
        if others_ways:
            _, directions = find_best_directions(
                constants, world, other, directions, others_ways, work, workspace.weights
            )
    best, way = 0.0, ways
    while True:
        for place in range(at.ROUND_SIZE):
            work[place] = world[place]
        resolve_cards(constants, work, directions | (way << (2 * seat)), ALL_DECIDED)
        score_sakura(constants, work)
        best = max(best, evaluate_position(constants, seat, choice, value, workspace))
        if way == 0:
            return best
        way = (way - 1) & ways


@export()
def search_worlds(
    constants: Constants,
    view: Position,
    seat: int,
    count: int,
    worlds: int,
    rng_state: RngState,
    value: ValueNetwork,
    workspace: LookaheadWorkspace,
) -> None:
    """Try all choices in some more worlds, the same for each; add up their values."""
    world, work = workspace.world, workspace.work
    for _ in range(worlds):
        copy_into(world, view)
        imagine(constants, world, rng_state)
        if not world[at.PLAYED]:
            put_down_predicted(constants, world, seat, rng_state, workspace.card_weights)
        copy_into(work, world)
        for choice in range(min(count, MAX_CHOICES)):
            workspace.choice_values[choice] += search_choice(
                constants, seat, choice, value, workspace
            )


def search(
    view: View, rng: Random, budget: SearchBudget, *, load: NetworkLoader = load_networks
) -> Mapping[Choice, float]:
    """Estimate the share of victory after each choice, from as many worlds as the budget allows.

    A simulation is one world in which every choice is tried.
    """
    assert view.seat is not None, "spectators do not choose"
    constants, position = pack_constants(view.box), pack_view(view)
    workspace = make_lookahead_workspace()
    nets = load(view.box)
    rng_state = fork_rng_state(rng)
    count = prepare_search(constants, position, view.seat, nets, workspace)
    if count and workspace.codes[0] >= CODE_FORWARD:
        # Where only directions are left, everything is known: there is only one world.
        budget = SearchBudget(simulations=1)
    search_more = search_worlds.bind(
        constants, position, view.seat, count, ..., rng_state, nets.value, workspace
    )
    done = 0
    for worlds in _split_into_chunks(budget):
        search_more(worlds)
        done += worlds
    values = (value / done for value in workspace.choice_values[:count])
    return dict(zip(view.legal, values, strict=True))


def _split_into_chunks(budget: SearchBudget) -> Iterator[int]:
    """Yield the number of worlds to try next, until the budget is spent."""
    if budget.simulations is None:
        yield from (_WORLDS_PER_CLOCK_CHECK for _ in budget.spend())
        return
    for done in range(0, budget.simulations, _WORLDS_PER_CLOCK_CHECK):
        yield min(_WORLDS_PER_CLOCK_CHECK, budget.simulations - done)
