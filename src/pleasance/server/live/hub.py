"""The hub: finds live tables, lets people do things there, and looks after them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import msgspec
from sqlalchemy import Connection

from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Seat
from pleasance.server.base.logs import get_log
from pleasance.server.base.messages import Accepted, Closing
from pleasance.server.base.requests import Command, Rematch
from pleasance.server.identity.erasure import FORGOTTEN
from pleasance.server.live.bind_command import make_wish
from pleasance.server.live.bot_scheduler import Attendants
from pleasance.server.live.connections import Door
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.live.log_append import Consequence, note_sitters
from pleasance.server.live.open_table_quota import Openings
from pleasance.server.live.room_repository import StoreKeeper
from pleasance.server.live.services import Habits, Watcher, Wish
from pleasance.server.live.table_configs import OpenTable, make_plan, name_rematch, renew_plan
from pleasance.server.store.meta import new_id
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room
from pleasance.table.table_config import Plan

if TYPE_CHECKING:
    from pleasance.server.base.settings import Settings
    from pleasance.server.bots.pool import Crew
    from pleasance.server.identity.authentication import Identity
    from pleasance.server.store.store import Store

T = TypeVar("T")
_PREFIX = "table:"
"""The topic that a log has grown."""

_log = get_log("hub")
_encode = msgspec.json.Encoder().encode


class Hub:
    """All tables that are live on this server."""

    def __init__(
        self,
        store: Store,
        crew: Crew,
        settings: Settings,
        clock: Callable[[], float],
    ) -> None:
        self.clock = clock
        self.door = Door(store, clock)
        self.keeper = StoreKeeper(store, clock)
        self.attendants = Attendants(crew)
        self.rooms: dict[str, LiveRoom] = {}
        self._store = store
        self._openings = Openings(store, settings)
        self._archive_after = settings.archive_after
        self._consequences: list[Consequence] = [note_sitters]
        self._habits = Habits(
            keeper=self.keeper,
            consequences=self._consequences,
            archive_after=settings.archive_after,
            after=self._after,
            run=self.door.run,
            present=self.door.who_is_here,
        )
        self._loading: dict[str, asyncio.Task[LiveRoom]] = {}
        self._stop_listening: Callable[[], None] | None = None

    def expect(self, *consequences: Consequence) -> None:
        """Let more follow from what happens at tables."""
        self._consequences.extend(consequences)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Read something about tables."""
        return await self._store.read(work)

    def start(self) -> None:
        """Listen to what other servers write."""
        self._stop_listening = self._store.subscribe(self._hear)
        self.door.open()

    async def stop(self) -> None:
        """Finish what was begun and let the bots rest."""
        if self._stop_listening is not None:
            self._stop_listening()
        await self.attendants.stop()
        await self.door.close()

    async def close(self) -> None:
        """Tell all clients that the server stops."""
        for client in self.door.clients:
            client.answer(Closing("stopping"))
        # What was sent may lie in a buffer of ours still: give it a moment to leave.
        await asyncio.gather(*(client.is_empty() for client in tuple(self.door.clients)))

    async def find(self, table: str) -> LiveRoom:
        """Give a live table; it is made from its log when nobody has asked for it lately."""
        live = self.rooms.get(table)
        if live is None:
            task = self._loading.get(table)
            if task is None:
                task = asyncio.create_task(self._load(table))
                self._loading[table] = task
            live = await asyncio.shield(task)
        live.used_at = self.clock()
        return live

    async def open(self, wish: OpenTable, owner: Identity, address: str = "local") -> LiveRoom:
        """Open a new table for somebody at an address, unless too many of theirs wait already."""
        plan = make_plan(wish, owner.id, self.keeper.shelf)
        return await self._openings.open(owner.id, address, lambda: self.create(plan))

    async def create(self, plan: Plan, table: str | None = None) -> LiveRoom:
        """Open a table by its plan."""
        table = table or new_id()
        if table in self.rooms:
            return self.rooms[table]
        loaded = await self.keeper.create(table, plan, self._archive_after)
        live = self.rooms.setdefault(table, LiveRoom(table, self._habits, loaded))
        live.used_at = self.clock()
        return live

    async def do(
        self,
        table: str,
        who: Identity,
        key: str,
        command: Command,
        *,
        asker: Watcher | None = None,
    ) -> Accepted:
        """Do what somebody wants; the same key again is answered the same.

        An *asker* is told of it last, and is given the answer at once.
        """
        live = await self.find(table)
        named = f"{who.id}:{key}"
        if isinstance(command, Rematch):
            return await self._rematch(live, who, key, command.nonce)
        seq = await live.change(make_wish(command, who.id, who.name), key=named, asker=asker)
        return Accepted(key=key, seq=seq)

    async def welcome_back(self, live: LiveRoom, player: str | None) -> None:
        """Give somebody who was away the seat back where a bot stood in."""
        seats = [
            seat
            for seat in live.room.seats_of(player)
            if live.room.places[seat].why in {"away", "time"} and live.room.status == "running"
        ]
        if player is None or not seats:
            return

        def wish(room: Room) -> tuple[Entry, ...]:
            return sum((commands.take_seat_back(room, player, seat) for seat in seats), ())

        with suppress(IllegalActionError):  # somebody else gave it back, or took it
            await live.change(wish)

    async def _rematch(self, live: LiveRoom, who: Identity, key: str, nonce: str) -> Accepted:
        """Open another table like this one, unless somebody has done so; sit down there."""
        await live.settle()
        commands.check_rematch(live.room, who.id)
        if live.room.rematch is None:
            # Two who ask at once, even on two servers, mean the same table.
            plan = live.room.plan
            await self.create(renew_plan(plan, who.id), name_rematch(plan))
            await live.change(_note_rematch(who.id, name_rematch(plan)))
        table = live.room.rematch
        assert table is not None, "a rematch was noted"
        again = await self.find(table)
        seq = await again.change(_sit_again(live.room, who.id, nonce), key=f"{who.id}:{key}")
        return Accepted(key=key, seq=seq, table=table)

    async def _load(self, table: str) -> LiveRoom:
        try:
            loaded = await self.keeper.load(table)
            live = self.rooms.setdefault(table, LiveRoom(table, self._habits, loaded))
            live.used_at = self.clock()  # else it may be forgotten before anybody has it
        finally:
            del self._loading[table]
        self._after(live)
        return live

    def _after(self, live: LiveRoom) -> None:
        self.attendants.look_after(live)
        if live.room.status == "open":
            self.door.tell_presence(live)  # who has just sat down was perhaps connected before
        self.door.turn_away(live)

    def _hear(self, topic: str) -> None:
        """Follow what was written elsewhere."""
        if topic == "missed":
            self.door.hear(topic)
            for live in self.rooms.values():
                live.is_stale = True
                self.door.run(live.catch_up(0))
        elif topic.startswith(_PREFIX):
            _, table, count = topic.split(":")
            known = self.rooms.get(table)
            if known is not None and int(count) > known.told:
                self.door.run(known.catch_up(int(count)))
        elif topic.startswith(FORGOTTEN):
            self._forget(topic.removeprefix(FORGOTTEN))
        else:
            self.door.hear(topic)

    def _forget(self, player: str) -> None:
        """Make all rooms anew where a player sat or spoke, since their logs were changed."""
        for live in self.rooms.values():
            entries = (happening.entry for happening in live.room.happenings)
            if any(getattr(entry, "player", None) == player for entry in entries):
                self.door.run(live.renew())


def _note_rematch(player: str, table: str) -> Wish:
    def wish(room: Room) -> tuple[Entry, ...]:
        return () if room.rematch else commands.note_rematch(room, player, table)

    return wish


def _sit_again(before: Room, player: str, nonce: str) -> Wish:
    """Let a player, and the bots, sit where they sat before; begin when all have come."""

    def wish(room: Room) -> tuple[Entry, ...]:
        entries: tuple[Entry, ...] = ()
        for n, place in enumerate(before.places):
            if room.table is not None or not room.places[n].is_free:
                continue
            if place.bot is not None:
                entries += commands.seat_bot(room, room.plan.owner, place.bot, seat=Seat(n))
            elif place.player == player:
                entries += commands.sit(room, player, place.name, seat=Seat(n), nonce=nonce)
        if room.table is None and not any(place.is_free for place in room.places):
            entries += commands.start(room, player)
        return entries

    return wish
