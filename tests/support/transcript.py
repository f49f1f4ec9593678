"""The example conversation of the protocol page, recorded from a room on a database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from pleasance.core.errors import PleasanceError
from pleasance.server.base.messages import Accepted, Message, Refused
from pleasance.server.base.requests import Choose, Command, Execute, Request, Sit, Start, Watch
from pleasance.server.base.translate import error_message
from pleasance.server.live.bind_command import bind_command
from pleasance.server.live.live_room import LiveRoom, RoomServices
from pleasance.server.live.room_repository import RoomRepository
from pleasance.server.store.store import Store
from pleasance.table.table_config import TableConfig

TABLE = "k3vq7m2xw4ta"
NONCES = {"ada": "6164612061646120", "ben": "62656e2062656e20"}
NOW = 1_790_000_000.0
CONFIG = TableConfig(
    game="sakura", rules="1", seats=2, owner="ada7c2k4", secret="5a" * 32, bot_seed="00" * 16
)


@dataclass(eq=False)
class RecordingClient:
    """A client at a table, with the messages it sent and received."""

    player: str
    name: str
    live: LiveRoom
    muted: frozenset[str] = frozenset()
    messages: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def enqueue_update(self, table: str, message: bytes, *, is_held: bool = False) -> None:
        """Record a message and check its type."""
        assert not is_held, "a held update needs a request"
        assert table == TABLE
        received = msgspec.json.decode(message)
        # `Raw` fields decode only where the type allows any value.
        without_box = {**received, "box": None} if "box" in received else received
        msgspec.json.decode(msgspec.json.encode(without_box), type=Message)
        self.messages.append(("<", received))

    async def watch(self, key: str, since: int | None = None) -> None:
        """Watch the table; the answer is a snapshot."""
        self._record_request(Watch(key, TABLE, since))
        await self.live.watch(self, since)
        self.enqueue_update(TABLE, msgspec.json.encode(Accepted(key)))

    def lose_connection(self) -> None:
        """Stop watching without a close."""
        self.live.watchers.discard(self)
        self.messages.append(("", {}))

    async def do(self, key: str, command: Command) -> None:
        """Execute a command and record the answer."""
        self._record_request(Execute(key, TABLE, command))
        bound = bind_command(command, self.player, self.name)
        answer: Accepted | Refused
        try:
            seq = await self.live.execute(bound, key=f"{self.player}:{key}")
            answer = Accepted(key=key, seq=seq)
        except PleasanceError as refusal:
            message = error_message(refusal, "en", self.live.room.game.spec.package)
            answer = Refused(
                key, refusal.code, dict(refusal.params), message, self.live.published_seq
            )
        self.enqueue_update(TABLE, msgspec.json.encode(answer))

    def _record_request(self, request: Request) -> None:
        text = msgspec.json.encode(request)
        assert msgspec.json.decode(text, type=Request) == request
        self.messages.append((">", _drop_nulls(msgspec.json.decode(text))))


def _drop_nulls(request: dict[str, Any]) -> dict[str, Any]:
    """Leave out null fields, as a client would."""
    command = request.get("command")
    shown = {name: value for name, value in request.items() if value is not None}
    return {**shown, "command": _drop_nulls(command)} if command else shown


def make_transcript() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the messages that Ada sends (`>`) and receives (`<`); `""` marks a lost connection."""
    with TemporaryDirectory() as folder:
        return iter(asyncio.run(_play(Path(folder))))


async def _play(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    store = Store.open(f"sqlite:///{folder}/games.db")
    try:
        repository = RoomRepository(store, lambda: NOW)
        services = RoomServices(
            repository=repository,
            commit_callbacks=(),
            archive_after=3600.0,
            on_change=lambda _live: None,
            run_in_background=lambda work: work.close(),
            presence_of=_read_presence,
        )
        live = LiveRoom(TABLE, services, await repository.create(TABLE, CONFIG, 3600.0))
        return await _play_example(
            RecordingClient("ada7c2k4", "Ada", live), RecordingClient("ben5q8w2", "Ben", live)
        )
    finally:
        store.close()


def _read_presence(live: LiveRoom) -> tuple[tuple[bool, ...], int]:
    """Report the connected seats and the number of spectators."""
    connected = {watcher.player for watcher in live.watchers}
    seated = {place.player for place in live.room.places}
    is_here = tuple(place.player in connected for place in live.room.places)
    return is_here, len(connected - seated)


async def _play_example(
    ada: RecordingClient, ben: RecordingClient
) -> list[tuple[str, dict[str, Any]]]:
    """Sit, start, choose, get a refusal, repeat a key, disconnect, reconnect, choose too late."""
    await ada.watch("a1")
    await ada.do("a2", Sit(NONCES["ada"], name="Ada"))
    await ben.watch("b0")
    await ben.do("b1", Sit(NONCES["ben"]))
    await ada.do("a3", Start())
    table = ada.live.room.table
    assert table is not None
    hands = [[str(choice) for choice in table.view(seat).legal] for seat in table.waiting]
    ply = table.ply
    await ada.do("a4", Choose(0, hands[0][0], ply))
    await ada.do("a5", Choose(0, hands[0][1], ply))
    await ada.do("a4", Choose(0, hands[0][0], ply))
    seq = len(ada.live.room.log)
    ada.lose_connection()
    await ben.do("b2", Choose(1, hands[1][0], ply))
    await ada.watch("a6", since=seq)
    await ada.do("a7", Choose(0, hands[0][1], ply))
    return ada.messages
