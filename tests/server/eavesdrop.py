"""Everything the server would send to one player and to a spectator, in one world."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from random import Random

import msgspec

from conformance import Configuration
from conformance.rooms import NONCE, HandClock
from pleasance.core.errors import PleasanceError
from pleasance.core.game import Seat
from pleasance.core.record import write_record
from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base import requests
from pleasance.server.base.requests import Command
from pleasance.server.base.translate import explain
from pleasance.server.bots.pool import pack_view
from pleasance.server.live.bind_command import make_wish
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.live.log_entries import show_lines
from pleasance.server.live.services import Habits, Loaded
from pleasance.server.store.appends import Append
from pleasance.table.entries import Entry, from_json
from pleasance.table.room import AnyTable, Room
from pleasance.table.table_config import Plan
from server.worlds import Course

STRANGER = "zoe"
TABLE = "tabletable"


class Notebook:
    """Keeps one log in memory; where logs are kept has no part in what is told of them."""

    is_shared = False

    def __init__(self, config: Configuration, plan: Plan) -> None:
        self.config = config
        self.plan = plan
        self.bodies: list[str] = []

    async def load(self, _: str) -> Loaded:
        room = Room(self.config.game, self.plan, clock=HandClock())
        room.follow([from_json(body) for body in self.bodies])
        return Loaded(room, {})

    async def load_more(self, _: str, known: int) -> tuple[list[Entry], dict[str, int]]:
        return [from_json(body) for body in self.bodies[known:]], {}

    def append(self, append: Append) -> asyncio.Future[object]:
        assert append.known == len(self.bodies)
        self.bodies += [line.body for line in append.lines]
        written: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        written.set_result(None)
        return written

    async def finish(self) -> None:
        """Have nothing to wait for: all was written at once."""


class Ear:
    """Writes down what one watcher is told."""

    def __init__(self, player: str) -> None:
        self.player: str | None = player
        self.muted: frozenset[str] = frozenset()
        self.heard: list[bytes] = []

    def tell(self, _: str, message: bytes, *, is_held: bool = False) -> None:
        assert not is_held, "nobody asked over this"
        self.heard.append(message)


def name_player(seat: int) -> str:
    return f"player{seat}"


class World:
    """A table where a course is played; *viewer* and a stranger listen."""

    def __init__(self, config: Configuration, plan: Plan, viewer: Seat | None) -> None:
        self.config = config
        self.viewer = viewer
        self.notebook = Notebook(config, plan)
        self.ears = [Ear(STRANGER)]
        if viewer is not None:
            self.ears.append(Ear(name_player(viewer)))

    async def open(self) -> None:
        """Seat everybody and begin."""
        habits = Habits(
            keeper=self.notebook,
            consequences=(),
            archive_after=1000.0,
            after=lambda _: None,
            run=lambda work: work.close(),
            present=lambda live: ((True,) * live.room.plan.seats, 1),
        )
        self.live = LiveRoom(TABLE, habits, await self.notebook.load(TABLE))
        for ear in self.ears:
            await self.live.watch(ear)
        for seat in range(self.config.seats):
            await self.do(requests.Sit(NONCE, seat), name_player(seat))
        await self.do(requests.Start(), name_player(0))

    @property
    def table(self) -> AnyTable:
        assert self.live.room.table is not None
        return self.live.room.table

    async def do(self, command: Command, player: str) -> None:
        await self.live.change(make_wish(command, player, player.title()))

    async def choose(self, seat: Seat, token: str) -> None:
        command = requests.Choose(seat, token, self.table.ply, self.table.undone)
        await self.do(command, name_player(seat))

    async def pretend(self, seat: Seat, rng: Random) -> None:
        """Choose anything in secret, and take it back before it is revealed."""
        await self.choose(seat, str(rng.choice(self.table.view(seat).legal)))
        await self.do(requests.Undo(seat), name_player(seat))

    async def tell_all(self, rng: Random) -> list[bytes]:
        """Gather what can be asked for at any time: pictures, records, logs, refusals."""
        told: list[bytes] = []
        room = self.live.room
        for ear in self.ears:
            seats = room.seats_of(ear.player)
            told.append(await self.live.snapshot(ear))
            told.append(await self.live.snapshot(ear, rng.randrange(len(room.happenings))))
            told.append(msgspec.json.encode(tuple(show_lines(room, 0, seats))))
            told.append(write_record(self.table.record_for(seats[0] if seats else None)).encode())
        told.append(pack_view(self.table.view(self.viewer)))
        told += [await self.refuse(command, who) for command, who in self._bad_ideas(rng)]
        return told

    def _bad_ideas(self, rng: Random) -> Iterator[tuple[Command, str]]:
        """Think of what will be refused, whatever is hidden."""
        table = self.table
        seats = [Seat(n) for n in range(table.seats)]
        known = set() if self.viewer is None else {str(c) for c in table.view(self.viewer).legal}
        # A few at every moment: there are dozens of moments, each with others.
        tokens = [str(choice) for choice in rng.choices([*self.config.game.space], k=4)]
        ply, undone = table.ply, table.undone
        for who in (STRANGER, *(ear.player or "" for ear in self.ears[1:])):
            for seat in seats:
                is_own = who == name_player(seat)
                for token in ("nonsense", "+?", *tokens):
                    if not is_own or token not in known:
                        yield requests.Choose(seat, token, ply, undone), who
                    yield requests.Choose(seat, token, ply + 1, undone), who
                if not is_own or not table.can_undo(seat):
                    yield requests.Undo(seat), who
                if not is_own:
                    yield requests.AskBack(seat), who
                    yield requests.Resign(seat), who
                yield requests.AnswerBack(seat, agrees=True), who
                yield requests.TakeSeatBack(seat), who
            yield requests.Sit(NONCE), who
            yield requests.Start(), who

    async def refuse(self, command: Command, player: str) -> bytes:
        """Write down how something is refused, in words too."""
        package = self.config.game.spec.package
        before = len(self.live.room.happenings)
        try:
            await self.do(command, player)
        except PleasanceError as refusal:
            assert len(self.live.room.happenings) == before
            words = [explain(refusal, language, package) for language in LANGUAGES]
            return json.dumps([refusal.code, refusal.params, words]).encode()
        raise AssertionError(f"{command} of {player} was not refused")


async def listen(world: World, course: Course, seed: int, own: int) -> list[tuple[str, bytes]]:
    """Play a course; give all that was told, each with the moment when it was.

    What is done by those who listen, and when, follows from *seed*; what others choose and take
    back again follows from the world's *own* luck.
    """
    rng, hidden = Random(seed), Random(own)
    await world.open()
    told: list[tuple[str, bytes]] = []

    def note(moment: str, messages: list[bytes]) -> None:
        told.extend((moment, message) for message in messages)

    for n, choices in enumerate(course.choices):
        seats = list(zip(world.table.waiting, choices, strict=True))
        rng.shuffle(seats)
        for seat, token in seats:
            is_last = len(world.table.waiting) == 1
            if not is_last and seat != world.viewer and rng.random() < 0.5:
                await world.pretend(seat, hidden)
            await world.choose(seat, token)
            if not is_last and rng.random() < 0.1:
                note(f"turn {n}, asked while others choose", await world.tell_all(rng))
        for ear in world.ears:
            note(f"turn {n}, told to {ear.player}", ear.heard)
            ear.heard.clear()
        if rng.random() < 0.1:
            note(f"turn {n}, asked", await world.tell_all(rng))
    note("last, asked", await world.tell_all(rng))
    return told
