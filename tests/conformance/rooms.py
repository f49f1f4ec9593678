"""Rooms for tests: a clock set by hand, and a second room that only replays the log."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from random import Random
from typing import Concatenate, ParamSpec, TypeAlias

import pytest

from conformance import Configuration
from conformance.tables import stopped_clock
from pleasance.core.errors import PleasanceError
from pleasance.core.game import Seat
from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base.translate import error_message
from pleasance.table import commands
from pleasance.table.entries import ChooseEntry, Entry, from_json, to_json
from pleasance.table.room import AnyTable, Room
from pleasance.table.table_config import TableConfig
from pleasance.table.time_control import TimeControl

P = ParamSpec("P")
Command: TypeAlias = Callable[Concatenate[Room, P], tuple[Entry, ...]]
NONCE = "00112233445566778899aabbccddeeff"
OWNER = "ada"


class ManualClock:
    """Shows the time it is set to."""

    def __init__(self, now: float = 1_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def make_config(
    config: Configuration,
    seed: int = 1,
    *,
    time_control: TimeControl | None = None,
    is_rated: bool = False,
    opening: tuple[str, ...] = (),
) -> TableConfig:
    """Configure a table that Ada owns."""
    return TableConfig(
        game=config.game.spec.name,
        rules=config.game.spec.rules_version,
        options=config.game.options,
        seats=config.seats,
        time_control=time_control,
        is_rated=is_rated,
        opening=opening,
        owner=OWNER,
        secret=sha256(f"secret {seed}".encode()).hexdigest(),
        bot_seed=sha256(f"bot_seed {seed}".encode()).hexdigest(),
    )


def observable_state(room: Room) -> dict[str, object]:
    """Collect everything that a room shows to anyone, and what may happen next."""
    table = room.table
    facts: dict[str, object] = {
        "status": (room.status, room.ending, room.closed, room.rematch, room.changed_at),
        "places": tuple(room.places),
        "people": (room.people, room.waiting, room.banned),
        "back": (room.takeback_by, room.takeback_agreed),
        "clocks": repr(room.clocks and vars(room.clocks)),
        "due": room.due(),
        "entries": len(room.log),
        "newest": room.log[-40:],
    }
    if table is not None:
        seats = [Seat(n) for n in range(table.seats)]
        facts["table"] = (table.ply, table.revision, table.turn, table.scores)
        facts["views"] = [table.view(seat) for seat in (*seats, None)]
        facts["choices"] = [(table.choice(seat), table.can_undo(seat)) for seat in seats]
    return facts


class RoomPair:
    """A room whose log another room follows; both must agree after every command."""

    def __init__(self, config: Configuration, table_config: TableConfig) -> None:
        self.config = config
        self.table_config = table_config
        self.clock = ManualClock()
        self.room = self.fold([], self.clock)
        self.follower = self.fold([])
        self.batches: list[tuple[Entry, ...]] = []

    def fold(self, log: list[Entry], clock: Callable[[], float] = stopped_clock) -> Room:
        """Build a room from a log; its clock must not matter."""
        room = Room(self.config.game, self.table_config, clock=clock)
        room.apply(log)
        return room

    def do(self, command: Command[P], *args: P.args, **kw: P.kwargs) -> tuple[Entry, ...]:
        """Execute a command."""
        entries = command(self.room, *args, **kw)
        if entries:
            self.batches.append(entries)
        self.follower.apply([from_json(to_json(entry)) for entry in entries])
        assert observable_state(self.room) == observable_state(self.follower)
        return entries

    def refuse(self, code: str, command: Command[P], *args: P.args, **kw: P.kwargs) -> None:
        """Check that a refused command has a message and changes nothing."""
        with pytest.raises(PleasanceError) as refusal:
            command(self.room, *args, **kw)
        assert refusal.value.code == code
        self.check_refused(refusal.value)

    def check_refused(self, refusal: PleasanceError) -> None:
        """Check that a refused command has a message and changed nothing."""
        package = self.config.game.spec.package
        for language in LANGUAGES:
            assert error_message(refusal, language, package)
        assert observable_state(self.room) == observable_state(self.follower)

    @property
    def log(self) -> list[Entry]:
        """All entries so far."""
        return [logged.entry for logged in self.room.log]

    def check_log(self) -> None:
        """Check that the log rebuilds the same room, and that times never go back."""
        again = self.fold([from_json(to_json(entry)) for entry in self.log])
        assert observable_state(again) == observable_state(self.room)
        assert again.table == self.room.table
        assert all(earlier.at <= later.at for earlier, later in pairwise(self.log))

    @property
    def table(self) -> AnyTable:
        """The game, which must have started."""
        assert self.room.table is not None
        return self.room.table

    def legal(self, seat: Seat) -> tuple[str, ...]:
        """List what a seat may choose."""
        return tuple(map(str, self.table.view(seat).legal))

    def choose(self, seat: Seat, token: str | None = None) -> tuple[Entry, ...]:
        """Choose *token* for a seat, or else its first legal choice."""
        token, table = token or self.legal(seat)[0], self.table
        return self.do(commands.choose, seat, token, ply=table.ply, revision=table.revision)

    def play(self, rng: Random, *, until: Callable[[Room], bool] | None = None) -> None:
        """Choose at random for every seat, to the end or until *until* holds."""
        while self.room.waiting and not (until and until(self.room)):
            seat = rng.choice(self.room.waiting)
            self.choose(seat, rng.choice(self.legal(seat)))


def start_room(config: Configuration, *players: str, seed: int = 1, **settings: object) -> RoomPair:
    """Seat players, or bots where `greedy` is named, and start the game."""
    rooms = RoomPair(config, make_config(config, seed, **settings))  # type: ignore[arg-type]  # as named there
    for n, name in enumerate(players):
        if name == "greedy":
            rooms.do(commands.seat_bot, OWNER, name, seat=Seat(n))
        else:
            rooms.do(commands.sit, name, name.title(), seat=Seat(n), nonce=NONCE)
    rooms.do(commands.start, players[0] if players[0] != "greedy" else OWNER)
    return rooms


def has_choice(entries: tuple[Entry, ...]) -> bool:
    """Return whether there is a choice among these entries."""
    return any(isinstance(entry, ChooseEntry) for entry in entries)
