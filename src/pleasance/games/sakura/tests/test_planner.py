"""The greedy player and the planner value every choice, and play rounds by the rules."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from pleasance.compiled.arrays import copy_of, from_values
from pleasance.compiled.kernel import ALL
from pleasance.compiled.rng import RngState
from pleasance.core.game import AnyGame, Choose, Seat
from pleasance.games.sakura.bots.greedy import evaluate, immediate_values
from pleasance.games.sakura.bots.planner import potential
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.moves import ALL_DECIDED
from pleasance.games.sakura.kernel.playout import put_down_court, random_directions
from pleasance.games.sakura.kernel.rules import put_down, resolve_round
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Direction, Heading
from pleasance.games.sakura.rules.rules import TACTICAL, find_owner
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.rules.view import view
from pleasance.games.sakura.tests import twins
from pleasance.games.sakura.tests.positions import CONFIGURATIONS, board, go, play_round, wander

PLAIN = from_values("float64", [1.0] + [0.0] * (potential.WEIGHT_COUNT - 1))
"""Weights that evaluate as the greedy player does."""

each = pytest.mark.parametrize(("seats", "options"), CONFIGURATIONS)


def finish(made: AnyGame, state: State, plan: int) -> State:
    """Carry out a round by the rules; the bits of *plan* mark the directions that go back."""
    while not state.draws and isinstance(made.turn(state), Choose) and state.played:
        is_back = plan >> 2 * find_owner(state) + state.done % 2 & 1
        heading = Heading.BACK if is_back else Heading.FORWARD
        state = made.play(state, [Direction(heading)])
    return state


def choose_positions(made: AnyGame, seats: int, rng: Random) -> list[State]:
    """List positions where a seat chooses, from one game and made up."""
    states = [state for state, _ in twins.walk(made, made.start(seats), rng)]
    states += [twins.random_position(made, seats, rng) for _ in range(30)]
    return [state for state in states if isinstance(made.turn(state), Choose)]


@pytest.mark.slow  # the compiler alone takes longer than the fast part may
@each
def test_whole_rounds_go_as_their_directions_say(  # K-7
    seats: int, options: tuple[str, ...]
) -> None:
    made, kernel, rng = twins.open_twins(seats, options)
    for state in choose_positions(made, seats, rng):
        codes = twins.seat_array()
        after = state
        if not state.played:
            choices = [rng.choice(made.legal(state, Seat(seat))) for seat in range(seats)]
            codes[:seats] = [made.space.code(choice) for choice in choices]
            after = made.play(state, choices)
        if kernel.rules.turn(kernel.pack(after)) < ALL and not after.draws and after.played:
            continue  # the court painter's card would be drawn
        goes_back = [rng.choice((0, 1)) for _ in range(6)]
        plan = sum(3 << 2 * seat for seat in range(seats) if goes_back[seat])
        flat = kernel.pack(state)
        rng_state = twins.make_random_state(rng)
        for seat in range(0 if state.played else seats):
            put_down(flat, seat, codes[seat])
        put_down_court(flat, rng_state)
        resolve_round(kernel.constants, flat, plan, ALL_DECIDED)
        assert kernel.unpack(flat) == finish(made, after, plan)


@pytest.mark.slow
@each
def test_the_best_directions_are_found(seats: int, options: tuple[str, ...]) -> None:
    made = twins.make_game(*options)
    kernel = twins.get_kernel(made)
    for state in choose_positions(made, seats, Random(seats)):
        flat = kernel.pack(state)
        if state.played:
            assert flat[at.PLAYED + seats - 1], "all cards lie on the table"
            ways = potential.list_open_directions(kernel.constants, flat, 0)
            _, plan = potential.find_best_directions(
                kernel.constants, flat, 0, 0, ways, copy_of(flat), PLAIN
            )
            resolve_round(kernel.constants, flat, plan, ALL_DECIDED)
            ends = [finish(made, state, way) for way in range(4)]
            best = max(evaluate(end, Seat(0)) for end in ends)
            assert evaluate(kernel.unpack(flat), Seat(0)) == best
            assert potential.evaluate(kernel.constants, flat, 0, PLAIN) == best


@pytest.mark.slow
@each
def test_each_choice_is_evaluated_in_the_same_worlds(seats: int, options: tuple[str, ...]) -> None:
    made = twins.make_game(*options)
    rng = Random(seats)
    for state in choose_positions(made, seats, rng):
        now = made.turn(state)
        assert isinstance(now, Choose)
        for seat in now.seats:
            values = evaluate_once(made, state, seat, rng_state := twins.make_random_state(rng))
            assert values == pytest.approx(evaluate_by_rules(made, state, seat, rng_state))


def evaluate_once(made: AnyGame, state: State, seat: Seat, rng_state: RngState) -> list[float]:
    """Evaluate all choices in one world."""
    kernel = twins.get_kernel(made)
    packed = kernel.pack_view(view(state, seat))
    before = copy_of(packed)
    workspace, rng_state = potential.make_planner_workspace(PLAIN), copy_of(rng_state)
    count = potential.evaluate_choices(kernel.constants, packed, seat, 1, rng_state, workspace)
    assert np.array_equal(packed, before)
    values: list[float] = workspace.values[:count]
    return values


def evaluate_by_rules(made: AnyGame, state: State, seat: Seat, rng_state: RngState) -> list[float]:
    """Evaluate all choices by the rules, in the world that the same random numbers bring."""
    kernel = twins.get_kernel(made)
    flat = kernel.pack_view(view(state, seat))
    kernel.rules.deal(kernel.constants, flat, rng_state)
    world = kernel.unpack(flat)
    if not world.played:
        potential.put_down_random_others(kernel.constants, flat, seat, rng_state)
    table = [int(card) for card in flat[at.PLAYED : at.QUEUE]]
    plan = random_directions(flat, rng_state) & ~(3 << 2 * seat)
    worths = []
    for choice in made.legal(world, seat):
        if world.played:
            after = made.play(world, [choice])
        else:
            others = [
                next(
                    other
                    for other in made.legal(world, Seat(at_seat))
                    if str(other) in {str(table[at_seat]), f"{table[at_seat]}/{table[2]}"}
                )
                for at_seat in range(len(world.hands))
                if at_seat != seat
            ]
            after = made.play(world, [*others[:seat], choice, *others[seat:]])
            if not after.draws and made.chances(after):
                code = table[2] - 1
                after = made.reveal(after, made.draws.actions[code])
        ends = [finish(made, after, plan | way << 2 * seat) for way in range(4)]
        worths.append(max(evaluate(end, seat) for end in ends))
    return worths


@pytest.mark.slow
@each
def test_the_planner_agrees_with_the_greedy_player_on_average(
    seats: int, options: tuple[str, ...]
) -> None:
    made, kernel, rng = twins.open_twins(seats, options)
    seen = view(twins.random_position(made, seats, rng), Seat(1))
    workspace = potential.make_planner_workspace(PLAIN)
    packed, rng_state = kernel.pack_view(seen), twins.make_random_state(rng)
    count = potential.evaluate_choices(kernel.constants, packed, 1, 20_000, rng_state, workspace)
    weighed = [list(immediate_values(seen, rng).values()) for _ in range(40)]
    assert workspace.values[:count] == pytest.approx(np.mean(weighed, axis=0), abs=0.35)


@pytest.mark.parametrize(("seats", "options"), CONFIGURATIONS)
def test_every_legal_choice_is_valued(seats: int, options: tuple[str, ...]) -> None:
    for state in list(wander(seats, options, Random(1)))[::11]:
        for seat in map(Seat, range(seats)):
            assert tuple(immediate_values(view(state, seat), Random(1))) == rules.legal(state, seat)


def test_the_same_seed_gives_the_same_answer() -> None:
    seen = view(board("|.a.b..c.E"), Seat(0))
    assert immediate_values(seen, Random(7)) == immediate_values(seen, Random(7))


def test_a_spectator_has_no_choice_to_value() -> None:
    assert immediate_values(view(board("|.a.b..c.E"), None), Random(1)) == {}


def test_running_into_the_emperor_is_worth_less_than_going_back() -> None:
    # Card 12 has moved the Emperor to 13; now a, on 11, goes 2 forward or back.
    state = play_round(board("bc|..........aE", cards=(12, 40, 47)), (12, 40, 47))
    forward, back = immediate_values(view(state, Seat(0)), Random(1)).values()
    assert back > forward


def test_an_evaluation_counts_tokens_and_ranks_against_the_others() -> None:
    # a would be paid 1, b 2 and c 3: 6 against 7 and 8.
    assert evaluate(board("|.a.b..c.E"), Seat(0)) == 6 - 7.5
    assert evaluate(board("|.a.b..c.E", scored=3, tokens=(9, 5, 7)), Seat(0)) == 3


def test_a_pair_of_cards_is_valued_in_the_tactical_variant() -> None:
    state = board("c|.a..b.E", seats=2, options=(TACTICAL,))
    assert len(immediate_values(view(state, Seat(0)), Random(1))) == 20
    assert len(immediate_values(view(state, Seat(1)), Random(1))) == 5
    assert go(state, "") == state
