"""Requests of clients, each with an idempotency key: closed unions, tagged by `kind`.

A request with a repeated *key* is executed once and gets the same answer again.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from pleasance.server.base.messages import (
    Count,
    Key,
    Name,
    Nonce,
    PlayerId,
    SeatNumber,
    TableId,
    Wire,
)

# Commands: requests to a table.


class Sit(Wire, frozen=True, tag="sit"):
    """Take a free seat; several seats on one device each need a name."""

    nonce: Nonce
    seat: SeatNumber | None = None
    """The first free one by default."""

    name: Name | None = None


class SeatBot(Wire, frozen=True, tag="seat_bot"):
    """Seat a bot (the owner)."""

    bot: Name
    seat: SeatNumber | None = None


class Leave(Wire, frozen=True, tag="leave"):
    """Leave a seat before the game begins; the owner may remove a bot."""

    seat: SeatNumber


class Start(Wire, frozen=True, tag="start"):
    """Begin the game (the owner, or any seated player once all seats are taken)."""


class Choose(Wire, frozen=True, tag="choose"):
    """Choose, in notation, at the position the client saw."""

    seat: SeatNumber
    token: Annotated[str, Meta(min_length=1, max_length=40)]
    ply: Count
    revision: Count = 0
    """Revision the client saw; if omitted 0, which is stale once tokens have been taken back."""


class Undo(Wire, frozen=True, tag="undo"):
    """Undo one's own last choice, while nothing hidden was revealed since."""

    seat: SeatNumber


class RequestTakeback(Wire, frozen=True, tag="request_takeback"):
    """Request a takeback of one's last choice, which all players must accept (unrated games)."""

    seat: SeatNumber


class AnswerTakeback(Wire, frozen=True, tag="answer_takeback"):
    """Accept a takeback or decline it."""

    seat: SeatNumber
    agrees: bool


class Resign(Wire, frozen=True, tag="resign"):
    """Resign the game."""

    seat: SeatNumber


class ReclaimSeat(Wire, frozen=True, tag="reclaim_seat"):
    """Reclaim one's seat from the bot that stood in."""

    seat: SeatNumber


class Say(Wire, frozen=True, tag="say"):
    """Send a chat message to the table."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Kick(Wire, frozen=True, tag="kick"):
    """Remove a player, for good if it *is_ban* (the owner)."""

    player: PlayerId
    is_ban: bool = False


class Close(Wire, frozen=True, tag="close"):
    """Close a table before the game begins (the owner)."""


class Rematch(Wire, frozen=True, tag="rematch"):
    """Request a rematch after the game: the first request opens a table like this, others join it.

    Bots take their seats again, and the game begins when all players have come.
    """

    nonce: Nonce


Command: TypeAlias = (
    Sit
    | SeatBot
    | Leave
    | Start
    | Choose
    | Undo
    | RequestTakeback
    | AnswerTakeback
    | Resign
    | ReclaimSeat
    | Say
    | Kick
    | Close
    | Rematch
)
"""A command to a table, over the socket or by HTTP."""


# Requests over the socket.


class Watch(Wire, frozen=True, tag="watch"):
    """Watch a table; *since* is the last seq the client saw, to go on after a lost connection."""

    key: Key
    table: TableId
    since: Annotated[int, Meta(ge=0)] | None = None


class Unwatch(Wire, frozen=True, tag="unwatch"):
    """Stop watching a table."""

    key: Key
    table: TableId


class Execute(Wire, frozen=True, tag="do"):
    """Execute a command at a table."""

    key: Key
    table: TableId
    command: Command


class Ping(Wire, frozen=True, tag="ping"):
    """Check that the server is there."""

    key: Key


Request: TypeAlias = Watch | Unwatch | Execute | Ping
