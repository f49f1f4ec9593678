"""Rules of the set-up."""

from __future__ import annotations

import pytest

from pleasance.core.game import Choose, Draw, Seat
from pleasance.games.sanssouci import GAME
from pleasance.games.sanssouci.rules.actions import GardenBoard, Mission, RewardsBoard
from pleasance.games.sanssouci.rules.state import Phase, State, noble_row
from pleasance.games.sanssouci.tests.positions import at_the_start


def draw_until(state: State, phase: Phase, seat: int = 0) -> State:
    """Draw the first outcome until *phase* is due for *seat*."""
    while (state.phase, state.actor) != (phase, seat):
        state = GAME.reveal(state, GAME.chances(state)[0][0])
    return state


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_to_four_may_play_and_no_two_have_the_same_garden_board(seats: int) -> None:
    """S-8."""
    assert list(GAME.spec.seats) == [2, 3, 4]
    boards = [garden.board // 2 for garden in at_the_start(seats, seed=seats).gardens]
    assert len(set(boards)) == seats


def test_board_and_side_of_a_garden_are_drawn_in_the_open() -> None:
    """S-8: eight sides for the first seat, six for the second."""
    first = draw_until(GAME.start(2), Phase.GARDEN)
    assert GAME.turn(first) == Draw(None)
    assert len(GAME.chances(first)) == 8
    second = draw_until(first, Phase.GARDEN, seat=1)
    names = [str(outcome) for outcome, _ in GAME.chances(second)]
    assert names == ["+g2A", "+g2B", "+g3A", "+g3B", "+g4A", "+g4B"]


def test_nobles_start_on_the_terrace_with_no_points() -> None:
    """S-9."""
    state = at_the_start(3)
    assert GAME.scores(state) == (0, 0, 0)
    assert {noble_row(garden, column) for garden in state.gardens for column in range(9)} == {0}


def test_each_draws_two_cards_and_two_secret_missions() -> None:
    """S-10: nine missions for the first draw, one fewer for each that follows."""
    state = draw_until(GAME.start(4), Phase.MISSION)
    choices = []
    while state.phase <= Phase.MISSION:
        if state.phase is Phase.MISSION:
            assert GAME.turn(state) == Draw(state.actor)
            choices.append(len(GAME.chances(state)))
            assert all(isinstance(outcome, Mission) for outcome, _ in GAME.chances(state))
        state = GAME.reveal(state, GAME.chances(state)[-1][0])
    assert choices == [9, 8, 7, 6, 5, 4, 3, 2]
    ready = at_the_start(4)
    assert [missions.bit_count() for missions in ready.missions] == [2, 2, 2, 2]
    assert [hand.bit_count() for hand in ready.hands] == [2, 2, 2, 2]
    assert [deck.bit_count() for deck in ready.decks] == [16, 16, 16, 16]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ten_tiles_fill_the_main_board_and_a_random_seat_starts(seats: int) -> None:
    """S-11."""
    start = GAME.start(seats)
    assert [(str(outcome), weight) for outcome, weight in GAME.chances(start)] == [
        (f"+p{seat + 1}", 1) for seat in range(seats)
    ]
    state = at_the_start(seats)
    assert all(tile >= 0 for tile in state.market)
    assert sum(state.bag) == 18 * seats - 1
    assert GAME.turn(state) == Choose((state.first,))


def test_play_goes_clockwise() -> None:
    """S-11."""
    state = at_the_start(3)
    order: list[int] = []
    while len(order) < 7:
        if state.phase is Phase.TAKE:
            order.append((state.actor - state.first) % 3)
        if isinstance(GAME.turn(state), Draw):
            state = GAME.reveal(state, GAME.chances(state)[0][0])
        else:
            state = GAME.play(state, GAME.legal(state, state.actor)[:1])
    assert order == [0, 1, 2, 0, 1, 2, 0]


def test_set_up_draws_come_in_the_order_of_the_notation() -> None:
    """S-8 to S-11, S-20."""
    game = GAME.configure(("rewards",), None)
    state, tokens = game.start(2), []
    while isinstance(game.turn(state), Draw):
        outcome = game.chances(state)[0][0]
        tokens.append(str(outcome)[:2])
        state = game.reveal(state, outcome)
    assert " ".join(tokens) == "+p +g +m +m +r +g +m +m +r +c +c +c +c" + " +t" * 10
    assert game.turn(state) == Choose((Seat(0), Seat(1)))


def test_rewards_boards_differ_and_sides_are_chosen_together_last() -> None:
    """S-20."""
    game = GAME.configure(("rewards",), None)
    state = game.start(3)
    counts = []
    while isinstance(game.turn(state), Draw):
        outcomes = [outcome for outcome, _ in game.chances(state)]
        if isinstance(outcomes[0], RewardsBoard):
            assert game.turn(state) == Draw(None)
            counts.append(len(outcomes))
        if isinstance(outcomes[0], GardenBoard):
            assert all(garden.rewards_side == -1 for garden in state.gardens)
        state = game.reveal(state, outcomes[0])
    assert counts == [4, 3, 2]
    assert all(game.legal(state, Seat(seat)) == game.space.actions[309:311] for seat in range(3))
    first, second = game.space.actions[309:311]
    ready = game.play(state, [first, second, first])
    assert [garden.rewards_side for garden in ready.gardens] == [0, 3, 4]
    assert ready.actor == ready.first
