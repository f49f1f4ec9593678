"""The hub: loads and opens live rooms, executes commands, and follows other servers by pub/sub."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import Connection

from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Seat
from pleasance.server.base.errors import ForbiddenError
from pleasance.server.base.messages import Accepted
from pleasance.server.base.requests import Command, Rematch
from pleasance.server.live.bind_command import bind_command
from pleasance.server.live.bot_scheduler import BotScheduler
from pleasance.server.live.connections import Connections
from pleasance.server.live.live_room import LiveRoom, RoomServices
from pleasance.server.live.log_append import CommitCallback, update_seatings
from pleasance.server.live.open_table_quota import OpenTableQuota
from pleasance.server.live.pending import RoomCommand
from pleasance.server.live.room_repository import RoomRepository
from pleasance.server.live.table_configs import (
    OpenTable,
    make_table_config,
    rematch_config,
    rematch_table_id,
)
from pleasance.server.live.updates import Watcher
from pleasance.server.store.meta import new_id
from pleasance.server.store.topics import ERASED_PREFIX, TABLE_PREFIX, TOPICS_MISSED
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room
from pleasance.table.table_config import TableConfig

if TYPE_CHECKING:
    from pleasance.server.base.settings import ServerSettings
    from pleasance.server.bots.pool import BotPool
    from pleasance.server.identity.authentication import Identity
    from pleasance.server.store.store import Store

T = TypeVar("T")


class Hub:
    """All live rooms of this server."""

    def __init__(
        self, store: Store, bot_pool: BotPool, settings: ServerSettings, clock: Callable[[], float]
    ) -> None:
        self.clock = clock
        self.connections = Connections(store, clock)
        self.repository = RoomRepository(store, clock)
        self.bot_scheduler = BotScheduler(bot_pool)
        self.rooms: dict[str, LiveRoom] = {}
        self._store = store
        self._open_table_quota = OpenTableQuota(store, settings)
        self._archive_after = settings.archive_after
        self._commit_callbacks: list[CommitCallback] = [update_seatings]
        self._services = RoomServices(
            repository=self.repository,
            commit_callbacks=self._commit_callbacks,
            archive_after=settings.archive_after,
            on_change=self._on_change,
            run_in_background=self.connections.run,
            presence_of=self.connections.presence_of,
        )
        self._loading: dict[str, asyncio.Task[LiveRoom]] = {}
        self._unsubscribe: Callable[[], None] | None = None

    def add_callbacks(self, *callbacks: CommitCallback) -> None:
        """Add callbacks for every commit of new entries."""
        self._commit_callbacks.extend(callbacks)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Read from the database."""
        return await self._store.read(work)

    def start(self) -> None:
        """Subscribe to the topics of all servers."""
        self._unsubscribe = self._store.subscribe(self._on_topic)
        self.connections.open()

    async def stop(self) -> None:
        """Unsubscribe, and stop bots and background tasks."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        await self.bot_scheduler.stop()
        await self.connections.close()

    async def find(self, table: str) -> LiveRoom:
        """Find a live room; load it from its log if it is not in memory."""
        live = self.rooms.get(table)
        if live is None:
            task = self._loading.get(table)
            if task is None:
                task = asyncio.create_task(self._load(table))
                self._loading[table] = task
            live = await asyncio.shield(task)
        live.used_at = self.clock()
        return live

    async def find_for(self, visitor: Identity | None, table: str) -> LiveRoom:
        """Find a live room in its committed state; refuse a banned visitor."""
        live = await self.find(table)
        await live.wait_until_committed()
        if visitor is not None and visitor.id in live.room.banned:
            raise ForbiddenError("banned")
        return live

    async def open(self, request: OpenTable, owner: Identity, address: str = "local") -> LiveRoom:
        """Open a new table, within the quota of the owner and the address."""
        config = make_table_config(request, owner.id, self.repository.games)
        return await self._open_table_quota.open(owner.id, address, lambda: self.create(config))

    async def create(self, config: TableConfig, table: str | None = None) -> LiveRoom:
        """Create a table with a configuration; one that exists already is returned."""
        table = table or new_id()
        if table in self.rooms:
            return self.rooms[table]
        loaded = await self.repository.create(table, config, self._archive_after)
        live = self.rooms.setdefault(table, LiveRoom(table, self._services, loaded))
        live.used_at = self.clock()
        return live

    async def execute(
        self,
        table: str,
        who: Identity,
        key: str,
        command: Command,
        *,
        requester: Watcher | None = None,
    ) -> Accepted:
        """Execute a command once for its idempotency key; a repeated key gets the same response.

        The *requester* sends the response right afterwards, so its updates may wait for that.
        """
        live = await self.find(table)
        if isinstance(command, Rematch):
            return await self._rematch(live, who, key, command.nonce)
        bound = bind_command(command, who.id, who.name)
        seq = await live.execute(bound, key=f"{who.id}:{key}", requester=requester)
        return Accepted(key=key, seq=seq)

    async def return_seats(self, live: LiveRoom, player: str | None) -> None:
        """Give a returning player back the seats that bots held."""
        seats = [
            seat
            for seat in live.room.seats_of(player)
            if live.room.places[seat].why in {"away", "time"} and live.room.status == "running"
        ]
        if player is None or not seats:
            return

        def reclaim(room: Room) -> tuple[Entry, ...]:
            return sum((commands.reclaim_seat(room, player, seat) for seat in seats), ())

        with suppress(IllegalActionError):  # the seat was reclaimed or taken meanwhile
            await live.execute(reclaim)

    async def _rematch(self, live: LiveRoom, who: Identity, key: str, nonce: str) -> Accepted:
        """Open the rematch table, unless another player has, and take a seat there."""
        await live.wait_until_committed()
        commands.check_rematch(live.room, who.id)
        if live.room.rematch is None:
            # The id is derived, so simultaneous requests on several servers open one table.
            config = live.room.config
            await self.create(rematch_config(config, who.id), rematch_table_id(config))
            await live.execute(_bind_note_rematch(who.id, rematch_table_id(config)))
        table = live.room.rematch
        assert table is not None, "a rematch was noted"
        next_room = await self.find(table)
        sit_again = _bind_sit_again(live.room, who.id, nonce)
        seq = await next_room.execute(sit_again, key=f"{who.id}:{key}")
        return Accepted(key=key, seq=seq, table=table)

    async def _load(self, table: str) -> LiveRoom:
        try:
            loaded = await self.repository.load(table)
            live = self.rooms.setdefault(table, LiveRoom(table, self._services, loaded))
            live.used_at = self.clock()  # or it may be dropped before its first use
        finally:
            del self._loading[table]
        self._on_change(live)
        return live

    def _on_change(self, live: LiveRoom) -> None:
        self.bot_scheduler.schedule(live)
        if live.room.status == "open":
            self.connections.send_presence(live)  # a player may have connected before sitting down
        self.connections.remove_banned(live)

    def _on_topic(self, topic: str) -> None:
        """Process a topic published by any server."""
        if topic == TOPICS_MISSED:
            self.connections.on_topic(topic)
            for live in self.rooms.values():
                live.needs_reload = True
                self.connections.run(live.catch_up(0))
        elif topic.startswith(TABLE_PREFIX):
            _, table, seq = topic.split(":")
            known = self.rooms.get(table)
            if known is not None and int(seq) > known.published_seq:
                self.connections.run(known.catch_up(int(seq)))
        elif topic.startswith(ERASED_PREFIX):
            self._reload_rooms_of(topic.removeprefix(ERASED_PREFIX))
        else:
            self.connections.on_topic(topic)

    def _reload_rooms_of(self, player: str) -> None:
        """Reload all rooms where an erased player sat or spoke, since their logs were rewritten."""
        for live in self.rooms.values():
            if any(getattr(logged.entry, "player", None) == player for logged in live.room.log):
                self.connections.run(live.reload())


def _bind_note_rematch(player: str, table: str) -> RoomCommand:
    def note(room: Room) -> tuple[Entry, ...]:
        return () if room.rematch else commands.note_rematch(room, player, table)

    return note


def _bind_sit_again(before: Room, player: str, nonce: str) -> RoomCommand:
    """Seat a player and the bots where they sat before; start once all seats are taken."""

    def sit(room: Room) -> tuple[Entry, ...]:
        entries: tuple[Entry, ...] = ()
        for n, place in enumerate(before.places):
            if room.table is not None or not room.places[n].is_free:
                continue
            if place.bot is not None:
                entries += commands.seat_bot(room, room.config.owner, place.bot, seat=Seat(n))
            elif place.player == player:
                entries += commands.sit(room, player, place.name, seat=Seat(n), nonce=nonce)
        if room.table is None and not any(place.is_free for place in room.places):
            entries += commands.start(room, player)
        return entries

    return sit
