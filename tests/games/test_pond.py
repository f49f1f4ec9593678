"""The rules of the sample game, number by number."""

from random import Random

import pytest

from conformance import find_configuration
from pleasance.core.errors import BadDataError, BadSetupError
from pleasance.core.game import AnyGame, Draw, Seat, check_seats
from pleasance.core.record import Record, Token
from pleasance.core.replay import Replay, replay

POND = find_configuration("pond-2").game
FROGS = find_configuration("pond-3-frogs").game
DEALT = "+1 +4 +2 +3 "


def play(tokens: str, game: AnyGame = POND, seats: int = 2) -> Replay[object, object, object]:
    tags = {"Game": "pond", "Rules": "1", "Seats": str(seats), "Options": " ".join(game.options)}
    return replay(game, Record(tags, tuple(map(Token, tokens.split()))), is_partial=True)


def points(tokens: str, game: AnyGame = POND, seats: int = 2) -> tuple[int, ...]:
    return game.scores(play(tokens, game, seats).state)


def test_two_or_three_play_with_the_fish_of_the_box() -> None:
    # P-1
    check_seats(POND, 3)
    with pytest.raises(BadSetupError):
        check_seats(POND, 4)
    with pytest.raises(BadDataError, match="data_fish"):
        POND.configure((), 'name = "dry"\n[pond]\nfish = [1, 1, 1, 1]\nrounds = 3\n')


def test_each_seat_gets_two_fish_that_nobody_else_sees() -> None:
    # P-2
    turns = [POND.turn(step.before) for step in play(DEALT).steps]
    assert turns == [Draw(Seat(0)), Draw(Seat(0)), Draw(Seat(1)), Draw(Seat(1))]


def test_the_water_decides_which_fish_bites() -> None:
    # P-3, P-4, P-5
    assert POND.turn(play(DEALT).state) == Draw(None)
    assert points(DEALT + "+deep 4 3 keep") == (4, 0)
    assert points(DEALT + "+shallow 4 3 keep") == (0, 3)
    assert points(DEALT + "+shallow 1 3 free") == (2, 0)


def test_fish_of_the_same_weight_scare_each_other_away() -> None:
    # P-4
    assert POND.turn(play("+1 +4 +2 +4 +deep 4 4").state) == Draw(Seat(0))
    assert points("+1 +4 +4 +2 +3 +2 +deep 4 4 3 keep", POND, 3) == (0, 0, 3)


def test_a_freed_fish_passes_the_others() -> None:
    # P-6
    dealt = "+1 +4 +3 +2 +3 +2 +deep 4 3 2 free "
    assert points(dealt + "catch", POND, 3) == (2, 1, 0)
    assert points(dealt + "leave catch", POND, 3) == (2, 0, 1)
    assert points(dealt + "leave leave", POND, 3) == (2, 0, 0)


def test_a_hungry_frog_costs_a_point() -> None:
    # P-7
    dealt = "+1 +4 +3 +2 +3 +2 +deep 4 3 2 keep "
    assert points(dealt + "+frog0", FROGS, 3) == (4, 0, 0)
    assert points(dealt + "+frog1", FROGS, 3) == (3, 0, 0)
    with pytest.raises(BadSetupError):
        check_seats(FROGS, 2)


def test_hands_are_refilled_but_not_after_the_last_round() -> None:
    # P-8, P-9
    game = DEALT + "+deep 4 3 keep +1 +1 +deep 1 1 +2 +2 +deep 2 2"
    assert play(game).steps[-1].after == play(game).state
    end = play(game).state
    assert POND.scores(end) == (4, 0)
    assert POND.view(end, None).hands == ((1, 0, 0, 0), (0, 1, 0, 0))
    assert POND.decided_by(end) == "points"


def test_the_heaviest_fish_in_hand_breaks_a_tie() -> None:
    # P-9
    scared = "+deep 1 1 +2 +2 +deep 2 2 "
    end = play("+1 +4 +1 +3 " + scared + "+1 +1 +deep 1 1").state
    assert (POND.winners(end), POND.decided_by(end)) == ((0,), "heaviest")
    end = play("+1 +3 +1 +3 " + scared + "+1 +1 +deep 1 1").state
    assert (POND.winners(end), POND.decided_by(end)) == ((0, 1), "shared")


def test_an_imagined_world_keeps_the_number_of_fish() -> None:
    world = POND.imagine(POND.view(play(DEALT + "+deep").state, Seat(1)), Random(1))
    assert sum(map(sum, (*world.hands, world.deck))) == sum(world.box.fish)
