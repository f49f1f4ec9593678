"""What must be done when nobody asks: flags, absent players, abandoned tables, bots that wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlalchemy import Connection, or_, select

from pleasance.core.errors import PleasanceError
from pleasance.core.game import Seat
from pleasance.server.base.logs import get_log
from pleasance.server.base.metrics import ROOMS, WATCHERS
from pleasance.server.bots.pool import find_stand_in
from pleasance.server.live.live_room import LiveRoom
from pleasance.server.store.schema.rooms import tables
from pleasance.table import commands
from pleasance.table.entries import Entry
from pleasance.table.room import Room

if TYPE_CHECKING:
    from pleasance.server.base.settings import Settings
    from pleasance.server.live.hub import Hub
    from pleasance.server.store.store import Store

_MOST = 200
"""How many tables are looked after in one go."""

_BOT_PATIENCE = 10.0
"""Seconds after which a bot that should have chosen is asked again."""

_IDLE = 300.0
"""Seconds after which a table that nobody looks at is forgotten; its log is kept."""

_SLOW = 3600.0
"""Whoever has this long for a choice need not stay connected."""

_log = get_log("ticker")


class Ticker:
    """Looks after all tables, once a second."""

    def __init__(self, hub: Hub, store: Store, settings: Settings) -> None:
        self._hub = hub
        self._store = store
        self._settings = settings
        self._is_first = True

    async def tick(self) -> None:
        """Do what is due."""
        now = self._hub.clock()
        patience = 0.0 if self._is_first else _BOT_PATIENCE
        self._is_first = False
        due, waiting = await self._store.read(_find_due(now, now - patience))
        for table in due:
            await self._look_after(table)
        for table in waiting:
            await self._wake(table)
        for live in tuple(self._hub.rooms.values()):
            await self._stand_in(live)
        self._forget_idle(now)
        ROOMS.set(len(self._hub.rooms))
        WATCHERS.set(sum(len(live.watchers) for live in self._hub.rooms.values()))

    async def _look_after(self, table: str) -> None:
        """Call flags, or put a table away where nothing has happened for long."""
        try:
            live = await self._hub.find(table)
            await live.change(_call(self._settings.archive_after))
        except PleasanceError as refusal:
            _log.warning("not_looked_after", table=table, reason=refusal.code)

    async def _wake(self, table: str) -> None:
        """Let bots think again whose thoughts were lost."""
        try:
            self._hub.attendants.look_after(await self._hub.find(table))
        except PleasanceError as refusal:
            _log.warning("not_woken", table=table, reason=refusal.code)

    async def _stand_in(self, live: LiveRoom) -> None:
        """Let bots play for those who are gone while others wait for them."""
        absent = self._absent(live.room)
        if not absent:
            return

        def wish(room: Room) -> tuple[Entry, ...]:
            bot, still = find_stand_in(room.game), set(self._absent(room))
            entries: tuple[Entry, ...] = ()
            for seat in absent:
                if seat in still:
                    entries += commands.take_over(room, seat, bot=bot, why="away")
            return entries

        try:
            await live.change(wish)
        except PleasanceError as refusal:
            _log.warning("nobody_stands_in", table=live.id, reason=refusal.code)

    def _absent(self, room: Room) -> list[Seat]:
        """Name the seats that keep others waiting because nobody is there."""
        timing = room.plan.timing
        if not room.waiting or (timing is not None and timing.move >= _SLOW):
            return []
        presence, people = self._hub.door.presence, room.people
        here = {seat for seat in people if presence.is_here(room.places[seat].player)}
        if not here:
            return []
        return [
            seat
            for seat in room.waiting
            if seat in people
            and presence.gone_for(room.places[seat].player or "") >= self._settings.absence
        ]

    def _forget_idle(self, now: float) -> None:
        """Let go of tables that nobody looks at."""
        hub = self._hub
        for table, live in tuple(hub.rooms.items()):
            is_used = live.watchers or live.is_busy or now - live.used_at < _IDLE
            if not is_used and not hub.attendants.is_thinking_at(table):
                del hub.rooms[table]


def _call(archive_after: float) -> Callable[[Room], tuple[Entry, ...]]:
    def wish(room: Room) -> tuple[Entry, ...]:
        if room.status not in {"open", "running"}:
            return ()
        flags = commands.call_flags(room, bot=find_stand_in(room.game))
        # While a clock runs, somebody may still choose, however many days that takes.
        if flags or room.due() is not None or room.now() - room.changed_at < archive_after:
            return flags
        return commands.close(room, "abandoned")

    return wish


def _find_due(now: float, stuck: float) -> Callable[[Connection], tuple[list[str], list[str]]]:
    """Find the tables whose time has come, and those where a bot should have chosen by now."""
    is_live = tables.c.status.in_(("open", "running"))
    due = select(tables.c.id).where(is_live, tables.c.due_at <= now).limit(_MOST)
    # What changed in the future changed before the clock of the machine was set back.
    has_time_passed = or_(tables.c.changed_at <= stuck, tables.c.changed_at > now + _BOT_PATIENCE)
    waiting = (
        select(tables.c.id)
        .where(tables.c.status == "running", tables.c.waits_for_bot.is_(True), has_time_passed)
        .limit(_MOST)
    )

    def work(connection: Connection) -> tuple[list[str], list[str]]:
        return list(connection.scalars(due)), list(connection.scalars(waiting))

    return work
