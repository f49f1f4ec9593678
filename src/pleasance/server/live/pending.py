"""What people ask of a table: what comes in while its log is being written is done together."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

from pleasance.core.errors import PleasanceError
from pleasance.server.live.services import Watcher, Wish
from pleasance.table.entries import Entry
from pleasance.table.room import Room


class Ask:
    """A wish, and what came of it."""

    __slots__ = ("_error", "_waiter", "asker", "entries", "is_open", "key", "line", "since", "wish")

    def __init__(self, wish: Wish, key: str | None, asker: Watcher | None) -> None:
        self.wish = wish
        self.key = key
        """Names the request, so that it is carried out only once."""

        self.asker = asker
        self.since = perf_counter()
        self.entries: tuple[Entry, ...] = ()
        """What it came to when it was carried out last."""

        self.is_open = True
        """Whether somebody waits for an answer; else it need not be done either."""

        self.line = 0
        """The number of the first line that it wrote."""

        self._error: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None

    async def wait(self) -> None:
        """Wait for the answer."""
        self._waiter = asyncio.get_running_loop().create_future()
        await self._waiter

    def fulfil(self, line: int) -> None:
        """Answer that it is done."""
        self.line = line
        self._close()

    def refuse(self, error: Exception) -> None:
        """Answer that it cannot be done."""
        if self.is_open:
            self._error = error
            self._close()

    def result(self) -> int:
        """Give the number of the first line that it wrote, or raise why it was refused."""
        if self._error is not None:
            raise self._error
        return self.line

    def _close(self) -> None:
        self.is_open = False
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Refusal(NamedTuple):
    """An ask that could not be carried out."""

    ask: Ask
    error: Exception
    is_clean: bool
    """Whether the room is as it was before."""


def carry_out(
    room: Room, asks: Sequence[Ask], keys: Mapping[str, int]
) -> tuple[list[Ask], Refusal | None]:
    """Carry out what is asked of a room, one by one, up to what is refused; give both.

    What was done already, by its *keys*, is answered the same; what comes twice at once waits.
    """
    done: list[Ask] = []
    for ask in asks:
        key = ask.key
        if key is not None and key in keys:
            ask.fulfil(keys[key])
        elif not done or key is None or all(other.key != key for other in done):
            known = len(room.happenings)
            try:
                ask.entries = ask.wish(room)
            except Exception as error:  # noqa: BLE001  (whatever it is, who asked is told)
                is_clean = isinstance(error, PleasanceError) and len(room.happenings) == known
                return done, Refusal(ask, error, is_clean)
            done.append(ask)
    return done, None


def list_lines(asks: Sequence[Ask]) -> tuple[list[Entry], list[str | None]]:
    """List all new entries, and the keys they are written with: each on the first of its ask."""
    entries: list[Entry] = []
    keys: list[str | None] = []
    for ask in asks:
        if ask.entries:
            entries += ask.entries
            keys += (ask.key, *[None] * (len(ask.entries) - 1))
    return entries, keys
