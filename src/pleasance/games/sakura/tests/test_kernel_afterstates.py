"""Whole rounds of the compiled twin, and its judgement of each choice."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from pleasance.compiled.kernel import ALL, Flat
from pleasance.compiled.rng import Luck
from pleasance.core.game import AnyGame, Choose, Seat
from pleasance.games.sakura import heuristics
from pleasance.games.sakura.bots.planner import potential as rounds
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.playout import random_plan
from pleasance.games.sakura.rules.actions import Direction, Heading
from pleasance.games.sakura.rules.rules import find_owner
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.rules.view import view
from pleasance.games.sakura.tests import twins
from pleasance.games.sakura.tests.walks import CONFIGURATIONS

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may

PLAIN = np.array([1.0] + [0.0] * (rounds.WEIGHTS - 1))
"""Weights that judge as the quick heuristics do."""

each = pytest.mark.parametrize(("seats", "options"), CONFIGURATIONS)


def finish(made: AnyGame, state: State, plan: int) -> State:
    """Carry out a round by the rules; the bits of *plan* tell who goes back where."""
    while not state.draws and isinstance(made.turn(state), Choose) and state.played:
        is_back = plan >> 2 * find_owner(state) + state.done % 2 & 1
        heading = Heading.BACK if is_back else Heading.FORWARD
        state = made.play(state, [Direction(heading)])
    return state


def choose_positions(made: AnyGame, seats: int, rng: Random) -> list[State]:
    """List positions where somebody chooses, from one game and made up."""
    states = [state for state, _ in twins.walk(made, made.start(seats), rng)]
    states += [twins.meet(made, seats, rng) for _ in range(30)]
    return [state for state in states if isinstance(made.turn(state), Choose)]


def scratch() -> Flat:
    """Make working space."""
    return np.zeros((rounds.SCRATCH_ROWS, at.SIZE), dtype=np.int64)


@each
def test_whole_rounds_go_as_their_directions_say(  # K-7
    seats: int, options: tuple[str, ...]
) -> None:
    made = twins.find(*options)
    kernel = twins.twin(made)
    rng = Random(seats)
    for state in choose_positions(made, seats, rng):
        codes = twins.room()
        after = state
        if not state.played:
            choices = [rng.choice(made.legal(state, Seat(seat))) for seat in range(seats)]
            codes[:seats] = [made.space.code(choice) for choice in choices]
            after = made.play(state, choices)
        if kernel.steps.turn(kernel.pack(after)) < ALL and not after.draws and after.played:
            continue  # the court painter's card would be drawn
        policies = np.array([rng.choice((0, 1)) for _ in range(6)], dtype=np.int64)
        plan = sum(3 << 2 * seat for seat in range(seats) if policies[seat])
        flat = kernel.pack(state)
        luck = twins.luck(rng)
        rounds.resolve_round(kernel.box, flat, codes, policies, luck, scratch(), PLAIN)
        assert kernel.unpack(flat) == finish(made, after, plan)


@each
def test_who_looks_for_the_best_way_finds_it(seats: int, options: tuple[str, ...]) -> None:
    made = twins.find(*options)
    kernel = twins.twin(made)
    rng = Random(seats)
    policies = np.array([rounds.GO_BEST] + [rounds.GO_FORWARD] * 5, dtype=np.int64)
    for state in choose_positions(made, seats, rng):
        flat = kernel.pack(state)
        if state.played:
            assert flat[at.PLAYED + seats - 1], "all cards lie on the table"
            rounds.resolve_round(
                kernel.box, flat, twins.room(), policies, twins.luck(rng), scratch(), PLAIN
            )
            ends = [finish(made, state, way) for way in range(4)]
            best = max(heuristics.judge(end, Seat(0)) for end in ends)
            assert heuristics.judge(kernel.unpack(flat), Seat(0)) == best
            assert rounds.judge(kernel.box, flat, 0, PLAIN) == best


@each
def test_each_choice_is_judged_in_the_same_worlds(seats: int, options: tuple[str, ...]) -> None:
    made = twins.find(*options)
    rng = Random(seats)
    for state in choose_positions(made, seats, rng):
        now = made.turn(state)
        assert isinstance(now, Choose)
        for seat in now.seats:
            values = np.full(twins.twin(made).most_choices, np.nan)
            count = judge_once(made, state, seat, values, luck := twins.luck(rng))
            worths = judge_plainly(made, state, seat, luck)
            assert count == len(worths)
            assert values[:count] == pytest.approx(worths)


def judge_once(made: AnyGame, state: State, seat: Seat, values: Flat, luck: Luck) -> int:
    """Judge all choices in one world."""
    kernel = twins.twin(made)
    packed = kernel.pack_view(view(state, seat))
    before = packed.copy()
    arguments = (kernel.box, packed, seat, 1, luck.copy(), scratch(), values, PLAIN)
    count = rounds.resolve_worlds(*arguments)
    assert np.array_equal(packed, before)
    return count


def judge_plainly(made: AnyGame, state: State, seat: Seat, luck: Luck) -> list[float]:
    """Judge all choices by the rules, in the world that the same *luck* brings."""
    kernel = twins.twin(made)
    flat = kernel.pack_view(view(state, seat))
    kernel.steps.deal(kernel.box, flat, luck)
    world = kernel.unpack(flat)
    if not world.played:
        rounds.put_down_others(kernel.box, flat, seat, luck)
    table = [int(card) for card in flat[at.PLAYED : at.QUEUE]]
    plan = random_plan(flat, luck) & ~(3 << 2 * seat)
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
        worths.append(max(heuristics.judge(end, seat) for end in ends))
    return worths


@pytest.mark.slow
@each
def test_judgements_agree_with_the_quick_one_on_average(
    seats: int, options: tuple[str, ...]
) -> None:
    made = twins.find(*options)
    kernel = twins.twin(made)
    rng = Random(seats)
    state = twins.meet(made, seats, rng)
    seen = view(state, Seat(1))
    values = np.zeros(kernel.most_choices)
    packed, luck = kernel.pack_view(seen), twins.luck(rng)
    count = rounds.resolve_worlds(kernel.box, packed, 1, 20_000, luck, scratch(), values, PLAIN)
    weighed = [list(heuristics.weigh(seen, rng).values()) for _ in range(40)]
    assert values[:count] == pytest.approx(np.mean(weighed, axis=0), abs=0.35)
