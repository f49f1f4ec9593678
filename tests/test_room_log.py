"""The law of the log: whatever people wish for, folding the log gives the same room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from conformance import CONFIGURATIONS, Configuration, every_configuration, find_configuration
from conformance.rooms import NONCE, OWNER, House, chose, look, make_plan, sit_around
from conformance.tables import find_opening
from pleasance.core.errors import BadRecordError, BadSetupError, PleasanceError
from pleasance.core.game import Seat
from pleasance.core.verify import verify
from pleasance.table import commands
from pleasance.table.entries import (
    BackEntry,
    ChooseEntry,
    Entry,
    SitEntry,
    StartEntry,
    TakeOverEntry,
    from_json,
    to_json,
)
from pleasance.table.room import Room
from pleasance.table.time_control import Timing

ONE, TWO, THREE = map(Seat, range(3))
POND = find_configuration("pond-3")
PEOPLE = (OWNER, "ben", "cyd", "zoe")
BOTS = ("greedy", "random")
JUMPS = (0.0, 0.1, 3.0, 20.0, 45.0, 200.0, -30.0)


class Crowd:
    """People who wish for anything at all, in any order."""

    def __init__(self, house: House, rng: Random) -> None:
        self.house = house
        self.rng = rng

    @property
    def who(self) -> str:
        return self.rng.choice(PEOPLE)

    @property
    def seat(self) -> Seat:
        return Seat(self.rng.randrange(-1, self.house.plan.seats + 1))

    @property
    def bot(self) -> str:
        return self.rng.choice(BOTS)

    def wish(self) -> tuple[Entry, ...]:
        """Wish for something; before a game begins mostly for seats, then mostly for choices."""
        room, rng = self.house.room, self.rng
        self.house.clock.now += rng.choice(JUMPS)
        if room.asks_back is not None and room.people and rng.random() < 0.8:
            seat = rng.choice(room.people)
            player, agrees = room.places[seat].player or "", rng.random() < 0.9
            return self.house.do(commands.answer_back, player, seat, agrees=agrees)
        if rng.random() < 0.7:
            return self.wish_for_seats() if room.table is None else self.wish_to_choose()
        return self.house.do(*rng.choice(self.rare()))

    def wish_for_seats(self) -> tuple[Entry, ...]:
        rng, room = self.rng, self.house.room
        if not any(place.is_free for place in room.places):
            return self.house.do(commands.start, self.who)
        seat = rng.choice([None, self.seat])
        if rng.random() < 0.3:
            return self.house.do(commands.seat_bot, self.who, self.bot, seat=seat)
        who = self.who
        return self.house.do(commands.sit, who, who.title(), seat=seat, nonce=NONCE)

    def wish_to_choose(self) -> tuple[Entry, ...]:
        room, rng = self.house.room, self.rng
        table = room.table
        assert table is not None
        seat = rng.choice([*room.waiting] * 9 + [self.seat])
        legal = self.house.legal(seat) if seat in room.waiting else ()
        token = rng.choice([*legal] * 9 + ["nonsense"])
        ply, undone = rng.choice([(table.ply, table.undone)] * 9 + [(table.ply - 1, table.undone)])
        if not 0 <= seat < table.seats or room.places[seat].plays is None:
            player = room.places[seat].player if 0 <= seat < table.seats else self.who
            who = rng.choice([player or ""] * 9 + [self.who])
            return self.house.do(commands.choose_as, who, seat, token, ply=ply, undone=undone)
        return self.house.do(commands.choose, seat, token, ply=ply, undone=undone)

    def rare(self) -> list[Any]:
        """List what happens now and then; who and where is chosen at random."""
        who, seat, bot, rng = self.who, self.seat, self.bot, self.rng
        seats = self.house.room.seats_of(who)
        seat = rng.choice(seats) if seats and rng.random() < 0.8 else seat
        is_last = rng.random() < 0.02
        acts: list[Callable[..., tuple[Entry, ...]]] = [
            lambda room: commands.undo(room, who, seat),
            lambda room: commands.undo(room, who, seat),
            lambda room: commands.ask_back(room, who, seat),
            lambda room: commands.answer_back(room, who, seat, agrees=rng.random() < 0.8),
            lambda room: commands.answer_back(room, who, seat, agrees=True),
            lambda room: commands.leave(room, who, seat, stand_in=bot),
            lambda room: commands.take_over(room, seat, bot=bot, why="away"),
            lambda room: commands.take_seat_back(room, who, seat),
            lambda room: commands.take_seat_back(room, who, seat),
            lambda room: commands.take_seat_back(room, who, seat),
            lambda room: commands.call_flags(room, bot=bot),
            lambda room: commands.say(room, who, who.title(), "a word, „quoted“ \\ \n"),
            lambda room: commands.note_rematch(room, who, "other"),
        ]
        if rng.random() < 0.1:
            acts = [lambda room: commands.kick(room, OWNER, who, is_ban=is_last, stand_in=bot)]
            acts += [lambda room: commands.resign(room, who, seat, stand_in=bot)] * is_last
            acts += [lambda room: commands.close(room, "abandoned")] * is_last
            is_first = is_last and self.house.room.table is None
            acts += [lambda room: commands.close_own(room, who)] * is_first
        return [(act,) for act in acts]


def run(config: Configuration, seed: int, most: int) -> House:
    """Let a crowd wish for things; each wish is carried out or changes nothing."""
    rng = Random(f"{config.name} {seed}")
    timing = rng.choice([None, Timing(30.0, 60.0)])
    is_rated, part = rng.random() < 0.2, rng.choice([0.0, 0.5])
    opening = () if is_rated else find_opening(config, seed, part)
    plan = make_plan(config, seed, timing=timing, is_rated=is_rated, opening=opening)
    house = House(config, plan)
    crowd = Crowd(house, rng)
    for _ in range(most):
        try:
            crowd.wish()
        except PleasanceError as refusal:
            house.check_refused(refusal)
        if house.room.closed:
            break
    return house


def check_cuts(house: House, every: int) -> None:
    """Cut the log between wishes: it folds, and what follows goes on from there."""
    lines = [to_json(entry) for entry in house.log]
    ends = [0]
    for batch in house.batches:
        ends.append(ends[-1] + len(batch))
    assert ends[-1] == len(lines)
    for end in ends[::every]:
        room = house.fold([from_json(line) for line in lines[:end]])
        assert len(room.happenings) == end
        assert room.table is None or room.table.is_over or room.table.waiting
        room.follow([from_json(line) for line in lines[end:]])
        assert look(room) == look(house.room)


@every_configuration
def test_whatever_people_wish_for_the_log_gives_the_room(config: Configuration) -> None:
    house = run(config, 1, 110)
    assert any(map(chose, house.batches))
    house.check_log()
    check_cuts(house, 31)


@pytest.mark.slow
@every_configuration
def test_whatever_people_wish_for_the_log_gives_the_room_for_long(config: Configuration) -> None:
    for seed in range(2, 5):
        house = run(config, seed, 900)
        house.check_log()
        check_cuts(house, 17)
        if house.room.table is not None:
            record = house.room.table.full_record(is_owner=True)
            verify(config.game, record, is_partial=not house.room.table.is_over)


@pytest.mark.slow
def test_a_crowd_writes_every_kind_of_line() -> None:
    """The walk above would prove little if it never came to some of the wishes."""
    kinds: set[str] = set()
    for config in CONFIGURATIONS[::3]:
        for seed in range(20, 26):
            kinds |= {type(entry).__name__ for entry in run(config, seed, 600).log}
    missing = {kind.__name__ for kind in Entry.__args__} - kinds
    assert not missing


def test_a_table_is_for_the_rules_and_seats_it_was_made_with() -> None:
    plan = make_plan(POND)
    with pytest.raises(BadSetupError, match="seats"):
        House(POND, replace(plan, seats=4))
    with pytest.raises(BadSetupError, match="save_rules"):
        House(POND, replace(plan, rules="0"))


@pytest.mark.parametrize(
    "line",
    [
        ChooseEntry(ONE, 0, "1", 0.0),
        SitEntry(Seat(3), "ben", "Ben", None, NONCE, 0.0),
        SitEntry(Seat(-1), "ben", "Ben", None, NONCE, 0.0),
        TakeOverEntry(Seat(9), "greedy", "away", 0.0),
    ],
)
def test_a_log_that_no_room_could_have_written_is_refused(line: SitEntry) -> None:
    with pytest.raises(BadRecordError, match="log"):
        House(POND, make_plan(POND)).fold([line])


def test_a_log_in_which_a_game_begins_twice_or_goes_nowhere_is_refused() -> None:
    house = sit_around(POND, OWNER, "ben", "greedy")
    for seat in (ONE, TWO, THREE):
        house.choose(seat)
    table = house.room.table
    assert table is not None
    for line in (StartEntry(0.0), BackEntry(8, 0.0), BackEntry(6, 0.0), BackEntry(-1, 0.0)):
        with pytest.raises(BadRecordError, match="log"):
            house.fold([*house.log, line])
    house.fold([*house.log, BackEntry(7, 0.0)])


def choose(room: Room, rng: Random) -> tuple[Entry, ...]:
    """Have somebody who must choose do so."""
    table, seat = room.table, rng.choice(room.waiting)
    assert table is not None, "a game is on"
    token = str(rng.choice(table.view(seat).legal))
    return commands.choose(room, seat, token, ply=table.ply, undone=table.undone)


@every_configuration
def test_choices_that_nobody_has_heard_of_can_be_forgotten(config: Configuration) -> None:
    house, rng = sit_around(config, *(f"player{n}" for n in range(config.seats))), Random(7)
    room = house.room
    for _ in range(80):
        if not room.waiting:
            break
        house.clock.now += 1.0
        before = look(room)
        entries = choose(room, rng)
        after = look(room)
        assert room.forget(entries)
        assert look(room) == before
        room.follow(entries)
        assert look(room) == after


def test_what_is_no_choice_or_stops_a_clock_is_not_forgotten() -> None:
    people, rng = PEOPLE[:3], Random(1)
    said = sit_around(POND, *people).room
    timed = sit_around(POND, *people, timing=Timing(move=30.0, bank=0.0)).room
    for room, entries in (
        (said, commands.say(said, OWNER, "Ada", "hello")),
        (timed, choose(timed, rng)),
    ):
        before = look(room)
        assert not room.forget(entries)
        assert look(room) == before
