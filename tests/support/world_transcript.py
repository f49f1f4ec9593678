"""Transcripts of everything a server would send to one player and to a spectator."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from random import Random

import msgspec

from conformance import Configuration
from conformance.rooms import ManualClock
from pleasance.core.errors import PleasanceError
from pleasance.core.game import Seat
from pleasance.core.record import write_record
from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base import requests
from pleasance.server.base.requests import Command
from pleasance.server.base.translate import error_message
from pleasance.server.bots.pool import pack_view
from pleasance.server.live.bind_command import bind_command
from pleasance.server.live.live_room import LiveRoom, RoomServices
from pleasance.server.live.room_repository import LoadedRoom
from pleasance.server.live.serializers import log_to_wire
from pleasance.server.store.appends import Append
from pleasance.table.entries import Entry, from_json
from pleasance.table.room import AnyTable, Room
from pleasance.table.table_config import TableConfig
from support import NONCE
from support.hidden_worlds import Script

STRANGER = "zoe"
TABLE = "tabletable"


class MemoryRepository:
    """A room repository that keeps one log in memory."""

    is_shared = False

    def __init__(self, config: Configuration, table_config: TableConfig) -> None:
        self.config = config
        self.table_config = table_config
        self.bodies: list[str] = []

    async def load(self, _: str) -> LoadedRoom:
        room = Room(self.config.game, self.table_config, clock=ManualClock())
        room.apply([from_json(body) for body in self.bodies])
        return LoadedRoom(room, {})

    async def load_more(self, _: str, known: int) -> tuple[list[Entry], dict[str, int]]:
        return [from_json(body) for body in self.bodies[known:]], {}

    def append(self, append: Append) -> asyncio.Future[object]:
        assert append.expected_seq == len(self.bodies)
        self.bodies += [entry.body for entry in append.entries]
        written: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        written.set_result(None)
        return written

    async def finish(self) -> None:
        """Return at once: every append is complete."""


class RecordingWatcher:
    """A watcher that records its messages."""

    def __init__(self, player: str) -> None:
        self.player: str | None = player
        self.muted: frozenset[str] = frozenset()
        self.received: list[bytes] = []

    def enqueue_update(self, _: str, message: bytes, *, is_held: bool = False) -> None:
        assert not is_held, "a held update needs a request"
        self.received.append(message)


def name_player(seat: int) -> str:
    return f"player{seat}"


class World:
    """A table where a test plays a script; *viewer* and a stranger watch."""

    def __init__(
        self, config: Configuration, table_config: TableConfig, viewer: Seat | None
    ) -> None:
        self.config = config
        self.viewer = viewer
        self.repository = MemoryRepository(config, table_config)
        self.watchers = [RecordingWatcher(STRANGER)]
        if viewer is not None:
            self.watchers.append(RecordingWatcher(name_player(viewer)))

    async def open(self) -> None:
        """Seat all players and start."""
        services = RoomServices(
            repository=self.repository,
            commit_callbacks=(),
            archive_after=1000.0,
            on_change=lambda _: None,
            run_in_background=lambda work: work.close(),
            presence_of=lambda live: ((True,) * live.room.config.seats, 1),
        )
        self.live = LiveRoom(TABLE, services, await self.repository.load(TABLE))
        for watcher in self.watchers:
            await self.live.watch(watcher)
        for seat in range(self.config.seats):
            await self.do(requests.Sit(NONCE, seat), name_player(seat))
        await self.do(requests.Start(), name_player(0))

    @property
    def table(self) -> AnyTable:
        assert self.live.room.table is not None
        return self.live.room.table

    async def do(self, command: Command, player: str) -> None:
        await self.live.execute(bind_command(command, player, player.title()))

    async def choose(self, seat: Seat, token: str) -> None:
        command = requests.Choose(seat, token, self.table.ply, self.table.revision)
        await self.do(command, name_player(seat))

    async def choose_and_undo(self, seat: Seat, rng: Random) -> None:
        """Make a secret choice and undo it before it is revealed."""
        await self.choose(seat, str(rng.choice(self.table.view(seat).legal)))
        await self.do(requests.Undo(seat), name_player(seat))

    async def probe(self, rng: Random) -> list[bytes]:
        """Request everything available: snapshots, records, logs, refusals."""
        output: list[bytes] = []
        room = self.live.room
        for watcher in self.watchers:
            seats = room.seats_of(watcher.player)
            output.append(await self.live.snapshot(watcher))
            output.append(await self.live.snapshot(watcher, rng.randrange(len(room.log))))
            output.append(msgspec.json.encode(tuple(log_to_wire(room, 0, seats))))
            output.append(write_record(self.table.record_for(seats[0] if seats else None)).encode())
        output.append(pack_view(self.table.view(self.viewer)))
        output += [await self.refuse(command, who) for command, who in self._bad_commands(rng)]
        return output

    def _bad_commands(self, rng: Random) -> Iterator[tuple[Command, str]]:
        """List commands that are refused, whatever the hidden draws are."""
        table = self.table
        seats = [Seat(n) for n in range(table.seats)]
        known = set() if self.viewer is None else {str(c) for c in table.view(self.viewer).legal}
        # A few each time: a script has dozens of moments, and each tries other tokens.
        tokens = [str(choice) for choice in rng.choices([*self.config.game.space], k=4)]
        ply, revision = table.ply, table.revision
        for who in (STRANGER, *(watcher.player or "" for watcher in self.watchers[1:])):
            for seat in seats:
                is_own = who == name_player(seat)
                for token in ("nonsense", "+?", *tokens):
                    if not is_own or token not in known:
                        yield requests.Choose(seat, token, ply, revision), who
                    yield requests.Choose(seat, token, ply + 1, revision), who
                if not is_own or not table.can_undo(seat):
                    yield requests.Undo(seat), who
                if not is_own:
                    yield requests.RequestTakeback(seat), who
                    yield requests.Resign(seat), who
                yield requests.AnswerTakeback(seat, agrees=True), who
                yield requests.ReclaimSeat(seat), who
            yield requests.Sit(NONCE), who
            yield requests.Start(), who

    async def refuse(self, command: Command, player: str) -> bytes:
        """Encode the refusal of a command, with its messages."""
        package = self.config.game.spec.package
        seq = len(self.live.room.log)
        try:
            await self.do(command, player)
        except PleasanceError as refusal:
            assert len(self.live.room.log) == seq
            messages = [error_message(refusal, language, package) for language in LANGUAGES]
            return json.dumps([refusal.code, refusal.params, messages]).encode()
        raise AssertionError(f"{command} of {player} was not refused")


async def record_messages(
    world: World, script: Script, seed: int, hidden_seed: int
) -> list[tuple[str, bytes]]:
    """Play a script; return all messages, each with its moment.

    The actions of the watchers follow from *seed*; the choices that other players make and undo
    follow from *hidden_seed*.
    """
    rng, hidden_rng = Random(seed), Random(hidden_seed)
    await world.open()
    output: list[tuple[str, bytes]] = []

    def record(moment: str, messages: list[bytes]) -> None:
        output.extend((moment, message) for message in messages)

    for n, choices in enumerate(script.choices):
        seats = list(zip(world.table.waiting, choices, strict=True))
        rng.shuffle(seats)
        for seat, token in seats:
            is_last = len(world.table.waiting) == 1
            if not is_last and seat != world.viewer and rng.random() < 0.5:
                await world.choose_and_undo(seat, hidden_rng)
            await world.choose(seat, token)
            if not is_last and rng.random() < 0.1:
                record(f"turn {n}, probe while others choose", await world.probe(rng))
        for watcher in world.watchers:
            record(f"turn {n}, sent to {watcher.player}", watcher.received)
            watcher.received.clear()
        if rng.random() < 0.1:
            record(f"turn {n}, probe", await world.probe(rng))
    record("last probe", await world.probe(rng))
    return output
