"""Self-play, compiled: games by networks, with temperature and epsilon, and by simpler players."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

from pleasance.compiled.arrays import zeros
from pleasance.compiled.exponential import exp
from pleasance.compiled.export import export
from pleasance.compiled.jit import copy_into, jit
from pleasance.compiled.kernel import DRAW, OVER
from pleasance.compiled.rng import RngState, randbelow, random_fraction
from pleasance.compiled.signature import ArrayType
from pleasance.games.sakura.bots.network.model import Networks
from pleasance.games.sakura.bots.network.search import prepare_search, search_worlds
from pleasance.games.sakura.bots.network.workspace import (
    LookaheadWorkspace,
    make_lookahead_workspace,
)
from pleasance.games.sakura.bots.planner.player import load_weights
from pleasance.games.sakura.bots.planner.potential import (
    RANK_PAY,
    WEIGHT_COUNT,
    PlannerWorkspace,
    evaluate_choices,
    make_planner_workspace,
)
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.actions import CODE_FORWARD, MAX_CHOICES
from pleasance.games.sakura.kernel.arrays import (
    ChoiceValues,
    Constants,
    ConstantsRows,
    Position,
    Positions,
    SeatNumbers,
    SeatShares,
)
from pleasance.games.sakura.kernel.playout import draw, refill_hands
from pleasance.games.sakura.kernel.rules import legal, play, start, turn
from pleasance.games.sakura.kernel.scoring import shares
from pleasance.games.sakura.kernel.view import view
from pleasance.games.sakura.training.dataset import (
    UNKNOWN_VALUE,
    RowBuffer,
    record_cards,
    record_row,
    set_targets,
)
from pleasance.games.sakura.training.layers import NetworkVersions

GREEDY, PLANNER, RANDOM = -1, -2, -3
"""Players without a network; from 0 on the versions of the networks."""

GREEDY_WORLDS, PLANNER_WORLDS = 24, 48
MAX_ROWS_PER_GAME = 64 * at.MAX_SEATS
"""Training rows that one game adds at most; what follows in a longer game is dropped."""

_WORST = -1e30


TableRows: TypeAlias = Annotated[Any, ArrayType("int64", (None, 2 + at.MAX_SEATS))]
"""Games to play, a row each: the box, the number of seats and the kind of player of each."""

SeatShareRows: TypeAlias = Annotated[Any, ArrayType("float64", (None, at.MAX_SEATS))]
"""The shares of victory of games `[game, seat]`."""


class SelfPlayPolicy(NamedTuple):
    """The settings of self-play by networks: temperature, epsilon and TD(λ)."""

    worlds: int
    temperature: float
    """The loss of share of victory that makes a choice 2.7 times less likely."""
    epsilon: float
    """The part of choices drawn uniformly."""
    td_lambda: float
    """The λ of TD(λ): the weight of the end of a game against the values predicted on the way."""


class SelfPlayGame(NamedTuple):
    """The facts that stay the same all through one game of self-play."""

    constants: Constants
    kinds: SeatNumbers
    """The kind of player of each seat."""
    versions: NetworkVersions
    policy: SelfPlayPolicy


class SelfPlayWorkspace(NamedTuple):
    """The arrays of whole games; compiled code allocates none."""

    lookahead: LookaheadWorkspace
    positions: Positions
    """Positions: the game, the view, the start of the round."""
    chosen: SeatNumbers
    last_rows: SeatNumbers
    """The last row of each seat."""
    won: SeatShares
    choice_values: ChoiceValues
    planner: PlannerWorkspace
    greedy: PlannerWorkspace
    """Its weights count tokens and the pay of the own rank only."""


def make_selfplay_workspace() -> SelfPlayWorkspace:
    """Allocate the arrays of self-play."""
    greedy_weights = zeros("float64", WEIGHT_COUNT)
    greedy_weights[RANK_PAY] = 1.0
    return SelfPlayWorkspace(
        lookahead=make_lookahead_workspace(),
        positions=zeros("int64", 3, at.SIZE),
        chosen=zeros("int64", at.MAX_SEATS),
        last_rows=zeros("int64", at.MAX_SEATS),
        won=zeros("float64", at.MAX_SEATS),
        choice_values=zeros("float64", MAX_CHOICES),
        planner=make_planner_workspace(load_weights()),
        greedy=make_planner_workspace(greedy_weights),
    )


@jit
def sample_choice(
    count: int, choice_values: ChoiceValues, policy: SelfPlayPolicy, rng_state: RngState
) -> int:
    """Sample a choice epsilon-greedily: by softmax at the temperature, or uniformly."""
    epsilon, temperature = policy.epsilon, policy.temperature
    if epsilon > 0 and random_fraction(rng_state) < epsilon:
        return randbelow(rng_state, count)
    best = 0
    for place in range(1, count):
        if choice_values[place] > choice_values[best]:
            best = place
    if temperature <= 0:
        return best
    total = 0.0
    for place in range(count):
        total += exp((choice_values[place] - choice_values[best]) / temperature)
    left = total * random_fraction(rng_state)
    for place in range(count):
        left -= exp((choice_values[place] - choice_values[best]) / temperature)
        if left < 0:
            return place
    return best


@jit
def expected_value(count: int, choice_values: ChoiceValues, temperature: float) -> float:
    """Average the values of the choices by the softmax that samples them, without epsilon."""
    best = 0.0
    for place in range(count):
        best = max(best, choice_values[place])
    if temperature <= 0:
        return best
    total, mean = 0.0, 0.0
    for place in range(count):
        weight = exp((choice_values[place] - best) / temperature)
        total += weight
        mean += weight * choice_values[place]
    return mean / total


@jit
def search_choices(
    game: SelfPlayGame, view: Position, seat: int, rng_state: RngState, workspace: SelfPlayWorkspace
) -> int:
    """Value each choice by a search with the seat's networks; return the number of choices."""
    lookahead, version = workspace.lookahead, game.kinds[seat]
    nets = Networks(game.versions.value[version], game.versions.policy[version])
    count = prepare_search(game.constants, view, seat, nets, lookahead)
    worlds = 1 if lookahead.codes[0] >= CODE_FORWARD else game.policy.worlds
    search_worlds(game.constants, view, seat, count, worlds, rng_state, nets.value, lookahead)
    for place in range(count):
        workspace.choice_values[place] = lookahead.choice_values[place] / worlds
    return count


@jit
def choose(
    game: SelfPlayGame,
    state: Position,
    seat: int,
    rng_state: RngState,
    workspace: SelfPlayWorkspace,
) -> float:
    """Let the player of *seat* choose; return the value that its networks predict, if any."""
    codes, kind, values = workspace.lookahead.codes, game.kinds[seat], workspace.choice_values
    if kind == RANDOM:
        count = legal(game.constants, state, seat, codes)
        workspace.chosen[seat] = codes[randbelow(rng_state, count)]
        return UNKNOWN_VALUE
    seen = workspace.positions[1]
    view(state, seat, seen)
    if kind >= 0:
        count = search_choices(game, seen, seat, rng_state, workspace)
        workspace.chosen[seat] = codes[sample_choice(count, values, game.policy, rng_state)]
        return expected_value(count, values, game.policy.temperature)
    planner = workspace.greedy if kind == GREEDY else workspace.planner
    worlds = GREEDY_WORLDS if kind == GREEDY else PLANNER_WORLDS
    count = evaluate_choices(game.constants, seen, seat, worlds, rng_state, planner)
    best_place, best_worth = 0, _WORST
    for place in range(count):
        worth = planner.values[place] + 1e-9 * randbelow(rng_state, 1024)
        if worth > best_worth:
            best_place, best_worth = place, worth
    legal(game.constants, state, seat, codes)
    workspace.chosen[seat] = codes[best_place]
    return UNKNOWN_VALUE


@jit
def play_round(
    game: SelfPlayGame, state: Position, rng_state: RngState, workspace: SelfPlayWorkspace
) -> None:
    """Carry out the chosen cards, up to the draws; ask for each direction."""
    play(game.constants, state, workspace.chosen)
    while True:
        now = turn(state)
        if now >= 0:
            choose(game, state, now, rng_state, workspace)
            play(game.constants, state, workspace.chosen)
        elif now == DRAW and state[at.QUEUE] == 0:
            draw(game.constants, state, rng_state)
        else:
            return


@jit
def play_game(
    game: SelfPlayGame, rng_state: RngState, workspace: SelfPlayWorkspace, rows: RowBuffer
) -> None:
    """Play a game to its end and record its training rows."""
    state, round_start = workspace.positions[0], workspace.positions[2]
    constants, counts = game.constants, rows.counts
    first = counts[0]
    for seat in range(at.MAX_SEATS):
        workspace.last_rows[seat] = -1
    refill_hands(state, rng_state)
    while turn(state) != OVER:
        copy_into(round_start, state)
        for seat in range(state[at.SEATS]):
            predicted = choose(game, state, seat, rng_state, workspace)
            record_row(constants, state, state, seat, False, rows.policy, counts[1])
            record_cards(workspace.chosen[seat], rows.policy, counts[1])
            rows.policy.kinds[counts[1]] = game.kinds[seat]
            counts[1] += counts[1] + 1 < len(rows.policy.hands)
            if workspace.last_rows[seat] >= 0:
                rows.value.next[workspace.last_rows[seat]] = predicted
        play_round(game, state, rng_state, workspace)
        if turn(state) != OVER and counts[0] - first < MAX_ROWS_PER_GAME:
            for seat in range(state[at.SEATS]):
                record_row(constants, round_start, state, seat, True, rows.value, counts[0])
                rows.value.next[counts[0]] = UNKNOWN_VALUE
                rows.value.kinds[counts[0]] = game.kinds[seat]
                workspace.last_rows[seat] = counts[0]
                counts[0] += 1
        refill_hands(state, rng_state)
    shares(constants, state, workspace.won)
    set_targets(state, rows.value, first, counts[0], game.policy.td_lambda, workspace.won)


@export("train")
def play_games(
    all_constants: ConstantsRows,
    tables: TableRows,
    versions: NetworkVersions,
    policy: SelfPlayPolicy,
    rng_state: RngState,
    workspace: SelfPlayWorkspace,
    rows: RowBuffer,
    won: SeatShareRows,
) -> int:
    """Play games while there is room for their training rows; return the number of games played.

    Each row of *tables* holds the box, the number of seats and the kind of player of each seat; the
    shares of victory go into *won*.
    """
    games = min(len(tables), len(won))
    for number in range(games):
        if max(rows.counts[0], rows.counts[1]) + MAX_ROWS_PER_GAME > len(rows.value.hands):
            return number
        constants = all_constants[tables[number, 0]]
        start(constants, workspace.positions[0], tables[number, 1])
        game = SelfPlayGame(constants, tables[number, 2:], versions, policy)
        play_game(game, rng_state, workspace, rows)
        shares(constants, workspace.positions[0], won[number])
    return games
