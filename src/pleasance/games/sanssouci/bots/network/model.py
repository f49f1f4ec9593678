"""Inference of the value network, compiled: final points of afterstates, rivals, and sides."""

from __future__ import annotations

from pleasance.compiled.exponential import exp
from pleasance.compiled.export import export
from pleasance.compiled.jit import copy_into, jit, lowest_bit
from pleasance.games.sanssouci.bots.network.accumulator import (
    IS_OWNER,
    SHARES,
    TURNS_LEFT,
    forward,
    start_accumulator,
    update_accumulator,
)
from pleasance.games.sanssouci.bots.network.features import (
    extract_garden,
    extract_market,
    start_features,
)
from pleasance.games.sanssouci.bots.network.next_turn_features import extract_next_turn
from pleasance.games.sanssouci.bots.network.static_value import static_value
from pleasance.games.sanssouci.bots.network.workspace import NetWorkspace
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    AFTER_BOAR,
    AFTER_POINTS,
    CARD,
    MAX_AFTERSTATES,
    SPACE,
    Row,
    Rows,
    copy_garden,
    list_afterstates,
)
from pleasance.games.sanssouci.kernel.layout import Position, seat_block
from pleasance.games.sanssouci.kernel.moves import ALL_SPACES
from pleasance.games.sanssouci.kernel.rules import turns_left
from pleasance.games.sanssouci.kernel.setup import choose_side

RIVALRY_SCALE = 8.0
"""Points of lead that multiply the weight of a rival by e."""

WORST = float("-inf")
"""Less than the value of any turn."""


@jit
def predict(state: Position, workspace: NetWorkspace, garden: Row) -> float:
    """Predict the final points of a garden; the prediction is exact after its last turn."""
    inputs = workspace.inputs
    extract_garden(inputs, workspace.constants, state, garden)
    baseline = baseline_value(state, workspace, garden)
    if inputs[TURNS_LEFT] == 0 and inputs[IS_OWNER]:
        return baseline
    update_accumulator(workspace.embedding, inputs, workspace.accumulator)
    return baseline + forward(
        workspace.inner, workspace.tail, workspace.accumulator, workspace.layers
    )


@jit
def baseline_value(state: Position, workspace: NetWorkspace, garden: Row) -> float:
    """Add a share of the next turn's gain to the static value of the extracted garden."""
    inputs = workspace.inputs
    static = static_value(workspace.constants, inputs, garden[AFTER_POINTS], garden[AFTER_BOAR])
    return static + workspace.tail[SHARES + inputs[TURNS_LEFT]] * extract_next_turn(
        workspace.constants, inputs, state
    )


@jit
def start_inputs(
    workspace: NetWorkspace,
    state: Position,
    seat: int,
    is_owner: int,
    wait: int,
    left: int,
) -> None:
    """Start extraction for the garden of a seat, see `start_features`."""
    start_features(workspace.inputs, workspace.constants, state, seat, is_owner, wait, left)
    start_accumulator(workspace.bias, workspace.accumulator)


@export("test")
def evaluate_turns(state: Position, workspace: NetWorkspace) -> int:
    """List all afterstates of the turn with their expected points; return their number."""
    inputs, rows = workspace.inputs, workspace.rows
    count = list_afterstates(workspace.constants, state, workspace.scratch, rows)
    seat, seats = state[at.ACTOR], state[at.SEATS]
    hand = state[seat_block(seat) + at.HAND]
    start_inputs(workspace, state, seat, 1, seats, at.ROUNDS - 1 - state[at.TURNS] // seats)
    if state[at.PHASE] != at.TAKE:
        extract_market(inputs, state, seat, hand, -1)
    card = space = -1
    for turn in range(count):
        row = rows[turn]
        if state[at.PHASE] == at.TAKE and (row[CARD] != card or row[SPACE] != space):
            card, space = row[CARD], row[SPACE]
            extract_market(inputs, state, seat, hand & ~(1 << card), space)
        workspace.values[turn] = predict(state, workspace, row)
    return count


@jit
def predict_rival(state: Position, workspace: NetWorkspace, seat: int, taken: int) -> float:
    """Predict the final points of a rival after this turn, from public knowledge."""
    inputs, row = workspace.inputs, workspace.rows[MAX_AFTERSTATES - 1]
    start_rival_inputs(state, workspace, seat)
    copy_garden(state, seat, row)
    block = seat_block(seat)
    extract_market(inputs, state, seat, state[block + at.HAND], taken)
    return predict(state, workspace, row)


@jit
def start_rival_inputs(state: Position, workspace: NetWorkspace, seat: int) -> None:
    """Start extraction for a rival, with this turn over."""
    seats, turns = state[at.SEATS], state[at.TURNS] + 1
    wait = (seat - state[at.ACTOR] - 1 + seats) % seats + 1
    left = turns_left(state, seat, turns)
    start_inputs(workspace, state, seat, 0, wait, left)


@export("test")
def evaluate_rivals(state: Position, workspace: NetWorkspace, spaces: int) -> None:
    """Predict the rivals' points once each of the *spaces* is taken; the leader weighs most."""
    seats, actor = state[at.SEATS], state[at.ACTOR]
    totals = workspace.totals
    best = total_weight = 0.0
    for wait in range(1, seats):
        seat = (actor + wait) % seats
        totals[seat] = predict_rival(state, workspace, seat, -1)
        best = max(best, totals[seat])
    for wait in range(1, seats):
        seat = (actor + wait) % seats
        totals[seat] = exp((totals[seat] - best) / RIVALRY_SCALE)
        total_weight += totals[seat]
    for space in range(at.SPACES):
        workspace.costs[space] = 0.0
    for wait in range(1, seats):
        seat = (actor + wait) % seats
        add_rival_costs(state, workspace, seat, spaces & ALL_SPACES, totals[seat] / total_weight)


@jit
def add_rival_costs(
    state: Position,
    workspace: NetWorkspace,
    seat: int,
    spaces: int,
    share: float,
) -> None:
    """Add the expected points of one rival, by its weight."""
    row = workspace.rows[MAX_AFTERSTATES - 1]
    start_rival_inputs(state, workspace, seat)
    copy_garden(state, seat, row)
    hand = state[seat_block(seat) + at.HAND]
    while spaces:
        space = lowest_bit(spaces)
        spaces &= spaces - 1
        extract_market(workspace.inputs, state, seat, hand, space)
        workspace.costs[space] += share * predict(state, workspace, row)


@export()
def evaluate_leads(state: Position, workspace: NetWorkspace) -> int:
    """List all afterstates of the turn with their expected leads; return their number."""
    count = evaluate_turns(state, workspace)
    rows, values, costs = workspace.rows, workspace.values, workspace.costs
    takes = state[at.PHASE] == at.TAKE
    spaces = taken_spaces(rows, count) if takes else 1 << state[at.EMPTIED]
    evaluate_rivals(state, workspace, spaces)
    for turn in range(count):
        values[turn] -= costs[rows[turn, SPACE] if takes else state[at.EMPTIED]]
    return count


@jit
def taken_spaces(rows: Rows, count: int) -> int:
    """Collect the spaces that *count* turns take a tile from."""
    spaces = 0
    for turn in range(count):
        spaces |= 1 << rows[turn, SPACE]
    return spaces


@export("train")
def choose_turn(state: Position, workspace: NetWorkspace, denial_weight: float) -> int:
    """Find the turn with the highest expected points, less *denial_weight* of the rivals'."""
    count = evaluate_turns(state, workspace)
    rows, values, costs = workspace.rows, workspace.values, workspace.costs
    denies = state[at.PHASE] == at.TAKE and denial_weight > 0
    if denies:
        evaluate_rivals(state, workspace, taken_spaces(rows, count))
    best, best_value = 0, WORST
    for turn in range(count):
        value = values[turn]
        if denies:
            value -= denial_weight * costs[rows[turn, SPACE]]
        if value > best_value:
            best, best_value = turn, value
    return best


@export()
def evaluate_side(state: Position, workspace: NetWorkspace, seat: int, side: int) -> float:
    """Predict the final points of a seat with a side of its rewards board (S-20)."""
    world = workspace.scratch[2]
    copy_into(world, state)
    world[at.ACTOR] = 0
    choose_side(world, seat, side)
    start_first_inputs(world, workspace, seat)
    return predict(world, workspace, workspace.rows[MAX_AFTERSTATES - 1])


@jit
def start_first_inputs(state: Position, workspace: NetWorkspace, seat: int) -> None:
    """Start extraction for an own garden before the first turn of the game."""
    seats = state[at.SEATS]
    wait = (seat - state[at.FIRST] + seats) % seats + 1
    start_inputs(workspace, state, seat, 1, wait, at.ROUNDS)
    extract_market(workspace.inputs, state, seat, state[seat_block(seat) + at.HAND], -1)
    copy_garden(state, seat, workspace.rows[MAX_AFTERSTATES - 1])
