"""A short game over the wire, told by the real parts: a live table and a database."""

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
from pleasance.server.base.requests import Choose, Command, Do, Request, Sit, Start, Watch
from pleasance.server.base.translate import explain
from pleasance.server.live.bind_command import make_wish
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.live.room_repository import StoreKeeper
from pleasance.server.live.services import Habits
from pleasance.server.store.store import Store
from pleasance.table.table_config import Plan

TABLE = "k3vq7m2xw4ta"
NONCES = {"ada": "6164612061646120", "ben": "62656e2062656e20"}
NOW = 1_790_000_000.0
PLAN = Plan(game="sakura", rules="1", seats=2, owner="ada7c2k4", secret="5a" * 32, luck="00" * 16)


@dataclass(eq=False)
class Person:
    """Somebody at a table, and what went to and fro."""

    player: str
    name: str
    live: LiveRoom
    muted: frozenset[str] = frozenset()
    said: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def tell(self, table: str, message: bytes, *, is_held: bool = False) -> None:
        """Take a message, if it is one."""
        assert not is_held, "nobody asked over this"
        assert table == TABLE
        told = msgspec.json.decode(message)
        # What is written already (`Raw`) can be read back only where nothing else may stand.
        bare = {**told, "box": None} if "box" in told else told
        msgspec.json.decode(msgspec.json.encode(bare), type=Message)
        self.said.append(("<", told))

    async def watch(self, key: str, since: int | None = None) -> None:
        """Follow the table; the answer shows all of it."""
        self._ask(Watch(key, TABLE, since))
        await self.live.watch(self, since)
        self.tell(TABLE, msgspec.json.encode(Accepted(key)))

    def lose_connection(self) -> None:
        """Follow the table no more, without a word."""
        self.live.watchers.discard(self)
        self.said.append(("", {}))

    async def do(self, key: str, command: Command) -> None:
        """Do something and note the answer."""
        self._ask(Do(key, TABLE, command))
        wish = make_wish(command, self.player, self.name)
        answer: Accepted | Refused
        try:
            seq = await self.live.change(wish, key=f"{self.player}:{key}")
            answer = Accepted(key=key, seq=seq)
        except PleasanceError as refusal:
            words = explain(refusal, "en", self.live.room.game.spec.package)
            answer = Refused(key, refusal.code, dict(refusal.params), words, self.live.told)
        self.tell(TABLE, msgspec.json.encode(answer))

    def _ask(self, request: Request) -> None:
        text = msgspec.json.encode(request)
        assert msgspec.json.decode(text, type=Request) == request
        self.said.append((">", _leave_out_nothing(msgspec.json.decode(text))))


def _leave_out_nothing(request: dict[str, Any]) -> dict[str, Any]:
    """Leave out what says nothing, as a client would."""
    command = request.get("command")
    shown = {name: value for name, value in request.items() if value is not None}
    return {**shown, "command": _leave_out_nothing(command)} if command else shown


def make_transcript() -> Iterator[tuple[str, dict[str, Any]]]:
    """Tell what one of two players sends (>) and gets (<); a lost connection is an empty line."""
    with TemporaryDirectory() as folder:
        return iter(asyncio.run(_play(Path(folder))))


async def _play(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    store = Store.open(f"sqlite:///{folder}/games.db")
    try:
        keeper = StoreKeeper(store, lambda: NOW)
        habits = Habits(
            keeper=keeper,
            consequences=(),
            archive_after=3600.0,
            after=lambda _live: None,
            run=lambda work: work.close(),
            present=_look_around,
        )
        live = LiveRoom(TABLE, habits, await keeper.create(TABLE, PLAN, 3600.0))
        return await _talk(Person("ada7c2k4", "Ada", live), Person("ben5q8w2", "Ben", live))
    finally:
        store.close()


def _look_around(live: LiveRoom) -> tuple[tuple[bool, ...], int]:
    """Tell whose player is connected, and how many only watch."""
    connected = {watcher.player for watcher in live.watchers}
    seated = {place.player for place in live.room.places}
    here = tuple(place.player in connected for place in live.room.places)
    return here, len(connected - seated)


async def _talk(ada: Person, ben: Person) -> list[tuple[str, dict[str, Any]]]:
    """Sit down, begin, choose, be refused, be answered twice, get lost, come back, be late."""
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
    seq = len(ada.live.room.happenings)
    ada.lose_connection()
    await ben.do("b2", Choose(1, hands[1][0], ply))
    await ada.watch("a6", since=seq)
    await ada.do("a7", Choose(0, hands[0][1], ply))
    return ada.said
