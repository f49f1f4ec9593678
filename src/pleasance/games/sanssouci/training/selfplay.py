"""Self-play games of the value network, compiled, and matches that measure it."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from pleasance.compiled.export import export
from pleasance.compiled.jit import jit
from pleasance.compiled.rng import RngState, make_rng_state, randbelow
from pleasance.compiled.signature import ArrayType, IntArray
from pleasance.games.sanssouci.bots.network.accumulator import Net
from pleasance.games.sanssouci.bots.network.feature_index import SLOTS
from pleasance.games.sanssouci.bots.network.features import extract_garden, extract_market
from pleasance.games.sanssouci.bots.network.model import (
    baseline_value,
    choose_turn,
    evaluate_side,
    evaluate_turns,
    start_first_inputs,
    start_inputs,
    start_rival_inputs,
)
from pleasance.games.sanssouci.bots.network.workspace import NetWorkspace, make_net_workspace
from pleasance.games.sanssouci.bots.planner.potential import PlannerWorkspace
from pleasance.games.sanssouci.bots.planner.rollout import play_afterstate, play_best_turn
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    CARD,
    MAX_AFTERSTATES,
    SPACE,
    Row,
    copy_garden,
)
from pleasance.games.sanssouci.kernel.layout import (
    Constants,
    Points,
    Position,
    Shares,
    seat_block,
)
from pleasance.games.sanssouci.kernel.playout import draw
from pleasance.games.sanssouci.kernel.rules import turns_left
from pleasance.games.sanssouci.kernel.scoring import scores, shares
from pleasance.games.sanssouci.kernel.setup import choose_side, start
from pleasance.games.sanssouci.training.dataset import TrainingRows, make_training_rows, set_targets

PLANNER, FIRST_NET, SECOND_NET = range(3)
"""The player of a seat in a match."""


class Rivals(NamedTuple):
    """The two networks of a match."""

    first: NetWorkspace
    second: NetWorkspace


class SelfPlayWorkspace(NamedTuple):
    """A network with the rows of its self-play games, and the state of the current game."""

    net: NetWorkspace
    rows: TrainingRows
    count: Annotated[Any, ArrayType("int64", (1,))]
    """The number of recorded rows `[1]`."""

    rng_state: RngState
    state: Position
    points: Points


def make_selfplay_workspace(
    net: Net, constants: Constants, games: int, seed: str
) -> SelfPlayWorkspace:
    """Allocate the workspace of *games* self-play games."""
    return SelfPlayWorkspace(
        net=make_net_workspace(net, constants),
        rows=make_training_rows(games),
        count=np.zeros(1, dtype=np.int64),
        rng_state=make_rng_state(seed),
        state=np.zeros(at.SIZE, dtype=np.int64),
        points=np.zeros(4, dtype=np.int64),
    )


@jit
def best_side(state: Position, workspace: NetWorkspace, seat: int) -> int:
    """Choose the side of a seat's rewards board by the network."""
    side_a = evaluate_side(state, workspace, seat, 0)
    return 1 if evaluate_side(state, workspace, seat, 1) > side_a else 0


@jit
def choose_sides(
    state: Position,
    net: NetWorkspace,
    rng_state: RngState,
    epsilon_permille: int,
) -> None:
    """Choose all seats' sides by the network, or at random with *epsilon_permille*."""
    for seat in range(state[at.SEATS]):
        side = best_side(state, net, seat)
        if randbelow(rng_state, 1000) < epsilon_permille:
            side = randbelow(rng_state, 2)
        choose_side(state, seat, side)


@jit
def add_row(selfplay: SelfPlayWorkspace, garden: Row, seat: int, turn: int) -> None:
    """Record the extracted garden of a seat after a number of its turns."""
    rows, row, inputs = selfplay.rows, selfplay.count[0], selfplay.net.inputs
    extract_garden(inputs, selfplay.net.constants, selfplay.state, garden)
    rows.baselines[row] = baseline_value(selfplay.state, selfplay.net, garden)
    for slot in range(SLOTS):
        rows.features[row, slot] = inputs[slot]
    rows.owners[row, 0], rows.owners[row, 1] = seat, turn
    selfplay.count[0] += 1


@jit
def add_first_rows(selfplay: SelfPlayWorkspace) -> None:
    """Record every seat's own garden before the first turn."""
    for seat in range(selfplay.state[at.SEATS]):
        start_first_inputs(selfplay.state, selfplay.net, seat)
        add_row(selfplay, selfplay.net.rows[MAX_AFTERSTATES - 1], seat, 0)


@jit
def add_turn_rows(selfplay: SelfPlayWorkspace, row: Row) -> None:
    """Record the garden that a turn leaves, and that of one rival."""
    state, net = selfplay.state, selfplay.net
    seat, seats = state[at.ACTOR], state[at.SEATS]
    left = at.ROUNDS - 1 - state[at.TURNS] // seats
    if left:
        start_inputs(net, state, seat, 1, seats, left)
        hand = state[seat_block(seat) + at.HAND] & ~(1 << row[CARD])
        extract_market(net.inputs, state, seat, hand, row[SPACE])
        add_row(selfplay, row, seat, at.ROUNDS - left)
    other = (seat + 1 + randbelow(selfplay.rng_state, seats - 1)) % seats
    start_rival_inputs(state, net, other)
    extract_market(net.inputs, state, other, state[seat_block(other) + at.HAND], row[SPACE])
    garden = net.rows[MAX_AFTERSTATES - 1]
    copy_garden(state, other, garden)
    turn = at.ROUNDS - turns_left(state, other, state[at.TURNS] + 1)
    add_row(selfplay, garden, other, turn)


@jit
def explore(workspace: NetWorkspace, best: int, turns: int, rng_state: RngState) -> int:
    """Choose the best of a few random turns."""
    pick = randbelow(rng_state, turns)
    for _ in range(5):
        other = randbelow(rng_state, turns)
        if other != best and workspace.values[other] > workspace.values[pick]:
            pick = other
    return pick


@jit
def play_turn(selfplay: SelfPlayWorkspace, denial_weight: float, epsilon_permille: int) -> None:
    """Play a turn by the network, or with epsilon another one, and record it."""
    state, net, rows = selfplay.state, selfplay.net, selfplay.rows
    best = choose_turn(state, net, denial_weight)
    seat, turn = state[at.ACTOR], state[at.TURNS] // state[at.SEATS] + 1
    rows.predictions[seat, turn] = net.values[best]
    pick = best
    if randbelow(selfplay.rng_state, 1000) < epsilon_permille:
        pick = explore(net, best, evaluate_turns(state, net), selfplay.rng_state)
    rows.explored[seat, turn] = pick != best
    row = net.rows[pick]
    add_turn_rows(selfplay, row)
    play_afterstate(selfplay.net.constants, state, row)


@export("train")
def play_games(
    seats: int,
    selfplay: SelfPlayWorkspace,
    games: int,
    denial_weight: float,
    td_lambda: float,
    epsilon_permille: int,
) -> None:
    """Play self-play games and record training rows."""
    state, rng_state, rows = selfplay.state, selfplay.rng_state, selfplay.rows
    constants = selfplay.net.constants
    for _ in range(games):
        first = selfplay.count[0]
        start(constants, state, seats)
        while state[at.PHASE] != at.TAKE:
            if state[at.PHASE] == at.SIDES:
                choose_sides(state, selfplay.net, rng_state, 10 * epsilon_permille)
            else:
                draw(constants, state, rng_state)
        add_first_rows(selfplay)
        while state[at.PHASE] != at.OVER:
            if state[at.PHASE] == at.TAKE:
                play_turn(selfplay, denial_weight, epsilon_permille)
            else:
                draw(constants, state, rng_state)
        scores(constants, state, selfplay.points)
        set_targets(rows, first, selfplay.count[0], selfplay.points, td_lambda)
        for seat in range(seats):
            rows.points[0] += selfplay.points[seat]
            rows.points[1] += 1


@export("train")
def play_match(
    players: IntArray,
    nets: Rivals,
    planner: PlannerWorkspace,
    denial_weights: Annotated[Any, ArrayType("float64", (2,))],
    rng_state: RngState,
    state: Position,
    points: Points,
    won: Shares,
) -> None:
    """Play one match of planners and two networks, `players[seat]` each; fill points and shares."""
    constants = nets[0].constants
    start(constants, state, len(players))
    while state[at.PHASE] != at.OVER:
        player = players[state[at.ACTOR]]
        if state[at.PHASE] == at.SIDES:
            for seat in range(len(players)):
                if players[seat] == PLANNER:
                    choose_side(state, seat, randbelow(rng_state, 2))
                else:
                    choose_side(
                        state, seat, best_side(state, nets[players[seat] - FIRST_NET], seat)
                    )
        elif state[at.PHASE] != at.TAKE:
            draw(constants, state, rng_state)
        elif player == PLANNER:
            play_best_turn(constants, state, planner)
        else:
            net = nets[player - FIRST_NET]
            best = choose_turn(state, net, denial_weights[player - FIRST_NET])
            play_afterstate(constants, state, net.rows[best])
    scores(constants, state, points)
    shares(constants, state, won)
