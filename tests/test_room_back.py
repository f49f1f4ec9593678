"""Going back by consent, and giving the game up."""

from __future__ import annotations

from random import Random

import pytest

from conformance import find_configuration
from conformance.rooms import OWNER, House, sit_around
from pleasance.core.game import Choose, Seat
from pleasance.core.record import HIDDEN, parse_record, write_record
from pleasance.core.verify import verify
from pleasance.table import commands
from pleasance.table.entries import (
    AnswerEntry,
    AskEntry,
    BackEntry,
    ChooseEntry,
    DrawEntry,
    ResignEntry,
    TakeOverEntry,
)
from pleasance.table.room import AnyTable

ONE, TWO, THREE = map(Seat, range(3))
SAKURA = find_configuration("sakura-3")
PAIR = find_configuration("sanssouci-2")


def table_of(house: House) -> AnyTable:
    assert house.room.table is not None
    return house.room.table


def play_round(house: House) -> None:
    """Let all seats choose a card."""
    ply = table_of(house).ply
    for seat in house.room.waiting:
        house.choose(seat)
    assert table_of(house).ply > ply


def play_turn(house: House) -> Seat:
    """Let one player of Sanssouci choose until the turn passes; give who it was."""
    (seat,) = house.room.waiting
    while house.room.waiting == (seat,):
        house.choose(seat)
    return seat


def test_the_game_goes_back_when_all_people_agree() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "cyd")
    ply, views = table_of(house).ply, [table_of(house).view(seat) for seat in (ONE, TWO, THREE)]
    play_round(house)
    assert house.do(commands.ask_back, "ben", TWO) == (AskEntry(TWO, ply, 1000.0),)
    assert (house.room.asks_back, house.room.agreed) == (TWO, frozenset({TWO}))
    assert house.do(commands.answer_back, OWNER, ONE, agrees=True) == (
        AnswerEntry(ONE, agrees=True, at=1000.0),
    )
    *_, last = house.do(commands.answer_back, "cyd", THREE, agrees=True)
    assert last == BackEntry(ply, 1000.0)
    table = table_of(house)
    assert (house.room.asks_back, house.room.agreed) == (None, frozenset())
    assert (table.ply, table.undone, house.room.waiting) == (ply, 1, (ONE, TWO, THREE))
    assert [table.view(seat) for seat in (ONE, TWO, THREE)] == views


def test_a_stale_choice_for_what_was_taken_back_is_refused() -> None:
    house = sit_around(SAKURA, OWNER, "greedy", "greedy")
    ply, token = table_of(house).ply, house.legal(ONE)[0]
    play_round(house)
    house.do(commands.ask_back, OWNER, ONE)
    assert table_of(house).ply == ply
    house.refuse("stale", commands.choose_as, OWNER, ONE, token, ply=ply, undone=0)
    house.do(commands.choose_as, OWNER, ONE, token, ply=ply, undone=1)


def test_one_who_declines_ends_the_question() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "cyd")
    house.refuse("nobody_asks", commands.answer_back, OWNER, ONE, agrees=True)
    house.refuse("nothing_to_undo", commands.ask_back, OWNER, ONE)
    play_round(house)
    house.do(commands.ask_back, "ben", TWO)
    house.refuse("not_your_seat", commands.answer_back, OWNER, THREE, agrees=True)
    house.do(commands.answer_back, OWNER, ONE, agrees=True)
    house.do(commands.answer_back, "cyd", THREE, agrees=False)
    assert (house.room.asks_back, house.room.agreed) == (None, frozenset())
    house.refuse("nobody_asks", commands.answer_back, "cyd", THREE, agrees=True)


@pytest.mark.parametrize("how", ["choose", "undo"])
def test_a_new_choice_or_undo_ends_the_question(how: str) -> None:
    house = sit_around(SAKURA, OWNER, "ben", "cyd")
    play_round(house)
    house.play(Random(1), until=lambda room: len(room.waiting) == 3)
    house.choose(ONE) if how == "undo" else None
    house.do(commands.ask_back, "ben", TWO)
    house.do(commands.undo, OWNER, ONE) if how == "undo" else house.choose(ONE)
    house.refuse("nobody_asks", commands.answer_back, "cyd", THREE, agrees=True)


def test_two_who_ask_agree_with_each_other() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "cyd")
    play_round(house)
    house.do(commands.ask_back, OWNER, ONE)
    house.do(commands.ask_back, "ben", TWO)
    assert (house.room.asks_back, house.room.agreed) == (ONE, frozenset({ONE, TWO}))
    *_, last = house.do(commands.ask_back, "cyd", THREE)
    assert isinstance(last, BackEntry)


def test_alone_one_need_not_ask_and_seats_of_one_person_agree_together() -> None:
    house = sit_around(SAKURA, OWNER, "greedy", "greedy")
    play_round(house)
    assert [type(entry) for entry in house.do(commands.ask_back, OWNER, ONE)] == [
        AskEntry,
        BackEntry,
    ]
    house = sit_around(SAKURA, OWNER, OWNER, "ben")
    play_round(house)
    assert [type(entry) for entry in house.do(commands.ask_back, OWNER, TWO)] == [AskEntry]
    *_, last = house.do(commands.answer_back, "ben", THREE, agrees=True)
    assert isinstance(last, BackEntry)


def test_who_is_away_need_not_agree() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "cyd")
    play_round(house)
    house.do(commands.take_over, TWO, bot="greedy", why="away")
    house.do(commands.ask_back, OWNER, ONE)
    house.refuse("bot_stands_in", commands.answer_back, "ben", TWO, agrees=False)
    *_, last = house.do(commands.answer_back, "cyd", THREE, agrees=True)
    assert isinstance(last, BackEntry)


def test_who_asked_and_went_may_be_granted_it() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "greedy")
    play_round(house)
    house.do(commands.ask_back, "ben", TWO)
    house.do(commands.leave, "ben", TWO, stand_in="greedy")
    *_, last = house.do(commands.answer_back, OWNER, ONE, agrees=True)
    assert isinstance(last, BackEntry)


def test_what_bots_chose_since_falls_too() -> None:
    house = sit_around(PAIR, OWNER, "greedy")
    while play_turn(house) == TWO:
        pass
    mine = [e.ply for e in house.log if isinstance(e, ChooseEntry) and e.seat == ONE][-1]
    if house.room.waiting == (TWO,):
        play_turn(house)
    assert house.room.waiting == (ONE,)
    house.do(commands.ask_back, OWNER, ONE)
    assert table_of(house).ply == mine
    assert house.room.waiting == (ONE,)


def test_where_only_bots_have_chosen_there_is_nothing_to_take_back() -> None:
    for seed in range(20):
        house = sit_around(PAIR, OWNER, "greedy", seed=seed)
        if house.room.waiting == (TWO,):
            play_turn(house)
            house.refuse("nothing_to_undo", commands.ask_back, OWNER, ONE)
            return
    raise AssertionError("the bot never begins")


def test_a_rated_game_never_goes_back() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "cyd", is_rated=True)
    play_round(house)
    house.refuse("rated_no_back", commands.ask_back, OWNER, ONE)


def test_one_may_go_back_again_and_again_to_the_first_choice() -> None:
    house = sit_around(SAKURA, OWNER, "greedy", "greedy")
    start = table_of(house).ply
    for _ in range(3):
        play_round(house)
        while isinstance(table_of(house).turn, Choose) and len(house.room.waiting) == 1:
            house.choose(house.room.waiting[0])
    backs = 0
    while table_of(house).ply > start:
        house.do(commands.ask_back, OWNER, ONE)
        backs += 1
    assert backs >= 3
    assert table_of(house).undone == backs
    house.refuse("nothing_to_undo", commands.ask_back, OWNER, ONE)


def test_a_choice_that_waits_falls_when_the_game_goes_back() -> None:
    house = sit_around(SAKURA, OWNER, "greedy", "greedy")
    ply = table_of(house).ply
    play_round(house)
    house.play(Random(1), until=lambda room: len(room.waiting) == 3)
    house.choose(TWO)
    while table_of(house).ply > ply:
        house.do(commands.ask_back, OWNER, ONE)
    assert table_of(house).choice(TWO) is None
    assert house.room.waiting == (ONE, TWO, THREE)


@pytest.mark.parametrize("name", ["sakura-3", "sanssouci-2", "pond-3-frogs"])
def test_draws_after_going_back_have_new_numbers_and_the_record_still_verifies(name: str) -> None:
    config = find_configuration(name)
    house, rng = sit_around(config, *[OWNER] * config.seats), Random(7)
    turns = 0
    while house.room.waiting:
        seat = rng.choice(house.room.waiting)
        house.choose(seat, rng.choice(house.legal(seat)))
        turns += 1
        if turns % 9 == 0 and house.room.waiting:
            house.do(commands.ask_back, OWNER, ONE)
    indexes = [entry.index for entry in house.log if isinstance(entry, DrawEntry)]
    assert indexes == [*range(1, len(indexes) + 1)]
    record = parse_record(write_record(table_of(house).full_record()))
    kept = verify(config.game, record).draws
    assert 0 < kept < len(indexes)
    house.check_log()


def test_with_two_players_the_game_is_over_when_one_resigns() -> None:
    house = sit_around(PAIR, OWNER, "ben")
    house.refuse("not_your_seat", commands.resign, OWNER, TWO, stand_in="greedy")
    house.refuse("seat_unknown", commands.resign, OWNER, Seat(2), stand_in="greedy")
    assert house.do(commands.resign, "ben", TWO, stand_in="greedy") == (ResignEntry(TWO, 1000.0),)
    assert (house.room.status, house.room.ending) == ("over", "resigned")
    assert house.room.waiting == ()
    house.refuse("game_over", commands.resign, OWNER, ONE, stand_in="greedy")
    house.refuse("game_over", commands.choose_as, OWNER, ONE, "a", ply=0, undone=0)
    house.do(commands.note_rematch, "ben", "other")


def test_a_game_given_up_reveals_all_that_was_drawn() -> None:
    house = sit_around(PAIR, OWNER, "greedy")
    house.do(commands.resign, OWNER, ONE, stand_in="greedy")
    record = table_of(house).full_record(is_owner=True)
    assert HIDDEN not in record.texts()
    assert house.plan.secret in record.tags["Fair"]
    assert verify(PAIR.game, record, is_partial=True).skipped == 0


def test_with_three_players_a_bot_plays_on_for_who_resigns() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "cyd")
    entries = house.do(commands.resign, "ben", TWO, stand_in="greedy")
    assert entries == (ResignEntry(TWO, 1000.0), TakeOverEntry(TWO, "greedy", "resigned", 1000.0))
    assert house.room.status == "running"
    house.refuse("already_resigned", commands.resign, "ben", TWO, stand_in="greedy")
    house.refuse("already_resigned", commands.take_seat_back, "ben", TWO)
    house.refuse("already_resigned", commands.choose_as, "ben", TWO, "1", ply=0, undone=0)
    house.play(Random(1))
    assert house.room.ending == "finished"


def test_the_game_is_over_when_the_last_person_resigns() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "greedy")
    house.do(commands.resign, "ben", TWO, stand_in="greedy")
    house.do(commands.resign, OWNER, ONE, stand_in="greedy")
    assert (house.room.status, house.room.ending) == ("over", "resigned")


def test_who_resigns_while_a_bot_stands_in_does_not_get_the_seat_back() -> None:
    house = sit_around(SAKURA, OWNER, "ben", "cyd")
    house.do(commands.take_over, TWO, bot="random", why="away")
    left = house.room.places[TWO].left
    assert house.do(commands.resign, "ben", TWO, stand_in="greedy") == (ResignEntry(TWO, 1000.0),)
    place = house.room.places[TWO]
    assert (place.plays, place.why, place.left) == ("random", "resigned", left)
