"""Rooms for the tests: a clock set by hand, and a second room that follows the log alone."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from random import Random
from typing import Concatenate, ParamSpec

import pytest

from conformance import Configuration
from conformance.tables import frozen
from pleasance.core.errors import PleasanceError
from pleasance.core.game import Seat
from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base.translate import explain
from pleasance.table import commands
from pleasance.table.entries import ChooseEntry, Entry, from_json, to_json
from pleasance.table.room import Room
from pleasance.table.table_config import Plan
from pleasance.table.time_control import Timing

P = ParamSpec("P")
NONCE = "00112233445566778899aabbccddeeff"
OWNER = "ada"


class HandClock:
    """Shows the time it is set to."""

    def __init__(self, now: float = 1_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def make_plan(
    config: Configuration,
    seed: int = 1,
    *,
    timing: Timing | None = None,
    is_rated: bool = False,
    opening: tuple[str, ...] = (),
) -> Plan:
    """Plan a table that Ada owns."""
    return Plan(
        game=config.game.spec.name,
        rules=config.game.spec.rules_version,
        options=config.game.options,
        seats=config.seats,
        timing=timing,
        is_rated=is_rated,
        opening=opening,
        owner=OWNER,
        secret=sha256(f"secret {seed}".encode()).hexdigest(),
        luck=sha256(f"luck {seed}".encode()).hexdigest(),
    )


def look(room: Room) -> dict[str, object]:
    """Gather what a room tells: all that somebody could see or that could happen next."""
    table = room.table
    facts: dict[str, object] = {
        "status": (room.status, room.ending, room.closed, room.rematch, room.changed_at),
        "places": tuple(room.places),
        "people": (room.people, room.waiting, room.banned),
        "back": (room.asks_back, room.agreed),
        "clocks": repr(room.clocks and vars(room.clocks)),
        "due": room.due(),
        "lines": len(room.happenings),
        "newest": room.happenings[-40:],
    }
    if table is not None:
        seats = [Seat(n) for n in range(table.seats)]
        facts["table"] = (table.ply, table.undone, table.turn, table.scores)
        facts["views"] = [table.view(seat) for seat in (*seats, None)]
        facts["choices"] = [(table.choice(seat), table.can_undo(seat)) for seat in seats]
    return facts


class House:
    """A room whose log another room follows; after every wish both must be the same."""

    def __init__(self, config: Configuration, plan: Plan) -> None:
        self.config = config
        self.plan = plan
        self.clock = HandClock()
        self.room = self.fold([], self.clock)
        self.follower = self.fold([])
        self.batches: list[tuple[Entry, ...]] = []

    def fold(self, log: list[Entry], clock: Callable[[], float] = frozen) -> Room:
        """Make a room from a log; what its clock shows must not matter."""
        room = Room(self.config.game, self.plan, clock=clock)
        room.follow(log)
        return room

    def do(
        self, wish: Callable[Concatenate[Room, P], tuple[Entry, ...]], *args: P.args, **kw: P.kwargs
    ) -> tuple[Entry, ...]:
        """Have a wish carried out."""
        entries = wish(self.room, *args, **kw)
        if entries:
            self.batches.append(entries)
        self.follower.follow([from_json(to_json(entry)) for entry in entries])
        assert look(self.room) == look(self.follower)
        return entries

    def refuse(
        self,
        code: str,
        wish: Callable[Concatenate[Room, P], tuple[Entry, ...]],
        *args: P.args,
        **kw: P.kwargs,
    ) -> None:
        """Have a wish refused, in words for everybody; nothing has changed then."""
        with pytest.raises(PleasanceError) as refusal:
            wish(self.room, *args, **kw)
        assert refusal.value.code == code
        self.check_refused(refusal.value)

    def check_refused(self, refusal: PleasanceError) -> None:
        """Check that a refused wish has words and has changed nothing."""
        package = self.config.game.spec.package
        for language in LANGUAGES:
            assert explain(refusal, language, package)
        assert look(self.room) == look(self.follower)

    @property
    def log(self) -> list[Entry]:
        """Give all lines so far."""
        return [happening.entry for happening in self.room.happenings]

    def check_log(self) -> None:
        """Check that the whole log gives the room again, and that times never go back."""
        again = self.fold([from_json(to_json(entry)) for entry in self.log])
        assert look(again) == look(self.room)
        assert again.table == self.room.table
        assert all(earlier.at <= later.at for earlier, later in pairwise(self.log))

    def legal(self, seat: Seat) -> tuple[str, ...]:
        """List what a seat may choose."""
        assert self.room.table is not None
        return tuple(map(str, self.room.table.view(seat).legal))

    def choose(self, seat: Seat, token: str | None = None) -> tuple[Entry, ...]:
        """Choose for a seat: what is told, or the first thing that is legal."""
        table = self.room.table
        assert table is not None
        token = token or self.legal(seat)[0]
        return self.do(commands.choose, seat, token, ply=table.ply, undone=table.undone)

    def play(self, rng: Random, *, until: Callable[[Room], bool] | None = None) -> None:
        """Choose at random for whoever must, to the end or until something is the case."""
        while self.room.waiting and not (until and until(self.room)):
            seat = rng.choice(self.room.waiting)
            self.choose(seat, rng.choice(self.legal(seat)))


def sit_around(config: Configuration, *who: str, seed: int = 1, **plan: object) -> House:
    """Seat people, and bots where a bot is named, and begin."""
    house = House(config, make_plan(config, seed, **plan))  # type: ignore[arg-type]  # as named there
    for n, name in enumerate(who):
        if name == "greedy":
            house.do(commands.seat_bot, OWNER, name, seat=Seat(n))
        else:
            house.do(commands.sit, name, name.title(), seat=Seat(n), nonce=NONCE)
    house.do(commands.start, who[0] if who[0] != "greedy" else OWNER)
    return house


def chose(entries: tuple[Entry, ...]) -> bool:
    """Tell whether a choice is among some lines."""
    return any(isinstance(entry, ChooseEntry) for entry in entries)
