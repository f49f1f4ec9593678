"""Pending commands, each with its idempotency key: those that arrive together form one batch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple, TypeAlias

from pleasance.core.errors import PleasanceError
from pleasance.server.live.updates import Watcher
from pleasance.table.entries import Entry
from pleasance.table.room import Room

RoomCommand: TypeAlias = Callable[[Room], tuple[Entry, ...]]
"""Changes a room and returns the new entries, or raises and changes nothing."""


class PendingCommand:
    """A command and its outcome."""

    __slots__ = (
        "_error",
        "_waiter",
        "command",
        "entries",
        "is_open",
        "key",
        "requester",
        "seq",
        "since",
    )

    def __init__(self, command: RoomCommand, key: str | None, requester: Watcher | None) -> None:
        self.command = command
        self.key = key
        """The idempotency key of the request: it is executed only once."""

        self.requester = requester
        self.since = perf_counter()
        self.entries: tuple[Entry, ...] = ()
        """The entries of the latest execution."""

        self.is_open = True
        """Whether a caller still waits; otherwise the command need not be executed."""

        self.seq = 0
        """The seq of its first entry."""

        self._error: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None

    async def wait(self) -> None:
        """Wait for the outcome."""
        self._waiter = asyncio.get_running_loop().create_future()
        await self._waiter

    def resolve(self, seq: int) -> None:
        """Report success."""
        self.seq = seq
        self._close()

    def reject(self, error: Exception) -> None:
        """Report an error."""
        if self.is_open:
            self._error = error
            self._close()

    def result(self) -> int:
        """Return the seq of the first entry, or raise the error."""
        if self._error is not None:
            raise self._error
        return self.seq

    def _close(self) -> None:
        self.is_open = False
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Rejection(NamedTuple):
    """A command that failed."""

    pending: PendingCommand
    error: Exception
    is_clean: bool
    """Whether the room is unchanged."""


def execute_commands(
    room: Room, batch: Sequence[PendingCommand], keys: Mapping[str, int]
) -> tuple[list[PendingCommand], Rejection | None]:
    """Execute commands one by one up to the first failure; return those done, and the failure.

    A command whose idempotency key is in *keys* gets its old result; a key that occurs twice in the
    batch waits for the next one.
    """
    done: list[PendingCommand] = []
    for pending in batch:
        key = pending.key
        if key is not None and key in keys:
            pending.resolve(keys[key])
        elif not done or key is None or all(other.key != key for other in done):
            length = len(room.log)
            try:
                pending.entries = pending.command(room)
            except Exception as error:  # noqa: BLE001  (the caller of the command gets it)
                is_clean = isinstance(error, PleasanceError) and len(room.log) == length
                return done, Rejection(pending, error, is_clean)
            done.append(pending)
    return done, None


def resolve_commands(batch: Sequence[PendingCommand], seq: int) -> dict[str, int]:
    """Resolve the commands of a batch whose entries follow *seq*; return the seq of each key."""
    keys: dict[str, int] = {}
    for pending in batch:
        if pending.entries and pending.key is not None:
            keys[pending.key] = seq + 1
        pending.resolve(seq + bool(pending.entries))
        seq += len(pending.entries)
    return keys


def entries_with_keys(batch: Sequence[PendingCommand]) -> tuple[list[Entry], list[str | None]]:
    """List all new entries with their idempotency keys: each on the first entry of its command."""
    entries: list[Entry] = []
    keys: list[str | None] = []
    for pending in batch:
        if pending.entries:
            entries += pending.entries
            keys += (pending.key, *[None] * (len(pending.entries) - 1))
    return entries, keys
