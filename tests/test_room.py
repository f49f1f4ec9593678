"""Who sits, starts, chooses, speaks and is sent away; whatever is refused changes nothing."""

from __future__ import annotations

from random import Random

from conformance import find_configuration
from conformance.rooms import NONCE, OWNER, House, make_plan, sit_around
from pleasance.core.game import Seat
from pleasance.table import commands
from pleasance.table.entries import (
    ChooseEntry,
    CloseEntry,
    DrawEntry,
    KickEntry,
    LeaveEntry,
    SayEntry,
    StartEntry,
    TakeOverEntry,
    UndoEntry,
)
from pleasance.table.table_config import FREE

ONE, TWO, THREE, FOUR = map(Seat, range(4))
POND = find_configuration("pond-3")
SAKURA = find_configuration("sakura-3")


def open_house(*, is_rated: bool = False) -> House:
    return House(POND, make_plan(POND, is_rated=is_rated))


def sit(house: House, player: str, seat: Seat | None = None) -> None:
    house.do(commands.sit, player, player.title(), seat=seat, nonce=NONCE)


def test_who_comes_takes_the_first_free_seat_or_the_one_asked_for() -> None:
    house = open_house()
    assert house.room.status == "open"
    sit(house, "ben", TWO)
    sit(house, OWNER)
    sit(house, "cyd")
    assert [place.player for place in house.room.places] == [OWNER, "ben", "cyd"]
    assert house.room.places[TWO].name == "Ben"
    assert house.room.seats_of("ben") == (TWO,)
    assert house.room.seats_of(None) == ()
    house.refuse("table_full", commands.sit, "dan", "Dan", seat=None, nonce=NONCE)
    house.refuse("seat_taken", commands.sit, "dan", "Dan", seat=TWO, nonce=NONCE)
    house.refuse("seat_unknown", commands.sit, "dan", "Dan", seat=FOUR, nonce=NONCE)
    house.refuse("seat_unknown", commands.sit, "dan", "Dan", seat=Seat(-1), nonce=NONCE)


def test_one_device_may_hold_several_seats_but_not_in_a_rated_game() -> None:
    house = open_house()
    sit(house, OWNER)
    sit(house, OWNER)
    assert house.room.seats_of(OWNER) == (ONE, TWO)
    rated = open_house(is_rated=True)
    sit(rated, OWNER)
    rated.refuse("rated_one_seat", commands.sit, OWNER, "Ada", seat=None, nonce=NONCE)


def test_the_owner_seats_bots_and_removes_them() -> None:
    house = open_house()
    house.refuse("not_owner", commands.seat_bot, "ben", "greedy", seat=None)
    house.do(commands.seat_bot, OWNER, "greedy", seat=TWO)
    assert house.room.places[TWO].plays == "greedy"
    house.refuse("not_owner", commands.leave, "ben", TWO, stand_in="greedy")
    assert house.do(commands.leave, OWNER, TWO, stand_in="greedy") == (LeaveEntry(TWO, 1000.0),)
    assert house.room.places[TWO] == FREE


def test_who_leaves_before_the_game_frees_the_seat() -> None:
    house = open_house()
    sit(house, "ben")
    house.refuse("not_your_seat", commands.leave, OWNER, ONE, stand_in="greedy")
    house.refuse("not_your_seat", commands.leave, "ben", TWO, stand_in="greedy")
    house.refuse("seat_unknown", commands.leave, "ben", FOUR, stand_in="greedy")
    house.do(commands.leave, "ben", ONE, stand_in="greedy")
    assert house.room.places == [FREE] * 3


def test_a_game_begins_when_all_seats_are_taken_and_a_person_is_there() -> None:
    house = open_house()
    house.refuse("not_seated", commands.start, "ben")
    house.refuse("seats_free", commands.start, OWNER)
    for _ in range(3):
        house.do(commands.seat_bot, OWNER, "greedy", seat=None)
    house.refuse("nobody_seated", commands.start, OWNER)
    house.do(commands.leave, OWNER, TWO, stand_in="greedy")
    sit(house, "ben")
    house.refuse("not_started", commands.choose_as, "ben", TWO, "1", ply=0, undone=0)
    house.refuse("not_started", commands.undo, "ben", TWO)
    entries = house.do(commands.start, "ben")
    assert isinstance(entries[0], StartEntry)
    assert all(isinstance(entry, DrawEntry) for entry in entries[1:])
    assert house.room.status == "running"
    assert house.room.waiting == (ONE, TWO, THREE)
    assert house.room.people == (TWO,)


def test_nobody_sits_down_or_starts_again_in_a_game_that_is_on() -> None:
    house = sit_around(POND, OWNER, "ben", "greedy")
    house.refuse("already_started", commands.sit, "cyd", "Cyd", seat=None, nonce=NONCE)
    house.refuse("already_started", commands.seat_bot, OWNER, "greedy", seat=None)
    house.refuse("already_started", commands.leave, OWNER, THREE, stand_in="greedy")
    house.refuse("already_started", commands.start, OWNER)


def test_one_chooses_for_ones_own_seat_at_the_position_one_saw() -> None:
    house = sit_around(POND, OWNER, "ben", "greedy")
    table = house.room.table
    assert table is not None
    ply, token = table.ply, house.legal(ONE)[0]
    for seat, player, code in (
        (ONE, "ben", "not_your_seat"),
        (THREE, OWNER, "not_your_seat"),
        (FOUR, OWNER, "seat_unknown"),
    ):
        house.refuse(code, commands.choose_as, player, seat, token, ply=ply, undone=0)
    house.refuse("stale", commands.choose_as, OWNER, ONE, token, ply=ply - 1, undone=0)
    house.refuse("stale", commands.choose_as, OWNER, ONE, token, ply=ply, undone=1)
    house.refuse("unreadable", commands.choose_as, OWNER, ONE, "?", ply=ply, undone=0)
    house.refuse("pond_cannot", commands.choose_as, OWNER, ONE, "keep", ply=ply, undone=0)
    (entry,) = house.do(commands.choose_as, OWNER, ONE, token, ply=ply, undone=0)
    assert isinstance(entry, ChooseEntry)
    assert house.room.waiting == (TWO, THREE)
    house.refuse("already_chosen", commands.choose_as, OWNER, ONE, token, ply=ply, undone=0)


def test_one_takes_back_ones_own_choice_only() -> None:
    house = sit_around(POND, OWNER, "ben", "cyd")
    house.choose(ONE)
    house.refuse("not_your_seat", commands.undo, "ben", ONE)
    house.refuse("nothing_to_undo", commands.undo, "ben", TWO)
    assert house.do(commands.undo, OWNER, ONE) == (UndoEntry(ONE, 1000.0),)
    assert house.room.waiting == (ONE, TWO, THREE)


def test_who_may_read_a_line_is_kept_with_it() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "cyd")
    deal = [h for h in house.room.happenings if isinstance(h.entry, DrawEntry)]
    assert {h.sight.only for h in deal} == {ONE, TWO, THREE}
    for seat in (ONE, TWO, THREE):
        house.choose(seat)
    lines = [h for h in house.room.happenings if isinstance(h.entry, ChooseEntry)]
    assert [h.sight.only for h in lines] == [ONE, TWO, THREE]
    tokens = tuple(h.entry.token for h in lines if isinstance(h.entry, ChooseEntry))
    assert [h.sight.revealed for h in lines] == [(), (), tokens]


def test_a_bot_stands_in_for_who_is_away_until_they_come_back() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "cyd")
    table = house.room.table
    assert table is not None
    ply, token = table.ply, house.legal(ONE)[0]
    house.refuse("seat_is_yours", commands.take_seat_back, OWNER, ONE)
    house.do(commands.take_over, ONE, bot="greedy", why="away")
    assert house.room.places[ONE].plays == "greedy"
    assert house.room.people == (TWO, THREE)
    assert house.room.places[ONE].left == len(house.room.happenings)
    house.refuse("bot_plays", commands.take_over, ONE, bot="greedy", why="away")
    house.refuse("bot_stands_in", commands.choose_as, OWNER, ONE, token, ply=ply, undone=0)
    house.refuse("bot_stands_in", commands.undo, OWNER, ONE)
    house.refuse("bot_stands_in", commands.ask_back, OWNER, ONE)
    house.refuse("not_your_seat", commands.take_seat_back, "ben", ONE)
    house.choose(ONE)
    house.do(commands.take_seat_back, OWNER, ONE)
    assert house.room.places[ONE].plays is None
    assert house.room.places[ONE].left == 0
    house.do(commands.undo, OWNER, ONE)


def test_nobody_stands_in_for_a_bot_or_where_no_game_is_on() -> None:
    house = open_house()
    sit(house, "ben")
    house.refuse("not_started", commands.take_over, ONE, bot="greedy", why="away")
    house.refuse("not_started", commands.take_seat_back, "ben", ONE)
    house = sit_around(POND, OWNER, "ben", "greedy")
    house.refuse("bot_plays", commands.take_over, THREE, bot="greedy", why="away")
    house.refuse("seat_unknown", commands.take_over, FOUR, bot="greedy", why="away")


def test_who_leaves_a_game_that_is_on_leaves_a_bot_behind_and_may_come_back() -> None:
    house = sit_around(POND, OWNER, "ben", "cyd")
    (entry,) = house.do(commands.leave, "ben", TWO, stand_in="greedy")
    assert entry == TakeOverEntry(TWO, "greedy", "left", 1000.0)
    house.refuse("bot_plays", commands.leave, "ben", TWO, stand_in="greedy")
    house.do(commands.take_seat_back, "ben", TWO)
    assert house.room.people == (ONE, TWO, THREE)


def test_everybody_may_speak_until_the_table_is_closed_or_they_are_banned() -> None:
    house = open_house()
    (entry,) = house.do(commands.say, "zoe", "Zoe", "hello")
    assert entry == SayEntry("zoe", "Zoe", "hello", 1000.0)
    house.do(commands.kick, OWNER, "zoe", is_ban=True, stand_in="greedy")
    house.refuse("banned", commands.say, "zoe", "Zoe", "hello?")
    house.do(commands.close, "closed")
    house.refuse("table_closed", commands.say, "ben", "Ben", "hello")


def test_the_owner_sends_people_away_before_the_game() -> None:
    house = open_house()
    sit(house, "ben")
    sit(house, "cyd")
    house.refuse("not_owner", commands.kick, "ben", "cyd", is_ban=False, stand_in="greedy")
    house.refuse("kick_oneself", commands.kick, OWNER, OWNER, is_ban=False, stand_in="greedy")
    entries = house.do(commands.kick, OWNER, "ben", is_ban=False, stand_in="greedy")
    assert entries == (KickEntry("ben", is_ban=False, at=1000.0),)
    sit(house, "ben")
    house.do(commands.kick, OWNER, "ben", is_ban=True, stand_in="greedy")
    house.refuse("banned", commands.sit, "ben", "Ben", seat=None, nonce=NONCE)
    assert house.room.seats_of("cyd") == (TWO,)


def test_a_bot_plays_on_for_who_is_sent_away_from_a_game_but_not_a_rated_one() -> None:
    house = sit_around(POND, OWNER, "ben", "ben")
    house.do(commands.take_over, TWO, bot="random", why="away")
    house.do(commands.kick, OWNER, "ben", is_ban=True, stand_in="greedy")
    assert [place.plays for place in house.room.places] == [None, "random", "greedy"]
    house.refuse("banned", commands.take_seat_back, "ben", TWO)
    house.refuse("banned", commands.take_seat_back, "ben", THREE)
    rated = sit_around(POND, OWNER, "ben", "cyd", is_rated=True)
    rated.refuse("rated_no_kick", commands.kick, OWNER, "ben", is_ban=True, stand_in="greedy")
    rated.do(commands.kick, OWNER, "zoe", is_ban=True, stand_in="greedy")


def test_who_played_may_ask_for_another_game_once_it_is_over() -> None:
    house = sit_around(POND, OWNER, "ben", "greedy")
    house.refuse("not_over", commands.note_rematch, OWNER, "other")
    house.play(Random(1))
    assert (house.room.status, house.room.ending) == ("over", "finished")
    house.refuse("not_seated", commands.note_rematch, "zoe", "other")
    house.do(commands.note_rematch, "ben", "other")
    assert house.room.rematch == "other"
    house.check_log()


def test_a_closed_table_takes_nothing_more_and_keeps_its_log() -> None:
    house = sit_around(POND, OWNER, "ben", "greedy")
    assert house.do(commands.close, "abandoned") == (CloseEntry("abandoned", 1000.0),)
    assert (house.room.status, house.room.waiting, house.room.due()) == ("closed", (), None)
    house.refuse("table_closed", commands.close, "abandoned")
    house.refuse("table_closed", commands.choose_as, OWNER, ONE, "1", ply=7, undone=0)
    house.refuse("table_closed", commands.leave, OWNER, ONE, stand_in="greedy")
    house.refuse("table_closed", commands.resign, OWNER, ONE, stand_in="greedy")
    house.refuse("table_closed", commands.kick, OWNER, "ben", is_ban=True, stand_in="greedy")
    house.refuse("not_over", commands.note_rematch, OWNER, "other")
    house.check_log()
    empty = open_house()
    empty.do(commands.close, "abandoned")
    empty.refuse("table_closed", commands.sit, "ben", "Ben", seat=None, nonce=NONCE)
    empty.refuse("table_closed", commands.start, OWNER)


def test_a_game_that_is_over_stays_over_when_the_table_is_closed() -> None:
    house = sit_around(POND, OWNER, "ben", "greedy")
    house.play(Random(1))
    house.refuse("game_over", commands.leave, OWNER, ONE, stand_in="greedy")
    house.refuse("game_over", commands.undo, OWNER, ONE)
    house.do(commands.close, "abandoned")
    assert house.room.status == "over"
