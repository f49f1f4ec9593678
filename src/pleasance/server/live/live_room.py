"""One live table: its room in memory, its log in the database, and who watches."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from random import random
from time import perf_counter

from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import ConflictError, OvertakenError
from pleasance.server.base.logs import get_log
from pleasance.server.base.metrics import APPENDS, CHOICES, VIEWS
from pleasance.server.live.log_append import make_append
from pleasance.server.live.pending import Ask, Refusal, carry_out, list_lines
from pleasance.server.live.services import Habits, Loaded, Watcher, Wish
from pleasance.server.live.updates import Bulletin, make_snapshot
from pleasance.table.entries import ChooseEntry, Entry
from pleasance.table.room import Room

_ATTEMPTS = 12
_PAUSE = 0.01

_log = get_log("rooms")


@dataclass(slots=True, eq=False)
class LiveRoom:
    """One live table; whatever changes it is on disk before it is told."""

    id: str
    habits: Habits
    loaded: InitVar[Loaded]
    watchers: set[Watcher] = field(default_factory=set)
    told: int = 0
    """How many lines the watchers were told."""

    is_stale: bool = False
    """Whether the database may know more, or less, than we do."""

    used_at: float = 0.0
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _asks: list[Ask] = field(default_factory=list)
    """What is asked for and not looked at yet; who asked first waits for the lock."""

    room: Room = field(init=False)
    """The room, as far as it is known here."""

    _keys: dict[str, int] = field(init=False)
    """The requests that were carried out, and the first line each of them wrote."""

    _news: Bulletin = field(init=False)
    """What the watchers were told last."""

    def __post_init__(self, loaded: Loaded) -> None:
        self.room, self._keys = loaded.room, loaded.keys
        self.told = len(self.room.happenings)
        self._news = Bulletin(self.id, self.room, self.told, None)

    @property
    def is_busy(self) -> bool:
        """Tell whether something is being done right now."""
        return self._lock.locked() or bool(self._asks)

    async def change(
        self, wish: Wish, *, key: str | None = None, asker: Watcher | None = None
    ) -> int:
        """Carry out a wish once; give the number of the first line it wrote.

        Wishes that come while the log is being written are carried out after that, and written and
        told together. The *asker* is answered as soon as this is done, with what it is told.
        """
        ask = Ask(wish, key, asker)
        self._asks.append(ask)
        try:
            await (self._lead() if len(self._asks) == 1 else ask.wait())
        except asyncio.CancelledError:
            ask.is_open = False
            raise
        return ask.result()

    async def catch_up(self, count: int) -> None:
        """Read what another server has written, if it is news."""
        if count <= self.told and not self.is_stale:
            return
        async with self._lock:
            # What we could not write must be gone before lines are counted.
            await self._freshen()
            if count > len(self.room.happenings):
                await self._read_more()

    async def renew(self) -> None:
        """Make the room anew: lines of its log were changed."""
        async with self._lock:
            self.is_stale = True
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

    async def _lead(self) -> None:
        """Wait for our turn, then see to all that has been asked for until then."""
        asks: list[Ask] = []
        try:
            async with self._lock:
                asks, self._asks = [ask for ask in self._asks if ask.is_open], []
                await self._see_to(asks)
        except asyncio.CancelledError:
            # Who leads has gone, but not the others; and what the database was given cannot be
            # called back.
            self.habits.run(self._lead_on(asks))
            raise
        except Exception as error:  # noqa: BLE001  (all who wait are told)
            if not isinstance(error, PleasanceError):
                # Perhaps it was written and not told: nobody else would hear of that.
                self.is_stale = True
                _log.error("table_failed", table=self.id, exc_info=error)
            for ask in asks:
                ask.refuse(error)

    async def _lead_on(self, asks: list[Ask]) -> None:
        """Take the place of who has gone, once it is known what was written."""
        with suppress(Exception):  # what is wrong meets whoever leads again
            await self.habits.keeper.finish()
        self._asks = [*asks, *self._asks]
        await self._lead()

    async def _see_to(self, asks: list[Ask]) -> None:
        """Carry out what is asked for, as much at once as goes together.

        Another server may be faster: then its lines are read and all is looked at anew.
        """
        for _ in range(_ATTEMPTS + 2 * len(asks)):
            if self.is_stale:
                await self._freshen()
            done, refusal = carry_out(self.room, asks, self._keys)
            if refusal is None or (done and refusal.is_clean):
                await self._keep(done, is_all=len(done) == len(asks))
            elif done:
                # Half of it was carried out: all is done again from the log, and this first.
                half = refusal.ask
                self.is_stale, asks = True, [half, *(ask for ask in asks if ask is not half)]
            else:
                await self._consider(refusal)
            asks = [ask for ask in asks if ask.is_open]
            if not asks:
                return
        raise ConflictError("busy")

    async def _consider(self, refusal: Refusal) -> None:
        """Refuse what was asked for, unless it was refused by what is not so any more.

        Perhaps another server has done it already, or what must come before it.
        """
        self.is_stale = not refusal.is_clean
        if not isinstance(refusal.error, PleasanceError) or not await self._has_news():
            refusal.ask.refuse(refusal.error)

    async def _keep(self, asks: Sequence[Ask], *, is_all: bool) -> None:
        """Write for good what asks have come to, tell it and answer; or give way to another server.

        Until the write is known to have gone through, what is in memory counts for nothing. Who
        leads is answered when all is done; if this *is_all*, news can come with the answers.
        """
        entries, keys = list_lines(asks)
        if not entries:
            self._answer(asks, len(self.room.happenings))
            return
        self.is_stale = True
        habits = self.habits
        append = make_append(
            self.id,
            self.room,
            entries,
            keys=keys,
            archive_after=habits.archive_after,
            consequences=habits.consequences,
        )
        started = perf_counter()
        try:
            await habits.keeper.append(append)
        except OvertakenError:
            await self._give_way(entries)
            # Two servers in step would be in each other's way again and again.
            await asyncio.sleep(_PAUSE * random())
            return
        self.is_stale = False
        APPENDS.note(perf_counter() - started)
        CHOICES.add(sum([type(entry) is ChooseEntry for entry in entries]))
        self._answer(asks, append.known)
        self._tell([ask.asker for ask in asks] if is_all else ())
        for ask in asks:
            VIEWS.note(perf_counter() - ask.since)

    def _answer(self, asks: Sequence[Ask], known: int) -> None:
        """Answer who asked, with the number of the line after so many; the same again later."""
        for ask in asks:
            if ask.entries and ask.key is not None:
                self._keys[ask.key] = known + 1
            ask.fulfil(known + bool(ask.entries))
            known += len(ask.entries)

    async def _give_way(self, entries: Sequence[Entry]) -> None:
        """Take out of the room what another server was faster than, and read what it wrote.

        Two people who choose at the same time on two servers come here often; a question that a
        choice has ended (`asks_back`) is brought back by reading the whole log anew.
        """
        known = self.told
        if self._news.position.asks_back is None and self.room.forget(entries):
            await self._read_more()
            self.is_stale = self.told == known  # there is nothing to give way to

    async def _freshen(self) -> None:
        """Make the room anew where it may not be what the database has."""
        if self.is_stale:
            loaded = await self.habits.keeper.load(self.id)
            self.room, self._keys = loaded.room, loaded.keys
            self.is_stale = False
            self._tell()

    async def _read_more(self) -> None:
        """Follow what others have written."""
        entries, keys = await self.habits.keeper.load_more(self.id, len(self.room.happenings))
        self.is_stale = True
        self.room.follow(entries)
        self.is_stale = False
        self._keys.update(keys)
        self._tell()

    async def _has_news(self) -> bool:
        """Tell whether another server has written what we have not heard of; read it, if so."""
        known = self.told
        if self.habits.keeper.is_shared:
            await (self._freshen() if self.is_stale else self._read_more())
        return self.told > known

    def _tell(self, askers: Collection[Watcher | None] = ()) -> None:
        """Tell all watchers what they have not been told, and let bots wake up.

        The *askers* are about to be answered.
        """
        since, known = self.told, len(self.room.happenings)
        if since < known:
            news = Bulletin(self.id, self.room, since, self._news)
            # Whoever reads them is woken up by the first: so first write all, then send all. What
            # cannot be written counts as not told.
            letters = news.write_letters(self.watchers)
            self.told, self._news = known, news
            for watcher, message in letters:
                watcher.tell(self.id, message, is_held=watcher in askers)
        self.habits.after(self)

    def _picture(self, watcher: Watcher, since: int | None) -> bytes:
        return make_snapshot(
            self.id,
            self.room,
            player=watcher.player,
            muted=watcher.muted,
            since=since,
            present=self.habits.present(self),
        )
