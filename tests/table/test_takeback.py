"""Going back by consent, and giving the game up."""

from __future__ import annotations

from random import Random

import pytest

from conformance import find_configuration
from conformance.rooms import OWNER, RoomPair, start_room
from pleasance.core.game import Choose, Seat
from pleasance.core.record import HIDDEN_DRAW, parse_record, write_record
from pleasance.core.verify import verify
from pleasance.table import commands
from pleasance.table.entries import (
    ChooseEntry,
    DrawEntry,
    ResignEntry,
    TakebackAnswerEntry,
    TakebackEntry,
    TakebackRequestEntry,
    TakeOverEntry,
)

ONE, TWO, THREE = map(Seat, range(3))
SAKURA = find_configuration("sakura-3")
PAIR = find_configuration("sanssouci-2")


def play_round(rooms: RoomPair) -> RoomPair:
    """Let all seats choose a card; return the rooms."""
    ply = rooms.table.ply
    for seat in rooms.room.waiting:
        rooms.choose(seat)
    assert rooms.table.ply > ply
    return rooms


def play_turn(rooms: RoomPair) -> Seat:
    """Let one player of Sanssouci choose until the turn passes; give who it was."""
    (seat,) = rooms.room.waiting
    while rooms.room.waiting == (seat,):
        rooms.choose(seat)
    return seat


def test_the_game_goes_back_when_all_people_agree() -> None:
    rooms = start_room(SAKURA, OWNER, "ben", "cyd")
    ply, views = rooms.table.ply, [rooms.table.view(seat) for seat in (ONE, TWO, THREE)]
    play_round(rooms)
    assert rooms.do(commands.request_takeback, "ben", TWO) == (
        TakebackRequestEntry(TWO, ply, 1000.0),
    )
    assert (rooms.room.takeback_by, rooms.room.takeback_agreed) == (TWO, frozenset({TWO}))
    assert rooms.do(commands.answer_takeback, OWNER, ONE, agrees=True) == (
        TakebackAnswerEntry(ONE, agrees=True, at=1000.0),
    )
    *_, last = rooms.do(commands.answer_takeback, "cyd", THREE, agrees=True)
    assert last == TakebackEntry(ply, 1000.0)
    table = rooms.table
    assert (rooms.room.takeback_by, rooms.room.takeback_agreed) == (None, frozenset())
    assert (table.ply, table.revision, rooms.room.waiting) == (ply, 1, (ONE, TWO, THREE))
    assert [table.view(seat) for seat in (ONE, TWO, THREE)] == views


def test_a_stale_choice_for_what_was_taken_back_is_refused() -> None:
    rooms = start_room(SAKURA, OWNER, "greedy", "greedy")
    ply, token = rooms.table.ply, rooms.legal(ONE)[0]
    play_round(rooms)
    rooms.do(commands.request_takeback, OWNER, ONE)
    assert rooms.table.ply == ply
    rooms.refuse("stale", commands.choose_as, OWNER, ONE, token, ply=ply, revision=0)
    rooms.do(commands.choose_as, OWNER, ONE, token, ply=ply, revision=1)


def test_one_who_declines_ends_the_question() -> None:
    rooms = start_room(SAKURA, OWNER, "ben", "cyd")
    rooms.refuse("nobody_asks", commands.answer_takeback, OWNER, ONE, agrees=True)
    rooms.refuse("nothing_to_undo", commands.request_takeback, OWNER, ONE)
    play_round(rooms)
    rooms.do(commands.request_takeback, "ben", TWO)
    rooms.refuse("not_your_seat", commands.answer_takeback, OWNER, THREE, agrees=True)
    rooms.do(commands.answer_takeback, OWNER, ONE, agrees=True)
    rooms.do(commands.answer_takeback, "cyd", THREE, agrees=False)
    assert (rooms.room.takeback_by, rooms.room.takeback_agreed) == (None, frozenset())
    rooms.refuse("nobody_asks", commands.answer_takeback, "cyd", THREE, agrees=True)


@pytest.mark.parametrize("how", ["choose", "undo"])
def test_a_new_choice_or_undo_ends_the_question(how: str) -> None:
    rooms = play_round(start_room(SAKURA, OWNER, "ben", "cyd"))
    rooms.play(Random(1), until=lambda room: len(room.waiting) == 3)
    rooms.choose(ONE) if how == "undo" else None
    rooms.do(commands.request_takeback, "ben", TWO)
    rooms.do(commands.undo, OWNER, ONE) if how == "undo" else rooms.choose(ONE)
    rooms.refuse("nobody_asks", commands.answer_takeback, "cyd", THREE, agrees=True)


def test_two_who_ask_agree_with_each_other() -> None:
    rooms = play_round(start_room(SAKURA, OWNER, "ben", "cyd"))
    rooms.do(commands.request_takeback, OWNER, ONE)
    rooms.do(commands.request_takeback, "ben", TWO)
    assert (rooms.room.takeback_by, rooms.room.takeback_agreed) == (ONE, frozenset({ONE, TWO}))
    *_, last = rooms.do(commands.request_takeback, "cyd", THREE)
    assert isinstance(last, TakebackEntry)


def test_alone_one_need_not_ask_and_seats_of_one_person_agree_together() -> None:
    rooms = play_round(start_room(SAKURA, OWNER, "greedy", "greedy"))
    assert [type(entry) for entry in rooms.do(commands.request_takeback, OWNER, ONE)] == [
        TakebackRequestEntry,
        TakebackEntry,
    ]
    rooms = play_round(start_room(SAKURA, OWNER, OWNER, "ben"))
    assert [type(entry) for entry in rooms.do(commands.request_takeback, OWNER, TWO)] == [
        TakebackRequestEntry
    ]
    *_, last = rooms.do(commands.answer_takeback, "ben", THREE, agrees=True)
    assert isinstance(last, TakebackEntry)


def test_who_is_away_need_not_agree() -> None:
    rooms = play_round(start_room(SAKURA, OWNER, "ben", "cyd"))
    rooms.do(commands.take_over, TWO, bot="greedy", why="away")
    rooms.do(commands.request_takeback, OWNER, ONE)
    rooms.refuse("bot_stands_in", commands.answer_takeback, "ben", TWO, agrees=False)
    *_, last = rooms.do(commands.answer_takeback, "cyd", THREE, agrees=True)
    assert isinstance(last, TakebackEntry)


def test_who_asked_and_went_may_be_granted_it() -> None:
    rooms = play_round(start_room(SAKURA, OWNER, "ben", "greedy"))
    rooms.do(commands.request_takeback, "ben", TWO)
    rooms.do(commands.leave, "ben", TWO, stand_in="greedy")
    *_, last = rooms.do(commands.answer_takeback, OWNER, ONE, agrees=True)
    assert isinstance(last, TakebackEntry)


def test_what_bots_chose_since_falls_too() -> None:
    rooms = start_room(PAIR, OWNER, "greedy")
    while play_turn(rooms) == TWO:
        pass
    mine = [e.ply for e in rooms.log if isinstance(e, ChooseEntry) and e.seat == ONE][-1]
    if rooms.room.waiting == (TWO,):
        play_turn(rooms)
    assert rooms.room.waiting == (ONE,)
    rooms.do(commands.request_takeback, OWNER, ONE)
    assert rooms.table.ply == mine
    assert rooms.room.waiting == (ONE,)


def test_where_only_bots_have_chosen_there_is_nothing_to_take_back() -> None:
    for seed in range(20):
        rooms = start_room(PAIR, OWNER, "greedy", seed=seed)
        if rooms.room.waiting == (TWO,):
            play_turn(rooms)
            rooms.refuse("nothing_to_undo", commands.request_takeback, OWNER, ONE)
            return
    raise AssertionError("the bot never begins")


def test_a_rated_game_never_goes_back() -> None:
    rooms = play_round(start_room(SAKURA, OWNER, "ben", "cyd", is_rated=True))
    rooms.refuse("rated_no_back", commands.request_takeback, OWNER, ONE)


def test_one_may_go_back_again_and_again_to_the_first_choice() -> None:
    rooms = start_room(SAKURA, OWNER, "greedy", "greedy")
    start = rooms.table.ply
    for _ in range(3):
        play_round(rooms)
        while isinstance(rooms.table.turn, Choose) and len(rooms.room.waiting) == 1:
            rooms.choose(rooms.room.waiting[0])
    backs = 0
    while rooms.table.ply > start:
        rooms.do(commands.request_takeback, OWNER, ONE)
        backs += 1
    assert backs >= 3
    assert rooms.table.revision == backs
    rooms.refuse("nothing_to_undo", commands.request_takeback, OWNER, ONE)


def test_a_choice_that_waits_falls_when_the_game_goes_back() -> None:
    rooms = start_room(SAKURA, OWNER, "greedy", "greedy")
    ply = rooms.table.ply
    play_round(rooms)
    rooms.play(Random(1), until=lambda room: len(room.waiting) == 3)
    rooms.choose(TWO)
    while rooms.table.ply > ply:
        rooms.do(commands.request_takeback, OWNER, ONE)
    assert rooms.table.choice(TWO) is None
    assert rooms.room.waiting == (ONE, TWO, THREE)


@pytest.mark.parametrize("name", ["sakura-3", "sanssouci-2", "pond-3-frogs"])
def test_draws_after_going_back_have_new_numbers_and_the_record_still_verifies(name: str) -> None:
    config = find_configuration(name)
    rooms, rng = start_room(config, *[OWNER] * config.seats), Random(7)
    turns = 0
    while rooms.room.waiting:
        seat = rng.choice(rooms.room.waiting)
        rooms.choose(seat, rng.choice(rooms.legal(seat)))
        turns += 1
        if turns % 9 == 0 and rooms.room.waiting:
            rooms.do(commands.request_takeback, OWNER, ONE)
    indexes = [entry.index for entry in rooms.log if isinstance(entry, DrawEntry)]
    assert indexes == [*range(1, len(indexes) + 1)]
    record = parse_record(write_record(rooms.table.full_record()))
    assert 0 < verify(config.game, record).draws < len(indexes)
    rooms.check_log()


def test_with_two_players_the_game_is_over_when_one_resigns() -> None:
    rooms = start_room(PAIR, OWNER, "ben")
    rooms.refuse("not_your_seat", commands.resign, OWNER, TWO, stand_in="greedy")
    rooms.refuse("seat_unknown", commands.resign, OWNER, Seat(2), stand_in="greedy")
    assert rooms.do(commands.resign, "ben", TWO, stand_in="greedy") == (ResignEntry(TWO, 1000.0),)
    assert (rooms.room.status, rooms.room.ending) == ("over", "resigned")
    assert rooms.room.waiting == ()
    rooms.refuse("game_over", commands.resign, OWNER, ONE, stand_in="greedy")
    rooms.refuse("game_over", commands.choose_as, OWNER, ONE, "a", ply=0, revision=0)
    rooms.do(commands.note_rematch, "ben", "other")


def test_a_game_given_up_reveals_all_that_was_drawn() -> None:
    rooms = start_room(PAIR, OWNER, "greedy")
    rooms.do(commands.resign, OWNER, ONE, stand_in="greedy")
    record = rooms.table.full_record(is_owner=True)
    assert HIDDEN_DRAW not in record.texts()
    assert rooms.table_config.secret in record.tags["Fair"]
    assert verify(PAIR.game, record, is_partial=True).skipped == 0


def test_with_three_players_a_bot_plays_on_for_who_resigns() -> None:
    rooms = start_room(SAKURA, OWNER, "ben", "cyd")
    entries = rooms.do(commands.resign, "ben", TWO, stand_in="greedy")
    assert entries == (ResignEntry(TWO, 1000.0), TakeOverEntry(TWO, "greedy", "resigned", 1000.0))
    assert rooms.room.status == "running"
    rooms.refuse("already_resigned", commands.resign, "ben", TWO, stand_in="greedy")
    rooms.refuse("already_resigned", commands.reclaim_seat, "ben", TWO)
    rooms.refuse("already_resigned", commands.choose_as, "ben", TWO, "1", ply=0, revision=0)
    rooms.play(Random(1))
    assert rooms.room.ending == "finished"


def test_the_game_is_over_when_the_last_person_resigns() -> None:
    rooms = start_room(SAKURA, OWNER, "ben", "greedy")
    rooms.do(commands.resign, "ben", TWO, stand_in="greedy")
    rooms.do(commands.resign, OWNER, ONE, stand_in="greedy")
    assert (rooms.room.status, rooms.room.ending) == ("over", "resigned")


def test_who_resigns_while_a_bot_stands_in_does_not_get_the_seat_back() -> None:
    rooms = start_room(SAKURA, OWNER, "ben", "cyd")
    rooms.do(commands.take_over, TWO, bot="random", why="away")
    left = rooms.room.places[TWO].left
    assert rooms.do(commands.resign, "ben", TWO, stand_in="greedy") == (ResignEntry(TWO, 1000.0),)
    place = rooms.room.places[TWO]
    assert (place.plays, place.why, place.left) == ("random", "resigned", left)
