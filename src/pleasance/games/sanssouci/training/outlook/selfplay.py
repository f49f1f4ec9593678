"""Self-play games for the outlook, compiled, with the outcome of each recorded garden.

Half of the games begin with a random opening, so that the positions of other players occur too.
After the opening the network plays greedily, and only then gardens are recorded.
"""

from __future__ import annotations

from pleasance.compiled.export import export
from pleasance.compiled.jit import count_bits, jit
from pleasance.compiled.rng import randbelow
from pleasance.games.sanssouci.bots.network.model import choose_turn, evaluate_turns
from pleasance.games.sanssouci.bots.network.workspace import NetWorkspace
from pleasance.games.sanssouci.bots.outlook.features import extract
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    CARD,
    CHASED,
    GARDENER,
    NONE,
    SPACE,
    WALKED,
    Row,
)
from pleasance.games.sanssouci.kernel.garden import COLUMN_A, EVERYWHERE, FIRST_ROW
from pleasance.games.sanssouci.kernel.layout import Constants, seat_block
from pleasance.games.sanssouci.kernel.placing import lay
from pleasance.games.sanssouci.kernel.playout import draw
from pleasance.games.sanssouci.kernel.rules import after_walk, chase_boar, move_noble, take_tile
from pleasance.games.sanssouci.kernel.scoring import scores, shares
from pleasance.games.sanssouci.kernel.setup import start
from pleasance.games.sanssouci.training.outlook.dataset import Recorder
from pleasance.games.sanssouci.training.selfplay import choose_sides, explore

RANDOM_OPENING_PERMILLE = 500
"""Games in a thousand with a random opening."""

EPSILON_PERMILLE = 250
"""Random turns in a thousand of such an opening (epsilon)."""

OBSERVATION_POINTS = 10
"""Points of a turn at which gardens are recorded; half of them are its beginning."""


@jit
def record_gardens(constants: Constants, recorder: Recorder) -> None:
    """Record all gardens, seen by a random player or spectator."""
    state, owners = recorder.state, recorder.outcomes.owners
    seats = state[at.SEATS]
    viewer = randbelow(recorder.rng_state, seats + 1)
    for seat in range(seats):
        row = recorder.count[0]
        extract(constants, state, seat, seat == viewer, recorder.features, row)
        owners[row, 0], owners[row, 1] = seat, seats
        recorder.count[0] += 1


@jit
def observed_phase(point: int) -> int:
    """Find the point of an observation point."""
    if point < OBSERVATION_POINTS // 2:
        return at.TAKE
    if point < 7:
        return at.PLACE if point == 5 else at.CHASE
    return at.REFILL if point == 9 else at.WALK


@jit
def play_and_record_turn(constants: Constants, recorder: Recorder, row: Row, phase: int) -> None:
    """Play the turn of an afterstate, and record the gardens when *phase* comes."""
    state = recorder.state
    block = seat_block(state[at.ACTOR])
    take_tile(constants, state, row[CARD], row[SPACE])
    if state[at.PHASE] == at.PLACE:
        if phase == at.PLACE:
            record_gardens(constants, recorder)
        lay(constants, state, row[GARDENER], 1)
    if state[at.PHASE] == at.CHASE:
        if phase == at.CHASE:
            record_gardens(constants, recorder)
        chase_boar(state, row[CHASED])
    if phase == at.WALK:
        record_gardens(constants, recorder)
    if row[WALKED] != NONE:
        move_noble(constants, state, block, row[WALKED])
    after_walk(state)
    if phase == at.REFILL and at.REFILL <= state[at.PHASE] <= at.CARD:
        record_gardens(constants, recorder)


@jit
def set_up_game(seats: int, workspace: NetWorkspace, recorder: Recorder, is_greedy: int) -> None:
    """Set up a game; record the gardens before the sides are chosen if it has no random opening."""
    constants, state = workspace.constants, recorder.state
    epsilon_permille = 0 if is_greedy else EPSILON_PERMILLE
    start(constants, state, seats)
    while state[at.PHASE] != at.TAKE:
        if state[at.PHASE] == at.SIDES:
            if is_greedy:
                record_gardens(constants, recorder)
            choose_sides(state, workspace, recorder.rng_state, epsilon_permille)
        else:
            draw(constants, state, recorder.rng_state)


@export("train")
def play_games(
    seats: int,
    workspace: NetWorkspace,
    recorder: Recorder,
    games: int,
    random_opening_permille: int,
) -> None:
    """Play self-play games and record gardens with outcomes."""
    constants, state, rng_state = workspace.constants, recorder.state, recorder.rng_state
    for _ in range(games):
        first, opening = recorder.count[0], 0
        if randbelow(rng_state, 1000) < random_opening_permille:
            opening = randbelow(rng_state, at.ROUNDS * seats)
        set_up_game(seats, workspace, recorder, opening == 0)
        while state[at.PHASE] != at.OVER:
            if state[at.PHASE] != at.TAKE:
                draw(constants, state, rng_state)
                continue
            is_greedy = state[at.TURNS] >= opening
            phase = (
                observed_phase(randbelow(rng_state, OBSERVATION_POINTS)) if is_greedy else at.OVER
            )
            if phase == at.TAKE:
                record_gardens(constants, recorder)
            pick = choose_turn(state, workspace, 1.0)
            if not is_greedy and randbelow(rng_state, 1000) < EPSILON_PERMILLE:
                turns = evaluate_turns(state, workspace)
                pick = explore(workspace, pick, turns, rng_state)
            play_and_record_turn(constants, recorder, workspace.rows[pick], phase)
        set_outcomes(constants, recorder, first)


@jit
def set_outcomes(constants: Constants, recorder: Recorder, first: int) -> None:
    """Fill in the outcomes of the recorded gardens of a game."""
    state, outcomes = recorder.state, recorder.outcomes
    scores(constants, state, recorder.points)
    shares(constants, state, recorder.won)
    for row in range(first, recorder.count[0]):
        seat = outcomes.owners[row, 0]
        block = seat_block(seat)
        free = EVERYWHERE & ~state[block + at.BUILT]
        outcomes.points[row] = recorder.points[seat]
        outcomes.shares[row] = recorder.won[seat]
        outcomes.missions[row] = state[block + at.MISSIONS]
        for line in range(5):
            outcomes.lines[row, line] = not free & (FIRST_ROW << (9 * line + 9))
        for column in range(at.MOTIFS):
            outcomes.lines[row, 5 + column] = not free & (COLUMN_A << column)
            ahead = count_bits(state[block + at.AHEAD] & (COLUMN_A << column))
            outcomes.nobles[row, column] = 6 - ahead
