"""Event sourcing: folding the log gives the same room after any commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from conformance import CONFIGURATIONS, Configuration, every_configuration, find_configuration
from conformance.rooms import (
    NONCE,
    OWNER,
    RoomPair,
    has_choice,
    make_config,
    observable_state,
    start_room,
)
from conformance.tables import random_opening
from pleasance.core.errors import BadRecordError, BadSetupError, PleasanceError
from pleasance.core.game import Seat
from pleasance.core.verify import verify
from pleasance.table import commands
from pleasance.table.entries import (
    ChooseEntry,
    Entry,
    SitEntry,
    StartEntry,
    TakebackEntry,
    TakeOverEntry,
    from_json,
    to_json,
)
from pleasance.table.room import Room
from pleasance.table.time_control import TimeControl

ONE, TWO, THREE = map(Seat, range(3))
POND = find_configuration("pond-3")
PEOPLE = (OWNER, "ben", "cyd", "zoe")
BOTS = ("greedy", "random")
CLOCK_JUMPS_S = (0.0, 0.1, 3.0, 20.0, 45.0, 200.0, -30.0)


class RandomClients:
    """Clients that issue random commands in any order."""

    def __init__(self, rooms: RoomPair, rng: Random) -> None:
        self.rooms = rooms
        self.rng = rng

    @property
    def who(self) -> str:
        return self.rng.choice(PEOPLE)

    @property
    def seat(self) -> Seat:
        return Seat(self.rng.randrange(-1, self.rooms.table_config.seats + 1))

    @property
    def bot(self) -> str:
        return self.rng.choice(BOTS)

    def act(self) -> tuple[Entry, ...]:
        """Issue one command: before the game mostly seating, then mostly choices."""
        room, rng = self.rooms.room, self.rng
        self.rooms.clock.now += rng.choice(CLOCK_JUMPS_S)
        if room.takeback_by is not None and room.people and rng.random() < 0.8:
            seat = rng.choice(room.people)
            player, agrees = room.places[seat].player or "", rng.random() < 0.9
            return self.rooms.do(commands.answer_takeback, player, seat, agrees=agrees)
        if rng.random() < 0.7:
            return self.before_start() if room.table is None else self.choose_any()
        return self.rooms.do(*rng.choice(self.rare_commands()))

    def before_start(self) -> tuple[Entry, ...]:
        rng, room = self.rng, self.rooms.room
        if not any(place.is_free for place in room.places):
            return self.rooms.do(commands.start, self.who)
        seat = rng.choice([None, self.seat])
        if rng.random() < 0.3:
            return self.rooms.do(commands.seat_bot, self.who, self.bot, seat=seat)
        who = self.who
        return self.rooms.do(commands.sit, who, who.title(), seat=seat, nonce=NONCE)

    def choose_any(self) -> tuple[Entry, ...]:
        room, rng = self.rooms.room, self.rng
        table = self.rooms.table
        seat = rng.choice([*room.waiting] * 9 + [self.seat])
        legal = self.rooms.legal(seat) if seat in room.waiting else ()
        token = rng.choice([*legal] * 9 + ["nonsense"])
        ply, revision = rng.choice(
            [(table.ply, table.revision)] * 9 + [(table.ply - 1, table.revision)]
        )
        if not 0 <= seat < table.seats or room.places[seat].plays is None:
            player = room.places[seat].player if 0 <= seat < table.seats else self.who
            who = rng.choice([player or ""] * 9 + [self.who])
            return self.rooms.do(commands.choose_as, who, seat, token, ply=ply, revision=revision)
        return self.rooms.do(commands.choose, seat, token, ply=ply, revision=revision)

    def rare_commands(self) -> list[Any]:
        """List what happens now and then; who and where is chosen at random."""
        who, seat, bot, rng = self.who, self.seat, self.bot, self.rng
        seats = self.rooms.room.seats_of(who)
        seat = rng.choice(seats) if seats and rng.random() < 0.8 else seat
        is_last = rng.random() < 0.02
        acts: list[Callable[..., tuple[Entry, ...]]] = [
            lambda room: commands.undo(room, who, seat),
            lambda room: commands.undo(room, who, seat),
            lambda room: commands.request_takeback(room, who, seat),
            lambda room: commands.answer_takeback(room, who, seat, agrees=rng.random() < 0.8),
            lambda room: commands.answer_takeback(room, who, seat, agrees=True),
            lambda room: commands.leave(room, who, seat, stand_in=bot),
            lambda room: commands.take_over(room, seat, bot=bot, why="away"),
            lambda room: commands.reclaim_seat(room, who, seat),
            lambda room: commands.reclaim_seat(room, who, seat),
            lambda room: commands.reclaim_seat(room, who, seat),
            lambda room: commands.call_flags(room, bot=bot),
            lambda room: commands.say(room, who, who.title(), "a word, „quoted“ \\ \n"),
            lambda room: commands.note_rematch(room, who, "other"),
        ]
        if rng.random() < 0.1:
            acts = [lambda room: commands.kick(room, OWNER, who, is_ban=is_last, stand_in=bot)]
            acts += [lambda room: commands.resign(room, who, seat, stand_in=bot)] * is_last
            acts += [lambda room: commands.close(room, "abandoned")] * is_last
            is_first = is_last and self.rooms.room.table is None
            acts += [lambda room: commands.close_own(room, who)] * is_first
        return [(act,) for act in acts]


def run(config: Configuration, seed: int, most: int) -> RoomPair:
    """Issue random commands; each is executed or changes nothing."""
    rng = Random(f"{config.name} {seed}")
    time_control = rng.choice([None, TimeControl(30.0, 60.0)])
    is_rated, part = rng.random() < 0.2, rng.choice([0.0, 0.5])
    opening = () if is_rated else random_opening(config, seed, part)
    plan = make_config(config, seed, time_control=time_control, is_rated=is_rated, opening=opening)
    rooms = RoomPair(config, plan)
    clients = RandomClients(rooms, rng)
    for _ in range(most):
        try:
            clients.act()
        except PleasanceError as refusal:
            rooms.check_refused(refusal)
        if rooms.room.closed:
            break
    return rooms


def check_cuts(rooms: RoomPair, every: int) -> None:
    """Cut the log between commands: it folds, and what follows goes on from there."""
    lines = [to_json(entry) for entry in rooms.log]
    ends = [0]
    for batch in rooms.batches:
        ends.append(ends[-1] + len(batch))
    assert ends[-1] == len(lines)
    for end in ends[::every]:
        room = rooms.fold([from_json(line) for line in lines[:end]])
        assert len(room.log) == end
        assert room.table is None or room.table.is_over or room.table.waiting
        room.apply([from_json(line) for line in lines[end:]])
        assert observable_state(room) == observable_state(rooms.room)


@every_configuration
def test_after_any_commands_the_log_gives_the_room(config: Configuration) -> None:
    rooms = run(config, 1, 110)
    assert any(map(has_choice, rooms.batches))
    rooms.check_log()
    check_cuts(rooms, 31)


@pytest.mark.slow
@every_configuration
def test_after_any_commands_the_log_gives_the_room_for_long(config: Configuration) -> None:
    for seed in range(2, 5):
        rooms = run(config, seed, 900)
        rooms.check_log()
        check_cuts(rooms, 17)
        if rooms.room.table is not None:
            record = rooms.room.table.full_record(is_owner=True)
            verify(config.game, record, is_partial=not rooms.room.table.is_over)


@pytest.mark.slow
def test_a_crowd_writes_every_kind_of_line() -> None:
    """The random walk above would prove little if it never issued some of the commands."""
    kinds: set[str] = set()
    for config in CONFIGURATIONS[::3]:
        for seed in range(20, 26):
            kinds |= {type(entry).__name__ for entry in run(config, seed, 600).log}
    missing = {kind.__name__ for kind in Entry.__args__} - kinds
    assert not missing


def test_a_table_is_for_the_rules_and_seats_it_was_made_with() -> None:
    plan = make_config(POND)
    with pytest.raises(BadSetupError, match="seats"):
        RoomPair(POND, replace(plan, seats=4))
    with pytest.raises(BadSetupError, match="save_rules"):
        RoomPair(POND, replace(plan, rules="0"))


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
        RoomPair(POND, make_config(POND)).fold([line])


def test_a_log_in_which_a_game_begins_twice_or_goes_nowhere_is_refused() -> None:
    rooms = start_room(POND, OWNER, "ben", "greedy")
    for seat in (ONE, TWO, THREE):
        rooms.choose(seat)
    assert rooms.room.table is not None
    for line in (
        StartEntry(0.0),
        TakebackEntry(8, 0.0),
        TakebackEntry(6, 0.0),
        TakebackEntry(-1, 0.0),
    ):
        with pytest.raises(BadRecordError, match="log"):
            rooms.fold([*rooms.log, line])
    rooms.fold([*rooms.log, TakebackEntry(7, 0.0)])


def choose(room: Room, rng: Random) -> tuple[Entry, ...]:
    """Let one of the seats that must choose do so."""
    table, seat = room.table, rng.choice(room.waiting)
    assert table is not None, "a game is on"
    token = str(rng.choice(table.view(seat).legal))
    return commands.choose(room, seat, token, ply=table.ply, revision=table.revision)


@every_configuration
def test_choices_that_nobody_has_heard_of_can_be_forgotten(config: Configuration) -> None:
    rooms, rng = start_room(config, *(f"player{n}" for n in range(config.seats))), Random(7)
    room = rooms.room
    for _ in range(80):
        if not room.waiting:
            break
        rooms.clock.now += 1.0
        before = observable_state(room)
        entries = choose(room, rng)
        after = observable_state(room)
        assert room.roll_back(entries)
        assert observable_state(room) == before
        room.apply(entries)
        assert observable_state(room) == after


def test_what_is_no_choice_or_stops_a_clock_is_not_forgotten() -> None:
    people, rng = PEOPLE[:3], Random(1)
    said = start_room(POND, *people).room
    timed = start_room(POND, *people, time_control=TimeControl(move=30.0, bank=0.0)).room
    for room, entries in (
        (said, commands.say(said, OWNER, "Ada", "hello")),
        (timed, choose(timed, rng)),
    ):
        before = observable_state(room)
        assert not room.roll_back(entries)
        assert observable_state(room) == before
