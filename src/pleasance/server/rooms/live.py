"""One live table: its room in memory, its log in the database, and who watches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from random import random
from time import perf_counter
from typing import Protocol, TypeAlias

from pleasance.core.errors import PleasanceError
from pleasance.core.game import Seat
from pleasance.server.errors import ConflictError, OvertakenError
from pleasance.server.metrics import APPENDS, CHOICES, VIEWS
from pleasance.server.rooms.bulletins import Bulletin, Position, find_position, make_snapshot
from pleasance.server.rooms.keeping import Consequence, make_append
from pleasance.server.store.appends import Append
from pleasance.table.entries import ChooseEntry, Entry, SayEntry
from pleasance.table.room import Room

Wish: TypeAlias = Callable[[Room], tuple[Entry, ...]]
"""Changes a room and gives the new entries, or refuses and changes nothing."""

_ATTEMPTS = 12
_PAUSE = 0.01


class Watcher(Protocol):
    """Somebody who follows a table."""

    @property
    def player(self) -> str | None:
        """Name who it is."""

    @property
    def muted(self) -> frozenset[str]:
        """Name whose words it does not want to read."""

    def tell(self, table: str, message: bytes, *, is_held: bool = False) -> None:
        """Take a message about a table to be sent; never wait.

        What *is_held* may leave together with the answer that comes next.
        """


@dataclass(frozen=True, slots=True)
class Loaded:
    """A room as the database has it."""

    room: Room
    keys: dict[str, int]
    """The requests that were carried out, and the first line each of them wrote."""


class Keeper(Protocol):
    """Keeps logs."""

    is_shared: bool
    """Whether other servers write into the same logs."""

    async def load(self, table: str) -> Loaded:
        """Make a room from its log."""

    async def load_more(self, table: str, known: int) -> tuple[list[Entry], dict[str, int]]:
        """Read the lines after the first *known*."""

    def append(self, append: Append) -> asyncio.Future[object]:
        """Write new lines, whole and for good; they are written even if nobody waits for it."""

    async def finish(self) -> None:
        """Wait until all that was given before is written, or refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """What all live tables of a server share."""

    keeper: Keeper
    consequences: Sequence[Consequence]
    archive_after: float
    after: Callable[[LiveRoom], None]
    """Is called after each change: bots may have to choose."""

    run: Callable[[Coroutine[None, None, None]], None]
    """Does something nobody waits for."""

    present: Callable[[LiveRoom], tuple[tuple[bool, ...], int]]
    """Tells for each seat whether its player is connected, and how many spectators there are."""


@dataclass(slots=True, eq=False)
class LiveRoom:
    """One live table; whatever changes it goes one by one, and is on disk before it is told."""

    id: str
    habits: Habits
    loaded: Loaded
    watchers: set[Watcher] = field(default_factory=set)
    told: int = 0
    """How many lines the watchers were told."""

    is_stale: bool = False
    """Whether the database may know more, or less, than we do."""

    used_at: float = 0.0
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _shown: Position = field(init=False)
    """Where the watchers have seen the room last."""

    def __post_init__(self) -> None:
        self.told = len(self.room.happenings)
        self._shown = find_position(self.room)

    @property
    def room(self) -> Room:
        """Give the room, as far as it is known here."""
        return self.loaded.room

    @property
    def is_busy(self) -> bool:
        """Tell whether something is being done right now."""
        return self._lock.locked()

    def has_heard(self, player: str) -> bool:
        """Tell whether a player has said something here."""
        said = (h.entry for h in self.room.happenings if isinstance(h.entry, SayEntry))
        return any(entry.player == player for entry in said)

    async def change(
        self, wish: Wish, *, key: str | None = None, asker: Watcher | None = None
    ) -> int:
        """Carry out a wish once; give the number of the first line it wrote.

        Another server may be faster: then its lines are read and the wish is looked at anew. The
        *asker* is answered as soon as this is done, with what it is told.
        """
        started = perf_counter()
        async with self._lock:
            for _ in range(_ATTEMPTS):
                await self._freshen()
                if key is not None and key in self.loaded.keys:
                    return self.loaded.keys[key]
                entries = await self._try(wish)
                if entries is None:
                    continue
                known = len(self.room.happenings) - len(entries)
                if not entries:
                    return known
                if await self._keep(entries, key):
                    if key is not None:
                        self.loaded.keys[key] = known + 1
                    self._tell(asker)
                    VIEWS.note(perf_counter() - started)
                    return known + 1
                # Two servers in step would be in each other's way again and again.
                await asyncio.sleep(_PAUSE * random())
            raise ConflictError("busy")

    async def catch_up(self, count: int) -> None:
        """Read what another server has written, if it is news."""
        if count <= len(self.room.happenings) and not self.is_stale:
            return
        async with self._lock:
            if count > len(self.room.happenings):
                await self._read_more()
            await self._freshen()

    async def snapshot(self, watcher: Watcher, since: int | None = None) -> bytes:
        """Show all of the table to somebody who has seen the lines up to *since*."""
        async with self._lock:
            await self._freshen()
            return self._picture(watcher, since)

    async def settle(self) -> None:
        """Wait until what is being done is on disk, so that what is read next is true."""
        if self._lock.locked() or self.is_stale:
            async with self._lock:
                await self._freshen()

    async def watch(self, watcher: Watcher, since: int | None = None) -> None:
        """Let somebody follow the table from now on; the first message shows all of it."""
        async with self._lock:
            await self._freshen()
            if since is not None and since > len(self.room.happenings):
                await self._has_news()
            watcher.tell(self.id, self._picture(watcher, since))
            self.watchers.add(watcher)

    async def _try(self, wish: Wish) -> tuple[Entry, ...] | None:
        """Carry out a wish; `None` if it was refused by what is not so any more.

        Perhaps another server has done it already, or what must come before it.
        """
        try:
            return self._carry_out(wish)
        except PleasanceError:
            if await self._has_news():
                return None
            raise

    def _carry_out(self, wish: Wish) -> tuple[Entry, ...]:
        try:
            return wish(self.room)
        except PleasanceError:
            # Refused: nothing has changed, unless it was the second of two wishes.
            self.is_stale = len(self.room.happenings) != self.told
            raise
        except BaseException:
            self.is_stale = True
            raise

    async def _keep(self, entries: Sequence[Entry], key: str | None) -> bool:
        """Write entries for good; tell whether no other server was faster.

        Until the write is known to have gone through, what is in memory counts for nothing.
        """
        habits = self.habits
        append = make_append(
            self.id,
            self.room,
            entries,
            key=key,
            archive_after=habits.archive_after,
            consequences=habits.consequences,
        )
        self.is_stale = True
        started = perf_counter()
        try:
            await habits.keeper.append(append)
        except OvertakenError:
            return False
        except asyncio.CancelledError:
            # Who asked has gone, but what the database was given cannot be called back.
            habits.run(self._tell_later())
            raise
        self.is_stale = False
        APPENDS.note(perf_counter() - started)
        CHOICES.add(isinstance(entries[0], ChooseEntry))
        return True

    async def _tell_later(self) -> None:
        """Tell what came of a change when nobody waits for it any more."""
        await self.habits.keeper.finish()
        await self.settle()

    async def _freshen(self) -> None:
        """Make the room anew where it may not be what the database has."""
        if self.is_stale:
            self.loaded = await self.habits.keeper.load(self.id)
            self.is_stale = False
            self._tell()

    async def _read_more(self) -> None:
        """Follow what others have written."""
        entries, keys = await self.habits.keeper.load_more(self.id, len(self.room.happenings))
        self.is_stale = True
        self.room.follow(entries)
        self.is_stale = False
        self.loaded.keys.update(keys)
        self._tell()

    async def _has_news(self) -> bool:
        """Tell whether another server has written what we have not heard of; read it, if so."""
        known = self.told
        if self.habits.keeper.is_shared:
            await (self._freshen() if self.is_stale else self._read_more())
        return self.told > known

    def _tell(self, asker: Watcher | None = None) -> None:
        """Tell all watchers what they have not been told, and let bots wake up."""
        since, self.told = self.told, len(self.room.happenings)
        if since < self.told:
            news = Bulletin(self.id, self.room, since, self._shown)
            self._shown = news.position
            # Whoever reads them is woken up by the first: so first write all, then send all.
            for watcher, message in [*self._write(news)]:
                watcher.tell(self.id, message, is_held=watcher is asker)
        self.habits.after(self)

    def _write(self, news: Bulletin) -> Iterator[tuple[Watcher, bytes]]:
        """Write the news for each watcher; who sees the same gets the same."""
        room = self.loaded.room
        made: dict[tuple[tuple[Seat, ...], frozenset[str]], bytes] = {}
        for watcher in self.watchers:
            seats = room.seats_of(watcher.player)
            look = (seats, watcher.muted)
            if look not in made:
                made[look] = news.update(seats, watcher.muted)
            yield watcher, made[look]

    def _picture(self, watcher: Watcher, since: int | None) -> bytes:
        return make_snapshot(
            self.id,
            self.room,
            player=watcher.player,
            muted=watcher.muted,
            since=since,
            present=self.habits.present(self),
        )
