"""What the server sends: a closed union, tagged by `kind`.

The TypeScript types are made from these, so each name and field is the one the browser uses. A
seat counts from 0.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

END = r"$(?!\n)"
"""The end of a pattern: alone, Python's `$` lets a line break follow, unlike a browser's."""

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Key = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+" + END)]
"""Names a request; the client makes it up."""
TableId = Annotated[str, Meta(min_length=8, max_length=40, pattern=r"^[a-z0-9]+" + END)]
PlayerId = Annotated[str, Meta(min_length=4, max_length=40, pattern=r"^[a-z0-9]+" + END)]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Nonce = Annotated[str, Meta(min_length=16, max_length=128, pattern=r"^(?:[0-9a-f]{2})+" + END)]
"""What a seat adds to the draws, in hexadecimal digits; docs/fairness.md."""
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class Wire(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """What all messages share."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """How long a seat may think: *move* seconds for each choice, then from its *bank*."""

    move: Annotated[float, Meta(ge=5, le=14 * 86400)]
    bank: Annotated[float, Meta(ge=0, le=30 * 86400)] = 0.0


class Place(Struct, frozen=True):
    """One seat, as everybody sees it."""

    player: str | None
    """Who sits here; `None` for a bot and for a free seat."""

    name: str
    bot: str | None
    """Which bot plays: it was seated here, or stands in."""

    has_left: bool
    """Whether the seat was resigned, timed out or left: it is rated last."""

    has_resigned: bool


class Face(Struct, frozen=True):
    """The clock of one seat."""

    bank: float
    due: float | None
    """When the seat's time is up, in seconds since 1970; `None` while its clock stands."""


class Line(Struct, frozen=True, omit_defaults=True):
    """One line of the log, as one seat may see it."""

    n: int
    what: str
    """Chosen, drawn and so on: names the message `page.log.<what>` of the server's catalogues."""

    at: float
    seat: int | None = None
    token: str | None = None
    """The notation of a choice or draw; `None` where it is secret or there is none."""

    tokens: tuple[str, ...] = ()
    """All choices of a simultaneous turn, in the order of the seats, once they are revealed."""

    name: str | None = None
    """Who spoke, or which bot or player came."""

    player: str | None = None
    text: str | None = None


class TableInfo(Struct, frozen=True):
    """What everybody may know of a table besides the position."""

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
    places: tuple[Place, ...]
    asks_back: int | None
    """The seat that asks to go back."""

    agreed_back: tuple[int, ...]
    rematch: str | None
    opening: int
    """How many tokens were given before anybody chose: the game goes on from another one."""


class SeatView(Struct, frozen=True):
    """What one seat sees of the position."""

    seat: int | None
    """`None` for a spectator."""

    position: msgspec.Raw
    """The view of the game; its type has the name of the game."""

    legal: tuple[str, ...]
    """What the seat may choose now, in notation."""

    chosen: str | None
    """The seat's own secret choice, while it is one."""

    can_undo: bool


class Welcome(Wire, frozen=True, tag="welcome"):
    """The first message of a connection."""

    player: str
    name: str
    version: str
    heartbeat: float
    """Seconds after which a silent client is thought to be gone."""

    now: float
    """The server's time, in seconds since 1970."""


class Snapshot(Wire, frozen=True, tag="snapshot"):
    """All of a table; what was known before counts no more."""

    table: str
    seq: int
    """How many lines the log has; a later message has a higher number."""

    info: TableInfo
    ply: int
    undone: int
    waiting: tuple[int, ...]
    chose: tuple[int, ...]
    """The seats whose secret choice lies on the table."""

    clocks: tuple[Face, ...]
    """One for each seat, where there is a clock."""

    scores: tuple[int, ...]
    views: tuple[SeatView, ...]
    """One for each seat held by this player, or a spectator's; none before the game begins."""

    box: msgspec.Raw
    """The facts of the box that never change during the game."""

    here: tuple[bool, ...]
    """For each seat, whether its player is connected."""

    watching: int
    """How many spectators there are."""

    lines: tuple[Line, ...]
    """The lines after the last number seen, or the newest ones."""


class Update(Wire, frozen=True, tag="update"):
    """What has happened at a table, and how it looks now."""

    table: str
    seq: int
    info: TableInfo | None
    """Only when it has changed."""

    ply: int
    undone: int
    waiting: tuple[int, ...]
    chose: tuple[int, ...]
    """The seats whose secret choice lies on the table."""

    clocks: tuple[Face, ...]
    """One for each seat, where there is a clock."""

    scores: tuple[int, ...]
    views: tuple[SeatView, ...]
    """Those of this player that look another now; of the rest nothing has changed."""

    lines: tuple[Line, ...]


class Present(Wire, frozen=True, tag="present"):
    """Who is connected has changed; needs no number, since it is not in the log."""

    table: str
    here: tuple[bool, ...]
    """For each seat."""

    watching: int
    """How many spectators."""


class Accepted(Wire, frozen=True, tag="accepted"):
    """A request was carried out and is on disk."""

    key: str
    seq: int = 0
    table: str | None = None
    """The new table, after a rematch."""


class Refused(Wire, frozen=True, tag="refused"):
    """A request was not carried out: a code of the catalogues with its parameters, and words."""

    key: str | None
    code: str
    params: dict[str, str | int]
    message: str
    seq: int = 0
    """How many lines the log of the table had; who follows it was told all of them before."""


class Offered(Wire, frozen=True, tag="offered"):
    """The matchmaking queue has news for this player."""

    table: str | None
    """Where to play; `None` if there is no table yet: a bot is offered, or a nonce is wanted."""

    has_bot: bool
    """Whether nobody came and a bot is offered instead."""


class Pong(Wire, frozen=True, tag="pong"):
    """The server is there."""

    key: str
    now: float


class Closing(Wire, frozen=True, tag="closing"):
    """The server ends the connection; come back in a moment."""

    reason: Literal["stopping", "identity"]
    """`stopping`: the server stops. `identity`: who you are has changed, or what opened this."""


Message: TypeAlias = (
    Welcome | Snapshot | Update | Present | Accepted | Refused | Offered | Pong | Closing
)
