"""Clocks: time for each choice, then from the bank; flags; clocks that jump."""

from __future__ import annotations

from itertools import pairwise

import pytest

from conformance import find_configuration
from conformance.rooms import OWNER, RoomPair, start_room
from pleasance.core.game import Seat
from pleasance.table import commands
from pleasance.table.entries import ClockResetEntry, TakeOverEntry
from pleasance.table.time_control import FLAG_GRACE_S, Clocks, TimeControl

ONE, TWO, THREE = map(Seat, range(3))
SAKURA = find_configuration("sakura-3")
POND = find_configuration("pond-3")
PAIR = find_configuration("sanssouci-2")
TIMING = TimeControl(move=30.0, bank=60.0)


def timed_rooms(*, is_rated: bool = False) -> RoomPair:
    return start_room(SAKURA, OWNER, "ben", "greedy", time_control=TIMING, is_rated=is_rated)


def due(rooms: RoomPair, seat: Seat) -> float | None:
    assert rooms.room.clocks is not None
    return rooms.room.clocks.due(seat)


def bank(rooms: RoomPair, seat: Seat) -> float:
    assert rooms.room.clocks is not None
    return rooms.room.clocks.banks[seat]


def test_the_clocks_of_people_run_while_they_must_choose() -> None:
    rooms = timed_rooms()
    assert [due(rooms, seat) for seat in (ONE, TWO, THREE)] == [1090.0, 1090.0, None]
    assert rooms.room.due() == 1090.0
    rooms.clock.now = 1020.0
    rooms.choose(ONE)
    assert [due(rooms, seat) for seat in (ONE, TWO)] == [None, 1090.0]
    assert bank(rooms, ONE) == 60.0


def test_a_table_without_a_clock_has_no_flags() -> None:
    rooms = start_room(SAKURA, OWNER, "ben", "greedy")
    assert rooms.room.due() is None
    rooms.clock.now += 10_000
    assert rooms.do(commands.call_flags, bot="greedy") == ()


def test_who_takes_too_long_pays_from_the_bank() -> None:
    rooms = timed_rooms()
    rooms.clock.now = 1050.0
    rooms.choose(ONE)
    assert bank(rooms, ONE) == 40.0
    rooms.choose(TWO)
    rooms.choose(THREE)
    if rooms.room.waiting == (ONE, TWO, THREE):
        assert due(rooms, ONE) == 1050.0 + 30.0 + 40.0


def test_a_bot_stands_in_for_those_whose_time_is_up() -> None:
    rooms = timed_rooms()
    rooms.clock.now = 1089.9
    assert rooms.do(commands.call_flags, bot="greedy") == ()
    rooms.choose(ONE)
    rooms.clock.now = 1090.0
    flag = TakeOverEntry(TWO, "greedy", "time", 1090.0)
    assert rooms.do(commands.call_flags, bot="greedy") == (flag,)
    assert rooms.room.due() is None
    assert rooms.do(commands.call_flags, bot="greedy") == ()


def test_two_flags_fall_at_once() -> None:
    rooms = timed_rooms()
    rooms.clock.now = 1090.0 + FLAG_GRACE_S
    first, second = rooms.do(commands.call_flags, bot="greedy")
    assert [entry.seat for entry in (first, second) if isinstance(entry, TakeOverEntry)] == [0, 1]


def test_far_too_late_nobody_watched_the_clock_and_the_time_starts_again() -> None:
    rooms = timed_rooms()
    rooms.clock.now = 1090.0 + FLAG_GRACE_S + 0.1
    assert rooms.do(commands.call_flags, bot="greedy") == (ClockResetEntry(rooms.clock.now),)
    assert due(rooms, ONE) == rooms.clock.now + 90.0
    assert rooms.room.people == (ONE, TWO)


def test_a_choice_that_comes_before_anybody_looked_at_the_clock_costs_no_time() -> None:
    rooms = timed_rooms()
    rooms.clock.now = 1090.0 + FLAG_GRACE_S + 0.1
    rooms.choose(ONE)
    assert bank(rooms, ONE) == 60.0
    rooms.do(commands.undo, OWNER, ONE)
    assert due(rooms, ONE) == rooms.clock.now + 90.0
    rooms.check_log()


def test_up_to_when_a_flag_can_fall_a_choice_costs_all_the_time_it_took() -> None:
    rooms = timed_rooms()
    rooms.clock.now = 1090.0 + FLAG_GRACE_S
    rooms.choose(ONE)
    assert bank(rooms, ONE) == 0.0


def test_who_leaves_before_anybody_looked_at_the_clock_keeps_the_time() -> None:
    rooms = timed_rooms()
    rooms.clock.now = 1090.0 + FLAG_GRACE_S + 0.1
    rooms.do(commands.take_over, ONE, bot="greedy", why="left")
    rooms.choose(ONE)
    assert bank(rooms, ONE) == 60.0
    rooms.check_log()


def test_time_in_the_log_never_goes_back() -> None:
    rooms = timed_rooms()
    rooms.clock.now = 1040.0
    rooms.choose(ONE)
    rooms.clock.now = 20.0
    assert rooms.room.now() == 1040.0
    rooms.do(commands.say, "ben", "Ben", "what time is it?")
    rooms.choose(TWO)
    rooms.choose(THREE)
    assert bank(rooms, TWO) == 50.0
    assert rooms.room.changed_at == 1040.0
    assert all(earlier.at <= later.at for earlier, later in pairwise(rooms.log))


def test_time_in_the_log_never_goes_back_even_within_one_command() -> None:
    rooms = start_room(SAKURA, OWNER, "ben", "greedy", time_control=TIMING)
    rooms.choose(ONE)
    rooms.choose(TWO)
    times = iter([2000.0, *range(1999, 0, -1)])
    rooms.room._clock = lambda: next(times)
    rooms.choose(THREE)
    assert all(earlier.at <= later.at for earlier, later in pairwise(rooms.log))


def test_a_clock_that_goes_on_during_a_command_gives_the_same_room_from_the_log() -> None:
    """Another server that follows the log must have the very same flags."""
    rooms = timed_rooms()
    times = iter(range(1000, 10_000))
    rooms.room._clock = lambda: float(next(times))
    for _ in range(3):
        for seat in rooms.room.waiting:
            rooms.choose(seat)
    rooms.check_log()


def test_to_choose_and_take_back_again_gains_no_time() -> None:
    rooms = timed_rooms()
    for now in (1020.0, 1025.0, 1030.0, 1035.0):
        rooms.clock.now = now
        rooms.choose(ONE)
        rooms.do(commands.undo, OWNER, ONE)
        assert due(rooms, ONE) == 1090.0
    rooms.clock.now = 1050.0
    rooms.choose(ONE)
    assert bank(rooms, ONE) == 40.0
    rooms.clock.now = 1060.0
    rooms.do(commands.undo, OWNER, ONE)
    assert bank(rooms, ONE) == 60.0
    assert due(rooms, ONE) == 1100.0, "while it had chosen its clock stood"


def test_to_take_back_two_choices_gains_no_time_either() -> None:
    rooms = start_room(PAIR, OWNER, OWNER, time_control=TIMING)
    (seat,) = rooms.room.waiting
    first = due(rooms, seat)
    assert first == 1090.0
    for now in (1010.0, 1020.0):
        rooms.clock.now = now
        rooms.choose(seat)
        assert rooms.room.waiting == (seat,), "a turn has several choices"
    for _ in range(2):
        rooms.do(commands.undo, OWNER, seat)
    assert due(rooms, seat) == first


def test_a_clock_that_was_held_goes_on_when_the_player_comes_back() -> None:
    rooms = timed_rooms()
    rooms.clock.now = 1020.0
    rooms.do(commands.take_over, ONE, bot="greedy", why="away")
    assert due(rooms, ONE) is None
    rooms.clock.now = 1025.0
    rooms.do(commands.reclaim_seat, OWNER, ONE)
    assert due(rooms, ONE) == 1095.0


def test_who_was_flagged_has_spent_the_bank() -> None:
    rooms = timed_rooms()
    rooms.clock.now = 1091.0
    rooms.do(commands.call_flags, bot="greedy")
    rooms.choose(ONE)
    rooms.do(commands.reclaim_seat, OWNER, ONE)
    assert bank(rooms, ONE) == 0.0
    rooms.do(commands.undo, OWNER, ONE)
    due_again = due(rooms, ONE)
    assert due_again is not None
    assert due_again <= rooms.clock.now


def find_bite() -> RoomPair:
    """Show fish until one bites."""
    for seed in range(100):
        rooms = start_room(POND, "ben", "cyd", OWNER, seed=seed, time_control=TIMING)
        for seat in (ONE, TWO, THREE):
            rooms.choose(seat)
        if len(rooms.room.waiting) == 1:
            return rooms
    raise AssertionError("no fish ever bites")


def test_what_one_player_takes_back_costs_the_other_no_time() -> None:
    """A seat that lets a fish free asks the others, and may withdraw while they think."""
    rooms = find_bite()
    (owner,) = rooms.room.waiting
    rooms.choose(owner, "free")
    (asked,) = rooms.room.waiting
    rooms.clock.now += 29
    rooms.do(commands.undo, rooms.room.places[owner].player or "", owner)
    assert due(rooms, asked) is None
    assert due(rooms, owner) == rooms.clock.now + 90.0
    rooms.choose(owner, "free")
    assert due(rooms, asked) == rooms.clock.now + 90.0


@pytest.mark.parametrize("seats", [(), (ONE,), (ONE, TWO)])
def test_only_the_clocks_asked_for_run(seats: tuple[Seat, ...]) -> None:
    clocks = Clocks(TIMING, 2)
    clocks.run([ONE], 0.0)
    clocks.run(seats, 10.0)
    expected = {ONE: 90.0 if ONE in seats else None, TWO: 100.0 if TWO in seats else None}
    assert {seat: clocks.due(seat) for seat in (ONE, TWO)} == expected
