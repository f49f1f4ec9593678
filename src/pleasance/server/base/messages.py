"""Messages from the server: a closed union, tagged by `kind`.

The TypeScript types are generated from these. Seats count from 0.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

PATTERN_END = r"$(?!\n)"
"""The end of a pattern: a bare `$` lets a line break follow in Python, unlike in browsers."""

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Key = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+" + PATTERN_END)]
"""The idempotency key of a request, made by the client."""
TableId = Annotated[str, Meta(min_length=8, max_length=40, pattern=r"^[a-z0-9]+" + PATTERN_END)]
PlayerId = Annotated[str, Meta(min_length=4, max_length=40, pattern=r"^[a-z0-9]+" + PATTERN_END)]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Nonce = Annotated[
    str, Meta(min_length=16, max_length=128, pattern=r"^(?:[0-9a-f]{2})+" + PATTERN_END)
]
"""The hexadecimal contribution of a seat to the draws; docs/fairness.md."""
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class Wire(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """The base of all messages."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """A time control: *move* seconds for each choice, then the *bank*."""

    move: Annotated[float, Meta(ge=5, le=14 * 86400)]
    bank: Annotated[float, Meta(ge=0, le=30 * 86400)] = 0.0


class SeatInfo(Struct, frozen=True):
    """The public state of a seat."""

    player: str | None
    """The player who sits here; `None` for a bot and for a free seat."""

    name: str
    bot: str | None
    """The bot that plays: it was seated here, or stands in."""

    has_left: bool
    """Whether the seat was resigned, timed out or left: it is rated last."""

    has_resigned: bool


class SeatClock(Struct, frozen=True):
    """The clock of one seat."""

    bank: float
    due: float | None
    """When the clock runs out, in seconds since 1970; `None` while it stands."""


class LogEntryView(Struct, frozen=True, omit_defaults=True):
    """One entry of the event log, redacted for one seat."""

    seq: int
    kind: str
    """The kind of entry: names the message `page.log.<kind>` of the server's catalogs."""

    at: float
    seat: int | None = None
    token: str | None = None
    """The notation of a choice or draw; `None` if it is secret or there is none."""

    tokens: tuple[str, ...] = ()
    """All choices of a simultaneous turn, in the order of the seats, once they are revealed."""

    name: str | None = None
    """The player who spoke, or the bot or player who came."""

    player: str | None = None
    text: str | None = None


class TableInfo(Struct, frozen=True):
    """The public state of a table besides the position."""

    id: str
    game: str
    rules: str
    options: tuple[str, ...]
    data: str
    """The name of the component data."""

    is_rated: bool
    is_public: bool
    clock: Clock | None
    owner: str
    status: str
    """`open`, `running`, `over` or `closed`."""

    ending: str | None
    """`finished` or `resigned`, once it is over."""

    commitment: str
    places: tuple[SeatInfo, ...]
    takeback_by: int | None
    """The seat that requests a takeback."""

    takeback_agreed: tuple[int, ...]
    rematch: str | None
    opening: int
    """The number of tokens of another game that this one continues."""


class SeatView(Struct, frozen=True):
    """The position as one seat sees it."""

    seat: int | None
    """`None` for a spectator."""

    position: msgspec.Raw
    """The view of the game; its type has the name of the game."""

    legal: tuple[str, ...]
    """The legal choices of the seat now, in notation."""

    chosen: str | None
    """The seat's own choice, while it is secret."""

    can_undo: bool


class Welcome(Wire, frozen=True, tag="welcome"):
    """The first message of a connection."""

    player: str
    name: str
    version: str
    heartbeat: float
    """Seconds after which a silent client counts as disconnected."""

    now: float
    """The server's time, in seconds since 1970."""


class Snapshot(Wire, frozen=True, tag="snapshot"):
    """The snapshot of a table; it replaces whatever the client knew."""

    table: str
    seq: int
    """The seq of the newest log entry; it grows from message to message."""

    info: TableInfo
    ply: int
    revision: int
    waiting: tuple[int, ...]
    chose: tuple[int, ...]
    """The seats that have made a secret choice."""

    clocks: tuple[SeatClock, ...]
    """One for each seat, where there is a clock."""

    scores: tuple[int, ...]
    views: tuple[SeatView, ...]
    """One for each seat of this player, or a spectator's; none before the game begins."""

    box: msgspec.Raw
    """The facts of the box that never change during the game."""

    here: tuple[bool, ...]
    """For each seat, whether its player is connected."""

    watching: int
    """The number of spectators."""

    entries: tuple[LogEntryView, ...]
    """The entries after the last seq the client saw, or the newest ones."""


class Update(Wire, frozen=True, tag="update"):
    """The delta of a table since the last message: new log entries and changed views."""

    table: str
    seq: int
    info: TableInfo | None
    """`None` if it has not changed."""

    ply: int
    revision: int
    waiting: tuple[int, ...]
    chose: tuple[int, ...]
    """The seats that have made a secret choice."""

    clocks: tuple[SeatClock, ...]
    """One for each seat, where there is a clock."""

    scores: tuple[int, ...]
    views: tuple[SeatView, ...]
    """The views of this player that have changed."""

    entries: tuple[LogEntryView, ...]


class PresenceUpdate(Wire, frozen=True, tag="present"):
    """Connected players have changed; this has no seq, since it is not in the log."""

    table: str
    here: tuple[bool, ...]
    """For each seat."""

    watching: int
    """The number of spectators."""


class Accepted(Wire, frozen=True, tag="accepted"):
    """A request was executed and is on disk."""

    key: str
    seq: int = 0
    table: str | None = None
    """The new table, after a rematch."""


class Refused(Wire, frozen=True, tag="refused"):
    """A request was refused: a code of the catalogs, its parameters and the message."""

    key: str | None
    code: str
    params: dict[str, str | int]
    message: str
    seq: int = 0
    """The seq of the newest log entry then; a watcher has been sent all entries up to it."""


class MatchOffer(Wire, frozen=True, tag="offered"):
    """News of the matchmaking queue for this player."""

    table: str | None
    """The table to play at; `None` if a bot is offered or a nonce is needed first."""

    has_bot: bool
    """Whether a bot is offered because no opponent came."""


class Pong(Wire, frozen=True, tag="pong"):
    """The answer to a ping."""

    key: str
    now: float


class Closing(Wire, frozen=True, tag="closing"):
    """The server closes the connection; the client should reconnect."""

    reason: Literal["stopping", "identity"]
    """`stopping`: the server stops. `identity`: the session or access token changed or ended."""


Message: TypeAlias = (
    Welcome | Snapshot | Update | PresenceUpdate | Accepted | Refused | MatchOffer | Pong | Closing
)
