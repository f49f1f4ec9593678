"""A room seats, starts, chats, removes players; a refused command changes nothing."""

from __future__ import annotations

from random import Random

from conformance import find_configuration
from conformance.rooms import NONCE, OWNER, RoomPair, make_config, start_room
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


def open_rooms(*, is_rated: bool = False) -> RoomPair:
    return RoomPair(POND, make_config(POND, is_rated=is_rated))


def sit(rooms: RoomPair, player: str, seat: Seat | None = None) -> None:
    rooms.do(commands.sit, player, player.title(), seat=seat, nonce=NONCE)


def test_who_comes_takes_the_first_free_seat_or_the_one_asked_for() -> None:
    rooms = open_rooms()
    assert rooms.room.status == "open"
    sit(rooms, "ben", TWO)
    sit(rooms, OWNER)
    sit(rooms, "cyd")
    assert [place.player for place in rooms.room.places] == [OWNER, "ben", "cyd"]
    assert rooms.room.places[TWO].name == "Ben"
    assert rooms.room.seats_of("ben") == (TWO,)
    assert rooms.room.seats_of(None) == ()
    rooms.refuse("table_full", commands.sit, "dan", "Dan", seat=None, nonce=NONCE)
    rooms.refuse("seat_taken", commands.sit, "dan", "Dan", seat=TWO, nonce=NONCE)
    rooms.refuse("seat_unknown", commands.sit, "dan", "Dan", seat=FOUR, nonce=NONCE)
    rooms.refuse("seat_unknown", commands.sit, "dan", "Dan", seat=Seat(-1), nonce=NONCE)


def test_one_device_may_hold_several_seats_but_not_in_a_rated_game() -> None:
    rooms = open_rooms()
    sit(rooms, OWNER)
    sit(rooms, OWNER)
    assert rooms.room.seats_of(OWNER) == (ONE, TWO)
    rated = open_rooms(is_rated=True)
    sit(rated, OWNER)
    rated.refuse("rated_one_seat", commands.sit, OWNER, "Ada", seat=None, nonce=NONCE)


def test_the_owner_seats_bots_and_removes_them() -> None:
    rooms = open_rooms()
    rooms.refuse("not_owner", commands.seat_bot, "ben", "greedy", seat=None)
    rooms.do(commands.seat_bot, OWNER, "greedy", seat=TWO)
    assert rooms.room.places[TWO].plays == "greedy"
    rooms.refuse("not_owner", commands.leave, "ben", TWO, stand_in="greedy")
    assert rooms.do(commands.leave, OWNER, TWO, stand_in="greedy") == (LeaveEntry(TWO, 1000.0),)
    assert rooms.room.places[TWO] == FREE


def test_who_leaves_before_the_game_frees_the_seat() -> None:
    rooms = open_rooms()
    sit(rooms, "ben")
    rooms.refuse("not_your_seat", commands.leave, OWNER, ONE, stand_in="greedy")
    rooms.refuse("not_your_seat", commands.leave, "ben", TWO, stand_in="greedy")
    rooms.refuse("seat_unknown", commands.leave, "ben", FOUR, stand_in="greedy")
    rooms.do(commands.leave, "ben", ONE, stand_in="greedy")
    assert rooms.room.places == [FREE] * 3


def test_a_game_begins_when_all_seats_are_taken_and_a_person_is_there() -> None:
    rooms = open_rooms()
    rooms.refuse("not_seated", commands.start, "ben")
    rooms.refuse("seats_free", commands.start, OWNER)
    for _ in range(3):
        rooms.do(commands.seat_bot, OWNER, "greedy", seat=None)
    rooms.refuse("nobody_seated", commands.start, OWNER)
    rooms.do(commands.leave, OWNER, TWO, stand_in="greedy")
    sit(rooms, "ben")
    rooms.refuse("not_started", commands.choose_as, "ben", TWO, "1", ply=0, revision=0)
    rooms.refuse("not_started", commands.undo, "ben", TWO)
    entries = rooms.do(commands.start, "ben")
    assert isinstance(entries[0], StartEntry)
    assert all(isinstance(entry, DrawEntry) for entry in entries[1:])
    assert rooms.room.status == "running"
    assert rooms.room.waiting == (ONE, TWO, THREE)
    assert rooms.room.people == (TWO,)


def test_nobody_sits_down_or_starts_again_in_a_game_that_is_on() -> None:
    rooms = start_room(POND, OWNER, "ben", "greedy")
    rooms.refuse("already_started", commands.sit, "cyd", "Cyd", seat=None, nonce=NONCE)
    rooms.refuse("already_started", commands.seat_bot, OWNER, "greedy", seat=None)
    rooms.refuse("already_started", commands.leave, OWNER, THREE, stand_in="greedy")
    rooms.refuse("already_started", commands.start, OWNER)


def test_one_chooses_for_ones_own_seat_at_the_position_one_saw() -> None:
    rooms = start_room(POND, OWNER, "ben", "greedy")
    ply, token = rooms.table.ply, rooms.legal(ONE)[0]
    for seat, player, code in (
        (ONE, "ben", "not_your_seat"),
        (THREE, OWNER, "not_your_seat"),
        (FOUR, OWNER, "seat_unknown"),
    ):
        rooms.refuse(code, commands.choose_as, player, seat, token, ply=ply, revision=0)
    rooms.refuse("stale", commands.choose_as, OWNER, ONE, token, ply=ply - 1, revision=0)
    rooms.refuse("stale", commands.choose_as, OWNER, ONE, token, ply=ply, revision=1)
    rooms.refuse("unreadable", commands.choose_as, OWNER, ONE, "?", ply=ply, revision=0)
    rooms.refuse("pond_cannot", commands.choose_as, OWNER, ONE, "keep", ply=ply, revision=0)
    (entry,) = rooms.do(commands.choose_as, OWNER, ONE, token, ply=ply, revision=0)
    assert isinstance(entry, ChooseEntry)
    assert rooms.room.waiting == (TWO, THREE)
    rooms.refuse("already_chosen", commands.choose_as, OWNER, ONE, token, ply=ply, revision=0)


def test_one_takes_back_ones_own_choice_only() -> None:
    rooms = start_room(POND, OWNER, "ben", "cyd")
    rooms.choose(ONE)
    rooms.refuse("not_your_seat", commands.undo, "ben", ONE)
    rooms.refuse("nothing_to_undo", commands.undo, "ben", TWO)
    assert rooms.do(commands.undo, OWNER, ONE) == (UndoEntry(ONE, 1000.0),)
    assert rooms.room.waiting == (ONE, TWO, THREE)


def test_who_may_read_a_line_is_kept_with_it() -> None:
    rooms = start_room(SAKURA, OWNER, "ben", "cyd")
    deal = [h for h in rooms.room.log if isinstance(h.entry, DrawEntry)]
    assert {h.visibility.only for h in deal} == {ONE, TWO, THREE}
    for seat in (ONE, TWO, THREE):
        rooms.choose(seat)
    lines = [h for h in rooms.room.log if isinstance(h.entry, ChooseEntry)]
    assert [h.visibility.only for h in lines] == [ONE, TWO, THREE]
    tokens = tuple(h.entry.token for h in lines if isinstance(h.entry, ChooseEntry))
    assert [h.visibility.revealed for h in lines] == [(), (), tokens]


def test_a_bot_stands_in_for_who_is_away_until_they_come_back() -> None:
    rooms = start_room(SAKURA, OWNER, "ben", "cyd")
    ply, token = rooms.table.ply, rooms.legal(ONE)[0]
    rooms.refuse("seat_is_yours", commands.reclaim_seat, OWNER, ONE)
    rooms.do(commands.take_over, ONE, bot="greedy", why="away")
    assert rooms.room.places[ONE].plays == "greedy"
    assert rooms.room.people == (TWO, THREE)
    assert rooms.room.places[ONE].left == len(rooms.room.log)
    rooms.refuse("bot_plays", commands.take_over, ONE, bot="greedy", why="away")
    rooms.refuse("bot_stands_in", commands.choose_as, OWNER, ONE, token, ply=ply, revision=0)
    rooms.refuse("bot_stands_in", commands.undo, OWNER, ONE)
    rooms.refuse("bot_stands_in", commands.request_takeback, OWNER, ONE)
    rooms.refuse("not_your_seat", commands.reclaim_seat, "ben", ONE)
    rooms.choose(ONE)
    rooms.do(commands.reclaim_seat, OWNER, ONE)
    assert rooms.room.places[ONE].plays is None
    assert rooms.room.places[ONE].left == 0
    rooms.do(commands.undo, OWNER, ONE)


def test_nobody_stands_in_for_a_bot_or_where_no_game_is_on() -> None:
    rooms = open_rooms()
    sit(rooms, "ben")
    rooms.refuse("not_started", commands.take_over, ONE, bot="greedy", why="away")
    rooms.refuse("not_started", commands.reclaim_seat, "ben", ONE)
    rooms = start_room(POND, OWNER, "ben", "greedy")
    rooms.refuse("bot_plays", commands.take_over, THREE, bot="greedy", why="away")
    rooms.refuse("seat_unknown", commands.take_over, FOUR, bot="greedy", why="away")


def test_who_leaves_a_game_that_is_on_leaves_a_bot_behind_and_may_come_back() -> None:
    rooms = start_room(POND, OWNER, "ben", "cyd")
    (entry,) = rooms.do(commands.leave, "ben", TWO, stand_in="greedy")
    assert entry == TakeOverEntry(TWO, "greedy", "left", 1000.0)
    rooms.refuse("bot_plays", commands.leave, "ben", TWO, stand_in="greedy")
    rooms.do(commands.reclaim_seat, "ben", TWO)
    assert rooms.room.people == (ONE, TWO, THREE)


def test_everybody_may_speak_until_the_table_is_closed_or_they_are_banned() -> None:
    rooms = open_rooms()
    (entry,) = rooms.do(commands.say, "zoe", "Zoe", "hello")
    assert entry == SayEntry("zoe", "Zoe", "hello", 1000.0)
    rooms.do(commands.kick, OWNER, "zoe", is_ban=True, stand_in="greedy")
    rooms.refuse("banned", commands.say, "zoe", "Zoe", "hello?")
    rooms.do(commands.close, "closed")
    rooms.refuse("table_closed", commands.say, "ben", "Ben", "hello")


def test_the_owner_sends_people_away_before_the_game() -> None:
    rooms = open_rooms()
    sit(rooms, "ben")
    sit(rooms, "cyd")
    rooms.refuse("not_owner", commands.kick, "ben", "cyd", is_ban=False, stand_in="greedy")
    rooms.refuse("kick_oneself", commands.kick, OWNER, OWNER, is_ban=False, stand_in="greedy")
    entries = rooms.do(commands.kick, OWNER, "ben", is_ban=False, stand_in="greedy")
    assert entries == (KickEntry("ben", is_ban=False, at=1000.0),)
    sit(rooms, "ben")
    rooms.do(commands.kick, OWNER, "ben", is_ban=True, stand_in="greedy")
    rooms.refuse("banned", commands.sit, "ben", "Ben", seat=None, nonce=NONCE)
    assert rooms.room.seats_of("cyd") == (TWO,)


def test_a_bot_plays_on_for_who_is_sent_away_from_a_game_but_not_a_rated_one() -> None:
    rooms = start_room(POND, OWNER, "ben", "ben")
    rooms.do(commands.take_over, TWO, bot="random", why="away")
    rooms.do(commands.kick, OWNER, "ben", is_ban=True, stand_in="greedy")
    assert [place.plays for place in rooms.room.places] == [None, "random", "greedy"]
    rooms.refuse("banned", commands.reclaim_seat, "ben", TWO)
    rooms.refuse("banned", commands.reclaim_seat, "ben", THREE)
    rated = start_room(POND, OWNER, "ben", "cyd", is_rated=True)
    rated.refuse("rated_no_kick", commands.kick, OWNER, "ben", is_ban=True, stand_in="greedy")
    rated.do(commands.kick, OWNER, "zoe", is_ban=True, stand_in="greedy")


def test_who_played_may_ask_for_another_game_once_it_is_over() -> None:
    rooms = start_room(POND, OWNER, "ben", "greedy")
    rooms.refuse("not_over", commands.note_rematch, OWNER, "other")
    rooms.play(Random(1))
    assert (rooms.room.status, rooms.room.ending) == ("over", "finished")
    rooms.refuse("not_seated", commands.note_rematch, "zoe", "other")
    rooms.do(commands.note_rematch, "ben", "other")
    assert rooms.room.rematch == "other"
    rooms.check_log()


def test_a_closed_table_takes_nothing_more_and_keeps_its_log() -> None:
    rooms = start_room(POND, OWNER, "ben", "greedy")
    assert rooms.do(commands.close, "abandoned") == (CloseEntry("abandoned", 1000.0),)
    assert (rooms.room.status, rooms.room.waiting, rooms.room.due()) == ("closed", (), None)
    rooms.refuse("table_closed", commands.close, "abandoned")
    rooms.refuse("table_closed", commands.choose_as, OWNER, ONE, "1", ply=7, revision=0)
    rooms.refuse("table_closed", commands.leave, OWNER, ONE, stand_in="greedy")
    rooms.refuse("table_closed", commands.resign, OWNER, ONE, stand_in="greedy")
    rooms.refuse("table_closed", commands.kick, OWNER, "ben", is_ban=True, stand_in="greedy")
    rooms.refuse("not_over", commands.note_rematch, OWNER, "other")
    rooms.check_log()
    empty = open_rooms()
    empty.do(commands.close, "abandoned")
    empty.refuse("table_closed", commands.sit, "ben", "Ben", seat=None, nonce=NONCE)
    empty.refuse("table_closed", commands.start, OWNER)


def test_a_game_that_is_over_stays_over_when_the_table_is_closed() -> None:
    rooms = start_room(POND, OWNER, "ben", "greedy")
    rooms.play(Random(1))
    rooms.refuse("game_over", commands.leave, OWNER, ONE, stand_in="greedy")
    rooms.refuse("game_over", commands.undo, OWNER, ONE)
    rooms.do(commands.close, "abandoned")
    assert rooms.room.status == "over"
