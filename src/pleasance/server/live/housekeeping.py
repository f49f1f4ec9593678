"""Periodic housekeeping: flags, absent players, abandoned tables, lost bot moves, idle rooms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlalchemy import Connection, or_, select

from pleasance.core.errors import PleasanceError
from pleasance.core.game import Seat
from pleasance.players.registry import fallback_player
from pleasance.server.base.logs import get_logger
from pleasance.server.base.metrics import ROOMS, WATCHERS
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.live.pending import RoomCommand
from pleasance.server.store.schema.rooms import tables
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room

if TYPE_CHECKING:
    from pleasance.server.base.settings import ServerSettings
    from pleasance.server.live.hub import Hub
    from pleasance.server.store.store import Store

_MAX_TABLES_PER_RUN = 200
_BOT_TIMEOUT_S = 10.0
"""Seconds after which a move that a bot owes is requested again."""

_IDLE_ROOM_TIMEOUT_S = 300.0
"""Seconds after which an unused room is dropped from memory."""

_SLOW_MOVE_S = 3600.0
"""With at least this much time per choice (correspondence play), players may disconnect."""

_log = get_logger("housekeeping")


class HousekeepingJob:
    """Finds and executes what is due at all tables; runs once a second."""

    def __init__(self, hub: Hub, store: Store, settings: ServerSettings) -> None:
        self._hub = hub
        self._store = store
        self._settings = settings
        self._is_first = True

    async def tick(self) -> None:
        """Run once."""
        now = self._hub.clock()
        bot_timeout_s = 0.0 if self._is_first else _BOT_TIMEOUT_S
        self._is_first = False
        due, waiting = await self._store.read(_find_due(now, now - bot_timeout_s))
        for table in due:
            await self._call_flags(table)
        for table in waiting:
            await self._reschedule_bots(table)
        for live in tuple(self._hub.rooms.values()):
            await self._replace_absent(live)
        self._drop_idle_rooms(now)
        ROOMS.set(len(self._hub.rooms))
        WATCHERS.set(sum(len(live.watchers) for live in self._hub.rooms.values()))

    async def _call_flags(self, table: str) -> None:
        """Call flags, or close a table that was abandoned."""
        try:
            live = await self._hub.find(table)
            await live.execute(_call_flags_or_close(self._settings.archive_after))
        except PleasanceError as refusal:
            _log.warning("due_table_failed", table=table, reason=refusal.code)

    async def _reschedule_bots(self, table: str) -> None:
        """Request lost bot moves again."""
        try:
            self._hub.bot_scheduler.schedule(await self._hub.find(table))
        except PleasanceError as refusal:
            _log.warning("bots_not_scheduled", table=table, reason=refusal.code)

    async def _replace_absent(self, live: LiveRoom) -> None:
        """Let bots stand in for absent players that others wait for."""
        absent = self._absent_seats(live.room)
        if not absent:
            return

        def replace(room: Room) -> tuple[Entry, ...]:
            bot, still = fallback_player(room.game), set(self._absent_seats(room))
            entries: tuple[Entry, ...] = ()
            for seat in absent:
                if seat in still:
                    entries += commands.take_over(room, seat, bot=bot, why="away")
            return entries

        try:
            await live.execute(replace)
        except PleasanceError as refusal:
            _log.warning("absent_not_replaced", table=live.id, reason=refusal.code)

    def _absent_seats(self, room: Room) -> list[Seat]:
        """List the seats of absent players that connected players wait for."""
        time_control = room.config.time_control
        is_slow = time_control is not None and time_control.move >= _SLOW_MOVE_S
        if not room.waiting or is_slow:
            return []
        presence, people = self._hub.connections.presence, room.people
        if not any(presence.is_here(room.places[seat].player) for seat in people):
            return []
        return [
            seat
            for seat in room.waiting
            if seat in people
            and presence.offline_seconds(room.places[seat].player or "") >= self._settings.absence
        ]

    def _drop_idle_rooms(self, now: float) -> None:
        """Drop unused rooms from memory; their logs are kept."""
        hub = self._hub
        for table, live in tuple(hub.rooms.items()):
            is_used = live.watchers or live.is_busy or now - live.used_at < _IDLE_ROOM_TIMEOUT_S
            if not is_used and not hub.bot_scheduler.is_scheduled(table):
                del hub.rooms[table]


def _call_flags_or_close(archive_after: float) -> RoomCommand:
    def execute(room: Room) -> tuple[Entry, ...]:
        if room.status not in {"open", "running"}:
            return ()
        flags = commands.call_flags(room, bot=fallback_player(room.game))
        # While a clock runs, a player may still choose, however many days that takes.
        if flags or room.due() is not None or room.now() - room.changed_at < archive_after:
            return flags
        return commands.close(room, "abandoned")

    return execute


def _find_due(now: float, stuck: float) -> Callable[[Connection], tuple[list[str], list[str]]]:
    """Find the tables that are due, and those that have waited for a bot since *stuck*."""
    is_live = tables.c.status.in_(("open", "running"))
    due = select(tables.c.id).where(is_live, tables.c.due_at <= now).limit(_MAX_TABLES_PER_RUN)
    # A change in the future was made before the clock of the machine was set back.
    has_time_passed = or_(tables.c.changed_at <= stuck, tables.c.changed_at > now + _BOT_TIMEOUT_S)
    waiting = (
        select(tables.c.id)
        .where(tables.c.status == "running", tables.c.waits_for_bot.is_(True), has_time_passed)
        .limit(_MAX_TABLES_PER_RUN)
    )

    def work(connection: Connection) -> tuple[list[str], list[str]]:
        return list(connection.scalars(due)), list(connection.scalars(waiting))

    return work
