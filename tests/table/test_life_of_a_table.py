"""The life of a table, as docs/ARCHITECTURE.md lists it: every command in every state."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest

from conformance import find_configuration
from conformance.rooms import NONCE, OWNER, RoomPair, make_config, start_room
from pleasance.core.errors import PleasanceError
from pleasance.core.game import Seat
from pleasance.table import commands
from pleasance.table.entries import ChooseEntry
from pleasance.table.room import Room
from pleasance.table.time_control import TimeControl
from repository.architecture import read_rows

POND = find_configuration("pond-3")
ONE, TWO, THREE = map(Seat, range(3))
STATES = ("open", "running", "over", "closed")
REFUSED = "\N{EN DASH}"
BOT = "greedy"


class Transition(NamedTuple):
    """One cell of the table."""

    command: str
    case: str
    state: str
    after: str


def read_transitions() -> list[Transition]:
    """Read the cells of the table."""
    return [
        Transition(command.strip("`"), case, state, after)
        for command, case, *cells in read_rows("The life of a table")
        for state, after in zip(STATES, cells, strict=True)
    ]


def make_rooms(state: str) -> RoomPair:
    """Make a table in a state: with one seat free, in play, played to the end, or closed."""
    clock = TimeControl(30.0)
    if state == "open":
        rooms = RoomPair(POND, make_config(POND, time_control=clock))
        for name in (OWNER, "ben"):
            rooms.do(commands.sit, name, name.title(), seat=None, nonce=NONCE)
        return rooms
    rooms = start_room(POND, OWNER, "ben", "cyd", time_control=clock)
    if state == "over":
        rooms.play(Random(1))
    if state == "closed":
        rooms.do(commands.close, "abandoned")
    assert rooms.room.status == state
    return rooms


def fill(rooms: RoomPair) -> None:
    """Take the last seat of an open table."""
    if rooms.room.status == "open":
        rooms.do(commands.sit, "cyd", "Cyd", seat=None, nonce=NONCE)


def choose_first(rooms: RoomPair) -> None:
    """Let the first seat choose; the others have not, so the choice is unseen."""
    if rooms.room.status == "running":
        rooms.choose(ONE)


def play_to_last_choice(rooms: RoomPair) -> None:
    """Play until one choice is left."""
    if rooms.room.status != "running":
        return
    whole = make_rooms("over")
    choices = [entry for entry in whole.log if isinstance(entry, ChooseEntry)]
    for entry in choices[:-1]:
        rooms.choose(entry.seat, entry.token)


def choose_all(rooms: RoomPair) -> None:
    """Let all seats choose, so that the turn is complete."""
    if rooms.room.status == "running":
        for seat in (ONE, TWO, THREE):
            rooms.choose(seat)


def request_takeback(rooms: RoomPair) -> None:
    """Let Ben request a takeback of the first turn."""
    choose_all(rooms)
    if rooms.room.status == "running":
        rooms.do(commands.request_takeback, "ben", TWO)


def resign_one(rooms: RoomPair) -> None:
    """Let one of three players resign."""
    if rooms.room.status == "running":
        rooms.do(commands.resign, "ben", TWO, stand_in=BOT)


def stand_in(rooms: RoomPair) -> None:
    """Let a bot stand in for the first seat."""
    if rooms.room.status == "running":
        rooms.do(commands.take_over, ONE, bot=BOT, why="away")


def let_time_pass(rooms: RoomPair) -> None:
    """Set the clock to when time is just up."""
    rooms.clock.now += 30.0


def choose_any(room: Room) -> object:
    """Make the first legal choice of a waiting seat, or of the first seat where none waits."""
    table = room.table
    seat = room.waiting[0] if room.waiting else ONE
    legal = () if table is None else table.view(seat).legal
    token = str(legal[0]) if legal else "1"
    ply, revision = (0, 0) if table is None else (table.ply, table.revision)
    return commands.choose(room, seat, token, ply=ply, revision=revision)


def nothing(_rooms: RoomPair) -> None:
    """Prepare nothing."""


Case = tuple[Callable[[RoomPair], None], Callable[[Room], object]]
CASES: dict[str, Case] = {
    "sit": (nothing, lambda room: commands.sit(room, "dan", "Dan", seat=None, nonce=NONCE)),
    "seat_bot": (nothing, lambda room: commands.seat_bot(room, OWNER, BOT, seat=None)),
    "leave": (nothing, lambda room: commands.leave(room, "ben", TWO, stand_in=BOT)),
    "start": (fill, lambda room: commands.start(room, OWNER)),
    "choose: not the last choice": (nothing, choose_any),
    "choose: the last choice": (play_to_last_choice, choose_any),
    "undo": (choose_first, lambda room: commands.undo(room, OWNER, ONE)),
    "request_takeback": (choose_all, lambda room: commands.request_takeback(room, OWNER, ONE)),
    "answer_takeback": (
        request_takeback,
        lambda room: commands.answer_takeback(room, OWNER, ONE, agrees=True),
    ),
    "resign: others play on": (
        nothing,
        lambda room: commands.resign(room, OWNER, ONE, stand_in=BOT),
    ),
    "resign: one player is left": (
        resign_one,
        lambda room: commands.resign(room, OWNER, ONE, stand_in=BOT),
    ),
    "take_over": (nothing, lambda room: commands.take_over(room, ONE, bot=BOT, why="away")),
    "reclaim_seat": (stand_in, lambda room: commands.reclaim_seat(room, OWNER, ONE)),
    "call_flags": (let_time_pass, lambda room: commands.call_flags(room, bot=BOT)),
    "say": (nothing, lambda room: commands.say(room, OWNER, "Ada", "Hello")),
    "kick": (
        nothing,
        lambda room: commands.kick(room, OWNER, "ben", is_ban=True, stand_in=BOT),
    ),
    "note_rematch": (nothing, lambda room: commands.note_rematch(room, OWNER, "another")),
    "close_own": (nothing, lambda room: commands.close_own(room, OWNER)),
    "close": (nothing, lambda room: commands.close(room, "abandoned")),
}
"""How to prepare a table for a command, and how to give the command."""


@pytest.mark.parametrize(
    "transition", read_transitions(), ids=lambda cell: f"{cell.command}-{cell.case}-{cell.state}"
)
def test_a_command_leads_from_one_state_to_the_next(transition: Transition) -> None:
    prepare, give = (
        CASES.get(transition.command) or CASES[f"{transition.command}: {transition.case}"]
    )
    rooms = make_rooms(transition.state)
    prepare(rooms)
    length = len(rooms.room.log)
    try:
        give(rooms.room)
    except PleasanceError:
        assert len(rooms.room.log) == length
    after = rooms.room.status if len(rooms.room.log) > length else REFUSED
    assert after == transition.after


def test_every_command_is_in_the_table() -> None:
    public = {
        name
        for name, function in inspect.getmembers(commands, inspect.isfunction)
        if function.__module__ == commands.__name__ and not name.startswith("_")
    }
    listed = {transition.command for transition in read_transitions()}
    # One is a check, and one speaks for a player who must hold the seat.
    assert public - {"check_rematch", "choose_as"} == listed
