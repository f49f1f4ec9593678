"""What live tables need: who watches them, who keeps their logs, and what else a server does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from pleasance.server.live.log_append import Consequence
from pleasance.server.store.appends import Append
from pleasance.table.entries import Entry
from pleasance.table.room import Room

if TYPE_CHECKING:
    from pleasance.server.live.live_room import LiveRoom

Wish: TypeAlias = Callable[[Room], tuple[Entry, ...]]
"""Changes a room and gives the new entries, or refuses and changes nothing."""


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
