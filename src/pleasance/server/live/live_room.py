"""One live room: its state in memory is a fold over its event log in the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from random import random
from time import perf_counter

from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import AppendConflictError, ConflictError
from pleasance.server.base.logs import get_logger
from pleasance.server.base.metrics import APPEND_SECONDS, CHOICE_TO_VIEWS_SECONDS, CHOICES
from pleasance.server.live.log_append import CommitCallback, make_append
from pleasance.server.live.pending import (
    PendingCommand,
    Rejection,
    RoomCommand,
    entries_with_keys,
    execute_commands,
    resolve_commands,
)
from pleasance.server.live.room_repository import LoadedRoom, LogStore
from pleasance.server.live.updates import UpdateBatch, Watcher, make_snapshot
from pleasance.table.entries import ChooseEntry, Entry
from pleasance.table.room import Room

_MAX_ATTEMPTS = 12
_MAX_RETRY_DELAY_S = 0.01

_log = get_logger("rooms")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomServices:
    """Services that all live rooms of a server share."""

    repository: LogStore
    commit_callbacks: Sequence[CommitCallback]
    archive_after: float
    on_change: Callable[[LiveRoom], None]
    """Called after each change: bots may have to choose."""

    run_in_background: Callable[[Coroutine[None, None, None]], None]
    presence_of: Callable[[LiveRoom], tuple[tuple[bool, ...], int]]
    """Returns for each seat whether its player is connected, and the number of spectators."""


@dataclass(slots=True, eq=False)
class LiveRoom:
    """One live room; every change is on disk before it is published."""

    id: str
    services: RoomServices
    loaded: InitVar[LoadedRoom]
    watchers: set[Watcher] = field(default_factory=set)
    published_seq: int = 0
    """The seq of the newest entry sent to the watchers."""

    needs_reload: bool = False
    """Whether memory and database may differ, so that the room must be loaded again."""

    used_at: float = 0.0
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _pending: list[PendingCommand] = field(default_factory=list)
    """Queued commands; the caller of the first one waits for the lock."""

    room: Room = field(init=False)
    """The room after the last entry that this server has read or written."""

    _keys: dict[str, int] = field(init=False)
    """Idempotency keys of executed requests, each with the seq of its first entry."""

    _last_batch: UpdateBatch = field(init=False)
    """The update published last."""

    def __post_init__(self, loaded: LoadedRoom) -> None:
        self.room, self._keys = loaded.room, loaded.keys
        self.published_seq = len(self.room.log)
        self._last_batch = UpdateBatch(self.id, self.room, self.published_seq, None)

    @property
    def is_busy(self) -> bool:
        """Return whether commands are being executed right now."""
        return self._lock.locked() or bool(self._pending)

    async def execute(
        self, command: RoomCommand, *, key: str | None = None, requester: Watcher | None = None
    ) -> int:
        """Execute a command once for its idempotency key; return the seq of its first entry.

        Commands that arrive while the log is being written are executed after that as one batch,
        written and published together. The *requester* gets its response right after this returns,
        so its updates may be sent with it.
        """
        pending = PendingCommand(command, key, requester)
        self._pending.append(pending)
        try:
            await (self._drain() if len(self._pending) == 1 else pending.wait())
        except asyncio.CancelledError:
            pending.is_open = False
            raise
        return pending.result()

    async def catch_up(self, seq: int) -> None:
        """Read the entries up to *seq* that another server has appended."""
        if seq <= self.published_seq and not self.needs_reload:
            return
        async with self._lock:
            # Entries that could not be written must be gone before the log length is compared.
            await self._reload_if_needed()
            if seq > len(self.room.log):
                await self._read_more()

    async def reload(self) -> None:
        """Load the room again, since entries of its log were rewritten."""
        async with self._lock:
            self.needs_reload = True
            await self._reload_if_needed()

    async def snapshot(self, watcher: Watcher, since: int | None = None) -> bytes:
        """Make a snapshot for a watcher that knows the entries up to *since*."""
        async with self._lock:
            await self._reload_if_needed()
            return self._make_snapshot(watcher, since)

    async def wait_until_committed(self) -> None:
        """Wait until running commands are on disk, so that reads see a committed state."""
        if self._lock.locked() or self.needs_reload:
            async with self._lock:
                await self._reload_if_needed()

    async def watch(self, watcher: Watcher, since: int | None = None) -> None:
        """Add a watcher; its first message is a snapshot, later ones are deltas."""
        async with self._lock:
            await self._reload_if_needed()
            if since is not None and since > len(self.room.log):
                await self._read_news()
            watcher.enqueue_update(self.id, self._make_snapshot(watcher, since))
            self.watchers.add(watcher)

    async def _drain(self) -> None:
        """Acquire the room lock, then execute every queued command as one batch.

        The first caller drains the queue for all.
        """
        batch: list[PendingCommand] = []
        try:
            async with self._lock:
                batch = [pending for pending in self._pending if pending.is_open]
                self._pending = []
                await self._commit_batch(batch)
        except asyncio.CancelledError:
            # The draining caller has gone, but the others wait; a queued write cannot be recalled.
            self.services.run_in_background(self._resume_drain(batch))
            raise
        except Exception as error:  # noqa: BLE001  (every waiting caller gets it)
            if not isinstance(error, PleasanceError):
                # The entries may be written and not published: reload, or they never will be.
                self.needs_reload = True
                _log.error("table_failed", table=self.id, exc_info=error)
            for pending in batch:
                pending.reject(error)

    async def _resume_drain(self, batch: list[PendingCommand]) -> None:
        """Drain in place of a caller that has gone, once the outcome of its write is known."""
        with suppress(Exception):  # the next drain runs into the same fault
            await self.services.repository.finish()
        self._pending = [*batch, *self._pending]
        await self._drain()

    async def _commit_batch(self, batch: list[PendingCommand]) -> None:
        """Execute and commit queued commands, as many at once as possible.

        After losing an append race to another server, its entries are read and the rest is retried.
        """
        for _ in range(_MAX_ATTEMPTS + 2 * len(batch)):
            if self.needs_reload:
                await self._reload_if_needed()
            done, rejection = execute_commands(self.room, batch, self._keys)
            if rejection is None or (done and rejection.is_clean):
                await self._append_entries(done, is_all=len(done) == len(batch))
            elif done:
                # One command failed halfway: start again from the log, with that one first.
                half = rejection.pending
                self.needs_reload, batch = True, [half, *(one for one in batch if one is not half)]
            else:
                await self._reject_or_retry(rejection)
            batch = [pending for pending in batch if pending.is_open]
            if not batch:
                return
        raise ConflictError("busy")

    async def _reject_or_retry(self, rejection: Rejection) -> None:
        """Reject a command, unless another server has appended entries meanwhile; then retry.

        The other server may have executed the command already, or one that it depends on.
        """
        self.needs_reload = not rejection.is_clean
        if not isinstance(rejection.error, PleasanceError) or not await self._read_news():
            rejection.pending.reject(rejection.error)

    async def _append_entries(self, batch: Sequence[PendingCommand], *, is_all: bool) -> None:
        """Append the entries of a batch, publish them and respond; or roll back after a conflict.

        Until the append is known to have succeeded, the state in memory is uncommitted. If this
        *is_all*, updates may be sent together with the responses.
        """
        entries, keys = entries_with_keys(batch)
        if not entries:
            self._keys.update(resolve_commands(batch, len(self.room.log)))
            return
        self.needs_reload = True
        services = self.services
        append = make_append(
            self.id,
            self.room,
            entries,
            keys=keys,
            archive_after=services.archive_after,
            commit_callbacks=services.commit_callbacks,
        )
        started = perf_counter()
        try:
            await services.repository.append(append)
        except AppendConflictError:
            await self._roll_back_and_reload(entries)
            # Without a random delay two servers in step would conflict again and again.
            await asyncio.sleep(_MAX_RETRY_DELAY_S * random())
            return
        self.needs_reload = False
        APPEND_SECONDS.observe(perf_counter() - started)
        CHOICES.inc(sum([type(entry) is ChooseEntry for entry in entries]))
        self._keys.update(resolve_commands(batch, append.expected_seq))
        self._publish([pending.requester for pending in batch] if is_all else ())
        for pending in batch:
            CHOICE_TO_VIEWS_SECONDS.observe(perf_counter() - pending.since)

    async def _roll_back_and_reload(self, entries: Sequence[Entry]) -> None:
        """Roll back uncommitted choices after losing an append race, then read newer entries.

        This is common when two players choose simultaneously on different servers. A takeback
        request that a choice has ended is restored by loading the whole log.
        """
        published_seq = self.published_seq
        if self._last_batch.position.takeback_by is None and self.room.roll_back(entries):
            await self._read_more()
            # Nothing was read: the entries of the winner were not found.
            self.needs_reload = self.published_seq == published_seq

    async def _reload_if_needed(self) -> None:
        """Load the room again if it may differ from the database."""
        if self.needs_reload:
            loaded = await self.services.repository.load(self.id)
            self.room, self._keys = loaded.room, loaded.keys
            self.needs_reload = False
            self._publish()

    async def _read_more(self) -> None:
        """Read and apply the entries of other servers."""
        entries, keys = await self.services.repository.load_more(self.id, len(self.room.log))
        self.needs_reload = True
        self.room.apply(entries)
        self.needs_reload = False
        self._keys.update(keys)
        self._publish()

    async def _read_news(self) -> bool:
        """Read the entries of other servers; return whether there were any."""
        published_seq = self.published_seq
        if self.services.repository.is_shared:
            await (self._reload_if_needed() if self.needs_reload else self._read_more())
        return self.published_seq > published_seq

    def _publish(self, requesters: Collection[Watcher | None] = ()) -> None:
        """Send new entries to all watchers, and wake the bots.

        The *requesters* get their responses right afterwards.
        """
        since, seq = self.published_seq, len(self.room.log)
        if since < seq:
            batch = UpdateBatch(self.id, self.room, since, self._last_batch)
            # Sending wakes the readers, so everything is encoded first. What cannot be encoded
            # does not count as published.
            messages = batch.encode_for_watchers(self.watchers)
            self.published_seq, self._last_batch = seq, batch
            for watcher, message in messages:
                watcher.enqueue_update(self.id, message, is_held=watcher in requesters)
        self.services.on_change(self)

    def _make_snapshot(self, watcher: Watcher, since: int | None) -> bytes:
        presence = self.services.presence_of(self)
        return make_snapshot(self.id, self.room, watcher, since=since, presence=presence)
