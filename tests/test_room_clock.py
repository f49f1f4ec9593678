"""Clocks: time for each choice, then from the bank; flags; clocks that jump."""

from __future__ import annotations

from itertools import pairwise

import pytest

from conformance import find_configuration
from conformance.rooms import OWNER, House, sit_around
from pleasance.core.game import Seat
from pleasance.table import commands
from pleasance.table.entries import AnewEntry, TakeOverEntry
from pleasance.table.time_control import LATE, Clocks, Timing

ONE, TWO, THREE = map(Seat, range(3))
SAKURA = find_configuration("sakura-3")
POND = find_configuration("pond-3")
PAIR = find_configuration("sanssouci-2")
TIMING = Timing(move=30.0, bank=60.0)


def at_table(*, is_rated: bool = False) -> House:
    return sit_around(SAKURA, OWNER, "ben", "greedy", timing=TIMING, is_rated=is_rated)


def due(house: House, seat: Seat) -> float | None:
    assert house.room.clocks is not None
    return house.room.clocks.due(seat)


def bank(house: House, seat: Seat) -> float:
    assert house.room.clocks is not None
    return house.room.clocks.banks[seat]


def test_the_clocks_of_people_run_while_they_must_choose() -> None:
    house = at_table()
    assert [due(house, seat) for seat in (ONE, TWO, THREE)] == [1090.0, 1090.0, None]
    assert house.room.due() == 1090.0
    house.clock.now = 1020.0
    house.choose(ONE)
    assert [due(house, seat) for seat in (ONE, TWO)] == [None, 1090.0]
    assert bank(house, ONE) == 60.0


def test_a_table_without_a_clock_has_no_flags() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "greedy")
    assert house.room.due() is None
    house.clock.now += 10_000
    assert house.do(commands.call_flags, bot="greedy") == ()


def test_who_takes_too_long_pays_from_the_bank() -> None:
    house = at_table()
    house.clock.now = 1050.0
    house.choose(ONE)
    assert bank(house, ONE) == 40.0
    house.choose(TWO)
    house.choose(THREE)
    if house.room.waiting == (ONE, TWO, THREE):
        assert due(house, ONE) == 1050.0 + 30.0 + 40.0


def test_a_bot_stands_in_for_those_whose_time_is_up() -> None:
    house = at_table()
    house.clock.now = 1089.9
    assert house.do(commands.call_flags, bot="greedy") == ()
    house.choose(ONE)
    house.clock.now = 1090.0
    flag = TakeOverEntry(TWO, "greedy", "time", 1090.0)
    assert house.do(commands.call_flags, bot="greedy") == (flag,)
    assert house.room.due() is None
    assert house.do(commands.call_flags, bot="greedy") == ()


def test_two_flags_fall_at_once() -> None:
    house = at_table()
    house.clock.now = 1090.0 + LATE
    first, second = house.do(commands.call_flags, bot="greedy")
    assert [entry.seat for entry in (first, second) if isinstance(entry, TakeOverEntry)] == [0, 1]


def test_far_too_late_nobody_watched_the_clock_and_the_time_starts_anew() -> None:
    house = at_table()
    house.clock.now = 1090.0 + LATE + 0.1
    assert house.do(commands.call_flags, bot="greedy") == (AnewEntry(house.clock.now),)
    assert due(house, ONE) == house.clock.now + 90.0
    assert house.room.people == (ONE, TWO)


def test_a_choice_that_comes_before_anybody_looked_at_the_clock_costs_no_time() -> None:
    house = at_table()
    house.clock.now = 1090.0 + LATE + 0.1
    house.choose(ONE)
    assert bank(house, ONE) == 60.0
    house.do(commands.undo, OWNER, ONE)
    assert due(house, ONE) == house.clock.now + 90.0
    house.check_log()


def test_up_to_when_a_flag_can_fall_a_choice_costs_all_the_time_it_took() -> None:
    house = at_table()
    house.clock.now = 1090.0 + LATE
    house.choose(ONE)
    assert bank(house, ONE) == 0.0


def test_who_leaves_before_anybody_looked_at_the_clock_keeps_the_time() -> None:
    house = at_table()
    house.clock.now = 1090.0 + LATE + 0.1
    house.do(commands.take_over, ONE, bot="greedy", why="left")
    house.choose(ONE)
    assert bank(house, ONE) == 60.0
    house.check_log()


def test_time_in_the_log_never_goes_back() -> None:
    house = at_table()
    house.clock.now = 1040.0
    house.choose(ONE)
    house.clock.now = 20.0
    assert house.room.now() == 1040.0
    house.do(commands.say, "ben", "Ben", "what time is it?")
    house.choose(TWO)
    house.choose(THREE)
    assert bank(house, TWO) == 50.0
    assert house.room.changed_at == 1040.0
    assert all(earlier.at <= later.at for earlier, later in pairwise(house.log))


def test_time_in_the_log_never_goes_back_even_within_one_wish() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "greedy", timing=TIMING)
    house.choose(ONE)
    house.choose(TWO)
    times = iter([2000.0, *range(1999, 0, -1)])
    house.room._clock = lambda: next(times)
    house.choose(THREE)
    assert all(earlier.at <= later.at for earlier, later in pairwise(house.log))


def test_a_clock_that_goes_on_during_a_wish_gives_the_same_room_from_the_log() -> None:
    """Another server that follows the log must have the very same flags."""
    house = at_table()
    times = iter(range(1000, 10_000))
    house.room._clock = lambda: float(next(times))
    for _ in range(3):
        for seat in house.room.waiting:
            house.choose(seat)
    house.check_log()


def test_to_choose_and_take_back_again_gains_no_time() -> None:
    house = at_table()
    for now in (1020.0, 1025.0, 1030.0, 1035.0):
        house.clock.now = now
        house.choose(ONE)
        house.do(commands.undo, OWNER, ONE)
        assert due(house, ONE) == 1090.0
    house.clock.now = 1050.0
    house.choose(ONE)
    assert bank(house, ONE) == 40.0
    house.clock.now = 1060.0
    house.do(commands.undo, OWNER, ONE)
    assert bank(house, ONE) == 60.0
    assert due(house, ONE) == 1100.0, "while it had chosen its clock stood"


def test_to_take_back_two_choices_gains_no_time_either() -> None:
    house = sit_around(PAIR, OWNER, OWNER, timing=TIMING)
    (seat,) = house.room.waiting
    first = due(house, seat)
    assert first == 1090.0
    for now in (1010.0, 1020.0):
        house.clock.now = now
        house.choose(seat)
        assert house.room.waiting == (seat,), "a turn has several choices"
    for _ in range(2):
        house.do(commands.undo, OWNER, seat)
    assert due(house, seat) == first


def test_a_clock_that_was_held_goes_on_when_the_player_comes_back() -> None:
    house = at_table()
    house.clock.now = 1020.0
    house.do(commands.take_over, ONE, bot="greedy", why="away")
    assert due(house, ONE) is None
    house.clock.now = 1025.0
    house.do(commands.take_seat_back, OWNER, ONE)
    assert due(house, ONE) == 1095.0


def test_who_was_flagged_has_spent_the_bank() -> None:
    house = at_table()
    house.clock.now = 1091.0
    house.do(commands.call_flags, bot="greedy")
    house.choose(ONE)
    house.do(commands.take_seat_back, OWNER, ONE)
    assert bank(house, ONE) == 0.0
    house.do(commands.undo, OWNER, ONE)
    due_again = due(house, ONE)
    assert due_again is not None
    assert due_again <= house.clock.now


def find_bite() -> House:
    """Show fish until one bites."""
    for seed in range(100):
        house = sit_around(POND, "ben", "cyd", OWNER, seed=seed, timing=TIMING)
        for seat in (ONE, TWO, THREE):
            house.choose(seat)
        if len(house.room.waiting) == 1:
            return house
    raise AssertionError("no fish ever bites")


def test_what_one_player_takes_back_costs_the_other_no_time() -> None:
    """Whoever lets a fish free asks the others, and may take that back while they think."""
    house = find_bite()
    (owner,) = house.room.waiting
    house.choose(owner, "free")
    (asked,) = house.room.waiting
    house.clock.now += 29
    house.do(commands.undo, house.room.places[owner].player or "", owner)
    assert due(house, asked) is None
    assert due(house, owner) == house.clock.now + 90.0
    house.choose(owner, "free")
    assert due(house, asked) == house.clock.now + 90.0


@pytest.mark.parametrize("seats", [(), (ONE,), (ONE, TWO)])
def test_only_the_clocks_asked_for_run(seats: tuple[Seat, ...]) -> None:
    clocks = Clocks(TIMING, 2)
    clocks.run([ONE], 0.0)
    clocks.run(seats, 10.0)
    expected = {ONE: 90.0 if ONE in seats else None, TWO: 100.0 if TWO in seats else None}
    assert {seat: clocks.due(seat) for seat in (ONE, TWO)} == expected
